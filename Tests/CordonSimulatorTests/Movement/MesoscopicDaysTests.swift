import CordonCore
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

@Suite("Many days without bodies")
struct MesoscopicDaysTests {
  /// Routes found for one day are reused on the next, without an effect on the result.
  @Test func sharedTripTablesDoNotChangeADay() throws {
    let world = try World(
      venue: VenueGenerator.generate(
        kind: .office, floors: 3, area: VenueGenerator.Kind.office.defaultArea, seed: 3))
    var days = MesoscopicDays(world: world)
    for replica in 0..<3 {
      let replication = Replication(
        start: Instant(milliseconds: 1_763_971_200_000), duration: .hours(9), seed: 5, number: UInt32(replica))
      var planner = ItineraryPlanner(world: world, visitors: 40, replication: replication)
      let itineraries = planner.plan()
      let plan = CrowdPlan(
        itineraries: itineraries, people: itineraries.map { _ in PlannedPerson(population: 0, deviceShare: 1) },
        populations: ["anybody"])
      let together = try days.truth(of: plan, replication: replication)
      let alone = try Simulation.truth(of: plan, world: world, replication: replication, model: Mesoscopic())
      #expect(together.segments == alone.segments)
      #expect(together.people.map(\.stays) == alone.people.map(\.stays))
      #expect(together.segments.count > 400)
    }
  }
}
