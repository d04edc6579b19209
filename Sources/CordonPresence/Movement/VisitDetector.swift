package import CordonCore

/// Finds visits while their fixes arrive: the visits of ``PresenceStream``, each reported at its arrival and at its departure.
///
/// An arrival is reported when the visit has lasted for the minimum dwell, a departure a minute after it; both are dated back. A gap
/// ends a visit with the last fix before it, so that no visit contains unknown time.
package struct VisitDetector: Sendable {
  /// A step in the life of a visit.
  package enum Event: Hashable, Sendable {
    /// The person has arrived; the departure is the last fix so far.
    case arrival(PresenceVisit)
    /// The person has left, or is not known to be there any more.
    case departure(PresenceVisit)
  }

  private var tracker: MovementTracker
  private var last: Int64?
  /// The arrival of the visit that was reported and has not ended.
  private var reported: Int64?

  /// Creates a detector.
  /// - Parameters:
  ///   - rules: the rules of visits.
  ///   - maximumGap: the longest time between two fixes that still belongs to the first one.
  package init(_ rules: MovementRules = MovementRules(), maximumGap: TimeSpan = PresenceRules.publishedGap) {
    var rules = rules
    rules.splitsAtGaps = true
    tracker = MovementTracker(rules, maximumGap: maximumGap)
  }

  /// Adds a fix, in the order of time; others are left out.
  /// - Returns: what the fix shows, a departure before an arrival.
  /// - Complexity: constant.
  package mutating func add(_ fix: PresenceFix) -> [Event] {
    guard fix.coordinate.isValid, PresenceStream.isInRange(fix.time), last.map({ fix.time > $0 }) ?? true
    else { return [] }
    last = fix.time
    tracker.add(fix, .unknown)
    return events()
  }

  /// Ends the record: a visit that lasts is reported up to the last fix.
  package mutating func finish() -> [Event] {
    let found = tracker.finish().visits
    reported = nil
    return found.map { .departure($0) }
  }

  private mutating func events() -> [Event] {
    // Most fixes change nothing.
    let present = tracker.presentArrival
    guard present != reported else { return [] }
    var events = tracker.takeVisits().map { Event.departure($0) }
    if present != nil, let visit = tracker.presentVisit { events.append(.arrival(visit)) }
    reported = present
    return events
  }
}
