import CordonCore
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

@Suite("Planning steps and services")
struct FlowPlanningTests {
  let world: World

  init() throws {
    world = try World(venue: VenueGenerator.generate(kind: .hospital, floors: 1, area: 1_500, seed: 2))
  }

  private func plan(_ text: String) throws -> (scenario: Scenario, plan: CrowdPlan) {
    let scenario = try Scenario(parsing: text)
    return (scenario, try scenario.plan(in: world))
  }

  private static let activities = """
    activities:
      - {name: registration, kinds: [lobby], servers: 2, duration: {distribution: exponential, mean: 60s}}
      - {name: wait, kinds: [waiting-area, lobby], until: called}
      - {name: consultation, kinds: [medical], servers: 1, duration: {min: 4m, max: 8m}}
      - {name: kiosk, kinds: [office, restroom], duration: {min: 3m, max: 10m}}
      - {name: late, kinds: [office], between: [11:00, 12:00], duration: 5m}
    """

  private func text(_ rules: String, _ activities: String = FlowPlanningTests.activities) -> String {
    """
    time: {start: 2026-01-12T08:00, duration: 4h, zone: Europe/Berlin}
    populations:
      - name: patients
        size: 60
        arrival: {window: [08:00, 09:30]}
        \(rules)
    \(activities)
    """
  }

  /// The names of a visit's stops: the service, `called`, or the kind of space.
  private func names(_ itinerary: Itinerary, _ plan: CrowdPlan) -> [String] {
    itinerary.stops.map { stop in
      if stop.isUntilCalled { return "called" }
      return stop.service == nil
        ? world.destinations[stop.destination].kind.rawValue : plan.stations[stop.station ?? 0].name
    }
  }

  @Test func everyVisitFollowsTheSteps() throws {
    let (_, plan) = try plan(text("steps: [registration, wait, consultation]"))
    #expect(plan.itineraries.count == 60 && plan.remarks.isEmpty, "\(plan.remarks)")
    for itinerary in plan.itineraries {
      #expect(names(itinerary, plan) == ["registration", "called", "consultation"])
      let consultation = itinerary.stops[2].station
      #expect(itinerary.stops[1].station == consultation && itinerary.stops[0].station != consultation)
      #expect([.waitingArea, .lobby].contains(world.destinations[itinerary.stops[1].destination].kind))
    }
    let stations = Dictionary(grouping: plan.stations, by: \.name)
    // People are called to the first free room, and stand in line in front of a desk.
    let rooms = world.destinations.count { $0.kind == .medical }
    #expect(
      stations["consultation"]?.map(\.servers.count) == [rooms] && stations["consultation"]?[0].callsPeople == true)
    #expect(stations["registration"]?.allSatisfy { $0.servers.count == 2 && !$0.callsPeople } == true)
  }

  @Test func stepsAreLeftOutByProbabilityOrWhenOptionalAndClosed() throws {
    let (_, plan) = try plan(
      text("steps: [{do: kiosk, probability: 0.5}, registration, {do: late, optional: true}]"))
    let visits = plan.itineraries.map { names($0, plan) }
    #expect(visits.allSatisfy { $0.last == "registration" && $0.count <= 2 })
    #expect((15...45).contains(visits.count { $0.count == 2 }), "\(visits)")
    #expect(plan.remarks.isEmpty)
    // A required step is waited for.
    let (scenario, late) = try self.plan(text("steps: [registration, late]"))
    for itinerary in late.itineraries {
      let last = try #require(itinerary.stops.last)
      #expect(last.length == .minutes(5) && names(itinerary, late).count == 3)
      #expect(itinerary.stops[1].leave >= scenario.start + .hours(3))
    }
    #expect(late.remarks.isEmpty)
  }

  @Test func aStepThatNeverOpensIsLeftOutAndReported() throws {
    let (_, plan) = try plan(
      text(
        "steps: [late, registration]",
        Self.activities.replacing("between: [11:00, 12:00]", with: "between: [08:00, 08:05]")))
    #expect(plan.remarks.contains { $0.contains("left out the step 'late': closed, or no room") }, "\(plan.remarks)")
    #expect(plan.itineraries.allSatisfy { names($0, plan).last == "registration" })
  }

  /// A busy desk makes a queue: all register exactly once, even with one slow desk.
  @Test func repeatMeansExactlySoOften() throws {
    let activities = """
      activities:
        - {name: registration, kinds: [lobby], served: true, duration: 3m, repeat: 1}
        - {name: rest, kinds: [office, waiting-area], duration: {min: 2m, max: 6m}, repeat: {min: 2, max: 2}}
      """
    let (_, plan) = try plan(text("visit: {min: 5m, max: 20m}", activities))
    #expect(plan.itineraries.count == 60)
    for itinerary in plan.itineraries {
      #expect(itinerary.stops.count { $0.service != nil } == 1, "person \(itinerary.person)")
      #expect(names(itinerary, plan).count { $0 != "registration" } == 2, "person \(itinerary.person)")
    }
    #expect(plan.remarks.isEmpty, "\(plan.remarks)")
  }

  @Test func desksHaveTheHoursOfTheScenario() throws {
    let shifts = "servers: [{from: 08:00, to: 12:00, number: 2}, {from: 09:00, to: 10:00}, {from: 10:00, to: 11:00}]"
    let (scenario, plan) = try plan(
      text("steps: [registration]", Self.activities.replacing("servers: 2", with: shifts)))
    let desk = try #require(plan.stations.first { $0.name == "registration" })
    let start = scenario.start.milliseconds
    func hours(_ from: Int64, _ to: Int64) -> Range<Int64> { (start + from * 3_600_000)..<(start + to * 3_600_000) }
    #expect(
      desk.servers.map(\.hours) == [
        ServerHours([hours(0, 4)]), ServerHours([hours(0, 4)]), ServerHours([hours(1, 2), hours(2, 3)]),
      ])
  }

  /// The plan and the walk of a morning: nobody is consulted before registration, with any number of threads.
  @Test(arguments: [MovementChoice.csm, .way, .meso]) func nobodyIsConsultedBeforeRegistration(model: MovementChoice)
    throws
  {
    var (scenario, plan) = try plan(text("steps: [registration, wait, consultation]"))
    scenario.movement.model = model
    let truths = try [1, 2].map { try Simulation.truth(world: world, scenario: scenario, threads: $0) }
    #expect(truths[0].segments == truths[1].segments)
    let registration = Set(plan.stations.indices.filter { plan.stations[$0].name == "registration" })
    let consultation = try #require(plan.stations.firstIndex { $0.name == "consultation" })
    var consulted = 0
    for person in truths[0].people {
      let stations = person.waits.compactMap { wait -> Int? in
        if case .station(let index, _) = wait.reason { index } else { nil }
      }
      guard let called = stations.firstIndex(of: consultation) else { continue }
      consulted += 1
      #expect(stations[..<called].contains { registration.contains($0) })
    }
    #expect(consulted >= 59)
  }
}
