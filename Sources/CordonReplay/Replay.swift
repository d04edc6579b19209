import CordonContacts
package import CordonCore
package import CordonExchange
package import CordonGeometry
package import CordonMonitoring

/// A replay of the whole chain from recorded fixes: the production runtime of each device with a clock under the
/// replay's control.
///
/// A fix is delivered at the time of its measurement, or at once if an earlier fix of the file has a later time. Every
/// fix is delivered, including those that a sleeping phone would not have made, so that each has a verdict. Crossings
/// of the geofence are reported in the way of an operating system. The same traces give the same decisions.
package struct Replay {
  private let trace: ResolvedTrace
  private let venue: PackedVenue
  private let settings: ReplaySettings

  /// Creates a replay of devices in a venue.
  package init(_ trace: ResolvedTrace, in venue: PackedVenue, settings: ReplaySettings = ReplaySettings()) {
    self.trace = trace
    self.venue = venue
    self.settings = settings
  }

  /// Replays all fixes of all devices.
  ///
  /// - Parameters:
  ///   - ports: the stores and the connection to the sink.
  ///   - received: returns the rows of the sink after the replay, from which the contacts are derived.
  /// - Throws: Errors of the stores and of the ports.
  package func run(_ ports: ReplayPorts, received: () -> [Location]) throws -> ReplayResult {
    let gate = PackedVenueGate(venue)
    let distance = BoundaryDistance(venue.boundary)
    var devices = try trace.devices.enumerated().map { try device($1, number: $0, gate, ports) }
    while let index = nextDevice(devices), let time = devices[index].nextDelivery {
      try devices[index].wait(until: time, ports)
      try ports.pace(time)
      let phase = devices[index].phase
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
    let now = ClockReading(virtual: start - .seconds(1))
    let store = RecordingStore(try ports.store(traced.name))
    let id = DeviceID(traced.name) ?? DeviceID("device-\(number + 1)")
    let runtime = try Runtime(
      device: id, configuration: settings.monitor, store: store,
      entropy: .stream(RandomStream(seed: 0x7265_706c, stream: 0x4e70, entity: UInt64(number))), at: now)
    var device = ReplayDevice(name: traced.name, fixes: traced.fixes, store: store, runtime: runtime, now: now)
    device.log(.consent(version: settings.consentVersion))
    _ = try device.send(.consent(Consent(version: settings.consentVersion, time: now.wall)), ports)
    _ = try device.send(.venue(gate), ports)
    if let code = settings.inviteCode { _ = try device.send(.invite(code: code), ports) }
    _ = try device.send(.start, ports)
    return device
  }

  /// Returns the device with the next fix; the first by name among equals.
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
      accounting.add(device.accounting)
      coverage.add(device.coverage)
      decisions += device.decisions
      for row in device.written {
        let verdict = gate.judge(row.coordinate, floor: row.floor)
        if !verdict.isInside || verdict.recording == .unrecorded {
          outside.append("\(device.name): a row of \(row.time.rfc3339) lies outside")
        }
      }
    }
    // By time, then device; the decisions of a device at one time keep their order.
    let order = decisions.indices.sorted {
      (decisions[$0].at, decisions[$0].device, $0) < (decisions[$1].at, decisions[$1].device, $1)
    }
    decisions = order.map { decisions[$0] }
    let contacts = contacts(in: received, devices: devices)
    for contact in contacts {
      decisions.append(Decision(at: contact.start, device: contact.devices[0], kind: .contact(contact)))
    }
    return ReplayResult(
      devices: devices.map { .init(name: $0.name, accounting: $0.accounting, finalPhase: $0.phase) },
      accounting: accounting, decisions: decisions, contacts: contacts, coverage: coverage, assumed: trace.assumed,
      storedOutside: outside, showsRefused: settings.showsRefused)
  }

  private func contacts(in received: [Location], devices: [ReplayDevice]) -> [ReplayContact] {
    var numbers: [DeviceID: Int32] = [:]
    for (index, device) in devices.enumerated() { numbers[device.id] = Int32(index) }
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
    let tracks = ObservedTracks(points, accuracies: accuracies, stillUntil: stays, maximumGap: settings.maximumGap)
    return ContactFinder(distance: settings.contactDistance).contacts(in: tracks).map { contact in
      ReplayContact(
        devices: [devices[Int(contact.first)].name, devices[Int(contact.second)].name],
        start: Instant(milliseconds: contact.start / 1_000), end: Instant(milliseconds: contact.end / 1_000),
        minimumDistance: (contact.minimumDistance * 1e3).rounded() / 1e3,
        floor: contact.floor == Segment.unknownFloor ? nil : FloorOrdinal(thousandths: contact.floor))
    }
  }
}

/// The result of a replay.
package struct ReplayResult: Sendable {
  /// A device of the replay.
  package struct Device: Sendable {
    /// The name in the trace.
    package var name: String
    /// The accounting of its fixes.
    package var accounting: Accounting
    /// The final phase of its monitor.
    package var finalPhase: Phase
  }

  /// The devices, sorted by name.
  package var devices: [Device]
  /// The accounting of all devices.
  package var accounting: Accounting
  /// The decisions by time; contacts last.
  package var decisions: [Decision]
  /// The contacts derived from the sink's rows.
  package var contacts: [ReplayContact]
  /// The events that occurred in each phase.
  package var coverage: ReplayCoverage
  /// The assumptions for data that the files do not contain.
  package var assumed: [String]
  /// A sentence for each stored row outside the venue; must be empty.
  package var storedOutside: [String]
  /// Whether the decisions contain the positions of refused fixes.
  package var showsRefused: Bool
}

extension ReplayDevice {
  /// The last fix in the log.
  var lastFix: Decision.Kind? {
    for decision in decisions.reversed() { if case .fix = decision.kind { return decision.kind } }
    return nil
  }
}
