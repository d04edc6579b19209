package import CordonCore
package import CordonGeometry

/// Decides the fate of every fix of one device by the rules of consent, gate and delivery.
///
/// A monitor is a value without clock, disk, network or randomness: it takes events and returns effects, and the same
/// events give the same effects. It holds no rows. ``Runtime`` performs the effects and reports their results.
///
/// Timers may fire late or never: before it handles an event, a monitor does what was due before it.
package struct Monitor: Sendable {
  /// The integrator's configuration.
  package private(set) var configuration: MonitorConfiguration
  /// The device's current pseudonym; a withdrawal renews it.
  package var device: DeviceID
  /// The part of the monitor that is written to the store.
  package var state: MonitorState
  /// The current phase.
  package internal(set) var phase: Phase = .off
  /// The active venue.
  package internal(set) var gate: (any VenueGate)?
  /// The venues among which the monitor may choose, see ``MonitorEvent/venues(_:)``.
  package internal(set) var knownVenues: [any VenueGate] = []
  /// The venue whose credentials are in use; `nil` while no server has named one.
  package internal(set) var credentialVenue: VenueID?
  /// The reason of the last refusal.
  package internal(set) var lastRefusal: RefusalReason?
  /// The time of the last fix that was kept.
  package internal(set) var lastKept: Instant?
  /// The refusals since the last accepted fix.
  package internal(set) var refusals = RefusalStreak()
  /// The monotonic time of the last accepted fix, stored or not.
  package internal(set) var lastGoodFix: TimeSpan?

  var frame = LocalFrame(origin: Coordinate(longitude: 0, latitude: 0))
  var fence = Geofence(center: Coordinate(longitude: 0, latitude: 0), radius: 0, exitRadius: 0)
  /// The app's permission to see the position.
  package internal(set) var permission = Permission.always
  /// The last reported network; unmetered before the first report.
  package internal(set) var network = NetworkState.unmetered
  var session = Session()
  var stillness = Stillness()
  var thinning = ThinningState()
  var recent = RecentFixes()
  var floors = FloorState()
  var spaces = SpaceState()
  var outside = OutsideState()
  var channels: [Channel]
  var credential = CredentialState()
  var lastMoment: ClockReading?
  var recheck = Recheck()
  /// The earliest monotonic millisecond at which something is due.
  var nextDue = Int64.max
  /// The monotonic time of the next check of the age limit.
  var expiryAt = Int64.min
  var pendingPersist: Durability?
  var isQueueTouched = false
  /// The bytes that one location counts against the maximum, as given by the store.
  let bytesPerRow: Int

  /// Makes a monitor from its last written state.
  /// - Parameters:
  ///   - tokenExpires: the expiry of the stored token, if there is one.
  ///   - credentialVenue: the venue of the stored credentials.
  ///   - configuration: the integrator's configuration.
  ///   - state: the last written state.
  ///   - device: the pseudonym.
  ///   - bytesPerRow: the bytes that one location counts against the maximum, as given by the store.
  package init(
    device: DeviceID, configuration: MonitorConfiguration, state: MonitorState = MonitorState(),
    tokenExpires: Instant? = nil, credentialVenue: VenueID? = nil,
    bytesPerRow: Int = MonitorConfiguration.bytesPerRow
  ) {
    self.bytesPerRow = bytesPerRow
    self.device = device
    self.configuration = configuration
    self.state = state
    channels = configuration.sinks.map { Channel(sink: $0, batchLimit: max(1, configuration.batchRows)) }
    credential.until = tokenExpires
    self.credentialVenue = credentialVenue
    for index in self.state.erasures.indices { self.state.erasures[index].isInFlight = false }
    // A fix that was held when the process ended was never stored, and is not counted.
    self.state.accounting.fixes.decrease(by: self.state.accounting.held)
    self.state.accounting.held = 0
  }

  /// Whether an invite code was entered that no server has judged yet.
  package var isInvitePending: Bool { credential.code != nil }

  /// The monotonic time by which the monitor needs a ``MonitorEvent/wake``; `nil` when nothing is due.
  package var nextTimer: TimeSpan? { nextDue == .max ? nil : TimeSpan(milliseconds: nextDue) }

  /// Handles one event and appends the effects that it requests. Returns the verdict if the event is a fix.
  package mutating func handle(_ event: MonitorEvent, at now: ClockReading, into effects: inout EffectBuffer) -> Verdict
  {
    // A withdrawal would erase at once whatever is written now.
    if event.takesConsentBack {
      noteClocks(now)
      let isDue = isDue(now)
      take(event, at: now, into: &effects)
      if isDue { runDue(now, into: &effects) }
      finish(now, into: &effects)
      return .none
    }
    begin(now, into: &effects)
    if case .provider(.fix(let fix)) = event {
      let verdict = judge(fix, at: now, into: &effects)
      if case .refused(let reason) = verdict {
        state.accounting[reason].increase()
        lastRefusal = reason
        refusals.note(reason)
        if pendingPersist == nil, !isQueueTouched, !outside.isOn { return verdict }
      } else {
        refusals = RefusalStreak()
        lastGoodFix = now.monotonic
      }
      finish(now, into: &effects)
      return verdict
    }
    take(event, at: now, into: &effects)
    finish(now, into: &effects)
    return .none
  }

  /// Handles the runtime's report of an effect's result.
  package mutating func complete(_ completion: Completion, at now: ClockReading, into effects: inout EffectBuffer) {
    // The row count of a completion dates from before the due work; handled after it, the count would hide a new row.
    if completion.comesFirst {
      noteClocks(now)
      let isDue = isDue(now)
      take(completion, at: now, into: &effects)
      if isDue { runDue(now, into: &effects) }
    } else {
      begin(now, into: &effects)
      take(completion, at: now, into: &effects)
    }
    finish(now, into: &effects)
  }

  private func isDue(_ now: ClockReading) -> Bool {
    let time = now.monotonic.milliseconds
    return time >= nextDue || (time >= expiryAt && expiryAt > .min)
  }

  /// Does what is due before an event. Old rows expire first, but never rows that are leased to a request.
  private mutating func begin(_ now: ClockReading, into effects: inout EffectBuffer) {
    noteClocks(now)
    if isDue(now) { runDue(now, into: &effects) }
  }

  private mutating func finish(_ now: ClockReading, into effects: inout EffectBuffer) {
    if configuration.everywhere != nil || outside.isOn { followOutside(now, into: &effects) }
    if isQueueTouched {
      isQueueTouched = false
      considerUploads(now, into: &effects)
    }
    if let durability = pendingPersist {
      pendingPersist = nil
      effects.append(.persist(durability))
    }
    nextDue = earliestDue()
  }

  private mutating func take(_ event: MonitorEvent, at now: ClockReading, into effects: inout EffectBuffer) {
    switch event {
    case .start:
      state.isStarted = true
      persist()
      advance(now, into: &effects)
      drain()
    case .stop:
      state.isStarted = false
      persist()
      advance(now, into: &effects)
      drain()
    case .consent(let consent): give(consent, at: now, into: &effects)
    case .retract(let purposes): retract(purposes, at: now, into: &effects)
    case .withdraw: withdraw(now, into: &effects)
    case .pause(let until):
      state.isPaused = true
      state.pausedUntil = until
      persist()
      advance(now, into: &effects)
      drain()
    case .resume: resume(now, into: &effects)
    case .invite(let code): requestActivation(code: code, at: now, into: &effects)
    case .venue(let gate): use(gate, at: now, into: &effects)
    case .venues(let gates): know(gates, at: now, into: &effects)
    case .wake:
      runDue(now, into: &effects)
      isQueueTouched = true
    case .woken:
      runDue(now, into: &effects)
      drain()
    case .flush: drain()
    case .discard(let sink): discard(sink, at: now, into: &effects)
    // Notices are the runtime's: no rule of recording or sending depends on them.
    case .acknowledge: break
    case .configure(let new): configure(new)
    case .trip(let isInProgress): outside.hasTrip = isInProgress
    case .provider(let event): take(event, at: now, into: &effects)
    }
  }

  private mutating func take(_ event: ProviderEvent, at now: ClockReading, into effects: inout EffectBuffer) {
    switch event {
    // A fix has been handled already, because it has a verdict.
    case .fix: break
    case .permission(let permission):
      self.permission = permission
      advance(now, into: &effects)
    case .region(let crossing): cross(crossing, at: now, into: &effects)
    case .motion(let motion): note(motion, at: now, into: &effects)
    case .leftWakeFence: if phase == .resting { leaveRest(now, confirmed: false, into: &effects) }
    case .floor(let floor): floors.provide(floor)
    case .visit(let visit): note(visit, at: now, into: &effects)
    case .pausedPositioning: pauseOutside(at: now.wall, into: &effects)
    case .leftExitFence:
      if outside.isPaused {
        noteRest(until: now.wall)
        leavePlace(into: &effects)
      }
      resumeOutside(into: &effects)
    case .foreground(let isInForeground): outside.isInForeground = isInForeground
    case .network(let network):
      self.network = network
      isQueueTouched = true
    }
  }

  private mutating func configure(_ new: MonitorConfiguration) {
    let (sinks, type) = (configuration.sinks, configuration.deviceType)
    configuration = new
    configuration.sinks = sinks
    configuration.deviceType = type
    for index in channels.indices { channels[index].batchLimit = max(1, new.batchRows) }
    isQueueTouched = true
  }

  mutating func persist(_ durability: Durability = .normal) {
    if pendingPersist != .full { pendingPersist = durability }
  }

  /// Marks all waiting rows to be sent, regardless of their age.
  mutating func drain() {
    for index in channels.indices { channels[index].isDraining = channels[index].pending > 0 }
    isQueueTouched = true
  }

  /// Does the due work, in a fixed order.
  mutating func runDue(_ now: ClockReading, into effects: inout EffectBuffer) {
    let time = now.monotonic.milliseconds
    if state.isPaused, let until = state.pausedUntil, now.wall >= until { resume(now, into: &effects) }
    if time >= thinning.dueAt { storeHeld(now, into: &effects) }
    if time >= stillness.restAt { restIfStill(now, into: &effects) }
    if time >= stillness.heartbeatAt { beat(now, into: &effects) }
    if time >= spaces.dwellAt { dwellIfDue(now, into: &effects) }
    if time >= outside.staleAt { reportStale(into: &effects) }
    if time >= recheck.at { checkAgain(now, into: &effects) }
    if time >= expiryAt {
      expiryAt = (now.monotonic + .hours(1)).milliseconds
      effects.append(.expire)
    }
    if requestsDue(now) <= time { isQueueTouched = true }
    nextDue = earliestDue()
  }

  /// Schedules the next attempt at a failed deletion in a minute instead of an hour.
  mutating func expireAgain(_ now: ClockReading) {
    expiryAt = min(expiryAt, (now.monotonic + .minutes(1)).milliseconds)
    nextDue = min(nextDue, expiryAt)
  }

  private func earliestDue() -> Int64 {
    var due = min(thinning.dueAt, stillness.restAt, stillness.heartbeatAt, recheck.at)
    due = min(due, spaces.dwellAt, outside.staleAt)
    guard let last = lastMoment else { return due }
    due = min(due, requestsDue(last))
    if state.accounting.onPhone > 0 || state.accounting.quarantined > 0 { due = min(due, expiryAt) }
    if state.isPaused, let until = state.pausedUntil {
      due = min(due, (last.monotonic + (until - last.wall)).milliseconds)
    }
    return due
  }

  /// Follows a changed wall clock: the start of the session moves with it.
  private mutating func noteClocks(_ now: ClockReading) {
    if let last = lastMoment {
      let drift = (now.wall - last.wall).milliseconds &- (now.monotonic - last.monotonic).milliseconds
      if drift > 2_000 || drift < -2_000 {
        session.start = session.start + TimeSpan(milliseconds: drift)
        outside.moveClock(by: TimeSpan(milliseconds: drift), to: now.wall)
        session.last = nil
        thinning.forgetInterval()
        recent = RecentFixes()
        refusals = RefusalStreak()
      }
    }
    lastMoment = now
  }
}
