import CordonCrowd
import CordonVenues

/// The rooms in which more people stayed at a time than their floor area, or a limit, allows.
struct OverfullRooms {
  /// A room: the destination, the maximum number of people who stayed there at a time, and the number that it is for.
  struct Room: Hashable {
    var destination: Int
    var peak: Int
    var capacity: Int
  }

  /// The rooms, the fullest in proportion first.
  let rooms: [Room]
  private let world: World

  /// Number of rooms that the note names.
  private static let named = 3

  /// Counts the stays of people. Complexity: O(*n* log *n*) for *n* stays.
  /// - Parameters:
  ///   - stays: the stays of all people.
  ///   - limits: the maximum number of people at a destination, by its index; without one, the occupant load counts.
  init(_ stays: [Stay], limits: [Int: Int], in world: World) {
    self.world = world
    var changes: [[(time: Int64, count: Int)]] = Array(repeating: [], count: world.destinations.count)
    for stay in stays where stay.space != nil && stay.start < stay.end {
      changes[stay.destination].append((stay.start.milliseconds, 1))
      changes[stay.destination].append((stay.end.milliseconds, -1))
    }
    rooms = world.destinations.indices.compactMap { index -> Room? in
      let capacity = limits[index] ?? world.destinations[index].occupantLoad
      guard changes[index].count > 2 * capacity else { return nil }
      // At equal times, people leave before others come.
      var (now, peak) = (0, 0)
      for change in changes[index].sorted(by: { ($0.time, $0.count) < ($1.time, $1.count) }) {
        now += change.count
        peak = max(peak, now)
      }
      return peak > capacity ? Room(destination: index, peak: peak, capacity: capacity) : nil
    }.sorted { a, b in
      let (x, y) = (a.peak * b.capacity, b.peak * a.capacity)
      return x != y ? x > y : a.destination < b.destination
    }
  }

  /// A note of one sentence; `nil` if there is no such room.
  var note: String? {
    guard !rooms.isEmpty else { return nil }
    let examples = rooms.prefix(Self.named).map { room in
      let space = world.destinations[room.destination].space.map { world.plan.spaces[$0].title } ?? ""
      return "\(space) (\(room.peak) people, room for \(room.capacity))"
    }
    return "\(rooms.count == 1 ? "1 room" : "\(rooms.count) rooms") held more people than the floor area allows: "
      + examples.joined(separator: ", ")
      + (rooms.count > examples.count ? " and \(rooms.count - examples.count) more" : "")
  }
}
