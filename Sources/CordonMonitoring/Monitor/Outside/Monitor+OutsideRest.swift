import CordonCore

/// Rests outside of venues. Nothing is measured while positioning pauses; the pause and the report that ends it show how long the
/// device stayed. The time between them is recorded as a rest of the last stored fix, and no other time.
extension Monitor {
  /// Notes that the device is at the place of its last stored fix.
  /// - Parameters:
  ///   - time: the last time at which this is certain.
  ///   - mayBegin: whether a rest begins here; otherwise only one that lasts becomes longer.
  mutating func noteRest(until time: Instant, mayBegin: Bool = false) {
    guard mayBegin || outside.restedUntil != nil, let place = outside.place, let last = outside.last,
      isNear(place, last.coordinate, last.accuracy)
    else { return }
    // A receiver's clock may be ahead of the device's.
    let end = lastMoment.map { min(time, $0.wall) } ?? time
    outside.restedUntil = max(outside.restedUntil ?? place.time, end)
  }

  /// Notes a stored location as the place of the next rest. A fix that was measured before the last one, in the future or before
  /// the clock was set shows no present place.
  mutating func notePlace(
    _ location: Location, after last: Instant?, _ now: ClockReading, into effects: inout EffectBuffer
  ) {
    guard location.time >= last ?? outside.clockSetAt, location.time <= now.wall else { return }
    leavePlace(into: &effects)
    outside.place = location
  }

  /// Prolongs the rest by a fix at its place, and ends it by one elsewhere.
  mutating func followPlace(_ time: Instant, into effects: inout EffectBuffer) {
    guard let place = outside.place, let last = outside.last else { return }
    if isNear(place, last.coordinate, last.accuracy) { noteRest(until: time) } else { leavePlace(into: &effects) }
  }

  /// Ends the rest by a fix in a venue, of which nothing else is kept.
  mutating func leavePlace(at coordinate: Coordinate, _ accuracy: Double, into effects: inout EffectBuffer) {
    if let place = outside.place, !isNear(place, coordinate, accuracy) { leavePlace(into: &effects) }
  }

  /// Ends the rest: the device is elsewhere.
  mutating func leavePlace(into effects: inout EffectBuffer) {
    endRest(into: &effects)
    outside.place = nil
  }

  /// Records the rest up to the last time at which the device was certainly there. A visit of the system at the same place has
  /// its own end.
  mutating func endRest(into effects: inout EffectBuffer) {
    guard var place = outside.place, let end = outside.restedUntil else { return }
    outside.restedUntil = nil
    let latest = lastMoment.map { min(end, $0.wall) } ?? end
    guard place.device == device, latest > place.stillUntil ?? place.time,
      channels.contains(where: { !$0.isDiscarded && $0.sink.purposes.contains(.everywhere) })
    else { return }
    let isVisit = outside.visits.contains { visit in
      visit.stillUntil == visit.time && metres(visit.coordinate, place.coordinate) <= max(200, visit.accuracy)
    }
    if isVisit { return }
    place.stillUntil = latest
    outside.place = place
    effects.append(.extendDwell(place))
    isQueueTouched = true
    persist()
  }

  /// Handles the removal of all rows before a time: a row that is gone cannot be extended.
  mutating func clearOutside(before end: Instant) {
    if let place = outside.place, place.time < end {
      outside.place = nil
      outside.restedUntil = nil
    }
    outside.visits.removeAll { $0.time < end }
  }

  /// Handles a fix that was stored already: it begins no rest.
  mutating func clearOutside(of id: FixID) {
    guard outside.place?.id == id else { return }
    outside.place = nil
    outside.restedUntil = nil
  }

  private func isNear(_ place: Location, _ coordinate: Coordinate, _ accuracy: Double) -> Bool {
    metres(place.coordinate, coordinate) <= max(50, place.accuracy, accuracy)
  }
}
