import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonSupport
import CordonVenues

/// The desks of all activities, and the desks that are not given out yet.
struct DeskPlan {
  /// A desk: the booked spot of a destination, and the place where its person stays.
  struct Desk {
    var destination: Int
    var spot: Int
    var place: Place
  }

  /// The number of desks of each activity; `nil` for activities without a rule.
  let counts: [Int?]
  /// The desks that are free, by activity and by group of connected parts of floors.
  private var free: [[Int: [Desk]]]

  /// Maximum distance between a listed desk and the place where its person stays, in metres.
  private static let reach = 2.0

  /// Creates the desks, and books their spots for the whole run.
  /// - Throws: ``ScenarioError`` for a space or floor that the venue does not have, a desk outside the places of its
  ///   activity, and more desks than fit.
  init(
    _ scenario: Scenario, places: ScenarioPlaces, world: World, book: inout SpotBook, presence: inout PresenceBook
  ) throws(ScenarioError) {
    var counts: [Int?] = []
    var free: [[Int: [Desk]]] = []
    for (index, activity) in scenario.activities.enumerated() {
      guard let rule = activity.desks else {
        counts.append(nil)
        free.append([:])
        continue
      }
      var builder = Builder(
        activity: activity, span: scenario.start.milliseconds...scenario.end.milliseconds,
        destinations: places.places[index].keys.sorted().flatMap { places.places[index][$0] ?? [] }, world: world,
        random: RandomStream(seed: 0, stream: Stream.desks, entity: UInt64(index)))
      switch rule {
      case .count(let count): try builder.spread(count, &book, &presence)
      case .table(let file, let rows):
        for row in rows { try builder.add(row, of: file, &book, &presence) }
      }
      counts.append(builder.desks.count)
      free.append(Dictionary(grouping: builder.desks) { world.destinations[$0.destination].group })
    }
    self.counts = counts
    self.free = free
  }

  /// Gives out a random free desk in a group of connected parts of floors; returns `nil` if there is none.
  mutating func take(for activity: Int, group: Int, _ random: inout RandomStream) -> Desk? {
    guard let count = free[activity][group]?.count, count > 0 else { return nil }
    return free[activity][group]?.remove(at: random.nextIndex(below: count))
  }

  /// The desks of one activity while they are created.
  private struct Builder {
    let activity: Activity
    let span: ClosedRange<Int64>
    let destinations: [Int]
    let world: World
    var random: RandomStream
    var desks: [Desk] = []
    /// The number of desks in each destination.
    private var perPlace: [Int: Int] = [:]

    init(activity: Activity, span: ClosedRange<Int64>, destinations: [Int], world: World, random: RandomStream) {
      self.activity = activity
      self.span = span
      self.destinations = destinations
      self.world = world
      self.random = random
    }

    private func error(_ message: String) -> ScenarioError {
      ScenarioError(line: activity.line, path: "activities.\(activity.name).desks", message: message)
    }

    /// Returns the number of further desks that fit into a destination.
    private func left(in destination: Int, _ presence: PresenceBook) -> Int {
      min(
        world.destinations[destination].spots.count - (perPlace[destination] ?? 0),
        presence.roomForAlways(at: destination))
    }

    private func title(of destination: Int) -> String {
      guard let space = world.destinations[destination].space else {
        return "floor \(world.destinations[destination].floor)"
      }
      return "'" + world.plan.spaces[space].title + "'"
    }

    /// Spreads desks in proportion to the room of the places (the method of Webster and Sainte-Laguë).
    mutating func spread(_ count: Int, _ book: inout SpotBook, _ presence: inout PresenceBook) throws(ScenarioError) {
      let room = destinations.map { left(in: $0, presence) }
      guard room.reduce(0, +) >= count else {
        throw error("\(count) desks do not fit: the spaces of '\(activity.name)' have room for \(room.reduce(0, +))")
      }
      var shares = Array(repeating: 0, count: destinations.count)
      for _ in 0..<count {
        var best: (quotient: Double, index: Int)?
        for index in destinations.indices where shares[index] < room[index] {
          let quotient = Double(presence.room(of: destinations[index])) / Double(2 * shares[index] + 1)
          if quotient > best?.quotient ?? 0 { best = (quotient, index) }
        }
        if let best { shares[best.index] += 1 }
      }
      for (destination, share) in zip(destinations, shares) { put(share, in: destination, &book, &presence) }
    }

    /// Puts desks at free spots of a destination.
    private mutating func put(
      _ count: Int, in destination: Int, _ book: inout SpotBook, _ presence: inout PresenceBook
    ) {
      for _ in 0..<count {
        let spot = book.bookFree(destination, span, &random)
        desks.append(Desk(destination: destination, spot: spot, place: world.destinations[destination].spots[spot]))
      }
      perPlace[destination, default: 0] += count
      presence.own(count, at: destination)
    }

    /// Adds the desks of a row.
    mutating func add(
      _ row: DeskRule.Row, of file: String, _ book: inout SpotBook, _ presence: inout PresenceBook
    ) throws(ScenarioError) {
      let place = "'\(file)', line \(row.line): "
      switch row.location {
      case .space(let name, let count):
        let found = destinations.filter { destination in
          guard let space = world.destinations[destination].space.map({ world.plan.spaces[$0] }) else { return false }
          return space.id.rawValue == name || space.name == name
        }
        guard let destination = found.first else { throw error(place + missing(name)) }
        guard found.count == 1 else {
          throw error(place + "\(found.count) spaces are called '\(name)'; use their identifiers")
        }
        guard left(in: destination, presence) >= count else {
          throw error(
            place
              + "\(count) desks do not fit into '\(name)', which has room for \(max(left(in: destination, presence), 0))"
          )
        }
        put(count, in: destination, &book, &presence)
      case .point(let point, let floor):
        try add(point, floor: floor, place, &book, &presence)
      case .coordinate(let coordinate, let floor):
        try add(world.plan.frame.projectRounded(coordinate), floor: floor, place, &book, &presence)
      }
    }

    private func missing(_ name: String) -> String {
      let spaces = world.plan.spaces
      guard !spaces.contains(where: { $0.id.rawValue == name || $0.name == name }) else {
        return "'\(name)' is not a space of '\(activity.name)' that people can reach"
      }
      let known = Set(destinations.compactMap { world.destinations[$0].space.map { spaces[$0].title } }).sorted()
      return "the venue has no space '\(name)'\(Suggestion.hint(for: name, among: known))"
    }

    /// Adds a desk at a point.
    private mutating func add(
      _ point: PlanePoint, floor name: String, _ place: String, _ book: inout SpotBook,
      _ presence: inout PresenceBook
    ) throws(ScenarioError) {
      let floors = world.plan.floors
      guard
        let floor = floors.firstIndex(where: { $0.name == name || $0.id.rawValue == name })
          ?? Double(name).flatMap({ FloorOrdinal($0) }).flatMap({ ordinal in
            floors.firstIndex { $0.ordinal == ordinal }
          })
      else {
        throw error(place + "the venue has no floor '\(name)'; it has " + floors.map(\.name).joined(separator: ", "))
      }
      let navigation = world.routes.navigation
      let destination = destinations.filter { world.destinations[$0].floor == floor }.first { destination in
        world.destinations[destination].space.map { world.plan.space(at: point, floor: floor) == $0 } ?? false
      }
      guard let destination else {
        throw error(place + "the desk is not in a space of '\(activity.name)' that people can reach")
      }
      let group = world.destinations[destination].group
      guard
        let seat = navigation.place(
          near: point, floor: floor, within: DeskPlan.reach, seeing: false,
          where: { world.routes.group(floor: floor, component: $0) == group })
      else { throw error(place + "nobody can stand within \(Int(DeskPlan.reach)) m of the desk") }
      guard left(in: destination, presence) >= 1 else {
        throw error(place + "more desks than \(title(of: destination)) has room for")
      }
      guard !desks.contains(where: { $0.place == seat }) else { throw error(place + "another desk is at this place") }
      let spot = book.bookFree(destination, span, nearestTo: navigation.center(of: seat))
      desks.append(Desk(destination: destination, spot: spot, place: seat))
      perPlace[destination, default: 0] += 1
      presence.own(1, at: destination)
    }
  }
}

extension PlanSpace {
  /// The name, or the identifier of a space without a name.
  var title: String { name.isEmpty ? id.rawValue : name }
}
