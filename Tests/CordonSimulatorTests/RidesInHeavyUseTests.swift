import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenues
import Testing

@testable import CordonSimulator

/// More people than stairs or a car can take, all of them up and down again and again: slow, but nobody stays behind.
@Suite("Stairs and elevators in heavy use both ways")
struct RidesInHeavyUseTests {
  /// People who come in a crowd, change floors for short stays, and then go.
  private func itineraries(_ count: Int, stays: Int, in world: World) throws -> [Itinerary] {
    let floors = Set(world.destinations.map(\.floor)).sorted()
    let targets = try floors.map { try BuildingWalkTests.destination(on: $0, in: world) }
    return (0..<count).map { person in
      var itinerary = BuildingWalkTests.itinerary(
        person, to: targets[person % targets.count], spot: person, in: world, arrival: Int64(person),
        speed: 1.1 + 0.4 * Double(person * 7 % 10) / 10)
      itinerary.stops = (0..<stays).map { stay in
        let target = targets[(person + stay) % targets.count]
        let spots = world.destinations[target].spots
        return Itinerary.Stop(
          destination: target, spot: spots[person % spots.count], leave: itinerary.arrival,
          length: .seconds(10 + Int64(person * 13 % 20)))
      }
      return itinerary
    }
  }

  @Test(arguments: [
    (VenueGenerator.Kind.office, Connection.Kind.stairs, 160, 6), (.museum, .elevator, 60, 3),
  ])
  func everybodyGetsOut(kind: VenueGenerator.Kind, way: Connection.Kind, count: Int, stays: Int) throws {
    var venue = try VenueGenerator.generate(kind: kind, floors: 3, area: kind.usualArea, seed: 3)
    let ways = venue.connections.filter { $0.kind == way }
    venue.connections = Array(ways.prefix(1))
    let world = try World(venue: venue)
    let people = try itineraries(count, stays: stays, in: world)
    let result = BuildingWalkTests.walk(people, in: world, minutes: 90)
    #expect(result.figures.isClean, "\(result.figures)")
    let inside = result.tracks.count { !$0.hasLeft }
    #expect(inside == 0, "\(inside) of \(count) are still inside, \(result.figures)")
    // They had to wait, and that shows.
    let waits = result.tracks.flatMap(\.waits).map { ($0.end - $0.start).seconds }
    #expect(waits.contains { $0 > 20 }, "\(waits.max() ?? 0)")
  }
}
