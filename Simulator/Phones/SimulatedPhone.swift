import CordonCore
import CordonGeometry
import CordonMonitoring

/// A simulated phone: a model of the operating system and its sensors around the real runtime.
///
/// The truth is used only to generate fixes, region crossings and motion. The runtime receives only events that an
/// operating system would report.
struct SimulatedPhone {
  /// The person who carries the phone.
  let person: Int
  /// The library, exactly as on a real phone.
  private(set) var runtime: Runtime

  private let frame: LocalFrame
  private let ordinals: [FloorOrdinal]
  private let interval: TimeSpan
  private let grid: Instant
  private let last: Instant
  private let skew: TimeSpan
  private var path: CarrierPath
  private var error: PositionError
  private var network: PhoneNetwork
  private var fate: ProcessLifecycleModel
  private var delays: RandomStream
  private var nextTick: Instant
  private var hasStarted = false
  private var isRunning = true
  private var responses: [(due: Instant, response: SinkResponse)] = []

  // The requests of the runtime to the operating system.
  private var isPositioning = false
  private var wantsOneFix = false
  private var region: Geofence?
  private var isInRegion = false
  private var crossing: (due: Instant, what: RegionCrossing)?
  private var wakeFence: (center: PlanePoint, radius: Double)?
  private var wakeDue: Instant?
  private var motion: Motion?
  private var stillSince: Instant?
  private var lastFixPoint: PlanePoint?

  /// The number of fixes, whether or not the runtime kept them.
  private(set) var fixesMade = 0
  /// The number of fixes that were lost because the process was killed before it persisted them.
  private(set) var fixesForgotten = 0
  /// The number of requests without a successful response because of the network, and the number of those that never
  /// reached the server.
  private(set) var failedRequests = 0
  private(set) var lostRequests = 0
  /// The number of times the process was killed.
  private(set) var kills = 0
  /// The activities that use energy.
  private(set) var energy = EnergyUse()

  struct Setting {
    var frame: LocalFrame
    /// All floor ordinals of the venue, ascending.
    var ordinals: [FloorOrdinal]
    var gate: any VenueGate
    var setup: PhoneSetup
    var monitor: MonitorConfiguration
    var inviteCode = "SIMULATED"
    var start: Instant
    var end: Instant
    /// Delay after which the motion sensors report that the person started or stopped moving.
    var motionDelay = Setting.defaultMotionDelay

    static let defaultMotionDelay = TimeSpan.seconds(10)
  }

  /// The random numbers of one phone, by purpose.
  struct Chances {
    var network: RandomStream
    var fate: RandomStream
    var delays: RandomStream
    /// A standard normal number.
    var skew: Double
  }

  private let setting: Setting
  private let store: any Store

  init(
    person: Int, path: CarrierPath, runtime: Runtime, error: PositionError, offset: TimeSpan, chances: Chances,
    setting: Setting, store: any Store
  ) {
    self.store = store
    self.person = person
    self.path = path
    self.runtime = runtime
    self.error = error
    self.setting = setting
    frame = setting.frame
    ordinals = setting.ordinals
    interval = setting.setup.interval
    skew = TimeSpan(milliseconds: Int64(chances.skew * Double(setting.setup.clockSkew.milliseconds)))
    grid = setting.start + offset
    // One more minute is for the last fixes and responses.
    last = min(path.end + .minutes(1), setting.end)
    network = PhoneNetwork(setting.setup.network, random: chances.network, from: setting.start, to: setting.end)
    fate = ProcessLifecycleModel(
      setting.setup.habits, random: chances.fate, from: path.start, to: min(path.end, setting.end))
    delays = chances.delays
    nextTick = setting.start
    // Without a delay of the geofence, the time at which the system begins to watch it makes no difference.
    let begin = setting.setup.geofenceDelay > .zero ? path.start - SimulatedPhone.armedBefore : max(path.start, grid)
    nextTick = tick(atOrAfter: begin)
  }

  /// Time before the first departure of the person at which the phone is switched on.
  ///
  /// By then the library no longer checks by itself whether it is in the venue, so everything depends on the operating
  /// system.
  private static let armedBefore = TimeSpan.minutes(40)

  /// Returns the first tick of the phone's own grid at or after a time.
  private func tick(atOrAfter time: Instant) -> Instant {
    let step = interval.milliseconds
    let since = (time - grid).milliseconds
    let steps = since > 0 ? (since + step - 1) / step : since / step
    return grid + TimeSpan(milliseconds: steps * step)
  }

  /// Returns the readings of both clocks of the phone at a true time.
  private func moment(_ now: Instant) -> ClockReading {
    ClockReading(wall: now + skew, monotonic: TimeSpan(milliseconds: now.milliseconds))
  }

  /// Advances to `end` (excluded), or until the carrier has left.
  /// - Parameter carry: sends a request to its sink, and returns the response.
  mutating func advance(
    until end: Instant, output: inout MonitorOutput, carry: (SinkRequest, Instant) throws -> SentRequest
  ) rethrows {
    while nextTick < end, nextTick <= last {
      if !responses.isEmpty { try listen(until: nextTick, output: &output, carry: carry) }
      try live(at: nextTick, output: &output, carry: carry)
      nextTick = nextTick + interval
      // Between two visits, only timers cause events once the phone detected that it is away.
      let isSettled = responses.isEmpty && !isPositioning && crossing == nil && wakeDue == nil
      if path.isAway(at: nextTick), isSettled, let next = path.nextStart(awayAt: nextTick) {
        let timer = isRunning ? runtime.nextTimer.map { Instant(milliseconds: $0.milliseconds) } : nil
        nextTick = tick(atOrAfter: max(nextTick, min(next, timer ?? next)))
      }
    }
  }

  /// Ends the phone: monitoring stops, and the rows that are still on the phone are sent once.
  mutating func finish(
    at now: Instant, output: inout MonitorOutput, carry: (SinkRequest, Instant) throws -> SentRequest
  ) rethrows {
    guard hasStarted else { return }
    if !isRunning { try restart(at: now, output: &output, carry: carry) }
    guard isRunning else { return }
    var time = now
    try step(.stop, at: time, output: &output, carry: carry)
    try step(.flush, at: time, output: &output, carry: carry)
    // Each response may start another request. A row that was extended while a request was in flight waits for a short
    // time.
    for _ in 0..<64 {
      if responses.isEmpty {
        guard runtime.accounting.onPhone > 0, let due = runtime.nextTimer else { return }
        time = max(time, Instant(milliseconds: due.milliseconds))
        guard time <= now + .minutes(10) else { return }
        try step(.wake, at: time, output: &output, carry: carry)
        if responses.isEmpty { return }
      }
      time = max(time, responses.map(\.due).min() ?? time)
      try deliver(at: time, output: &output, carry: carry)
      try step(.flush, at: time, output: &output, carry: carry)
    }
  }

  private mutating func live(
    at now: Instant, output: inout MonitorOutput, carry: (SinkRequest, Instant) throws -> SentRequest
  )
    rethrows
  {
    if !hasStarted {
      hasStarted = true
      try step(.venue(setting.gate), at: now, output: &output, carry: carry)
      try step(.permission(.always), at: now, output: &output, carry: carry)
      try step(.consent(Consent(version: "simulated-1", time: now + skew)), at: now, output: &output, carry: carry)
      try step(.invite(code: setting.inviteCode), at: now, output: &output, carry: carry)
      try step(.start, at: now, output: &output, carry: carry)
    }
    while let happening = fate.next(at: now) {
      try suffer(happening, at: now, output: &output, carry: carry)
    }
    let changed = network.advance(to: now)
    let place = path.place(at: now)
    guard isRunning else { return }
    energy.monitoredSeconds += interval.seconds
    if changed {
      try step(.network(network.isOnline ? .unmetered : .none), at: now, output: &output, carry: carry)
    }
    try deliver(at: now, output: &output, carry: carry)
    try senseRegion(place, at: now, output: &output, carry: carry)
    try senseMotion(place, at: now, output: &output, carry: carry)
    let isMeasuring = isPositioning && measures(at: now)
    if isMeasuring || wantsOneFix { energy.positioningSeconds += interval.seconds }
    if wantsOneFix || (isMeasuring && samples(place)) {
      wantsOneFix = false
      fixesMade += 1
      energy.fixes += 1
      lastFixPoint = place.point
      try step(.fix(fix(of: place, at: now)), at: now, output: &output, carry: carry)
    }
    if let due = runtime.nextTimer, due.milliseconds <= now.milliseconds {
      try step(.wake, at: now, output: &output, carry: carry)
    }
  }

  /// Checks whether the positioning sensor is on. Rules that depend on motion switch it off while the motion sensors
  /// report none.
  private func measures(at now: Instant) -> Bool {
    guard lastFixPoint != nil, let stillSince else { return true }
    switch setting.setup.sampling {
    case .library, .continuous: return true
    case .distance: return now - stillSince < setting.motionDelay
    case .motion(let after): return now - stillSince <= after
    }
  }

  /// Checks whether a measured position is reported as a fix.
  private func samples(_ place: CarrierPath.Place) -> Bool {
    guard case .distance(let metres) = setting.setup.sampling, let lastFixPoint else { return true }
    return PlanePoint.distance(lastFixPoint, place.point) >= metres
  }

  private mutating func suffer(
    _ happening: ProcessLifecycleModel.LifecycleEvent, at now: Instant, output: inout MonitorOutput,
    carry: (SinkRequest, Instant) throws -> SentRequest
  ) rethrows {
    switch happening {
    case .killed where isRunning: kill()
    case .restarted where !isRunning: try restart(at: now, output: &output, carry: carry)
    case .killed, .restarted: break
    case .permissionLost where isRunning: try step(.permission(.none), at: now, output: &output, carry: carry)
    case .permissionBack where isRunning: try step(.permission(.always), at: now, output: &output, carry: carry)
    case .paused(let span) where isRunning:
      try step(.pause(until: now + skew + span), at: now, output: &output, carry: carry)
    case .withdrawn where isRunning: try step(.withdraw, at: now, output: &output, carry: carry)
    case .permissionLost, .permissionBack, .paused, .withdrawn: break
    }
  }

  /// Kills the process: data that was only in memory and pending responses are lost.
  private mutating func kill() {
    isRunning = false
    kills += 1
    responses.removeAll()
    isPositioning = false
    wantsOneFix = false
    motion = nil
  }

  /// Restarts the process from the store.
  private mutating func restart(
    at now: Instant, output: inout MonitorOutput, carry: (SinkRequest, Instant) throws -> SentRequest
  ) rethrows {
    let before = runtime.accounting
    // The store was readable before; if it is not readable now, the phone stays off.
    guard
      let again = try? Runtime(
        device: runtime.device, configuration: setting.monitor, store: store, entropy: .stream(delays),
        at: moment(now))
    else { return }
    _ = delays.next()
    fixesForgotten += Int(before.fixes &- again.accounting.fixes)
    runtime = again
    isRunning = true
    try step(.venue(setting.gate), at: now, output: &output, carry: carry)
    try step(.permission(.always), at: now, output: &output, carry: carry)
    try step(.wake, at: now, output: &output, carry: carry)
  }

  /// Delivers pending responses at their times, even if the next fix is far away. Each response may cause another
  /// request.
  private mutating func listen(
    until now: Instant, output: inout MonitorOutput, carry: (SinkRequest, Instant) throws -> SentRequest
  ) rethrows {
    for _ in 0..<64 {
      guard isRunning, let due = responses.map(\.due).min(), due < now else { return }
      try deliver(at: due, output: &output, carry: carry)
    }
  }

  private mutating func deliver(
    at now: Instant, output: inout MonitorOutput, carry: (SinkRequest, Instant) throws -> SentRequest
  )
    rethrows
  {
    while let index = responses.firstIndex(where: { $0.due <= now }) {
      let response = responses.remove(at: index).response
      runtime.step(moment(now), response: response, into: &output)
      try perform(&output, at: now, carry: carry)
    }
  }

  private mutating func step(
    _ event: MonitorEvent, at now: Instant, output: inout MonitorOutput,
    carry: (SinkRequest, Instant) throws -> SentRequest
  ) rethrows {
    runtime.step(moment(now), event, into: &output)
    try perform(&output, at: now, carry: carry)
  }

  private mutating func perform(
    _ output: inout MonitorOutput, at now: Instant, carry: (SinkRequest, Instant) throws -> SentRequest
  )
    rethrows
  {
    for command in output.commands {
      switch command {
      case .startPositioning: isPositioning = true
      case .stopPositioning: isPositioning = false
      case .requestFix: wantsOneFix = true
      case .watchRegion(let fence):
        region = fence
        isInRegion = false
      case .unwatchRegion: region = nil
      case .watchWakeFence(let center, let radius): (wakeFence, wakeDue) = ((frame.project(center), radius), nil)
      case .unwatchWakeFence: (wakeFence, wakeDue) = (nil, nil)
      }
    }
    for request in output.requests {
      energy.requests += 1
      switch network.fate() {
      case .answered(let latency):
        let carried = try carry(request, now)
        energy.bytes += carried.bytes
        responses.append((due: now + latency, response: carried.response))
      case .answerLost:
        failedRequests += 1
        energy.bytes += try carry(request, now).bytes
      case .lost: loseRequest()
      case .failed(let latency):
        loseRequest()
        responses.append((due: now + latency, response: SinkResponse(number: request.number, status: 503)))
      case .offline:
        loseRequest()
        responses.append((due: now, response: SinkResponse(number: request.number, status: 0)))
      }
    }
    output.removeAll()
  }

  private mutating func loseRequest() {
    failedRequests += 1
    lostRequests += 1
  }

  private mutating func senseRegion(
    _ place: CarrierPath.Place, at now: Instant, output: inout MonitorOutput,
    carry: (SinkRequest, Instant) throws -> SentRequest
  ) rethrows {
    if let region {
      let center = frame.project(region.center)
      let distance = PlanePoint.distance(center, place.point)
      if !isInRegion, distance <= region.radius {
        isInRegion = true
        crossing = (now + osDelay(), .entered)
      } else if isInRegion, distance > region.exitRadius {
        isInRegion = false
        crossing = (now + osDelay(), .exited)
      }
    }
    if let due = crossing, due.due <= now {
      crossing = nil
      try step(.region(due.what), at: now, output: &output, carry: carry)
    }
    if let fence = wakeFence, wakeDue == nil, PlanePoint.distance(fence.center, place.point) > fence.radius {
      wakeDue = now + osDelay()
    }
    if let due = wakeDue, due <= now {
      (wakeFence, wakeDue) = (nil, nil)
      try step(.leftWakeFence, at: now, output: &output, carry: carry)
    }
  }

  /// Returns the delay with which the operating system reports a crossing.
  private mutating func osDelay() -> TimeSpan {
    let mean = Double(setting.setup.geofenceDelay.milliseconds)
    guard mean > 0 else { return .zero }
    return TimeSpan(milliseconds: Int64(min(delays.nextExponential(mean: mean), 3 * mean)))
  }

  private mutating func senseMotion(
    _ place: CarrierPath.Place, at now: Instant, output: inout MonitorOutput,
    carry: (SinkRequest, Instant) throws -> SentRequest
  ) rethrows {
    guard place.isStill else {
      stillSince = nil
      if motion != .moving {
        motion = .moving
        try step(.motion(.moving), at: now, output: &output, carry: carry)
      }
      return
    }
    let since = stillSince ?? now
    stillSince = since
    if motion != .still, now - since >= setting.motionDelay {
      motion = .still
      try step(.motion(.still), at: now, output: &output, carry: carry)
    }
  }

  private mutating func fix(of place: CarrierPath.Place, at now: Instant) -> Fix {
    // Fixes before the run are outside only, and they are not compared.
    let number = max(Int((now - grid).milliseconds / interval.milliseconds), 0)
    let sample = error.sample(fix: number, at: now)
    let point = PlanePoint(x: place.point.x + sample.offset.x, y: place.point.y + sample.offset.y)
    let exact = frame.unproject(point)
    // Phones report and send seven decimals, about a centimetre; further decimals would be lost anyway.
    let coordinate = Coordinate(
      longitude: (exact.longitude * 1e7).rounded() / 1e7, latitude: (exact.latitude * 1e7).rounded() / 1e7)
    return Fix(
      coordinate: coordinate, accuracy: sample.accuracy, floor: reported(place.floor, sample.floor), time: now + skew)
  }

  private func reported(_ floor: FloorOrdinal?, _ report: PositionError.FloorReport) -> FloorOrdinal? {
    guard let floor else { return nil }
    switch report {
    case .right: return floor
    case .unknown: return nil
    case .wrong(let isUp):
      guard let index = ordinals.firstIndex(of: floor) else { return nil }
      let other = index + (isUp ? 1 : -1)
      return ordinals.indices.contains(other) ? ordinals[other] : nil
    }
  }
}

extension PlanePoint {
  static func distance(_ a: PlanePoint, _ b: PlanePoint) -> Double {
    let dx = a.x - b.x
    let dy = a.y - b.y
    return (dx * dx + dy * dy).squareRoot()
  }
}
