import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTesting
import CordonVenues

/// Every phone of a run, one store and one sink.
struct PhoneFleet {
  /// What the sink received.
  let sink: InProcessSink
  /// The device of each person, by number; `nil` for those without one.
  let devices: [DeviceID?]
  private var phones: [VirtualPhone]
  private let carrier: SinkCarrier
  private let store: PhoneStore
  private let truth: Truth

  /// Phones share a store and are committed once in so much simulated time: no single fix of a
  /// simulation needs to survive a power cut.
  private static let slice = TimeSpan.seconds(30)

  init(
    truth: Truth, gate: any VenueGate, venue: Venue, settings: SimulationSettings, store: PhoneStore,
    shares: [Double]? = nil, server: PhoneServer? = nil
  ) throws {
    self.truth = truth
    self.store = store
    sink = InProcessSink(needsToken: server == nil)
    sink.inviteCodes = ["SIMULATED"]
    carrier = SinkCarrier(sink: sink, server: server)
    let setting = VirtualPhone.Setting(
      frame: truth.frame, ordinals: Set(venue.floors.map(\.ordinal)).sorted(), gate: gate, setup: settings.phoneSetup,
      monitor: PhoneFleet.monitorSettings(for: settings), store: store.store,
      inviteCode: server?.inviteCode ?? "SIMULATED", start: truth.start, end: truth.end)
    var devices: [DeviceID?] = []
    var phones: [VirtualPhone] = []
    try store.group {
      for person in truth.people.indices {
        var random = RandomStream(
          seed: settings.seed, replica: settings.replica, stream: PhoneStream.runtime, entity: UInt64(person))
        let share = shares.map { $0[person] } ?? settings.deviceShare
        let carries = random.nextUnit() < share
        let offset = Int64(random.nextIndex(below: Int(settings.fixInterval.milliseconds)))
        guard carries, let path = CarrierPath(truth: truth, person: person, gate: gate, margin: 20) else {
          devices.append(nil)
          continue
        }
        var entropy = Entropy.stream(random)
        let device = entropy.nextDeviceID()
        let runtime = try Runtime(
          device: device, settings: setting.monitor, store: store.store, entropy: entropy,
          at: Moment(virtual: truth.start))
        func stream(_ purpose: UInt32) -> RandomStream {
          RandomStream(seed: settings.seed, replica: settings.replica, stream: purpose, entity: UInt64(person))
        }
        var skew = stream(PhoneStream.skew)
        let chances = VirtualPhone.Chances(
          network: stream(PhoneStream.network), fate: stream(PhoneStream.fate), delays: stream(PhoneStream.delays),
          skew: skew.nextNormal())
        devices.append(device)
        phones.append(
          VirtualPhone(
            person: person, path: path, runtime: runtime,
            error: PositionError(
              model: settings.phones.model, seed: settings.seed, replica: settings.replica, device: person),
            offset: TimeSpan(milliseconds: offset), chances: chances, setting: setting))
      }
    }
    self.devices = devices
    self.phones = phones
  }

  /// Lets every phone live from the start of the run to its end, or to the interruption.
  /// - Returns: the simulated time that was reached.
  mutating func run(
    progress: @escaping VenueSimulation.Progress, isInterrupted: () -> Bool
  ) throws -> Instant {
    var output = Output()
    var now = truth.start
    let carry = carrier.carry
    while now < truth.end, !isInterrupted() {
      now = min(now + PhoneFleet.slice, truth.end)
      try store.group {
        for index in phones.indices { phones[index].advance(until: now, output: &output, carry: carry) }
      }
      let done = (now - truth.start).milliseconds / 1_000
      progress("phones", Int(done), Int((truth.end - truth.start).milliseconds / 1_000), "simulated s")
    }
    try store.group {
      for index in phones.indices { phones[index].finish(at: now, output: &output, carry: carry) }
    }
    return now
  }

  /// What became of every fix, over all phones.
  var accounting: Accounting {
    var sum = Accounting()
    for phone in phones { sum.add(phone.runtime.accounting) }
    return sum
  }

  /// What was carried.
  var traffic: SinkCarrier.Traffic { carrier.traffic }

  /// Phones that still hold rows: person, rows and phase, for finding out why.
  var undelivered: [String] {
    phones.filter { $0.runtime.accounting.onPhone > 0 }.map {
      "person \($0.person): \($0.runtime.accounting.onPhone) rows, \($0.runtime.phase)"
    }
  }

  /// Fixes that phones made, counted where they are made.
  var fixesMade: Int { phones.reduce(0) { $0 + $1.fixesMade } }

  /// Fixes that only a process knew that was ended before it wrote anything about them.
  var fixesForgotten: Int { phones.reduce(0) { $0 + $1.fixesForgotten } }

  /// How often processes were ended.
  var kills: Int { phones.reduce(0) { $0 + $1.kills } }

  /// Joules that each phone used.
  func joules(_ model: EnergyModel) -> [Double] { phones.map { model.joules($0.energy) } }

  private static func monitorSettings(for settings: SimulationSettings) -> Settings {
    var monitor = Settings()
    // A phone that measures faster than the default thinning is meant to be kept that fast.
    monitor.thinning = settings.phoneSetup.thinning ?? min(monitor.thinning, settings.fixInterval)
    if let flush = settings.phoneSetup.flushAfter { monitor.flushAfter = flush }
    return monitor
  }
}
