import CordonCore
import CordonGeometry

/// Finds visits and the trips between them, in one pass with constant memory beside the results.
///
/// A visit begins when a person stays within a place for the minimum dwell, and ends when the person is outside of it,
/// by more than the hysteresis and the error of the fix, for a minute. Arrival and departure are dated back to the first and the
/// last fix there. A trip is the way between two visits; a stop that is too short for a visit is a part of it.
struct MovementTracker: Sendable {
  private let rules: MovementRules
  private let maximumGap: Int64
  private let minimumDwell: Int64
  private var cluster: StayCluster?
  /// The trip since the last visit; made when the person moves away from ``departure``.
  private var trip: TripDraft?
  /// The last fix near the present visit, where the next trip begins.
  private var departure: (fix: PresenceFix, place: VisitPlace)?
  private var last: PresenceFix?
  /// The end of the last fix that decided.
  private var lastEnd: Int64?
  /// Whether a gap came after the last fix that decided.
  private var hasGap = false
  private var visits: [PresenceVisit] = []
  private var trips: [PresenceTrip] = []

  init(_ rules: MovementRules, maximumGap: TimeSpan) {
    self.rules = rules
    self.maximumGap = maximumGap.milliseconds
    minimumDwell = rules.minimumDwell.milliseconds
  }

  mutating func add(_ fix: PresenceFix, _ home: HomeState) {
    let accuracy = fix.hasAccuracy ? fix.accuracy : MovementRules.unknownAccuracy
    let gap = last.map { fix.time - $0.until } ?? 0
    let isAfterGap = last == nil || gap > maximumGap
    let place = place(of: fix, home)
    guard accuracy <= MovementRules.usableAccuracy else {
      // It says too little about where the person is; time goes on where a fix before it was inside.
      if isAfterGap { noteGap(gap) }
      hasGap = hasGap || isAfterGap
      last = fix
      return
    }
    if isAfterGap { noteGap(gap) }
    defer {
      last = fix
      lastEnd = fix.until
      hasGap = false
    }
    if isAfterGap || hasGap, rules.splitsAtGaps, cluster != nil {
      leave(fix, place, isAfterGap: true)
    } else if cluster == nil {
      begin(fix, place, hasBefore: false)
    } else if isInside(fix, place, home, accuracy) {
      cluster?.add(fix)
      noteInside(fix)
    } else if isNoLongerCandidate(at: fix) || isOutside(fix, place, home, accuracy) {
      leave(fix, place, isAfterGap: isAfterGap)
    } else {
      // In the hysteresis: still there, without moving the centre.
      addToTrip(fix)
    }
  }

  /// Prolongs the rest of the last fix.
  /// - Parameter end: milliseconds since 1970.
  mutating func prolong(until end: Int64) {
    guard let fix = last, end > fix.until else { return }
    last?.until = end
    guard let cluster, cluster.lastInside.time == fix.time else { return }
    lastEnd = end
    self.cluster?.prolong(until: end)
    guard cluster.lastNear.time == fix.time else { return }
    if cluster.arrival == nil { noteRest(self.cluster?.lastNear ?? fix) } else { departure?.fix.until = end }
  }

  /// The arrival of the visit that lasts, in milliseconds since 1970; `nil` without one.
  var presentArrival: Int64? { cluster?.arrival?.time }

  /// The visit that lasts, up to the last fix; `nil` without one.
  var presentVisit: PresenceVisit? { cluster?.visit(isDepartureKnown: false, next: nil) }

  /// Removes the visits and trips that have ended, and returns the visits.
  mutating func takeVisits() -> [PresenceVisit] {
    defer {
      visits = []
      trips = []
    }
    return visits
  }

  /// Ends the record.
  mutating func finish() -> (visits: [PresenceVisit], trips: [PresenceTrip]) {
    if let cluster, let visit = cluster.visit(isDepartureKnown: false, next: nil) {
      visits.append(visit)
    } else if let last {
      endTrip(at: last, place: cluster?.place ?? .other, isEndKnown: false, isWhole: true)
    }
    cluster = nil
    return (visits, trips)
  }

  // MARK: Places

  private func place(of fix: PresenceFix, _ home: HomeState) -> VisitPlace {
    if home == .home { return .home }
    for (number, place) in rules.places.enumerated() where place.area.contains(fix.coordinate) { return .named(number) }
    return .other
  }

  private func isInside(_ fix: PresenceFix, _ place: VisitPlace, _ home: HomeState, _ accuracy: Double) -> Bool {
    switch cluster?.place {
    case nil: return false
    case .home: return home == .home
    case .named(let number): return rules.places[number].surroundings.contains(fix.coordinate)
    case .other: return place == .other && (cluster?.distance(of: fix) ?? .infinity) <= rules.radius
    }
  }

  private func isOutside(_ fix: PresenceFix, _ place: VisitPlace, _ home: HomeState, _ accuracy: Double) -> Bool {
    guard let cluster else { return true }
    switch cluster.place {
    case .home: return home == .away
    case .named: return true
    case .other:
      if place != .other { return true }
      let edge = rules.radius + MovementRules.hysteresis + accuracy * PresenceFix.sigmaPerRadius
      return cluster.distance(of: fix) > edge
    }
  }

  /// Whether the cluster is too short for a visit, and was left long enough that this is not the error of a fix. Only a visit has
  /// a hysteresis.
  private func isNoLongerCandidate(at fix: PresenceFix) -> Bool {
    guard let cluster, cluster.arrival == nil else { return false }
    return fix.time - cluster.lastInside.until >= MovementRules.patience
  }

  // MARK: Visits

  private mutating func begin(_ fix: PresenceFix, _ place: VisitPlace, hasBefore: Bool) {
    cluster = StayCluster(fix, place: place, hasBefore: hasBefore, endBefore: lastEnd)
    departure = nil
    trip = TripDraft(fix, from: place, isStartKnown: false)
    noteRest(fix)
  }

  /// A fix that rested long enough is a visit by itself, such as a visit that a system reported.
  private mutating func noteRest(_ fix: PresenceFix) {
    if let cluster, cluster.dwell >= minimumDwell { noteInside(fix) }
  }

  private mutating func noteGap(_ gap: Int64) {
    guard last != nil else { return }
    cluster?.unknown += gap
    trip?.pause()
  }

  /// Runs for each fix of a visit: it reads single properties of the cluster, whose copy would take longer than all else.
  private mutating func noteInside(_ fix: PresenceFix) {
    if cluster?.isLongEnough(for: minimumDwell) == true { confirm() }
    if cluster?.isArrivedAndNear(at: fix.time) == true, let place = cluster?.place {
      // The next trip begins at the last fix near the place.
      departure = (fix, place)
      trip = nil
    } else {
      addToTrip(fix)
    }
  }

  /// Makes the cluster a visit.
  private mutating func confirm() {
    guard let before = cluster else { return }
    cluster?.confirm()
    if let arrival = cluster?.arrival {
      endTrip(at: arrival, place: before.place, isEndKnown: true, isWhole: false, centre: cluster?.coordinate)
    }
    departure = (before.lastNear, before.place)
  }

  private mutating func addToTrip(_ fix: PresenceFix) {
    if trip == nil, let departure {
      // The way from the place itself to the last fix near it.
      let isPoint = departure.place == .other
      let before = isPoint ? cluster.map { Geodesic.distance(from: $0.coordinate, to: departure.fix.coordinate) } : nil
      trip = TripDraft(departure.fix, from: departure.place, isStartKnown: true, before: before ?? 0)
    }
    trip?.add(fix)
  }

  /// Handles a fix outside of the cluster.
  private mutating func leave(_ fix: PresenceFix, _ place: VisitPlace, isAfterGap: Bool) {
    cluster?.endRest(at: fix.time)
    if let known = departure?.fix { departure?.fix.until = max(min(known.until, fix.time), known.time) }
    guard let cluster else { return }
    if isAfterGap {
      // Nobody saw the departure.
      if let visit = withoutLastGap(cluster).visit(isDepartureKnown: false, next: fix.time), isVisit(visit, cluster) {
        visits.append(visit)
      } else if let last {
        endTrip(at: last, place: cluster.place, isEndKnown: false, isWhole: true)
      }
      begin(fix, place, hasBefore: false)
      return
    }
    addToTrip(fix)
    guard cluster.arrival != nil else { return restart(fix, place) }
    let outside = cluster.outside ?? fix
    self.cluster?.outside = outside
    // A rest elsewhere confirms itself.
    guard (fix.ownUntil ?? fix.until) - outside.time >= MovementRules.confirmation else { return }
    if let visit = cluster.visit(isDepartureKnown: true, next: outside.time), isVisit(visit, cluster) {
      visits.append(visit)
    }
    restart(fix, place)
  }

  /// Whether what remains of a visit is one: a rest that confirmed it may have ended early.
  private func isVisit(_ visit: PresenceVisit, _ cluster: StayCluster) -> Bool {
    !cluster.isCutShort || visit.dwell >= minimumDwell
  }

  private mutating func restart(_ fix: PresenceFix, _ place: VisitPlace) {
    cluster = StayCluster(fix, place: place, hasBefore: true, endBefore: lastEnd)
    trip?.mark()
    noteRest(fix)
  }

  /// The gap before the present fix is not a part of the visit.
  private func withoutLastGap(_ cluster: StayCluster) -> StayCluster {
    var cluster = cluster
    cluster.unknown = max(cluster.unknown - trailingGap(cluster), 0)
    return cluster
  }

  /// The time of gaps after the last fix inside.
  private func trailingGap(_ cluster: StayCluster) -> Int64 { cluster.unknown - cluster.unknownUntilInside }

  // MARK: Trips

  /// Ends the present trip.
  /// - Parameters:
  ///   - fix: the last fix of the trip.
  ///   - place: the place where it ends.
  ///   - isEndKnown: whether the end was seen.
  ///   - isWhole: whether the path up to the last fix belongs to it; otherwise up to the beginning of the cluster.
  ///   - centre: the position of the place, to which the way from the last fix is added; `nil` for none.
  private mutating func endTrip(
    at fix: PresenceFix, place: VisitPlace, isEndKnown: Bool, isWhole: Bool, centre: Coordinate? = nil
  ) {
    if let trip, var ended = trip.ended(at: fix, place: place, isEndKnown: isEndKnown, isWhole: isWhole) {
      if let centre, place == .other { ended.distance += Geodesic.distance(from: fix.coordinate, to: centre) }
      if ended.distance >= rules.minimumTrip { trips.append(ended) }
    }
    trip = nil
  }
}
