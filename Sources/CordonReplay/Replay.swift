import CordonContacts
public import CordonCore
public import CordonExchange
public import CordonGeometry
public import CordonMonitoring

/// Drives the whole chain from recorded fixes: the real runtime of each device under a clock that the replay owns.
///
/// A fix is delivered when it was measured, or at once if its turn in the file comes later. Every fix is delivered, also
/// those that a sleeping phone would not have made, so that each has a verdict. Crossings of the geofence are told
/// as an operating system would. The same traces give the same decisions.
public struct Replay {
  private let trace: ResolvedTrace
  private let venue: PackedVenue
  private let settings: ReplaySettings

  /// A replay of some devices in a venue.
  public init(_ trace: ResolvedTrace, in venue: PackedVenue, settings: ReplaySettings = ReplaySettings()) {
    self.trace = trace
    self.venue = venue
    self.settings = settings
  }

  /// Replays everything.
  /// - Parameters:
  ///   - ports: stores and the way to the sink.
  ///   - received: what the sink has in the end; contacts follow from it.
  public func run(_ ports: ReplayPorts, received: () -> [Location]) throws -> ReplayResult {
    let gate = PackedVenueGate(venue)
    let distance = BoundaryDistance(venue.boundary)
    var devices = try trace.devices.enumerated().map { try device($1, number: $0, gate, ports) }
    while let index = nextDevice(devices), let time = devices[index].nextDelivery {
      try devices[index].wait(until: time, ports)
      try ports.pace(time)
      let phase = devices[index].runtime.phase
      try devices[index].deliver(gate: gate, distance: distance, settings: settings, ports)
      if case .fix(let fix)? = devices[index].lastFix {
        devices[index].coverage.note(phase, fix.verdict.isRefusal ? "fix_refused" : "fix_kept")
      }
    }
    for index in devices.indices {
      _ = try devices[index].send(.stop, ports)
      _ = try devices[index].send(.flush, ports)
      try devices[index].wait(until: devices[index].now.wall + settings.afterwards, ports)
    }
    return result(devices, gate, received())
  }

  private func device(
    _ traced: ResolvedTrace.Device, number: Int, _ gate: PackedVenueGate, _ ports: ReplayPorts
  ) throws -> ReplayDevice {
    let start = traced.fixes.map(\.fix.time).min() ?? .epoch
    // A second before the first fix, which must not be older than the session.
    let now = Moment(virtual: start - .seconds(1))
    let store = RecordingStore(try ports.store(traced.name))
    let id = DeviceID(traced.name) ?? DeviceID("device-\(number + 1)")
    let runtime = try Runtime(
      device: id, settings: settings.monitor, store: store,
      entropy: .stream(RandomStream(seed: 0x7265_706c, stream: 0x4e70, entity: UInt64(number))), at: now)
    var device = ReplayDevice(name: traced.name, fixes: traced.fixes, store: store, runtime: runtime, now: now)
    device.log(.consent(version: settings.consentVersion))
    _ = try device.send(.consent(Consent(version: settings.consentVersion, time: now.wall)), ports)
    _ = try device.send(.venue(gate), ports)
    if let code = settings.inviteCode { _ = try device.send(.invite(code: code), ports) }
    _ = try device.send(.start, ports)
    return device
  }

  /// Whose fix comes next; the first by name among equals.
  private func nextDevice(_ devices: [ReplayDevice]) -> Int? {
    var best: (time: Instant, index: Int)?
    for (index, device) in devices.enumerated() {
      guard let time = device.nextDelivery else { continue }
      if best.map({ time < $0.time }) ?? true { best = (time, index) }
    }
    return best?.index
  }

  private func result(_ devices: [ReplayDevice], _ gate: PackedVenueGate, _ received: [Location]) -> ReplayResult {
    var accounting = Accounting()
    var coverage = ReplayCoverage()
    var decisions: [Decision] = []
    var outside: [String] = []
    for device in devices {
      accounting.add(device.runtime.accounting)
      coverage.add(device.coverage)
      decisions += device.decisions
      for row in device.written {
        let verdict = gate.judge(row.coordinate, floor: row.floor)
        if !verdict.isInside || verdict.recording == .unrecorded {
          outside.append("\(device.name): a row of \(row.time.rfc3339) lies outside")
        }
      }
    }
    // By time, then device; what a device did at one moment stays in its order.
    let order = decisions.indices.sorted {
      (decisions[$0].at, decisions[$0].device, $0) < (decisions[$1].at, decisions[$1].device, $1)
    }
    decisions = order.map { decisions[$0] }
    let contacts = contacts(in: received, devices: devices)
    for contact in contacts {
      decisions.append(Decision(at: contact.start, device: contact.devices[0], kind: .contact(contact)))
    }
    return ReplayResult(
      devices: devices.map { .init(name: $0.name, accounting: $0.runtime.accounting, finalPhase: $0.runtime.phase) },
      accounting: accounting, decisions: decisions, contacts: contacts, coverage: coverage, assumed: trace.assumed,
      storedOutside: outside, showsRefused: settings.showsRefused)
  }

  private func contacts(in received: [Location], devices: [ReplayDevice]) -> [ReplayContact] {
    var numbers: [DeviceID: Int32] = [:]
    for (index, device) in devices.enumerated() { numbers[device.runtime.device] = Int32(index) }
    let frame = venue.frame
    var points: [TrackPoint] = []
    var accuracies: [Float] = []
    var stays: [Int64] = []
    for row in received {
      guard let device = numbers[row.device] else { continue }
      let point = frame.projectRounded(row.coordinate)
      points.append(
        TrackPoint(
          device: device, floor: row.floor?.thousandths ?? Segment.unknownFloor, time: row.time.milliseconds,
          x: point.x,
          y: point.y))
      accuracies.append(Float(row.accuracy))
      stays.append(row.stillUntil?.milliseconds ?? .min)
    }
    let segments = ObservedTracks(
      points, accuracies: accuracies, stillUntil: stays, maximumGap: settings.maximumGap
    ).segments()
    return ContactFinder(distance: settings.contactDistance).contacts(in: segments).map { contact in
      ReplayContact(
        devices: [devices[Int(contact.first)].name, devices[Int(contact.second)].name],
        start: Instant(milliseconds: contact.start / 1_000), end: Instant(milliseconds: contact.end / 1_000),
        minimumDistance: (contact.minimumDistance * 1e3).rounded() / 1e3,
        floor: contact.floor == Segment.unknownFloor ? nil : FloorOrdinal(thousandths: contact.floor))
    }
  }
}

/// Everything that a replay found.
public struct ReplayResult: Sendable {
  /// One device.
  public struct Device: Sendable {
    /// Its name in the trace.
    public var name: String
    /// What became of its fixes.
    public var accounting: Accounting
    /// Where its monitor stood in the end.
    public var finalPhase: Phase
  }

  /// By name.
  public var devices: [Device]
  /// Of all devices.
  public var accounting: Accounting
  /// By time; contacts last.
  public var decisions: [Decision]
  /// What the sink's rows show, by start.
  public var contacts: [ReplayContact]
  /// Which events came in which phases.
  public var coverage: ReplayCoverage
  /// What was assumed in place of the files.
  public var assumed: [String]
  /// Rows that lie outside, in sentences; there must be none.
  public var storedOutside: [String]
  /// Whether the decisions tell where refused fixes were.
  public var showsRefused: Bool
}

extension ReplayDevice {
  /// The last fix in the log.
  var lastFix: Decision.Kind? {
    for decision in decisions.reversed() { if case .fix = decision.kind { return decision.kind } }
    return nil
  }
}

extension ReplayDevice {
  /// The name of the device on the wire.
  var id: DeviceID { runtime.device }
}
