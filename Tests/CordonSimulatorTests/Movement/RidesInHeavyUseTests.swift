import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

/// More people than stairs or a car can carry, all of them up and down repeatedly: slow, but without a deadlock.
@Suite("Stairs and elevators under heavy use in both directions")
struct RidesInHeavyUseTests {
  /// People who arrive in a crowd, change floors for short stays, and leave.
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
  func allPeopleGetOut(kind: VenueGenerator.Kind, way: Connection.Kind, count: Int, stays: Int) throws {
    var venue = try VenueGenerator.generate(kind: kind, floors: 3, area: kind.defaultArea, seed: 3)
    let ways = venue.connections.filter { $0.kind == way }
    venue.connections = Array(ways.prefix(1))
    let world = try World(venue: venue)
    let people = try itineraries(count, stays: stays, in: world)
    let result = BuildingWalkTests.walk(people, in: world, minutes: 90)
    #expect(result.figures.isClean, "\(result.figures)")
    let inside = result.tracks.count { !$0.hasLeft }
    #expect(inside == 0, "\(inside) of \(count) are still inside, \(result.figures)")
    // Waits are recorded.
    let waits = result.tracks.flatMap(\.waits).map { ($0.end - $0.start).seconds }
    #expect(waits.contains { $0 > 20 }, "\(waits.max() ?? 0)")
  }

  /// The car is the shortest way to the top for all people, but most of them would wait for a long time.
  @Test func peopleTakeTheStairsWhenManyWaitForACar() throws {
    var venue = try VenueGenerator.generate(kind: .office, floors: 6, area: 800, seed: 3)
    let kinds: [Connection.Kind] = [.elevator, .stairs]
    venue.connections = kinds.compactMap { kind in venue.connections.first { $0.kind == kind } }
    let world = try World(venue: venue)
    let top = try #require(
      world.plan.floors.indices.max { world.plan.floors[$0].ordinal < world.plan.floors[$1].ordinal })
    let target = try BuildingWalkTests.destination(on: top, in: world)
    var people = (0..<64).map {
      BuildingWalkTests.itinerary($0, to: target, spot: $0, in: world, arrival: Int64($0))
    }
    // People arrive in pairs.
    for person in people.indices { people[person].companion = person ^ 1 }
    let result = BuildingWalkTests.walk(people, in: world, minutes: 40)
    #expect(result.figures.isClean, "\(result.figures)")
    #expect(result.tracks.allSatisfy { $0.hasLeft })
    let waits = result.tracks.flatMap(\.waits)
    let kindOf = { (wait: Wait) -> Connection.Kind? in
      guard case .connection(let index) = wait.reason else { return nil }
      return world.plan.connections[index].kind
    }
    let longest = waits.map { ($0.end - $0.start).seconds }.max() ?? 0
    #expect(result.figures.reroutes > 10, "\(result.figures)")
    // People with room in the car take it.
    #expect(waits.contains { kindOf($0) == .elevator })
    #expect(longest < 120, "\(longest)")
  }
}
