/// Admission to a way between floors on which people walk: stairs, escalators, ramps.
///
/// With traffic in both directions, people who fill the stairs on one floor leave no room for people from another
/// floor. The reverse also holds, so all of them would be blocked without end. Therefore the number of admitted people
/// is limited to the number that can pass each other on every floor of their trip. The others wait outside. If all
/// people go the same way, they are admitted without a limit.
///
/// An admitted person has room on all floors of the trip from the beginning. People never hold room while they wait for
/// more room, so admitted people can always finish. This excludes a circular wait (Coffman, Elphick and Shoshani,
/// "System Deadlocks", Computing Surveys 3(2), 1971).
///
/// The type knows no positions: the walk reports arrivals and departures.
struct StairAdmission {
  /// A person's trip from one floor to another.
  struct Trip: Hashable {
    var person: Int
    /// Stops in the order of their levels, from 0.
    var from: Int
    var to: Int
    /// Time of arrival, in milliseconds.
    var since: Int64
    /// The direction of the trip. It stays the same when the person passes stops.
    let isUp: Bool

    init(person: Int, from: Int, to: Int, since: Int64) {
      (self.person, self.from, self.to, self.since) = (person, from, to, since)
      isUp = to > from
    }

    var stops: ClosedRange<Int> { min(from, to)...max(from, to) }

    func meets(_ other: Trip) -> Bool { isUp != other.isUp && stops.overlaps(other.stops) }
  }

  /// By stop, in the order of the levels: the number of people who can pass each other there.
  let capacities: [Int]
  /// The people on the way, or on their last metres to it.
  private(set) var on: [Trip] = []
  /// The waiting people, in order of arrival.
  private(set) var waiting: [Trip] = []

  /// Time after which later arrivals no longer overtake a waiting person, in milliseconds.
  static let overtakingLimit: Int64 = 20_000

  init(capacities: [Int]) { self.capacities = capacities }

  func isOn(_ person: Int) -> Bool { on.contains { $0.person == person } }

  /// Returns the number of people who wait at a stop.
  func waiting(at stop: Int) -> Int { waiting.count { $0.from == stop } }

  /// Returns the number of people who wait at a person's stop and arrived earlier.
  func ahead(of person: Int) -> Int {
    guard let index = waiting.firstIndex(where: { $0.person == person }) else { return 0 }
    return waiting[..<index].count { $0.from == waiting[index].from }
  }

  /// Adds a waiting person.
  mutating func wait(_ trip: Trip) {
    guard !waiting.contains(where: { $0.person == trip.person }) else { return }
    waiting.append(trip)
  }

  /// Adds a person who is on the way already.
  mutating func enter(_ trip: Trip) {
    waiting.removeAll { $0.person == trip.person }
    if let index = on.firstIndex(where: { $0.person == trip.person }) { on[index] = trip } else { on.append(trip) }
  }

  /// Moves a person to another stop of the trip.
  mutating func pass(_ person: Int, stop: Int) {
    if let index = on.firstIndex(where: { $0.person == person }) { on[index].from = stop }
  }

  /// Removes a person.
  mutating func leave(_ person: Int) {
    on.removeAll { $0.person == person }
    waiting.removeAll { $0.person == person }
  }

  /// Admits the people who may enter now, and returns them in order of priority. Complexity: `O(waiting * (on +
  /// waiting))`.
  mutating func admit(at time: Int64) -> [Trip] {
    var admitted: [Trip] = []
    var kept: [Trip] = []
    for trip in waiting {
      if hasRoom(trip, before: kept, at: time) {
        on.append(trip)
        admitted.append(trip)
      } else {
        kept.append(trip)
      }
    }
    waiting = kept
    return admitted
  }

  private func hasRoom(_ trip: Trip, before others: [Trip], at time: Int64) -> Bool {
    if others.contains(where: { time - $0.since >= StairAdmission.overtakingLimit && $0.stops.overlaps(trip.stops) }) {
      return false
    }
    guard on.contains(where: trip.meets) || others.contains(where: trip.meets) else { return true }
    return trip.stops.allSatisfy { stop in
      on.count { $0.stops.contains(stop) } < capacities[stop]
    }
  }
}
