import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonVenues

/// The state of a day while it is planned.
struct DayInPlanning {
  var time: Int64
  var leave: Int64
  var here: Place
  let speed: Double
  let group: Int
  let party: Int
  /// The number of members who are served at desks.
  var served = 1
  let besideShare: Double
  /// The indices of future events.
  var events: [Int] = []
  var counts: [Int: Int] = [:]
  /// The stops of each member of the party.
  var stops: [[Itinerary.Stop]]
  var idle = 0
  /// The time until which the party waited outside.
  var outsideUntil: Int64
  /// Whether the party waited outside for lack of room.
  var hasWaitedForRoom = false
  /// Whether the last stay is at the leader's own place.
  var isAtOwnPlace = false

  init(time: Int64, leave: Int64, here: Place, speed: Double, group: Int, party: Int, besideShare: Double) {
    self.time = time
    outsideUntil = time
    self.leave = leave
    self.here = here
    self.speed = speed
    self.group = group
    self.party = party
    stops = Array(repeating: [], count: party)
    self.besideShare = besideShare
  }

  /// Changes the last stop of each member of the party.
  mutating func changeLastStops(_ change: (inout Itinerary.Stop) -> Void) {
    for member in stops.indices {
      if let last = stops[member].indices.last { change(&stops[member][last]) }
    }
  }
}
