import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonVenues

/// A small building of rectangular rooms for validation. Lengths are metres east and north of its corner.
struct ValidationBuilding {
  private var spaces: [Space] = []
  private var walls: [Barrier] = []
  private var openings: [Opening] = []
  private var connections: [Connection] = []
  private var floors: Set<Int> = []
  private let frame = LocalFrame(origin: Coordinate(longitude: 8, latitude: 50))

  init() {}

  private func coordinate(_ x: Double, _ y: Double) -> Coordinate { frame.unproject(PlanePoint(x: x, y: y)) }

  private static func floor(_ number: Int) -> FloorID { FloorID("f\(number)") }

  /// Adds a room with walls.
  /// - Parameter open: the sides without a wall: `n`, `s`, `e`, `w`.
  mutating func room(
    _ name: String, x: ClosedRange<Double>, y: ClosedRange<Double>, floor: Int = 0, kind: SpaceKind = .room,
    open: String = ""
  ) {
    floors.insert(floor)
    let corners = [
      coordinate(x.lowerBound, y.lowerBound), coordinate(x.upperBound, y.lowerBound),
      coordinate(x.upperBound, y.upperBound), coordinate(x.lowerBound, y.upperBound),
    ]
    spaces.append(
      Space(
        id: SpaceID(name), floor: Self.floor(floor), kind: kind, name: LocalizedText(name),
        outline: GeoMultiPolygon([GeoPolygon(outer: corners)])))
    for (index, side) in ["s", "e", "n", "w"].enumerated() where !open.contains(side) {
      walls.append(
        Barrier(
          id: "w\(walls.count)", floor: Self.floor(floor), sourceKind: "wall",
          shape: .lines([[corners[index], corners[(index + 1) % 4]]])))
    }
  }

  /// Adds a wall.
  mutating func wall(from a: (Double, Double), to b: (Double, Double), floor: Int = 0) {
    walls.append(
      Barrier(
        id: "w\(walls.count)", floor: Self.floor(floor), sourceKind: "wall",
        shape: .lines([[coordinate(a.0, a.1), coordinate(b.0, b.1)]])))
  }

  /// Adds a door; with one room, it is an exit.
  mutating func door(_ name: String, from a: (Double, Double), to b: (Double, Double), rooms: [String], floor: Int = 0)
  {
    openings.append(
      Opening(
        id: name, floor: Self.floor(floor), line: [coordinate(a.0, a.1), coordinate(b.0, b.1)],
        spaces: rooms.map { SpaceID($0) }, isEntrance: rooms.count == 1, sourceKind: "door", name: LocalizedText(name)))
  }

  /// Adds a connection between floors.
  mutating func connection(_ name: String, _ kind: Connection.Kind, at places: [(floor: Int, x: Double, y: Double)]) {
    connections.append(
      Connection(
        id: name, kind: kind, name: LocalizedText(name),
        landings: places.map { Connection.Landing(floor: Self.floor($0.floor), position: coordinate($0.x, $0.y)) }))
  }

  /// Returns the venue, with its lists in the order of a reader.
  /// - Throws: `VenueError`, which no valid program gives.
  func venue() throws(VenueError) -> Venue {
    guard let id = VenueID("validation") else {
      throw VenueError(code: "invalid-argument", file: "validation", message: "is not an identifier")
    }
    return Venue(
      id: id, name: LocalizedText("validation"), format: .geojson, contentHash: "",
      floors: floors.sorted().map { Floor(id: Self.floor($0), ordinal: FloorOrdinal($0)) },
      spaces: spaces.sorted { ($0.floor.rawValue, $0.id.rawValue) < ($1.floor.rawValue, $1.id.rawValue) },
      walls: walls.sorted { ($0.floor.rawValue, $0.id) < ($1.floor.rawValue, $1.id) },
      openings: openings.sorted { ($0.floor.rawValue, $0.id) < ($1.floor.rawValue, $1.id) },
      connections: connections.sorted { $0.id < $1.id })
  }

  /// A person of a case.
  struct Person {
    var x: Double
    var y: Double
    var floor = 0
    var speed = 1.34
    /// The time of setting off, in seconds.
    var delay = 0.0
    /// The names of the exits that the person may use; empty for all.
    var exits: [String] = []
    var stairPace = 1.0
    /// Whether the person follows the choice of others.
    var follows = false
    /// The group, and the name of the room where it meets.
    var group: Int?
  }

  /// The result of an evacuation.
  struct Result {
    var world: World
    var tracks: [Track]
    var figures: MovementFigures
    /// The start, in milliseconds since 1970.
    var start: Int64

    /// Returns the time at which a person was out, in seconds; `nil` for a person inside.
    func out(_ person: Int) -> Double? {
      guard tracks[person].hasLeft, let end = tracks[person].segments.last?.end else { return nil }
      return Double(end - start) / 1_000
    }

    /// The times at which people were out, in ascending order.
    var times: [Double] { tracks.indices.compactMap(out).sorted() }

    /// Returns the identifier of the exit by which a person left.
    func exit(_ person: Int) -> String? { tracks[person].exit.map { world.entrances[$0].id } }

    /// Returns the time at which a person began to move, in seconds.
    func beginning(_ person: Int) -> Double? {
      let first = tracks[person].segments.first { $0.x0 != $0.x1 || $0.y0 != $0.y1 }
      return first.map { Double($0.start - start) / 1_000 }
    }
  }

  /// Lets people leave.
  func evacuate(
    _ people: [Person], model: CrowdMovement, rules: EvacuationRules = EvacuationRules(), seconds: Double = 600,
    losing losses: [String: Double] = [:], smoke: [String: Smoke] = [:], seed: UInt64 = 1,
    isInterrupted: @escaping @Sendable () -> Bool
  ) throws -> Result {
    let world = try World(venue: venue())
    let start = Instant(milliseconds: 1_767_603_600_000)
    let replication = Replication(start: start, duration: .milliseconds(Int64(seconds * 1_000)), seed: seed)
    var rules = rules
    for (name, time) in losses {
      if let exit = world.entrances.firstIndex(where: { $0.id == name }) {
        rules.closing[exit] = start.milliseconds + Int64(time * 1_000)
      }
    }
    for (name, kind) in smoke {
      if let space = world.plan.spaces.firstIndex(where: { $0.isCalled(name) }) { rules.smoke[space] = kind }
    }
    var itineraries = people.enumerated().map { number, person in
      let floor = world.plan.floors.firstIndex { $0.ordinal == FloorOrdinal(person.floor) } ?? 0
      let point = world.plan.frame.projectRounded(coordinate(person.x, person.y))
      let exits = world.entrances.indices.filter {
        person.exits.isEmpty || person.exits.contains(world.entrances[$0].id)
      }
      var evacuee = Evacuee(
        floor: floor, position: point, departure: start + .milliseconds(Int64(person.delay * 1_000)), exits: exits)
      evacuee.stairPace = person.stairPace
      evacuee.followsOthers = person.follows
      evacuee.group = person.group
      var itinerary = Itinerary(
        person: number, freeSpeed: person.speed, arrival: start, entrance: exits.first ?? 0, stops: [],
        exit: exits.first ?? 0)
      itinerary.evacuee = evacuee
      return itinerary
    }
    meet(people, &itineraries, in: world, until: replication.end)
    var model = model
    model.evacuation = rules
    model.isInterrupted = isInterrupted
    let fields = RouteFields(for: itineraries, in: world, threads: 1)
    let moved = model.tracks(
      of: itineraries, fields: fields, world: world, replication: replication, threads: 1, progress: nil)
    return Result(world: world, tracks: moved.tracks, figures: moved.figures, start: start.milliseconds)
  }

  /// Gives the members of each group spots next to the first one.
  private func meet(_ people: [Person], _ itineraries: inout [Itinerary], in world: World, until end: Instant) {
    let groups = Dictionary(grouping: people.indices.filter { people[$0].group != nil }) { people[$0].group ?? 0 }
    for group in groups.keys.sorted() {
      guard let members = groups[group], let first = members.first,
        let evacuee = itineraries[first].evacuee,
        let space = world.plan.space(at: evacuee.position, floor: evacuee.floor),
        let destination = world.destinations.firstIndex(where: { $0.space == space })
      else { continue }
      let spots = world.destinations[destination].spots.sorted {
        PlaneSegment(world.routes.navigation.center(of: $0), evacuee.position).length
          < PlaneSegment(world.routes.navigation.center(of: $1), evacuee.position).length
      }
      for (index, member) in members.enumerated() {
        itineraries[member].stops = [
          Itinerary.Stop(destination: destination, spot: spots[min(index, spots.count - 1)], leave: end)
        ]
        itineraries[member].companion = members[(index + 1) % members.count]
      }
    }
  }

  /// Returns people in rows in a rectangle, 0.6 m apart, with free speeds of the population.
  static func crowd(
    _ count: Int, x: ClosedRange<Double>, y: ClosedRange<Double>, floor: Int = 0, speeds random: inout RandomStream,
    exits: [String] = []
  ) -> [Person] {
    let columns = max(Int((x.upperBound - x.lowerBound) / 0.6), 1)
    return (0..<count).map { number in
      Person(
        x: x.lowerBound + 0.3 + 0.6 * Double(number % columns), y: y.lowerBound + 0.3 + 0.6 * Double(number / columns),
        floor: floor, speed: FreeSpeeds.random(&random), exits: exits)
    }
  }
}
