import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonVenues
import Dispatch

/// All phones of a run, in sections that can be processed concurrently.
///
/// Phones are independent of each other. The result therefore does not depend on the number of sections or threads.
struct PhoneFleet {
  /// The device of each person, by number; `nil` for people without one.
  let devices: [DeviceID?]
  private let sections: [FleetSection]
  private let store: PhoneStore
  private let truth: Truth
  private let threads: Int
  /// When the sink makes a notice for every phone; `nil` for never.
  private let noticeTime: Instant?

  /// Simulated time between two commits. Phones share a store, and a single fix of a simulation need not survive a
  /// power failure.
  private static let slice = TimeSpan.seconds(30)
  /// Number of sections; enough to distribute the work evenly.
  private static let sectionCount = 8

  init(
    truth: Truth, gate: any VenueGate, venue: Venue, scenario: Scenario, replica: UInt32 = 0, threads limit: Int = 1,
    store: PhoneStore, shares: [Double]? = nil, server: PhoneServer? = nil
  ) throws {
    self.truth = truth
    self.store = store
    // A real server receives one request at a time.
    threads = server == nil ? max(limit, 1) : 1
    let stores = store.stores(count: PhoneFleet.sectionCount)
    let noticeTime = scenario.phones.noticeAfter.map { truth.start + $0 }
    self.noticeTime = server == nil ? noticeTime : nil
    sections = stores.map {
      FleetSection(
        store: $0, sink: InProcessSink(needsToken: server == nil), server: server, noticeTime: noticeTime)
    }
    let setting = SimulatedPhone.Setting(
      frame: truth.frame, ordinals: Set(venue.floors.map(\.ordinal)).sorted(), gate: gate, setup: scenario.phones,
      monitor: PhoneFleet.monitorSettings(for: scenario.phones),
      inviteCode: server?.inviteCode ?? FleetSection.inviteCode,
      start: truth.start, end: truth.end)
    var devices: [DeviceID?] = []
    let sections = self.sections
    try store.group {
      for person in truth.people.indices {
        var random = PhoneFleet.random(person: person, seed: scenario.seed, replica: replica)
        let share = shares.map { $0[person] } ?? scenario.visitors?.deviceShare ?? 1
        let carries = random.nextUnit() < share
        let offset = Int64(random.nextIndex(below: Int(scenario.phones.interval.milliseconds)))
        guard carries, let path = CarrierPath(truth: truth, person: person, gate: gate, margin: 20) else {
          devices.append(nil)
          continue
        }
        var entropy = RandomSource.stream(random)
        let device = entropy.nextDeviceID()
        let section = sections[devices.count % sections.count]
        let start = ClockReading(virtual: truth.start)
        let runtime = try Runtime(
          device: device, configuration: setting.monitor, store: section.store, entropy: entropy, at: start)
        func stream(_ purpose: UInt32) -> RandomStream {
          RandomStream(seed: scenario.seed, replica: replica, stream: purpose, entity: UInt64(person))
        }
        var skew = stream(PhoneStream.skew)
        let chances = SimulatedPhone.Chances(
          network: stream(PhoneStream.network), fate: stream(PhoneStream.fate), delays: stream(PhoneStream.delays),
          skew: skew.nextNormal())
        devices.append(device)
        section.phones.append(
          SimulatedPhone(
            person: person, path: path, driver: RuntimeDriver(runtime, at: start),
            error: PositionError(
              model: scenario.phones.errorModel ?? scenario.phones.preset.model, seed: scenario.seed, replica: replica,
              device: person),
            offset: TimeSpan(milliseconds: offset), chances: chances, setting: setting, store: section.store,
            transport: section.transport))
      }
    }
    self.devices = devices
  }

  /// Checks whether a person carries a phone, for a share of phones among similar people.
  static func carries(person: Int, share: Double, seed: UInt64, replica: UInt32) -> Bool {
    var random = random(person: person, seed: seed, replica: replica)
    return random.nextUnit() < share
  }

  private static func random(person: Int, seed: UInt64, replica: UInt32) -> RandomStream {
    RandomStream(seed: seed, replica: replica, stream: PhoneStream.runtime, entity: UInt64(person))
  }

  /// Advances every phone from the start of the run to its end, or to an interruption.
  /// - Parameter end: the time at which to stop; `nil` for the end of the run.
  /// - Returns: the simulated time that was reached.
  mutating func run(
    until end: Instant? = nil, progress: @escaping VenueSimulation.Progress, isInterrupted: () -> Bool
  ) throws -> Instant {
    let end = end ?? truth.end
    var now = truth.start
    while now < end, !isInterrupted() {
      now = min(now + PhoneFleet.slice, end)
      try store.group { work { $0.advance(until: now) } }
      let done = (now - truth.start).milliseconds / 1_000
      progress(.phones, Int(done), Int((end - truth.start).milliseconds / 1_000), "simulated s")
    }
    try store.group { work { $0.finish(at: now) } }
    return now
  }

  /// Processes every section, several at a time.
  private func work(_ body: (FleetSection) -> Void) {
    let workers = min(threads, sections.count)
    guard workers > 1 else { return sections.forEach(body) }
    withoutActuallyEscaping(body) { body in
      let work = SectionWork(sections: sections, body: body)
      DispatchQueue.concurrentPerform(iterations: workers) { worker in
        for index in stride(from: worker, to: work.sections.count, by: workers) { work.body(work.sections[index]) }
      }
    }
  }

  /// The data that the sections' sinks received.
  var sink: FleetSink { FleetSink(sinks: sections.map(\.transport.sink)) }

  private var phones: some Sequence<SimulatedPhone> { sections.lazy.flatMap(\.phones) }

  /// The outcome of every fix, over all phones.
  var accounting: Accounting {
    var sum = Accounting()
    for phone in phones { sum.add(phone.accounting) }
    return sum
  }

  /// The requests and bytes that were sent.
  var traffic: SinkTransport.Traffic {
    var sum = SinkTransport.Traffic()
    for section in sections { sum.add(section.transport.traffic) }
    // Includes requests that never reached a sink, and lost responses.
    for phone in phones { sum.addLost(requests: phone.lostRequests, failed: phone.failedRequests) }
    return sum
  }

  /// The notices that phones received; `nil` when none were made. Phones that had not come before the notices are not counted.
  var notices: NoticeDelays? {
    guard let noticeTime else { return nil }
    let concerned = phones.filter { $0.firstDay < noticeTime }
    return NoticeDelays(made: concerned.count, delays: concerned.compactMap { $0.noticeDelay?.seconds }.sorted())
  }

  /// The phones that still have rows, with person, rows and phase, for diagnosis.
  var undelivered: [String] {
    phones.filter { $0.accounting.onPhone > 0 }.sorted { $0.person < $1.person }.map {
      "person \($0.person): \($0.accounting.onPhone) rows, \($0.phase)"
    }
  }

  /// The number of fixes, counted where phones take them.
  var fixesMade: Int { phones.reduce(0) { $0 + $1.fixesMade } }

  /// The number of fixes that were lost because a process was killed before it persisted them.
  var fixesForgotten: Int { phones.reduce(0) { $0 + $1.fixesForgotten } }

  /// The number of times a process was killed.
  var kills: Int { phones.reduce(0) { $0 + $1.kills } }

  /// Returns the energy that each phone used in joules, by number of the person.
  func joules(_ model: EnergyModel) -> [Double] {
    phones.map { ($0.person, model.joules($0.energy)) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  private static func monitorSettings(for phones: PhoneSetup) -> MonitorConfiguration {
    var monitor = MonitorConfiguration()
    // A phone that measures faster than the default thinning keeps its own rate.
    monitor.thinning = phones.thinning ?? min(monitor.thinning, phones.interval)
    // If positioning stops after a time without motion, the library detects rest at the same time: the phone stays at
    // its last position.
    switch phones.sampling {
    case .motion(let after): monitor.stillAfter = after
    case .distance: monitor.stillAfter = SimulatedPhone.Setting.defaultMotionDelay
    case .continuous: monitor.stillAfter = .days(366)
    case .library: break
    }
    if let flush = phones.flushAfter { monitor.flushAfter = flush }
    if phones.noticeAfter != nil {
      for index in monitor.sinks.indices { monitor.sinks[index].abilities.insert(.notices) }
    }
    return monitor
  }
}

/// How long notices took to phones.
struct NoticeDelays: Hashable {
  /// The number of phones with a notice at the sink.
  var made: Int
  /// The seconds until each notice that arrived, ascending.
  var delays: [Double]

  /// The seconds within which a share of the notices that arrived did; `nil` without any.
  func delay(quantile: Double) -> Double? {
    guard !delays.isEmpty else { return nil }
    return delays[min(delays.count - 1, max(0, Int((quantile * Double(delays.count)).rounded(.up)) - 1))]
  }
}

/// The work of several threads on sections.
///
/// `@unchecked Sendable` holds because each section is processed by one worker only. The store that sections share
/// (``PhoneStore/sqlite(_:)``) is protected by a lock.
private struct SectionWork: @unchecked Sendable {
  let sections: [FleetSection]
  let body: (FleetSection) -> Void
}
