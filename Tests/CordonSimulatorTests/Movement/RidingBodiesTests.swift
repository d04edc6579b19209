import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonNavigation
@testable import CordonSimulator

@Suite("Bodies on stairs, escalators and in elevators")
struct RidingBodiesTests {
  /// Centres of bodies of 0.4 m that may overlap by 2 cm, on pieces that keep to within 1 cm on each axis of the steps.
  static let minimumApart = 0.4 - 0.02 - 2 * 0.0142

  private func itineraries(_ count: Int, to targets: [Int], in world: World, every milliseconds: Int64) -> [Itinerary] {
    (0..<count).map { person in
      var itinerary = BuildingWalkTests.itinerary(
        person, to: targets[person % targets.count], spot: person / targets.count, in: world, arrival: 0,
        speed: 1.1 + 0.4 * Double(person * 7 % 10) / 10)
      itinerary.arrival = BuildingWalkTests.monday + TimeSpan(milliseconds: Int64(person) * milliseconds)
      itinerary.stops[0].leave = itinerary.arrival + .seconds(150)
      return itinerary
    }
  }

  @Test(arguments: [
    (VenueGenerator.Kind.office, Connection.Kind.stairs), (.hospital, .elevator), (.mall, .escalator),
    (.station, .stairs),
  ])
  func bodiesDoNotOverlapOnWaysBetweenFloors(kind: VenueGenerator.Kind, way: Connection.Kind) throws {
    var venue = try VenueGenerator.generate(kind: kind, floors: 3, area: kind.defaultArea, seed: 3)
    venue.connections.removeAll { $0.kind != way }
    let world = try World(venue: venue)
    let group = world.routes.group(of: world.entrances[0].place)
    let reached = world.destinations.indices.filter { world.destinations[$0].group == group }
    let highest = try #require(reached.map { world.plan.floors[world.destinations[$0].floor].ordinal }.max())
    try #require(highest > world.plan.floors[world.entrances[0].place.floor].ordinal)
    // The four largest rooms, so that people whose stay is extended by crowded stairs have room.
    let top = reached.filter { world.plan.floors[world.destinations[$0].floor].ordinal == highest }
      .sorted { (world.destinations[$1].spots.count, $0) < (world.destinations[$0].spots.count, $1) }.prefix(4)
    // People walk up and down at the same time.
    let people = itineraries(
      way == .elevator ? 40 : 120, to: Array(top), in: world, every: way == .elevator ? 5_000 : 1_500)
    let result = BuildingWalkTests.walk(people, in: world, minutes: 25)
    #expect(result.figures.isClean, "\(result.figures)")
    #expect(result.tracks.count { !$0.hasLeft } == 0, "\(result.figures)")
    #expect(result.tracks.count { $0.stays.count != 1 } == 0, "\(result.figures)")
    let truth = Truth(
      frame: world.plan.frame,
      replication: Replication(start: BuildingWalkTests.monday, duration: .minutes(25), seed: 1),
      itineraries: people, tracks: result.tracks, figures: result.figures)
    let findings = TruthCheck.findings(truth, in: world)
    #expect(findings.isClean, "\(findings)")
    let closest = try #require(TruthCheck.closest(in: truth, every: .milliseconds(100)))
    #expect(closest.distance >= Self.minimumApart, "\(closest)")
  }

  /// The figures of a run include the minimum distance between people on all floors.
  @Test func anOfficeRunHasNoOverlappingSegments() throws {
    let world = try BuildingWalkTests.world(.office, floors: 3)
    let scenario = Scenario(visitors: 150, start: BuildingWalkTests.monday, duration: .minutes(20), seed: 11)
    let truth = try Simulation.truth(world: world, scenario: scenario, model: CrowdMovement(checksEveryStep: true))
    #expect(truth.figures.isClean, "\(truth.figures)")
    let findings = TruthCheck.findings(truth, in: world)
    #expect(findings.isClean, "\(findings)")
    #expect(Set(truth.segments.map(\.floor)).count == 3)
    let closest = try #require(TruthCheck.closest(in: truth, every: .milliseconds(100)))
    #expect(closest.distance >= Self.minimumApart, "\(closest)")
  }

  /// The check of the segments finds a close approach.
  @Test func theClosestApproachIsFound() throws {
    let world = try BuildingWalkTests.world(.office, floors: 1)
    func piece(_ person: Int32, _ floor: Int32, _ from: Int64, _ to: Int64, x: Double, to end: Double, y: Double)
      -> Segment
    {
      let start = BuildingWalkTests.monday.milliseconds
      return Segment(device: person, floor: floor, start: start + from, end: start + to, x0: x, y0: y, x1: end, y1: y)
    }
    func track(_ pieces: [Segment]) -> Track {
      var track = Track()
      track.segments = pieces
      return track
    }
    // Two pass at 0.3 m after 95 s; a third is nearer, but on another floor, and a fourth was there before.
    let tracks = [
      track([piece(0, 0, 0, 90_000, x: 0, to: 0, y: 0), piece(0, 0, 90_000, 100_000, x: 0, to: 10, y: 0)]),
      track([piece(1, 0, 80_000, 120_000, x: 5, to: 5, y: 0.3)]),
      track([piece(2, 1_000, 0, 120_000, x: 5, to: 5, y: 0.1)]),
      track([piece(3, 0, 0, 80_000, x: 5, to: 5, y: 0.3)]),
    ]
    let target = try BuildingWalkTests.destination(on: world.entrances[0].place.floor, in: world)
    let itineraries = (0..<4).map {
      BuildingWalkTests.itinerary($0, to: target, spot: $0, in: world, arrival: 0)
    }
    let truth = Truth(
      frame: world.plan.frame,
      replication: Replication(start: BuildingWalkTests.monday, duration: .minutes(2), seed: 1),
      itineraries: itineraries, tracks: tracks, figures: MovementFigures())
    let closest = try #require(TruthCheck.closest(in: truth, every: .milliseconds(100)))
    #expect(abs(closest.distance - 0.3) < 1e-9)
    #expect(closest.time == BuildingWalkTests.monday + .seconds(95))
  }
}
