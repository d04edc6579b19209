import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonStorage
import CordonTestSupport
import CordonTesting
import CordonVenueTools
import CordonVenues
import Foundation
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

@Suite("Phone fleet")
struct PhoneFleetTests {
  @Test func deliversEveryRowAndAccountsForEveryFix() throws {
    let venue = try VenueGenerator.generate(kind: .office, floors: 2, area: 1_200, seed: 4)
    var scenario = Scenario(visitors: 150, duration: .hours(2), seed: 7)
    scenario.phones.preset = .rtt
    let gate = PackedVenueGate(try venue.packed())
    let truth = try Simulation.truth(
      world: try World(venue: venue), scenario: scenario, model: WayFollowing())
    var fleet = try PhoneFleet(
      truth: truth, gate: gate, venue: venue, scenario: scenario, store: .memory(MemoryStore()))
    let end = try fleet.run(progress: { _, _, _, _ in }, isInterrupted: { false })
    #expect(end == truth.end)
    let counted = fleet.accounting
    #expect(counted.fixes == UInt64(fleet.fixesMade))
    #expect(counted.held == 0)
    #expect(counted.onPhone == 0, "\(fleet.undelivered)")
    #expect(counted.acknowledged == UInt64(fleet.sink.count))
    #expect(counted.fixes == counted.refused + counted.thinned + counted.stored)
    // All rows at the sink lie in the venue.
    fleet.sink.forEachLocation { location in
      #expect(gate.judge(location.coordinate, floor: location.floor).isInside)
    }
  }

  /// A fleet of an hour in a small office.
  private func fleet(
    _ store: PhoneStore, threads: Int, server: PhoneServer? = nil, change: (inout Scenario) -> Void = { _ in }
  ) throws -> PhoneFleet {
    let venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 700, seed: 4)
    var scenario = Scenario(visitors: 40, duration: .hours(1), seed: 7)
    change(&scenario)
    let truth = try Simulation.truth(world: try World(venue: venue), scenario: scenario, model: WayFollowing())
    var fleet = try PhoneFleet(
      truth: truth, gate: PackedVenueGate(try venue.packed()), venue: venue, scenario: scenario, threads: threads,
      store: store, server: server)
    _ = try fleet.run(progress: { _, _, _, _ in }, isInterrupted: { false })
    return fleet
  }

  private func received(_ fleet: PhoneFleet) -> [Location] {
    var locations: [Location] = []
    fleet.sink.forEachLocation { locations.append($0) }
    return locations.sorted { ($0.device, $0.time, $0.id) < ($1.device, $1.time, $1.id) }
  }

  @Test func threadsAndStoresChangeNothing() throws {
    let one = try fleet(.memory(MemoryStore()), threads: 1)
    let many = try fleet(.memory(MemoryStore()), threads: 3)
    #expect(one.accounting.stored > 500)
    #expect(many.accounting == one.accounting)
    #expect(many.traffic == one.traffic)
    #expect(received(many) == received(one))
    #expect(many.joules(EnergyModel()) == one.joules(EnergyModel()))
    let scratch = try TemporaryFolder()
    let path = scratch.path("fleet.sqlite")
    let file = try fleet(.sqlite(try SQLiteStore(path: path)), threads: 3) { $0.phones.network.loss = 0 }
    #expect(file.accounting == one.accounting)
    #expect(received(file) == received(one))
  }

  @Test func aServerReplacesTheSinkWithEqualAccounting() throws {
    let one = try fleet(.memory(MemoryStore()), threads: 1)
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["ABC"]
    sink.tokenLifetime = .hours(5)
    let start = Scenario.defaultStart
    let server = PhoneServer(inviteCode: "ABC") { (sink.handle($0, now: start), 1) }
    let other = try fleet(.memory(MemoryStore()), threads: 2, server: server)
    #expect(other.accounting == one.accounting)
    #expect(sink.count == one.sink.count && other.sink.count == sink.count)
    #expect(received(other) == received(one))
  }
}
