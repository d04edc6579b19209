import CordonContacts
import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonNavigation
import CordonRun
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

@Suite("Building walks")
struct BuildingWalkTests {
  static let monday = Instant(milliseconds: 1_763_971_200_000)

  static func world(_ kind: VenueGenerator.Kind, floors: Int) throws -> World {
    try World(venue: VenueGenerator.generate(kind: kind, floors: floors, area: kind.defaultArea, seed: 3))
  }

  static func walk(_ itineraries: [Itinerary], in world: World, minutes: Int64) -> MovementResult {
    let replication = Replication(start: monday, duration: .minutes(minutes), seed: 1)
    return CrowdMovement(checksEveryStep: true).tracks(
      of: itineraries, fields: RouteFields(for: itineraries, in: world, threads: 1), world: world,
      replication: replication, threads: 1, progress: nil)
  }

  static func itinerary(
    _ person: Int, to destination: Int, spot: Int, in world: World, arrival: Int64, service: TimeSpan? = nil,
    speed: Double = 1.34
  ) -> Itinerary {
    let spots = world.destinations[destination].spots
    return Itinerary(
      person: person, freeSpeed: speed, arrival: monday + .seconds(arrival), entrance: 0,
      stops: [
        Itinerary.Stop(
          destination: destination, spot: spots[spot % spots.count], leave: monday + .seconds(arrival + 120),
          service: service)
      ], exit: 0)
  }

  /// A destination on a floor that entrance 0 leads to, the one with the most spots.
  static func destination(on floor: Int, in world: World) throws -> Int {
    let group = world.routes.group(of: world.entrances[0].place)
    return try #require(
      world.destinations.indices.filter {
        world.destinations[$0].floor == floor && world.destinations[$0].group == group
      }
      .max { world.destinations[$0].spots.count < world.destinations[$1].spots.count })
  }

  @Test func aServiceQueueServesPeopleInOrder() throws {
    let world = try Self.world(.mall, floors: 1)
    let target = try Self.destination(on: world.entrances[0].place.floor, in: world)
    let itineraries = (0..<5).map {
      Self.itinerary($0, to: target, spot: $0, in: world, arrival: Int64($0) * 2, service: .seconds(30))
    }
    let result = Self.walk(itineraries, in: world, minutes: 15)
    #expect(result.figures.isClean, "\(result.figures)")
    let served = result.tracks.flatMap(\.stays).sorted { $0.start < $1.start }
    #expect(result.tracks.allSatisfy { $0.hasLeft && $0.waits.count == 1 })
    #expect(served.count == 5)
    let longest = result.tracks.flatMap(\.waits).map { ($0.end - $0.start).seconds }.max() ?? 0
    // The fifth person waits for four others.
    #expect(longest > 90 && longest < 130, "\(longest)")
    for (a, b) in zip(served, served.dropFirst()) { #expect(a.end <= b.start) }
    for stay in served { #expect(abs((stay.end - stay.start).seconds - 30) < 0.2) }
  }

  /// Distance walked and net displacement in each ten seconds of a track, in metres.
  private static func tens(of track: Track) -> [(walked: Double, gotOn: Double)] {
    Dictionary(grouping: track.segments.filter { $0.end - $0.start <= 1_000 }) { $0.start / 10_000 }.values.compactMap {
      guard let first = $0.first, let last = $0.last else { return nil }
      let walked = $0.reduce(0) {
        $0 + PlaneSegment(PlanePoint(x: $1.x0, y: $1.y0), PlanePoint(x: $1.x1, y: $1.y1)).length
      }
      return (walked, PlaneSegment(PlanePoint(x: first.x0, y: first.y0), PlanePoint(x: last.x1, y: last.y1)).length)
    }
  }

  /// People seated around a spot turn its owner back at every other step. The owner never stands still, but must not
  /// walk to and fro for as long as the others sit there.
  @Test func peopleDoNotWalkToAndFroForLong() throws {
    let world = try Self.world(.office, floors: 1)
    let scenario = Scenario(visitors: 160, start: Self.monday, duration: .minutes(60), seed: 5)
    let truth = try Simulation.truth(world: world, scenario: scenario, model: CrowdMovement())
    let most = truth.people.indices.map { person -> Int in
      var track = Track()
      track.segments = Array(truth.segments(of: person))
      return Self.tens(of: track).count { $0.walked > 3 && $0.gotOn < 0.7 }
    }
    // Half a minute in total, of an hour.
    #expect(most.allSatisfy { $0 <= 3 }, "\(most.sorted().suffix(10))")
  }

  @Test func outsideStepsAreCountedIfEveryStepIsChecked() throws {
    let venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 800, seed: 3)
    for isChecked in [true, false] {
      var scenario = Scenario(visitors: 5, duration: .minutes(10), seed: 3)
      scenario.movement.checksEveryStep = isChecked
      let contents = try VenueSimulation(venue: venue, scenario: scenario).run(store: .memory(MemoryStore()))
      let figure = try #require(contents.outcome.figures.first { $0.name == "outside_steps" })
      #expect(figure.value == (isChecked ? 0 : nil))
      #expect(contents.outcome.invalidSteps == nil)
    }
  }

  @Test func peopleWaitForFullElevators() throws {
    let world = try Self.world(.hospital, floors: 4)
    let top = try #require(
      world.plan.floors.indices.max { world.plan.floors[$0].ordinal < world.plan.floors[$1].ordinal })
    let target = try Self.destination(on: top, in: world)
    let itineraries = (0..<24).map { Self.itinerary($0, to: target, spot: $0, in: world, arrival: Int64($0)) }
    let result = Self.walk(itineraries, in: world, minutes: 25)
    #expect(result.figures.isClean, "\(result.figures)")
    #expect(result.tracks.allSatisfy { $0.stays.count == 1 })
    let stays = result.tracks.flatMap(\.stays)
    #expect(stays.allSatisfy { $0.destination == target })
    let waits = result.tracks.flatMap(\.waits)
    #expect(waits.contains { if case .connection = $0.reason { true } else { false } })
    #expect(waits.allSatisfy { $0.start <= $0.end })
    // No car carries a person without end.
    #expect(result.tracks.count { $0.hasLeft } >= 22, "\(result.tracks.count { $0.hasLeft })")
    #expect(maximumInACar(result) == ElevatorCar.capacity)
  }

  /// The maximum number of people in one car between two stops: people who change floors at the same time.
  private func maximumInACar(_ result: MovementResult) -> Int {
    var moments: [Int64: Int] = [:]
    for track in result.tracks {
      for (before, after) in zip(track.segments, track.segments.dropFirst()) where before.floor != after.floor {
        moments[after.start, default: 0] += 1
      }
    }
    return moments.values.max() ?? 0
  }

  @Test func companionsArriveWalkAndLeaveTogether() throws {
    let world = try Self.world(.museum, floors: 1)
    let target = try Self.destination(on: world.entrances[0].place.floor, in: world)
    var pair = (0..<2).map { Self.itinerary($0, to: target, spot: $0, in: world, arrival: Int64($0), speed: 1.2) }
    pair[0].companion = 1
    pair[1].companion = 0
    let result = Self.walk(pair, in: world, minutes: 10)
    #expect(result.figures.isClean)
    #expect(result.tracks.allSatisfy { $0.hasLeft })
    let ends = result.tracks.map { $0.segments.last?.end ?? 0 }
    #expect(abs(ends[0] - ends[1]) < 20_000)
  }

  @Test func aPartyOfFourStaysTogether() throws {
    let world = try Self.world(.museum, floors: 1)
    let target = try Self.destination(on: world.entrances[0].place.floor, in: world)
    func spread(joined: Bool) throws -> Int64 {
      var family = (0..<4).map {
        Self.itinerary($0, to: target, spot: $0, in: world, arrival: Int64($0), speed: $0 < 2 ? 1.5 : 0.8)
      }
      if joined { for number in 0..<4 { family[number].companion = (number + 1) % 4 } }
      let result = Self.walk(family, in: world, minutes: 10)
      #expect(result.figures.isClean)
      let starts = try result.tracks.map { try #require($0.stays.first).start.milliseconds }
      return (starts.max() ?? 0) - (starts.min() ?? 0)
    }
    let (alone, together) = (try spread(joined: false), try spread(joined: true))
    #expect(together < alone / 2, "\(together) ms together, \(alone) ms each by themselves")
  }
}

@Suite("One-way steps between cells")
struct OneWayTests {
  /// Two rooms of 4 by 4 m with a doorway of 1 m in the wall between them.
  private func raster(oneWays: [PlaneSegment]) -> WalkableRaster {
    func point(_ x: Double, _ y: Double) -> PlanePoint { PlanePoint(x: x, y: y) }
    let area = PlanePolygon(outer: [point(0, 0), point(8, 0), point(8, 4), point(0, 4)])
    let walls = area.edges + [PlaneSegment(point(4, 0), point(4, 1.5)), PlaneSegment(point(4, 2.5), point(4, 4))]
    return WalkableRaster(WalkableArea(areas: [area], barriers: walls, oneWays: oneWays))
  }

  @Test func doorsLeadOneWayOnly() throws {
    // The line runs from south to north, so people who walk west cross it to its left.
    let line = PlaneSegment(PlanePoint(x: 4, y: 1.4), PlanePoint(x: 4, y: 2.6))
    let free = raster(oneWays: [])
    let closed = raster(oneWays: [line])
    for raster in [free, closed] {
      let west = try #require(raster.nearestCell(to: PlanePoint(x: 1, y: 1), within: 0.5))
      let east = try #require(raster.nearestCell(to: PlanePoint(x: 7, y: 3), within: 0.5))
      let toWest = DistanceField(to: west, on: raster)
      let toEast = DistanceField(to: east, on: raster)
      #expect(toWest.distance(of: east, on: raster) != nil)
      #expect((toEast.distance(of: west, on: raster) != nil) == (raster.cellSize > 0 && isSame(raster, free)))
      let way = toWest.cells(from: east, on: raster)
      #expect(way.first == east && way.last == west)
    }
    #expect(!closed.isFree(from: PlanePoint(x: 3, y: 2), to: PlanePoint(x: 5, y: 2)))
    #expect(closed.isFree(from: PlanePoint(x: 5, y: 2), to: PlanePoint(x: 3, y: 2)))
  }

  private func isSame(_ a: WalkableRaster, _ b: WalkableRaster) -> Bool {
    a.isFree(from: PlanePoint(x: 3, y: 2), to: PlanePoint(x: 5, y: 2))
      == b.isFree(from: PlanePoint(x: 3, y: 2), to: PlanePoint(x: 5, y: 2))
  }
}
