import CordonCore
import CordonExchange
import CordonGeometry
import CordonMonitoring

/// One device of a trace, with the production runtime and the callbacks of an operating system.
struct ReplayDevice {
  let name: String
  let fixes: [TracedFix]
  let store: RecordingStore
  private var driver: RuntimeDriver
  var next = 0
  var isInRegion = false
  /// The indices of fixes by the data that their rows keep.
  private var indexes: [Place: Int] = [:]
  /// The indices of fixes in floor-only places, by time; their rows keep nothing else.
  private var coarseIndexes: [Instant: Int] = [:]
  /// The floor of the last fixes, and the number of consecutive kept fixes with it.
  private var floors: (last: FloorOrdinal?, kept: Int) = (nil, 0)
  var decisions: [Decision] = []
  var coverage = ReplayCoverage()
  /// The stored rows, for the check that none of them lies outside.
  var written: [Location] = []

  /// The delivery time of the next fix: its measurement, or now if that is in the past.
  var nextDelivery: Instant? {
    guard next < fixes.count else { return nil }
    return max(fixes[next].fix.time, now.wall)
  }

  private struct Place: Hashable {
    var time: Instant
    var coordinate: Coordinate
  }

  init(name: String, fixes: [TracedFix], store: RecordingStore, runtime: Runtime, now: ClockReading) {
    self.name = name
    self.fixes = fixes
    self.store = store
    driver = RuntimeDriver(runtime, at: now)
  }

  /// The virtual time of the device.
  var now: ClockReading { driver.now }
  /// The identifier of the device in requests.
  var id: DeviceID { driver.runtime.device }
  var phase: Phase { driver.runtime.phase }
  var accounting: Accounting { driver.runtime.accounting }

  mutating func log(_ kind: Decision.Kind) {
    decisions.append(Decision(at: now.wall, device: name, kind: kind))
  }

  mutating func send(_ event: MonitorEvent, _ ports: ReplayPorts) throws -> Verdict {
    try send(event, at: now, ports)
  }

  private mutating func send(_ event: MonitorEvent, at time: ClockReading, _ ports: ReplayPorts) throws -> Verdict {
    coverage.note(phase, event)
    let verdict = driver.step(event, at: time)
    try performOutput(ports)
    return verdict
  }

  /// Logs the results of a step, sends its requests, and passes the responses to the runtime.
  private mutating func performOutput(_ ports: ReplayPorts) throws {
    logWrites()
    while let output = driver.nextOutput() {
      for notice in output.notices { log(notice) }
      for request in output.requests { try send(request, ports) }
      logWrites()
    }
  }

  private mutating func send(_ request: SinkRequest, _ ports: ReplayPorts) throws {
    if case .positions(let rows, _) = request.body { log(.batch(number: request.number, rows: rows.count)) }
    let before = accounting
    let response = try ports.send(request, now.wall)
    coverage.note(phase, "answer")
    driver.receive(response)
    guard case .positions(let rows, _) = request.body else { return }
    let acknowledged = Int(accounting.acknowledged &- before.acknowledged)
    let quarantined = Int(accounting.quarantined &- before.quarantined)
    log(
      .answered(
        number: request.number, status: response.status, acknowledged: acknowledged, quarantined: quarantined,
        kept: rows.count - acknowledged - quarantined))
  }

  private mutating func logWrites() {
    for write in store.writes { log(write) }
    store.writes.removeAll()
  }

  private mutating func log(_ write: RecordingStore.Write) {
    switch write {
    case .stored(let row):
      written.append(row)
      log(.stored(entry(row)))
    case .extended(let row): log(.extended(entry(row)))
    }
  }

  private func entry(_ row: Location) -> Decision.Row {
    Decision.Row(
      fix: indexes[Place(time: row.time, coordinate: row.coordinate)] ?? coarseIndexes[row.time], time: row.time,
      floor: row.floor, space: row.space, stillUntil: row.stillUntil)
  }

  private mutating func log(_ notice: MonitorNotice) {
    switch notice {
    case .phase(let phase): log(Decision.Kind.phase(phase))
    case .expired(let rule, let count): log(.expired(rule: rule, count: count))
    case .storeFailed(let error): log(.storeFailed(error.description))
    default: break
    }
  }

  /// Advances the time and fires the timers that fall due.
  mutating func wait(until end: Instant, _ ports: ReplayPorts) throws {
    let end = now + (end - now.wall)
    while let time = driver.nextWake(by: end) {
      try ports.pace(time.wall)
      _ = try send(.wake, at: time, ports)
    }
    _ = driver.advance(to: end)
  }

  /// Delivers the next fix, after the crossing of the geofence that it causes.
  mutating func deliver(
    gate: any VenueGate, distance: BoundaryDistance, settings: ReplaySettings, _ ports: ReplayPorts
  ) throws {
    let traced = fixes[next]
    var fix = traced.fix
    let isIn = isInRegion ? gate.geofence.containsExit(fix.coordinate) : gate.geofence.contains(fix.coordinate)
    if fix.coordinate.isValid, isIn != isInRegion {
      isInRegion = isIn
      log(.region(isIn ? .entered : .exited))
      _ = try send(.region(isIn ? .entered : .exited), ports)
    }
    // The precision of stored rows: seven decimals of a degree, millimetres.
    var kept = fix
    kept.coordinate.longitude = (fix.coordinate.longitude * 1e7).rounded() / 1e7
    kept.coordinate.latitude = (fix.coordinate.latitude * 1e7).rounded() / 1e7
    kept.accuracy = fix.accuracy.map { ($0 * 1e3).rounded() / 1e3 }
    // A device has one fix for a time and place; the monitor's use of its floor does not matter here.
    indexes[Place(time: kept.time, coordinate: kept.coordinate), default: next] = next
    let isPrivate = isPrivate(kept, gate, agreeing: settings.monitor.floorFixes)
    if isPrivate { coarseIndexes[kept.time, default: next] = next }
    // The line of the fix precedes the lines that follow from it.
    let place = decisions.count
    let verdict = try send(.fix(fix), ports)
    fix = kept
    let isRefused = verdict.isRefusal
    if !isRefused { floors.kept += 1 }
    // The log must not contain positions that no store contains.
    let isShown = settings.showsRefused || !isRefused && !isPrivate
    decisions.insert(
      Decision(
        at: now.wall, device: name,
        kind: .fix(
          FixDecision(
            index: next, file: traced.file, line: traced.line, time: fix.time, verdict: verdict,
            boundaryDistance: isRefused ? distance.metres(from: fix.coordinate) : nil,
            coordinate: isShown ? fix.coordinate : nil, accuracy: fix.accuracy, floor: fix.floor))),
      at: place)
    next += 1
  }
  /// Checks whether only a part of a fix's position may be kept.
  ///
  /// The monitor accepts another floor only if several fixes agree; until then the device may be on any floor.
  private mutating func isPrivate(_ fix: Fix, _ gate: any VenueGate, agreeing needed: Int) -> Bool {
    if fix.floor != floors.last { floors = (fix.floor, 0) }
    func isFull(_ floor: FloorOrdinal?) -> Bool {
      gate.judge(fix.coordinate, floor: floor, accuracy: fix.accuracy).recording == .full
    }
    return !isFull(fix.floor) || floors.kept < needed && !isFull(nil)
  }
}
