/// Who may be on a way between floors that people walk on: stairs, escalators, ramps.
///
/// Where people go both ways, those who fill the stairs on one floor leave no room for those who come from another, who
/// leave none for them: with bodies they would all stand there for ever. So many go on at a time as can pass each other on
/// every floor that they come through; the others wait outside. As long as all go the same way, nobody waits.
///
/// Whoever goes on has room on all the floors of the trip from its beginning. Nobody holds room while waiting for more,
/// so those who are on can always finish (Coffman, Elphick and Shoshani, "System Deadlocks", Computing Surveys 3(2),
/// 1971: no circular wait without hold and wait).
///
/// A value without people's positions: the walk tells it who came and who has left.
struct StairTurns {
  /// Somebody's way from a floor to another.
  struct Trip: Hashable {
    var person: Int
    /// Stops in the order of their levels, from 0.
    var from: Int
    var to: Int
    /// Milliseconds when they came.
    var since: Int64
    /// Which way they go, also when they are at its end.
    let isUp: Bool

    init(person: Int, from: Int, to: Int, since: Int64) {
      (self.person, self.from, self.to, self.since) = (person, from, to, since)
      isUp = to > from
    }

    var stops: ClosedRange<Int> { min(from, to)...max(from, to) }

    func meets(_ other: Trip) -> Bool { isUp != other.isUp && stops.overlaps(other.stops) }
  }

  /// By stop, in the order of their levels: how many people pass each other there.
  let capacities: [Int]
  /// Those who are on the way, or on their last metres to it.
  private(set) var on: [Trip] = []
  /// Those who wait, first come first.
  private(set) var waiting: [Trip] = []

  /// Milliseconds after which those who came later do not go before somebody any more.
  static let longest: Int64 = 20_000

  init(capacities: [Int]) { self.capacities = capacities }

  func isOn(_ person: Int) -> Bool { on.contains { $0.person == person } }

  /// How many wait at a stop.
  func waiting(at stop: Int) -> Int { waiting.count { $0.from == stop } }

  /// How many wait at the stop where somebody waits, and came before them.
  func ahead(of person: Int) -> Int {
    guard let index = waiting.firstIndex(where: { $0.person == person }) else { return 0 }
    return waiting[..<index].count { $0.from == waiting[index].from }
  }

  /// Somebody comes.
  mutating func wait(_ trip: Trip) {
    guard !waiting.contains(where: { $0.person == trip.person }) else { return }
    waiting.append(trip)
  }

  /// Somebody is on the way already, wherever they came from.
  mutating func enter(_ trip: Trip) {
    waiting.removeAll { $0.person == trip.person }
    if let index = on.firstIndex(where: { $0.person == trip.person }) { on[index] = trip } else { on.append(trip) }
  }

  /// Somebody has come to another stop of their trip.
  mutating func pass(_ person: Int, stop: Int) {
    if let index = on.firstIndex(where: { $0.person == person }) { on[index].from = stop }
  }

  /// Somebody is off it.
  mutating func leave(_ person: Int) {
    on.removeAll { $0.person == person }
    waiting.removeAll { $0.person == person }
  }

  /// Those who may go on now, the first of them first. `O(waiting * (on + waiting))`.
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
    if others.contains(where: { time - $0.since >= StairTurns.longest && $0.stops.overlaps(trip.stops) }) {
      return false
    }
    guard on.contains(where: trip.meets) || others.contains(where: trip.meets) else { return true }
    return trip.stops.allSatisfy { stop in
      on.count { $0.stops.contains(stop) } < capacities[stop]
    }
  }
}
