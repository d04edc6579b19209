import CordonCore
import CordonGeometry

/// Whether the device has stayed in one place, and the last location recorded there.
struct Stillness: Sendable {
  /// The last location stored.
  var place: (location: Location, point: PlanePoint, accuracy: Double)?
  /// The place where the device stays, judged by fixes alone, and the monotonic time of its arrival.
  var anchor: (point: PlanePoint, accuracy: Double, since: Int64)?
  /// The last report of the motion sensors; `nil` before the first.
  var motion: Motion?
  var stillSince = Int64.max
  var restAt = Int64.max
  var heartbeatAt = Int64.max
  var lastBeat = Int64.min
  var beats = 0

  init() {}

  /// Makes a state that keeps the sensors' last report, and no places.
  init(keeping old: Stillness, at now: ClockReading, stillAfter: TimeSpan) {
    motion = old.motion
    if motion == .still {
      stillSince = now.monotonic.milliseconds
      restAt = (now.monotonic + stillAfter).milliseconds
    }
  }
}

extension Monitor {
  mutating func note(_ motion: Motion, at now: ClockReading, into effects: inout EffectBuffer) {
    let time = now.monotonic.milliseconds
    switch motion {
    case .moving:
      stillness.motion = .moving
      // Until now the device moved so little that neither sensors nor the fence reported it.
      if outside.isPaused { noteRest(until: now.wall) }
      resumeOutside(into: &effects)
      stillness.stillSince = .max
      stillness.restAt = .max
      if phase == .resting { leaveRest(now, confirmed: true, into: &effects) }
    case .still:
      guard stillness.motion != .still else { return }
      stillness.motion = .still
      stillness.stillSince = time
      if phase == .tracking { stillness.restAt = (now.monotonic + configuration.stillAfter).milliseconds }
    }
  }

  /// Judges by fixes whether the device stays in one place, where no sensor reports it.
  mutating func noteStillness(
    _ point: PlanePoint, accuracy: Double, _ now: ClockReading, into effects: inout EffectBuffer
  ) {
    guard phase == .tracking, stillness.motion == nil else { return }
    let time = now.monotonic.milliseconds
    guard let anchor = stillness.anchor, isSamePlace(anchor.point, anchor.accuracy, point, accuracy) else {
      stillness.anchor = (point, accuracy, time)
      return
    }
    if time &- anchor.since >= configuration.stillAfter.milliseconds { rest(now, into: &effects) }
  }

  mutating func restIfStill(_ now: ClockReading, into effects: inout EffectBuffer) {
    stillness.restAt = .max
    guard phase == .tracking, stillness.motion == .still else { return }
    rest(now, into: &effects)
  }

  private func isSamePlace(
    _ first: PlanePoint, _ firstAccuracy: Double, _ second: PlanePoint, _ secondAccuracy: Double
  ) -> Bool {
    let dx = second.x - first.x
    let dy = second.y - first.y
    let reach = max(configuration.stillRadius, firstAccuracy, secondAccuracy)
    return dx * dx + dy * dy <= reach * reach
  }

  private mutating func rest(_ now: ClockReading, into effects: inout EffectBuffer) {
    storeHeld(now, into: &effects)
    // Only a recently recorded place in the venue can be confirmed.
    let oldest = now.wall - configuration.thinning - configuration.heartbeat
    guard let place = stillness.place, place.location.time >= oldest, session.outsideFixes == 0 else {
      if stillness.motion == .still {
        stillness.restAt = (now.monotonic + configuration.heartbeat).milliseconds
      }
      return
    }
    stillness.lastBeat = now.monotonic.milliseconds
    stillness.beats = 0
    stillness.heartbeatAt = (now.monotonic + configuration.heartbeat).milliseconds
    phase = .resting
    effects.append(.command(.stopPositioning))
    effects.append(
      .command(.watchWakeFence(center: frame.unproject(place.point), radius: max(30, 2 * place.accuracy))))
    effects.append(.notice(.phase(.resting)))
    extendStay(now, into: &effects)
  }

  /// Confirms the place of rest.
  mutating func beat(_ now: ClockReading, into effects: inout EffectBuffer) {
    guard phase == .resting else {
      stillness.heartbeatAt = .max
      return
    }
    let time = now.monotonic.milliseconds
    if stillness.place == nil {
      // The location is gone: it expired, or could not be written.
      leaveRest(now, confirmed: false, into: &effects)
      return
    }
    if isSilent(time) {
      // The process did not run for a while. The device may have moved meanwhile, so that time is not recorded as
      // rest.
      leaveRest(now, confirmed: false, into: &effects)
      return
    }
    extendStay(now, into: &effects)
    stillness.beats += 1
    // Without sensors, only a fix can show whether the device is still there.
    if stillness.motion == nil, stillness.beats % 5 == 0 { effects.append(.command(.requestFix)) }
    stillness.heartbeatAt = (now.monotonic + configuration.heartbeat).milliseconds
  }

  private func isSilent(_ time: Int64) -> Bool {
    return 2 * (time &- stillness.lastBeat) > 5 * configuration.heartbeat.milliseconds
  }

  /// Writes that the device has stayed at its place until now.
  mutating func extendStay(_ now: ClockReading, into effects: inout EffectBuffer) {
    let time = now.monotonic.milliseconds
    guard !isSilent(time), var place = stillness.place, now.wall > place.location.stillUntil ?? place.location.time
    else { return }
    stillness.lastBeat = time
    place.location.stillUntil = now.wall
    stillness.place = place
    effects.append(.extendDwell(place.location))
    isQueueTouched = true
    persist()
  }

  /// Handles the removal of all rows before `end`. If the row of the place of rest is among them, the next fix begins
  /// a new stay.
  mutating func clearAnchor(before end: Instant) {
    guard let place = stillness.place, place.location.time < end else { return }
    stillness.place = nil
  }

  /// Handles a fix that was stored already, perhaps on another floor: it begins no stay.
  mutating func clearAnchor(of id: FixID) {
    if stillness.place?.location.id == id { stillness.place = nil }
  }

  /// Returns whether a fix that arrived during rest agrees with the place of rest.
  mutating func staysAtRest(
    _ point: PlanePoint, accuracy: Double, _ now: ClockReading, into effects: inout EffectBuffer
  ) -> Bool {
    guard let place = stillness.place, isSamePlace(place.point, place.accuracy, point, accuracy) else { return false }
    if 2 * (now.monotonic.milliseconds &- stillness.lastBeat) >= configuration.heartbeat.milliseconds {
      extendStay(now, into: &effects)
      stillness.heartbeatAt = (now.monotonic + configuration.heartbeat).milliseconds
    }
    return true
  }

  /// Turns positioning on again.
  /// - Parameter confirmed: whether the device was at its place until this moment.
  mutating func leaveRest(_ now: ClockReading, confirmed: Bool, into effects: inout EffectBuffer) {
    if confirmed { extendStay(now, into: &effects) }
    stillness = Stillness(keeping: stillness, at: now, stillAfter: configuration.stillAfter)
    thinning = ThinningState()
    effects.append(.command(.unwatchWakeFence))
    effects.append(.command(.startPositioning))
    phase = .tracking
    effects.append(.notice(.phase(.tracking)))
  }
}
