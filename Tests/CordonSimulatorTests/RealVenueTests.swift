import CordonCore
import CordonCrowd
import CordonSimulator
import CordonVenues
import Testing

@Suite(.enabled(if: SampleBundle.arePresent, "the public bundles are not beside the package"))
struct RealVenueTests {
  static let monday = Instant(milliseconds: 1_763_971_200_000)

  @Test(arguments: SampleBundle.allCases)
  func tracksStayWithinTheWalkableArea(bundle: SampleBundle) throws {
    let world = try World(venue: bundle.venue())
    print(bundle, world.notes, world.profile)
    let scenario = Scenario(visitors: 500, start: Self.monday, duration: .hours(2), seed: 7)
    let truth = try Simulation.truth(world: world, scenario: scenario, model: WayFollowing(), threads: 2)
    let findings = TruthCheck.findings(truth, in: world)
    #expect(findings.isClean, "\(findings)")
    #expect(findings.unvisitedFloors == [])
    #expect(truth.unreachable == 0)
    print(
      bundle, "floors", world.plan.floors.count, "destinations", world.destinations.count, "entrances",
      world.entrances.count, "pieces", truth.segments.count, "left", truth.people.count { $0.hasLeft }, "stays",
      truth.people.reduce(0) { $0 + $1.stays.count })
  }

  /// Real maps have many narrow places: bodies pass or stay nearby, without overlaps.
  @Test(arguments: SampleBundle.allCases)
  func bodiesDoNotOverlap(bundle: SampleBundle) throws {
    let world = try World(venue: bundle.venue())
    let scenario = Scenario(visitors: 60, start: Self.monday, duration: .minutes(12), seed: 7)
    let truth = try Simulation.truth(
      world: world, scenario: scenario, model: CrowdMovement(checksEveryStep: true))
    print(bundle, truth.figures)
    #expect(truth.figures.isClean, "\(truth.figures)")
    #expect(truth.figures.agentSteps > 1_000)
    #expect(truth.unreachable == 0)
    let findings = TruthCheck.findings(truth, in: world)
    #expect(findings.isClean, "\(findings)")
  }
}
