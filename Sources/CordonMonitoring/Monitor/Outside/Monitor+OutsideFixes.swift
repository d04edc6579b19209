import CordonCore
import CordonGeometry

extension Monitor {
  /// Applies the rules for a fix outside of venues; the caller has checked that the fix is valid and new.
  mutating func judgeOutside(_ fix: Fix, _ now: ClockReading, into effects: inout EffectBuffer) -> Verdict {
    guard outside.isOn, let policy = configuration.everywhere else { return .refused(.outside) }
    // A session of a venue may be older than the consent for positions outside.
    guard fix.time >= outside.start else { return .refused(.stale) }
    guard var accuracy = fix.accuracy else { return .refused(.unknownAccuracy) }
    accuracy = (accuracy * 1e3).rounded() / 1e3
    if accuracy > policy.maximumAccuracy { return .refused(.tooInaccurate) }
    if isInKnownVenue(fix.coordinate) {
      leavePlace(at: fix.coordinate, accuracy, into: &effects)
      return .refused(.outside)
    }
    // Without positioning by the policy, only venues request fixes; significant changes count too.
    guard policy.mode != .visits || outside.hasTrip else { return .refused(.outside) }
    if isTooFastOutside(fix.time, fix.coordinate, accuracy, policy) { return .refused(.tooFast) }
    let lastTime = outside.last?.time
    outside.last = (fix.time, fix.coordinate, accuracy)
    followPlace(fix.time, into: &effects)
    if let stale = policy.staleAfter, case .by = outside.positioning {
      outside.staleAt = (now.monotonic + stale).milliseconds
    }
    followPause(fix.coordinate, accuracy, policy, now, into: &effects)
    if outside.isPaused || isThinnedOutside(fix, policy) {
      state.accounting.thinned.increase()
      return .thinned
    }
    let location = outsideLocation(
      fix.coordinate, accuracy, floor: fix.floor, time: fix.time, isMocked: fix.isMocked)
    notePlace(location, after: lastTime, now, into: &effects)
    store(location, now, into: &effects)
    return .stored
  }

  /// Records a visit that the system reports: an arrival, and later its departure.
  mutating func note(_ visit: Visit, at now: ClockReading, into effects: inout EffectBuffer) {
    guard outside.isOn, outside.watchesVisits, visit.coordinate.isValid, visit.accuracy >= 0,
      visit.accuracy < 1e7
    else { return }
    let latest = now.wall + configuration.futureTolerance
    // Visits before the beginning of tracking are not recorded, nor those whose dates may be of another setting of the clock.
    let earliest = max(outside.start, outside.datesFrom)
    let arrival = visit.arrival.flatMap { $0 >= earliest && $0 <= latest ? $0 : nil }
    let departure = visit.departure.flatMap { $0 >= earliest && $0 <= latest ? $0 : nil }
    var coordinate = visit.coordinate
    coordinate.longitude = (coordinate.longitude * 1e7).rounded() / 1e7
    coordinate.latitude = (coordinate.latitude * 1e7).rounded() / 1e7
    if isInKnownVenue(coordinate) { return }
    guard let time = arrival ?? departure else { return }
    if let index = outside.visits.firstIndex(where: { $0.time == time }) {
      // A report that comes again, or after that of the departure, changes nothing.
      guard arrival != nil, let departure, departure > outside.visits[index].stillUntil ?? time else { return }
      outside.visits[index].stillUntil = departure
      effects.append(.extendDwell(outside.visits[index]))
      isQueueTouched = true
      persist()
      return
    }
    let accuracy = (visit.accuracy * 1e3).rounded() / 1e3
    var location = outsideLocation(coordinate, accuracy, floor: nil, time: time, isMocked: false)
    // A rest without a length is a visit that lasts. Nobody saw the arrival of a visit without one.
    if let departure, departure > time {
      location.stillUntil = departure
    } else if arrival != nil {
      location.stillUntil = time
    }
    state.accounting.fixes.increase()
    if outside.visits.count == OutsideState.maximumVisits { outside.visits.removeFirst() }
    outside.visits.append(location)
    store(location, now, into: &effects)
  }

  /// Returns a location outside of venues. Its floor stays unknown, since no map has it.
  private func outsideLocation(
    _ coordinate: Coordinate, _ accuracy: Double, floor: FloorOrdinal?, time: Instant, isMocked: Bool
  ) -> Location {
    Location(
      id: FixID(device: device, time: time, coordinate: coordinate, accuracy: accuracy, floor: floor), device: device,
      venue: .everywhere, coordinate: coordinate, accuracy: accuracy, floor: nil, time: time, isMocked: isMocked)
  }

  private mutating func store(_ location: Location, _ now: ClockReading, into effects: inout EffectBuffer) {
    outside.kept = (location.time, location.coordinate)
    lastKept = location.time
    state.accounting.stored.increase()
    if location.isMocked { state.accounting.mocked.increase() }
    effects.append(.store(location))
    noteStored(location, now, into: &effects)
  }

  /// Whether a place lies in any known venue. There the rules of that venue decide, and no others.
  private func isInKnownVenue(_ coordinate: Coordinate) -> Bool {
    if let gate, gate.judge(coordinate, floor: nil, accuracy: 0).isInside { return true }
    return knownVenues.contains { $0.judge(coordinate, floor: nil, accuracy: 0).isInside }
  }

  private func isThinnedOutside(_ fix: Fix, _ policy: TrackingPolicy) -> Bool {
    guard let kept = outside.kept else { return false }
    let interval = policy.interval(motion: stillness.motion, isInForeground: outside.isInForeground)
    let elapsed = (fix.time - kept.time).milliseconds.magnitude
    if Int64(clamping: elapsed) < interval.milliseconds { return true }
    return policy.minimumDistance > 0 && metres(kept.coordinate, fix.coordinate) < policy.minimumDistance
  }

  private mutating func isTooFastOutside(
    _ time: Instant, _ coordinate: Coordinate, _ accuracy: Double, _ policy: TrackingPolicy
  ) -> Bool {
    guard let last = outside.last else { return false }
    let reach =
      accuracy + last.accuracy + policy.activity.maximumSpeed * abs((time - last.time).seconds)
    if metres(last.coordinate, coordinate) <= reach {
      outside.fastFixes = 0
      return false
    }
    // Several fixes in a row agree on the new position, so the old one was wrong.
    outside.fastFixes += 1
    if outside.fastFixes < 3 { return true }
    outside.fastFixes = 0
    return false
  }

  /// Begins a pause after a time in one place, and ends it outside of the fence.
  private mutating func followPause(
    _ coordinate: Coordinate, _ accuracy: Double, _ policy: TrackingPolicy, _ now: ClockReading,
    into effects: inout EffectBuffer
  ) {
    if outside.isPaused {
      if let fence = outside.fence, metres(fence.center, coordinate) - accuracy > fence.radius {
        resumeOutside(into: &effects)
      }
      return
    }
    guard policy.pausesAutomatically, !outside.hasTrip else { return }
    let time = now.monotonic.milliseconds
    guard let anchor = outside.anchor,
      metres(anchor.coordinate, coordinate) <= max(50, anchor.accuracy, accuracy)
    else {
      outside.anchor = (coordinate, accuracy, time)
      return
    }
    if time &- anchor.since >= policy.pauseAfter.milliseconds {
      pauseOutside(at: outside.last?.time ?? now.wall, into: &effects)
    }
  }

  /// The distance of two places in metres, in a plane at the first one. Far places are at least as far as 100 km.
  func metres(_ first: Coordinate, _ second: Coordinate) -> Double {
    let point = LocalFrame(origin: first).project(second)
    return (point.x * point.x + point.y * point.y).squareRoot()
  }
}
