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
  private var driver: RuntimeDriver
  private let transport: SinkTransport

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
  /// The time from a notice at the server to its arrival; `nil` before.
  private(set) var noticeDelay: TimeSpan?
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

  /// Creates a phone.
  /// - Parameter transport: sends the requests of the phone to its sink.
  init(
    person: Int, path: CarrierPath, driver: RuntimeDriver, error: PositionError, offset: TimeSpan, chances: Chances,
    setting: Setting, store: any Store, transport: SinkTransport
  ) {
    self.store = store
    self.transport = transport
    self.person = person
    self.path = path
    self.driver = driver
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

  /// When the person comes first.
  var firstDay: Instant { path.start }
  /// The outcome of every fix so far.
  var accounting: Accounting { driver.runtime.accounting }
  var phase: Phase { driver.runtime.phase }

  /// Returns the readings of both clocks of the phone at a true time.
  private func moment(_ now: Instant) -> ClockReading {
    ClockReading(wall: now + skew, monotonic: TimeSpan(milliseconds: now.milliseconds))
  }

  /// Advances to `end` (excluded), or until the carrier has left.
  /// - Parameter output: memory for the output of steps, which the phones of a section share.
  mutating func advance(until end: Instant, output: inout MonitorOutput) {
    swap(&driver.output, &output)
    defer { swap(&driver.output, &output) }
    while nextTick < end, nextTick <= last {
      listen(until: nextTick)
      live(at: nextTick)
      nextTick = nextTick + interval
      // Between two visits, only timers cause events once the phone detected that it is away.
      let isSettled = driver.nextResponse == nil && !isPositioning && crossing == nil && wakeDue == nil
      if path.isAway(at: nextTick), isSettled, let next = path.nextStart(awayAt: nextTick) {
        let timer = isRunning ? driver.nextTimer.map { Instant(milliseconds: $0.milliseconds) } : nil
        nextTick = tick(atOrAfter: max(nextTick, min(next, timer ?? next)))
      }
    }
  }

  /// Ends the phone: monitoring stops, and the rows that are still on the phone are sent once.
  mutating func finish(at now: Instant, output: inout MonitorOutput) {
    swap(&driver.output, &output)
    defer { swap(&driver.output, &output) }
    guard hasStarted else { return }
    if !isRunning { restart(at: now) }
    guard isRunning else { return }
    var time = now
    step(.stop, at: time)
    step(.flush, at: time)
    // Each response may start another request. A row that was extended while a request was in flight waits for a short
    // time.
    for _ in 0..<64 {
      if driver.nextResponse == nil {
        guard accounting.onPhone > 0, let due = driver.nextTimer else { return }
        time = max(time, Instant(milliseconds: due.milliseconds))
        guard time <= now + .minutes(10) else { return }
        step(.wake, at: time)
      }
      guard let due = nextResponse else { return }
      time = max(time, due)
      receiveResponses(at: time)
      step(.flush, at: time)
    }
  }

  private mutating func live(at now: Instant) {
    if !hasStarted {
      hasStarted = true
      step(.venue(setting.gate), at: now)
      step(.permission(.always), at: now)
      step(.consent(Consent(version: "simulated-1", time: now + skew)), at: now)
      step(.invite(code: setting.inviteCode), at: now)
      step(.start, at: now)
    }
    while let happening = fate.next(at: now) {
      suffer(happening, at: now)
    }
    let changed = network.advance(to: now)
    let place = path.place(at: now)
    guard isRunning else { return }
    energy.monitoredSeconds += interval.seconds
    if changed {
      step(.network(network.isOnline ? .unmetered : .none), at: now)
    }
    receiveResponses(at: now)
    senseRegion(place, at: now)
    senseMotion(place, at: now)
    let isMeasuring = isPositioning && measures(at: now)
    if isMeasuring || wantsOneFix { energy.positioningSeconds += interval.seconds }
    if wantsOneFix || (isMeasuring && samples(place)) {
      wantsOneFix = false
      fixesMade += 1
      energy.fixes += 1
      lastFixPoint = place.point
      step(.fix(fix(of: place, at: now)), at: now)
    }
    if let due = driver.nextTimer, due.milliseconds <= now.milliseconds {
      step(.wake, at: now)
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

  private mutating func suffer(_ happening: ProcessLifecycleModel.LifecycleEvent, at now: Instant) {
    switch happening {
    case .killed where isRunning: kill()
    case .restarted where !isRunning: restart(at: now)
    case .killed, .restarted: break
    case .permissionLost where isRunning: step(.permission(.none), at: now)
    case .permissionBack where isRunning: step(.permission(.always), at: now)
    case .paused(let span) where isRunning:
      step(.pause(until: now + skew + span), at: now)
    case .withdrawn where isRunning: step(.withdraw, at: now)
    case .permissionLost, .permissionBack, .paused, .withdrawn: break
    }
  }

  /// Kills the process: data that was only in memory and pending responses are lost.
  private mutating func kill() {
    isRunning = false
    kills += 1
    driver.kill()
    isPositioning = false
    wantsOneFix = false
    motion = nil
  }

  /// Restarts the process from the store.
  private mutating func restart(at now: Instant) {
    let before = accounting
    // The store was readable before; if it is not readable now, the phone stays off.
    guard
      let again = try? Runtime(
        device: driver.runtime.device, configuration: setting.monitor, store: store, entropy: .stream(delays),
        at: moment(now))
    else { return }
    _ = delays.next()
    fixesForgotten += Int(before.fixes &- again.accounting.fixes)
    driver.runtime = again
    isRunning = true
    step(.venue(setting.gate), at: now)
    step(.permission(.always), at: now)
    step(.wake, at: now)
  }

  /// The time at which the next response arrives.
  private var nextResponse: Instant? { driver.nextResponse.map { Instant(milliseconds: $0.milliseconds) } }

  /// Receives responses at their times, even if the next fix is far away. Each response may cause another request.
  private mutating func listen(until now: Instant) {
    for _ in 0..<64 {
      guard isRunning, let due = nextResponse, due < now else { return }
      receiveResponses(at: due)
    }
  }

  private mutating func receiveResponses(at now: Instant) {
    while driver.receiveHeld(at: moment(now)) { performOutput(at: now) }
  }

  private mutating func step(_ event: MonitorEvent, at now: Instant) {
    driver.step(event, at: moment(now))
    performOutput(at: now)
  }

  private mutating func performOutput(at now: Instant) {
    while let output = driver.nextOutput() {
      for command in output.commands { perform(command) }
      for case .exposure(let notice) in output.notices { noticeDelay = now - notice.created }
      for request in output.requests { send(request, at: now) }
    }
  }

  private mutating func perform(_ command: ProviderCommand) {
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
    // These phones record in venues only.
    case .usePolicy, .watchSignificantChanges, .unwatchSignificantChanges, .watchVisits, .unwatchVisits,
      .watchExitFence, .unwatchExitFence:
      break
    }
  }

  private mutating func send(_ request: SinkRequest, at now: Instant) {
    energy.requests += 1
    switch network.fate() {
    case .answered(let latency):
      let sent = transport.send(request, at: now)
      energy.bytes += sent.bytes
      hold(sent.response, until: now + latency)
    case .answerLost:
      failedRequests += 1
      energy.bytes += transport.send(request, at: now).bytes
    case .lost: loseRequest()
    case .failed(let latency):
      loseRequest()
      hold(SinkResponse(number: request.number, status: 503), until: now + latency)
    case .offline:
      loseRequest()
      hold(SinkResponse(number: request.number, status: 0), until: now)
    }
  }

  private mutating func hold(_ response: SinkResponse, until due: Instant) {
    driver.hold(response, until: TimeSpan(milliseconds: due.milliseconds))
  }

  private mutating func loseRequest() {
    failedRequests += 1
    lostRequests += 1
  }

  private mutating func senseRegion(_ place: CarrierPath.Place, at now: Instant) {
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
      step(.region(due.what), at: now)
    }
    if let fence = wakeFence, wakeDue == nil, PlanePoint.distance(fence.center, place.point) > fence.radius {
      wakeDue = now + osDelay()
    }
    if let due = wakeDue, due <= now {
      (wakeFence, wakeDue) = (nil, nil)
      step(.leftWakeFence, at: now)
    }
  }

  /// Returns the delay with which the operating system reports a crossing.
  private mutating func osDelay() -> TimeSpan {
    let mean = Double(setting.setup.geofenceDelay.milliseconds)
    guard mean > 0 else { return .zero }
    return TimeSpan(milliseconds: Int64(min(delays.nextExponential(mean: mean), 3 * mean)))
  }

  private mutating func senseMotion(_ place: CarrierPath.Place, at now: Instant) {
    guard place.isStill else {
      stillSince = nil
      if motion != .moving {
        motion = .moving
        step(.motion(.moving), at: now)
      }
      return
    }
    let since = stillSince ?? now
    stillSince = since
    if motion != .still, now - since >= setting.motionDelay {
      motion = .still
      step(.motion(.still), at: now)
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
