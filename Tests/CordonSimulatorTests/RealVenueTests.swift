import CordonCore
import CordonSimulator
import CordonVenues
import Testing

@Suite(.enabled(if: SampleBundle.arePresent, "the public bundles are not beside the package"))
struct RealVenueTests {
  static let monday = Instant(milliseconds: 1_763_971_200_000)

  @Test(arguments: SampleBundle.allCases)
  func nobodyLeavesWhatCanBeWalkedOn(bundle: SampleBundle) throws {
    let world = try World(venue: bundle.venue())
    print(bundle, world.notes, world.profile)
    let scenario = CrowdScenario(people: 500, start: Self.monday, duration: .hours(2), seed: 7)
    let truth = try Simulation.truth(world: world, scenario: scenario, threads: 2)
    let findings = TruthCheck.findings(truth, in: world)
    #expect(findings.isClean, "\(findings)")
    #expect(findings.floorsNotVisited == [])
    #expect(truth.unreachable == 0)
    print(
      bundle, "floors", world.plan.floors.count, "destinations", world.destinations.count, "entrances",
      world.entrances.count, "pieces", truth.segments.count, "left", truth.people.count { $0.hasLeft }, "stays",
      truth.people.reduce(0) { $0 + $1.stays.count })
  }
}
