package import CordonCore
import CordonGeometry

/// The device entered a space, stayed in it, or left it. Only spaces with full recording appear.
///
/// The event names a person's place: keep it out of logs. Its description names no space for that reason.
public struct SpaceEvent: Hashable, Sendable, CustomStringConvertible {
  /// The kind of event.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Several fixes in a row were in the space; the time is that of the first.
    case entered
    /// The device has been in the space for ``MonitorConfiguration/dwellAfter``. Once a stay.
    case dwelled
    /// Several fixes in a row were elsewhere, or the visit ended; the time is that of the last fix in the space.
    case left
  }

  /// The kind of event.
  package var kind: Kind
  /// The venue.
  package var venue: VenueID
  /// The space.
  package var space: SpaceID
  /// The time of the event.
  package var time: Instant
  /// The time that the device had spent in the space by then.
  package var stay: TimeSpan

  /// An event.
  package init(_ kind: Kind, venue: VenueID, space: SpaceID, time: Instant, stay: TimeSpan) {
    self.kind = kind
    self.venue = venue
    self.space = space
    self.time = time
    self.stay = stay
  }

  /// `a space was entered`; it names no space.
  public var description: String {
    switch kind {
    case .entered: "a space was entered"
    case .dwelled: "a stay in a space has lasted for some time"
    case .left: "a space was left"
    }
  }
}

/// Decides by fixes in which space the device is, with hysteresis: a single stray fix changes nothing.
struct SpaceState: Sendable {
  private struct Stay: Sendable {
    var venue: VenueID
    var space: SpaceID
    var from: Instant
    var last: Instant
    /// The monotonic millisecond at which it counts as a dwell; `Int64.max` when that was reported or never will be.
    var dwellAt: Int64
  }

  private var stay: Stay?
  private var candidate: (space: SpaceID?, since: Instant, fixes: Int)?

  /// The monotonic time at which a dwell is due.
  var dwellAt: Int64 { stay?.dwellAt ?? .max }

  /// Handles a fix that may be recorded; `space` is `nil` outside of reportable spaces.
  mutating func note(
    _ space: SpaceID?, venue: VenueID, at time: Instant, _ now: ClockReading, _ configuration: MonitorConfiguration
  ) -> [SpaceEvent] {
    if let stay, stay.space == space, stay.venue == venue {
      self.stay?.last = max(stay.last, time)
      candidate = nil
      return []
    }
    if stay == nil, space == nil {
      candidate = nil
      return []
    }
    if let candidate, candidate.space == space {
      self.candidate?.fixes += 1
    } else {
      candidate = (space, time, 1)
    }
    guard let candidate, candidate.fixes >= configuration.spaceFixes else { return [] }
    self.candidate = nil
    var events = end()
    if let space {
      let wait = configuration.dwellAfter.map { max($0 - (now.wall - candidate.since), .zero) }
      stay = Stay(
        venue: venue, space: space, from: candidate.since, last: time,
        dwellAt: wait.map { (now.monotonic + $0).milliseconds } ?? .max)
      events.append(SpaceEvent(.entered, venue: venue, space: space, time: candidate.since, stay: .zero))
    }
    return events
  }

  /// Returns the dwell that is due, if there is one.
  mutating func dwell(_ now: ClockReading) -> SpaceEvent? {
    guard let stay, now.monotonic.milliseconds >= stay.dwellAt else { return nil }
    self.stay?.dwellAt = .max
    return SpaceEvent(
      .dwelled, venue: stay.venue, space: stay.space, time: now.wall, stay: max(now.wall - stay.from, .zero))
  }

  /// Ends the stay, if there is one.
  mutating func end() -> [SpaceEvent] {
    defer { stay = nil }
    return stay.map {
      [SpaceEvent(.left, venue: $0.venue, space: $0.space, time: $0.last, stay: max($0.last - $0.from, .zero))]
    } ?? []
  }
}

extension Monitor {
  /// Handles an accepted fix; `space` is `nil` when nothing of it may be recorded.
  mutating func noteSpace(_ space: SpaceID?, at time: Instant, _ now: ClockReading, into effects: inout EffectBuffer) {
    guard configuration.reportsSpaces, let venue = gate?.venue else { return }
    for event in spaces.note(space, venue: venue, at: time, now, configuration) {
      effects.append(.notice(.space(event)))
    }
  }

  mutating func dwellIfDue(_ now: ClockReading, into effects: inout EffectBuffer) {
    if let event = spaces.dwell(now) { effects.append(.notice(.space(event))) }
  }

  /// Ends the stay at the end of a visit.
  mutating func leaveSpace(into effects: inout EffectBuffer) {
    for event in spaces.end() { effects.append(.notice(.space(event))) }
    spaces = SpaceState()
  }
}
