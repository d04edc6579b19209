import CordonCore
import CordonGeometry

/// A repeated check whether the device is in the venue, in case a wrong fix ended the session.
struct Recheck: Sendable {
  var at = Int64.max
  var interval = TimeSpan.zero
  static let first = TimeSpan.minutes(1)
  static let last = TimeSpan.minutes(16)
}

extension Monitor {
  /// The phase that follows from everything but the device's position.
  private var target: Phase {
    if !state.isStarted { return .off }
    guard let consent = state.consent, consent.purposes.contains(.record) else { return .needsConsent }
    if state.isPaused { return .paused }
    if configuration.sinks.contains(where: { $0.needsActivation }), !state.isActivated { return .needsActivation }
    if permission == .none { return .suspended }
    return gate == nil ? .needsVenue : .armed
  }

  /// Moves to the target phase.
  mutating func advance(_ now: ClockReading, into effects: inout EffectBuffer) {
    let target = self.target
    let isOn = phase == .armed || phase == .tracking || phase == .resting
    if target == .armed {
      if !isOn { arm(now, into: &effects) }
    } else {
      if isOn { standDown(now, into: &effects) }
      enter(target, into: &effects)
    }
  }

  private mutating func enter(_ phase: Phase, into effects: inout EffectBuffer) {
    guard phase != self.phase else { return }
    self.phase = phase
    effects.append(.notice(.phase(phase)))
  }

  private mutating func arm(_ now: ClockReading, into effects: inout EffectBuffer) {
    session = Session()
    session.start = now.wall
    effects.append(.command(.watchRegion(fence)))
    enter(.armed, into: &effects)
    // The device may be inside already, and then reports no crossing.
    effects.append(.command(.requestFix))
    recheck = Recheck(at: (now.monotonic + Recheck.first).milliseconds, interval: Recheck.first)
  }

  mutating func standDown(_ now: ClockReading, into effects: inout EffectBuffer) {
    if phase != .armed { endSession(now, into: &effects) }
    effects.append(.command(.unwatchRegion))
    recheck = Recheck()
  }

  private mutating func startTracking(_ now: ClockReading, into effects: inout EffectBuffer) {
    recheck = Recheck()
    stillness = Stillness(keeping: stillness, at: now, stillAfter: configuration.stillAfter)
    floors.reset()
    thinning = ThinningState()
    session.farFixes = 0
    session.outsideFixes = 0
    effects.append(.command(.startPositioning))
    enter(.tracking, into: &effects)
    drain()
  }

  /// Stores the held fix, and turns positioning off.
  private mutating func endSession(_ now: ClockReading, into effects: inout EffectBuffer) {
    if phase == .resting {
      extendStay(now, into: &effects)
      effects.append(.command(.unwatchWakeFence))
    } else {
      effects.append(.command(.stopPositioning))
    }
    storeHeld(now, into: &effects)
    leaveSpace(into: &effects)
    stillness = Stillness(keeping: stillness, at: now, stillAfter: configuration.stillAfter)
    drain()
  }

  mutating func cross(_ crossing: RegionCrossing, at now: ClockReading, into effects: inout EffectBuffer) {
    switch (crossing, phase) {
    case (.entered, .armed):
      session = Session()
      session.start = now.wall
      startTracking(now, into: &effects)
    case (.exited, .tracking), (.exited, .resting):
      leaveVenue(now, into: &effects)
    default: break
    }
  }

  private mutating func leaveVenue(_ now: ClockReading, into effects: inout EffectBuffer) {
    endSession(now, into: &effects)
    session = Session()
    session.start = now.wall
    enter(.armed, into: &effects)
    recheck = Recheck(at: (now.monotonic + Recheck.first).milliseconds, interval: Recheck.first)
  }

  mutating func checkAgain(_ now: ClockReading, into effects: inout EffectBuffer) {
    recheck.at = .max
    guard phase == .armed else { return }
    effects.append(.command(.requestFix))
    let next = recheck.interval + recheck.interval
    if next <= Recheck.last {
      recheck = Recheck(at: (now.monotonic + next).milliseconds, interval: next)
    }
  }

  /// Compares a fix with the geofence. Returns `false` when the device is outside it.
  mutating func followFence(
    _ fix: Fix, at point: PlanePoint, _ now: ClockReading, into effects: inout EffectBuffer
  ) -> Bool {
    let distance = (point.x * point.x + point.y * point.y).squareRoot()
    if phase == .armed {
      guard distance <= fence.radius else {
        chooseVenue(for: fix, now, into: &effects)
        return false
      }
      session = Session()
      session.start = fix.time
      startTracking(now, into: &effects)
      return true
    }
    if let accuracy = fix.accuracy, distance - accuracy > fence.exitRadius {
      session.farFixes += 1
      // A fix out of the venue counts, however far it is: none of them prolongs a rest.
      session.outsideFixes += 1
      if phase == .resting, session.outsideFixes >= configuration.exitFixes {
        leaveRest(now, confirmed: false, into: &effects)
      }
      if session.farFixes >= configuration.exitFixes { leaveVenue(now, into: &effects) }
      return false
    }
    if distance <= fence.radius { session.farFixes = 0 }
    return true
  }

  mutating func resume(_ now: ClockReading, into effects: inout EffectBuffer) {
    guard state.isPaused else { return }
    state.isPaused = false
    state.pausedUntil = nil
    persist()
    advance(now, into: &effects)
    drain()
  }
}
