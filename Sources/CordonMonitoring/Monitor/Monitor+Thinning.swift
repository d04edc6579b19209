import CordonCore
import CordonGeometry

/// The interval that keeps one fix.
struct ThinningState: Sendable {
  /// The best fix of the current interval.
  var held: Observation?
  /// The start of the current interval; the next one begins with the first fix at least one interval later.
  var start: Instant?
  /// The ends of a span of time in which every interval has its location.
  var storedFrom = Instant(milliseconds: .max)
  var storedTo = Instant(milliseconds: .min)
  /// The monotonic time at which a held fix is stored even if no other fix arrives.
  var dueAt = Int64.max
  var lastPoint: PlanePoint?

  mutating func forgetInterval() {
    start = nil
    storedFrom = Instant(milliseconds: .max)
    storedTo = Instant(milliseconds: .min)
  }
}

extension Monitor {
  /// Keeps the most accurate fix of each interval of fix time.
  mutating func thin(_ observation: Observation, _ now: ClockReading, into effects: inout EffectBuffer) -> Verdict {
    let time = observation.fix.time
    guard configuration.thinning > .zero else { return keepUnlessNear(observation, now, into: &effects) }
    if thinning.start == nil { storeHeld(now, into: &effects) }
    if let start = thinning.start {
      if time < start {
        // The fix was delivered late. Its interval has a location unless its time lies before all stored ones.
        if time >= thinning.storedFrom - configuration.thinning {
          state.accounting.thinned.increase()
          return .thinned
        }
        return keepUnlessNear(observation, now, into: &effects)
      }
      if time < start + configuration.thinning {
        state.accounting.thinned.increase()
        guard let held = thinning.held, observation.accuracy < held.accuracy else { return .thinned }
        thinning.held = observation
        return .held
      }
      storeHeld(now, into: &effects)
    }
    if isNear(observation) {
      state.accounting.thinned.increase()
      return .thinned
    }
    thinning.start = time
    thinning.held = observation
    thinning.dueAt = (now.monotonic + configuration.thinning + configuration.thinning).milliseconds
    state.accounting.held = 1
    return .held
  }

  /// Stores the fix that waits for the end of its interval.
  mutating func storeHeld(_ now: ClockReading, into effects: inout EffectBuffer) {
    thinning.dueAt = .max
    guard let held = thinning.held else { return }
    thinning.held = nil
    state.accounting.held = 0
    store(held, now, into: &effects)
  }

  private func isNear(_ observation: Observation) -> Bool {
    guard configuration.minimumDistance > 0, let last = thinning.lastPoint else { return false }
    let dx = observation.point.x - last.x
    let dy = observation.point.y - last.y
    return dx * dx + dy * dy < configuration.minimumDistance * configuration.minimumDistance
  }

  private mutating func keepUnlessNear(
    _ observation: Observation, _ now: ClockReading, into effects: inout EffectBuffer
  ) -> Verdict {
    if isNear(observation) {
      state.accounting.thinned.increase()
      return .thinned
    }
    store(observation, now, into: &effects)
    return .stored
  }

  private mutating func store(_ observation: Observation, _ now: ClockReading, into effects: inout EffectBuffer) {
    guard let gate else { return }
    let fix = observation.fix
    // Where only the floor may be recorded, every position is the same: the centre and radius of the venue.
    let coordinate = observation.isFloorOnly ? fence.center : fix.coordinate
    let accuracy = observation.isFloorOnly ? fence.radius : observation.accuracy
    let location = Location(
      // The identifier uses the reported floor: the accepted floor may differ when the same fix arrives again.
      id: FixID(device: device, time: fix.time, coordinate: coordinate, accuracy: accuracy, floor: fix.floor),
      device: device, venue: gate.venue, coordinate: coordinate, accuracy: accuracy, floor: observation.floor,
      time: fix.time, space: observation.isFloorOnly ? nil : observation.space, venueHash: gate.contentHash,
      isMocked: fix.isMocked)
    thinning.lastPoint = observation.point
    thinning.storedFrom = min(thinning.storedFrom, fix.time)
    thinning.storedTo = max(thinning.storedTo, fix.time)
    stillness.place = (location, observation.point, observation.accuracy)
    lastKept = fix.time
    state.accounting.stored.increase()
    if fix.isMocked { state.accounting.mocked.increase() }
    effects.append(.store(location))
    noteStored(location, now, into: &effects)
  }

  /// Counts a location that the preceding effect stores.
  mutating func noteStored(_ location: Location, _ now: ClockReading, into effects: inout EffectBuffer) {
    for index in channels.indices where channels[index].sink.receives(location) {
      channels[index].add(location.time, at: now, configuration)
    }
    var kept = state.accounting.onPhone
    kept.increase(by: state.accounting.quarantined)
    if kept > UInt64(max(1, maximumRows)) { effects.append(.expire) }
    isQueueTouched = true
    persist()
  }

  /// The row limit, or the byte limit in rows, whichever is lower.
  private var maximumRows: Int { min(configuration.maximumRows, configuration.maximumBytes / max(1, bytesPerRow)) }
}
