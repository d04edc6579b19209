import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenues
import Testing

@testable import CordonSimulator

@Suite("Bodies on stairs, on escalators and in elevators")
struct RidingBodiesTests {
  /// The nearest that two people come to each other on one floor, looked at from outside: on the pieces of their tracks.
  static func closest(_ segments: [Segment], from start: Int64, to end: Int64, every step: Int64) -> (Double, Int64) {
    var byTime: [[Int32: [PlanePoint]]] = Array(repeating: [:], count: Int((end - start) / step) + 1)
    for piece in segments {
      var time = start + (max(piece.start - start, 0) + step - 1) / step * step
      // The end of a piece is the beginning of the next, on another floor perhaps.
      while time < piece.end {
        let share = Double(time - piece.start) / Double(piece.end - piece.start)
        byTime[Int((time - start) / step)][piece.floor, default: []].append(
          PlanePoint(x: piece.x0 + (piece.x1 - piece.x0) * share, y: piece.y0 + (piece.y1 - piece.y0) * share))
        time += step
      }
    }
    var least = (Double.infinity, Int64(0))
    for (index, floors) in byTime.enumerated() {
      for var points in floors.values {
        points.sort { $0.x < $1.x }
        for a in points.indices {
          for b in points[(a + 1)...] {
            guard b.x - points[a].x < 0.5 else { break }
            let apart = PlaneSegment(points[a], b).length
            if apart < least.0 { least = (apart, start + Int64(index) * step) }
          }
        }
      }
    }
    return least
  }

  /// Centres of bodies of 0.4 m that may overlap by 2 cm, on pieces that keep to within 1 cm on each axis of the steps.
  static let leastApart = 0.4 - 0.02 - 2 * 0.0142

  private func itineraries(_ count: Int, to target: Int, in world: World, every milliseconds: Int64) -> [Itinerary] {
    (0..<count).map { person in
      var itinerary = BuildingWalkTests.itinerary(
        person, to: target, spot: person, in: world, arrival: 0,
        speed: 1.1 + 0.4 * Double(person * 7 % 10) / 10)
      itinerary.arrival = BuildingWalkTests.monday + TimeSpan(milliseconds: Int64(person) * milliseconds)
      itinerary.stops[0].leave = itinerary.arrival + .seconds(150)
      return itinerary
    }
  }

  @Test(arguments: [
    (VenueGenerator.Kind.office, Connection.Kind.stairs), (.hospital, .elevator), (.mall, .escalator), (.station, .stairs),
  ])
  func crowdsGoUpAndDownAndNobodyIsInAnybody(kind: VenueGenerator.Kind, way: Connection.Kind) throws {
    var venue = try VenueGenerator.generate(kind: kind, floors: 3, area: kind.usualArea, seed: 3)
    venue.connections.removeAll { $0.kind != way }
    let world = try World(venue: venue)
    let group = world.routes.group(of: world.entrances[0].place)
    let top = try #require(
      world.destinations.indices.filter { world.destinations[$0].group == group }
        .max {
          let (a, b) = (world.destinations[$0], world.destinations[$1])
          return (world.plan.floors[a.floor].ordinal, a.spots.count) < (world.plan.floors[b.floor].ordinal, b.spots.count)
        })
    try #require(world.destinations[top].floor != world.entrances[0].place.floor)
    // Some go up while others come down.
    let people = itineraries(way == .elevator ? 40 : 120, to: top, in: world, every: way == .elevator ? 5_000 : 1_500)
    let result = BuildingWalkTests.walk(people, in: world, minutes: 25)
    #expect(result.figures.isClean, "\(result.figures)")
    #expect(result.tracks.allSatisfy { $0.stays.count == 1 && $0.hasLeft }, "\(result.tracks.count { !$0.hasLeft })")
    let start = BuildingWalkTests.monday.milliseconds
    let segments = result.tracks.flatMap(\.segments)
    let closest = Self.closest(segments, from: start, to: start + 1_500_000, every: 100)
    #expect(closest.0 >= Self.leastApart, "\(closest.0) m at \(closest.1 - start) ms")
    print(kind, way, "closest", closest, "detours", result.figures.detours, "aside", result.figures.stepsAside,
      "last out", (result.tracks.compactMap { $0.segments.last?.end }.max() ?? 0) - start)
  }

  /// The figures of a run say how near people came to each other wherever they are.
  @Test func aDayInAnOfficeIsCleanFromOutside() throws {
    let world = try BuildingWalkTests.world(.office, floors: 3)
    let scenario = CrowdScenario(people: 150, start: BuildingWalkTests.monday, duration: .minutes(20), seed: 11)
    let truth = try Simulation.truth(world: world, scenario: scenario, model: CrowdMovement(checksEveryStep: true))
    #expect(truth.figures.isClean, "\(truth.figures)")
    let findings = TruthCheck.findings(truth, in: world)
    #expect(findings.isClean, "\(findings)")
    #expect(Set(truth.segments.map(\.floor)).count == 3)
    let closest = Self.closest(
      truth.segments, from: truth.start.milliseconds, to: truth.end.milliseconds, every: 100)
    #expect(closest.0 >= Self.leastApart, "\(closest.0) m at \(closest.1)")
  }
}
