import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTesting
import CordonVenues
import Testing

@testable import CordonSimulator

@Suite("A fleet of phones")
struct PhoneFleetTests {
  @Test func deliversEverythingInTheEndAndLosesNoFix() throws {
    let venue = try VenueGenerator.generate(kind: .office, floors: 2, area: 1_200, seed: 4)
    var settings = SimulationSettings(people: 150, duration: .hours(2), seed: 7)
    settings.phones = .rtt
    let gate = PackedVenueGate(try venue.packed())
    let scenario = CrowdScenario(people: 150, start: settings.start, duration: settings.duration, seed: 7)
    let truth = try Simulation.truth(
      world: try World(venue: venue), scenario: scenario, model: WayFollowing())
    var fleet = try PhoneFleet(
      truth: truth, gate: gate, venue: venue, settings: settings, store: .memory(MemoryStore()))
    let end = try fleet.run(progress: { _, _, _, _ in }, isInterrupted: { false })
    #expect(end == truth.end)
    let counted = fleet.accounting
    #expect(counted.fixes == UInt64(fleet.fixesMade))
    #expect(counted.held == 0)
    #expect(counted.onPhone == 0, "\(fleet.undelivered)")
    #expect(counted.acknowledged == UInt64(fleet.sink.count))
    #expect(counted.fixes == counted.refused + counted.thinned + counted.stored)
    // What the sink has lies in the venue, all of it.
    fleet.sink.forEachLocation { location in
      #expect(gate.judge(location.coordinate, floor: location.floor).isInside)
    }
  }
}
