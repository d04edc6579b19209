import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonNavigation
@testable import CordonSimulator

@Suite("Ways between floors and one-way doors")
struct WaysBetweenFloorsTests {
  /// The ride of a single person: levels (negative down) and seconds.
  struct Ride {
    var levels: Double
    var seconds: Double
  }

  /// Sends one person to the top floor and back in a venue with only one kind of ways between its floors.
  private func rides(_ venueKind: VenueGenerator.Kind, only kind: Connection.Kind) throws -> [Ride] {
    var venue = try VenueGenerator.generate(kind: venueKind, floors: 3, area: venueKind.defaultArea, seed: 3)
    venue.connections.removeAll { $0.kind != kind }
    let world = try World(venue: venue)
    let group = world.routes.group(of: world.entrances[0].place)
    let top = try #require(
      world.destinations.indices.filter { world.destinations[$0].group == group }
        .max { world.destinations[$0].floor < world.destinations[$1].floor })
    try #require(world.destinations[top].floor != world.entrances[0].place.floor)
    let itinerary = BuildingWalkTests.itinerary(0, to: top, spot: 0, in: world, arrival: 0, speed: 1.34)
    let result = BuildingWalkTests.walk([itinerary], in: world, minutes: 15)
    #expect(result.tracks[0].hasLeft && result.figures.isClean)
    let pieces = result.tracks[0].segments
    // People are slower on ways between floors than elsewhere.
    func isSlow(_ piece: Segment) -> Bool {
      let length = PlaneSegment(PlanePoint(x: piece.x0, y: piece.y0), PlanePoint(x: piece.x1, y: piece.y1)).length
      return length < 0.9 * Double(piece.end - piece.start) / 1_000
    }
    let slow = pieces.split { !isSlow($0) }
    return slow.compactMap { ride in
      guard let first = ride.first, let last = ride.last, first.floor != last.floor else { return nil }
      return Ride(
        levels: Double(last.floor - first.floor) / 1_000, seconds: Double(last.end - first.start) / 1_000)
    }
  }

  /// Weidmann: 0.61 m/s up and 0.69 m/s down for a free speed of 1.34 m/s, along 8 m of plan for each level.
  @Test func stairSpeedsMatchWeidmann() throws {
    let rides = try rides(.office, only: .stairs)
    #expect(rides.contains { $0.levels > 0 } && rides.contains { $0.levels < 0 })
    for ride in rides {
      let speed = abs(ride.levels) * 8 / ride.seconds
      let wanted = ride.levels > 0 ? 0.61 : 0.69
      #expect(abs(speed - wanted) < 0.03 * wanted, "\(ride)")
    }
  }

  /// 0.5 m/s, 9 m of plan per level and one metre more, in one direction only.
  @Test func escalatorsRunAtConstantSpeedInOneDirection() throws {
    var venue = try VenueGenerator.generate(
      kind: .mall, floors: 2, area: VenueGenerator.Kind.mall.defaultArea, seed: 3)
    venue.connections.removeAll { $0.kind != .escalator }
    let world = try World(venue: venue)
    #expect(world.routes.navigation.verticals.allSatisfy { way in way.stops.allSatisfy { $0.isEntry != $0.isExit } })
    let rides = try rides(.mall, only: .escalator)
    #expect(rides.contains { $0.levels > 0 } && rides.contains { $0.levels < 0 })
    for ride in rides { #expect(abs(ride.seconds - (2 + 18 * abs(ride.levels))) < 0.3, "\(ride)") }
  }

  /// The number of passages of each door, from the first of its spaces to the second and back.
  private func passages(_ world: World) throws -> [String: (there: Int, back: Int)] {
    let scenario = Scenario(visitors: 60, start: BuildingWalkTests.monday, duration: .minutes(12), seed: 5)
    let truth = try Simulation.truth(world: world, scenario: scenario, model: CrowdMovement(checksEveryStep: true))
    #expect(truth.figures.isClean, "\(truth.figures)")
    #expect(truth.unreachable == 0)
    var found: [String: (there: Int, back: Int)] = [:]
    for door in world.plan.doors where door.spaces.count == 2 {
      let ordinal = world.plan.floors[door.floor].ordinal.thousandths
      let (line, middle) = (door.line, door.line.middle)
      let scale = 0.4 / max(line.length, 1e-6)
      let left = PlanePoint(x: middle.x - (line.b.y - line.a.y) * scale, y: middle.y + (line.b.x - line.a.x) * scale)
      let isFirstLeft = world.plan.spaces[door.spaces[0]].contains(left)
      var counts = (there: 0, back: 0)
      for piece in truth.segments where piece.floor == ordinal {
        let (a, b) = (PlanePoint(x: piece.x0, y: piece.y0), PlanePoint(x: piece.x1, y: piece.y1))
        guard PlaneSegment(a, b).meets(line), side(a, line) * side(b, line) < 0 else { continue }
        if (side(a, line) > 0) == isFirstLeft { counts.there += 1 } else { counts.back += 1 }
      }
      found[door.id] = counts
    }
    return found
  }

  /// Positive on the left of a line.
  private func side(_ point: PlanePoint, _ line: PlaneSegment) -> Double {
    (line.b.x - line.a.x) * (point.y - line.a.y) - (line.b.y - line.a.y) * (point.x - line.a.x)
  }

  @Test func peopleDoNotPassAOneWayDoorBackwards() throws {
    var venue = try VenueGenerator.generate(
      kind: .museum, floors: 1, area: VenueGenerator.Kind.museum.defaultArea, seed: 3)
    let free = try World(venue: venue)
    var doorsOf = [Int](repeating: 0, count: free.plan.spaces.count)
    for door in free.plan.doors { for space in door.spaces { doorsOf[space] += 1 } }
    let before = try passages(free)
    // Rooms with another door, so that no person is locked in; the door with the most use in both directions.
    let candidates = free.plan.doors.filter { door in
      door.spaces.count == 2 && door.spaces.allSatisfy { doorsOf[$0] > 1 }
        && venue.openings.contains { $0.id == door.id }
    }
    func use(_ door: PlanDoor) -> Int { min(before[door.id]?.there ?? 0, before[door.id]?.back ?? 0) }
    let chosen = try #require(candidates.max { (use($0), $1.id) < (use($1), $0.id) })
    try #require(use(chosen) > 0)
    let index = try #require(venue.openings.firstIndex { $0.id == chosen.id })
    venue.openings[index].isTwoWay = false
    let after = try #require(try passages(World(venue: venue))[chosen.id])
    #expect(after.there > 0 && after.back == 0, "\(chosen.id): \(after)")
  }

  /// A corner of a way can lie exactly on a threshold: the direction of the passage is still correct.
  @Test func aCornerOnAThresholdLeadsThroughIt() throws {
    let world = try BuildingWalkTests.world(.office, floors: 1)
    let plane = FloorPlane(world)
    var seen = 0
    for door in world.plan.doors {
      let (line, middle) = (door.line, door.line.middle)
      guard line.length > 0.7 else { continue }
      let scale = 0.8 / line.length
      let left = PlanePoint(x: middle.x - (line.b.y - line.a.y) * scale, y: middle.y + (line.b.x - line.a.x) * scale)
      let right = PlanePoint(x: 2 * middle.x - left.x, y: 2 * middle.y - left.y)
      for (from, to) in [(left, right), (right, left)] {
        for corners in [[from, to], [from, middle, to]] {
          let marks = plane.marks(along: corners, floor: door.floor, radius: 0.3)
          let doors = marks.filter(\.isDoor)
          guard doors.count == 1, let mark = doors.first else { continue }
          seen += 1
          let ahead = (to.x - from.x) * mark.through.x + (to.y - from.y) * mark.through.y
          #expect(ahead > 0, "\(door.id): \(corners)")
        }
        // A way up to the threshold and back passes no door.
        let touching = plane.marks(along: [from, middle, from], floor: door.floor, radius: 0.3)
        #expect(touching.allSatisfy { !$0.isDoor }, "\(door.id)")
      }
    }
    #expect(seen > 4 * world.plan.doors.count / 2, "\(seen) of \(world.plan.doors.count)")
  }

  /// A stay is one segment without movement, from its start to its end.
  @Test func stayingPeopleDoNotMove() throws {
    let world = try BuildingWalkTests.world(.office, floors: 1)
    let target = try BuildingWalkTests.destination(on: world.entrances[0].place.floor, in: world)
    let result = BuildingWalkTests.walk(
      [BuildingWalkTests.itinerary(0, to: target, spot: 0, in: world, arrival: 0)], in: world, minutes: 10)
    let stay = try #require(result.tracks[0].stays.first)
    let piece = try #require(result.tracks[0].segments.first { $0.x0 == $0.x1 && $0.y0 == $0.y1 })
    #expect(piece.start <= stay.start.milliseconds && piece.end >= stay.end.milliseconds)
    // Staying people make no steps: about one minute of walking, two of staying.
    let seconds = Double(result.figures.agentSteps) * 0.1
    let there = (stay.end - stay.start).seconds
    let all = Double((result.tracks[0].segments.last?.end ?? 0) - (result.tracks[0].segments.first?.start ?? 0)) / 1_000
    #expect(abs(all - there - seconds) < 3, "\(all) \(there) \(seconds)")
  }

  /// Movement on several floors with full elevators is the same with any number of threads.
  @Test func threadsDoNotChangeTracksInBuildings() throws {
    let world = try BuildingWalkTests.world(.hospital, floors: 4)
    let group = world.routes.group(of: world.entrances[0].place)
    let goals = world.destinations.indices.filter { world.destinations[$0].group == group }
    let itineraries = (0..<60).map { person in
      BuildingWalkTests.itinerary(
        person, to: goals[person * 7 % goals.count], spot: person, in: world, arrival: Int64(person) / 2)
    }
    let replication = Replication(start: BuildingWalkTests.monday, duration: .minutes(6), seed: 1)
    let fields = RouteFields(for: itineraries, in: world, threads: 1)
    func walk(threads: Int) -> MovementResult {
      let walk = BuildingWalk(
        itineraries, fields: fields, world: world, replication: replication, model: CrowdMovement(),
        threads: threads)
      // Without this, one thread would process so few people.
      walk.state.crowd.minimumShare = 4
      return walk.run(progress: nil)
    }
    let one = walk(threads: 1)
    let floors = Set(one.tracks.flatMap { $0.segments.map(\.floor) })
    #expect(floors.count > 2)
    #expect(one.tracks.flatMap(\.waits).contains { if case .connection = $0.reason { true } else { false } })
    for threads in [2, 4] {
      let many = walk(threads: threads)
      #expect(many.figures == one.figures)
      #expect(many.tracks.map(\.segments) == one.tracks.map(\.segments))
      #expect(many.tracks.map(\.waits) == one.tracks.map(\.waits))
    }
  }
}
