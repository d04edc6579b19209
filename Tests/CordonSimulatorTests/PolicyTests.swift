import CordonCore
import CordonGeometry
import CordonVenues
import Testing

@testable import CordonSimulator

@Suite("Policies, and ways to arrive")
struct PolicyTests {
  let venue: Venue
  let world: World

  init() throws {
    venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 900, seed: 3)
    world = try World(venue: venue)
  }

  private func plan(_ change: (String) -> String) throws -> (scenario: Scenario, plan: CrowdPlan) {
    let text = change(ScenarioReadingTests.small)
    let scenario = try Scenario(parsing: text)
    var planner = try ScenarioPlanner(scenario, world: world)
    return (scenario, try planner.plan())
  }

  private func policy(_ text: String) -> (String) -> String {
    { $0.replacing("seed: 9", with: "seed: 9\npolicies: \(text)") }
  }

  @Test func staggeredArrivalsAreSpread() throws {
    let usual = try plan { $0 }
    let spread = try plan(policy("{stagger: 45m}"))
    func last(_ plan: CrowdPlan) -> Instant { plan.itineraries.map(\.arrival).max() ?? .epoch }
    #expect(last(usual.plan) <= usual.scenario.start + .minutes(90))
    #expect(last(spread.plan) > last(usual.plan))
    #expect(last(spread.plan) <= usual.scenario.start + .minutes(135))
    #expect(spread.plan.itineraries.count == 40)
  }

  @Test func theShareOfDevicesIsReplaced() throws {
    #expect(try plan(policy("{devices: 0.25}")).plan.people.allSatisfy { $0.deviceShare == 0.25 })
    #expect(try plan { $0 }.plan.people.allSatisfy { $0.deviceShare == 1 })
  }

  @Test func nobodyStaysInAClosedSpace() throws {
    let (_, usual) = try plan { $0 }
    let used = Set(usual.itineraries.flatMap { $0.stops.map(\.destination) })
    let busiest = try #require(used.sorted().first { world.destinations[$0].kind == .office })
    let space = try #require(world.destinations[busiest].space)
    let name = world.plan.spaces[space].id.rawValue
    let (_, closed) = try plan(policy("{close: {spaces: [\(name)]}}"))
    #expect(!closed.itineraries.contains { $0.stops.contains { $0.destination == busiest } })
    #expect(closed.itineraries.count == 40)
  }

  @Test func aClosedDoorAndAOneWayDoorChangeTheVenue() throws {
    let door = try #require(venue.openings.first { $0.spaces.count == 2 })
    let closed = try Scenario(
      parsing: policy("{close: {doors: [\(door.id)]}}")(ScenarioReadingTests.small)
    ).venue(underPolicies: venue)
    // The map stays what it is: a door that were not there would be assumed elsewhere.
    #expect(closed.closures.openings == [door.id] && closed.openings == venue.openings)
    let from = door.spaces[1].rawValue
    let oneWay = try Scenario(
      parsing: policy("{one_way: [{door: \(door.id), from: \(from)}]}")(ScenarioReadingTests.small)
    ).venue(underPolicies: venue)
    let changed = try #require(oneWay.openings.first { $0.id == door.id })
    #expect(!changed.isTwoWay && changed.spaces.first?.rawValue == from)
    let wrong = try Scenario(
      parsing: policy("{one_way: [{door: \(door.id), from: nowhere}]}")(ScenarioReadingTests.small))
    let error = #expect(throws: ScenarioError.self) { try wrong.venue(underPolicies: venue) }
    #expect(error?.description.contains("does not lead from 'nowhere'") == true)
  }

  /// The scenario with other arrivals.
  private func arrivals(_ rule: String, hours: Int = 9) -> (String) -> String {
    {
      $0.replacing("    size: 40\n", with: "").replacing("    leave: [16:00, 17:00]\n", with: "    visit: 1h\n")
        .replacing("{window: [08:00, 09:30], shape: normal}", with: rule)
        .replacing("duration: 9h", with: "duration: \(hours)h")
        .replacing("[work, lunch]", with: "[work]")
    }
  }

  @Test func batchesComeTogetherEveryDay() throws {
    let (scenario, plan) = try plan(arrivals("{batches: [{at: 10:00, size: 30, spread: 3m}]}", hours: 33))
    // The second day's batch are other people.
    #expect(plan.people.count == 60 && plan.itineraries.count == 60)
    for itinerary in plan.itineraries {
      let since = (itinerary.arrival - scenario.start).seconds.truncatingRemainder(dividingBy: 86_400)
      #expect(since >= 7_200 && since <= 7_200 + 180)
    }
  }

  @Test func shiftsGoPastMidnightAndAreTheSamePeople() throws {
    let (scenario, plan) = try plan(
      arrivals("{shifts: [{from: 22:00, to: 06:00, size: 6, spread: 10m}]}", hours: 46))
    #expect(plan.people.count == 6)
    // The third night begins when the run is over.
    #expect(plan.itineraries.count == 12)
    for itinerary in plan.itineraries {
      let begin = (itinerary.arrival - scenario.start).seconds.truncatingRemainder(dividingBy: 86_400)
      #expect(begin >= 14 * 3_600 - 600 && begin <= 14 * 3_600)
      let length = (try #require(itinerary.stops.last?.leave) - itinerary.arrival).seconds
      #expect(length >= 8 * 3_600 - 60 && length <= 8 * 3_600 + 1_260, "\(length)")
    }
  }

  @Test func theDayAfterTheClocksChangeBeginsByTheClocks() throws {
    for (start, shift) in [("2026-03-28T07:00", -3_600.0), ("2026-10-24T07:00", 3_600)] {
      let (scenario, plan) = try plan {
        $0.replacing("2026-01-05T08:00", with: start).replacing("duration: 9h", with: "duration: 35h")
          .replacing("[08:00, 09:30]", with: "[08:00, 08:30]")
      }
      let seconds = plan.itineraries.map { ($0.arrival - scenario.start).seconds }
      let (first, second) = (seconds.filter { $0 < 43_200 }, seconds.filter { $0 >= 43_200 })
      #expect(first.count == 40 && second.count == 40)
      #expect(first.allSatisfy { $0 >= 3_600 && $0 <= 5_400 })
      #expect(second.allSatisfy { $0 >= 90_000 + shift && $0 <= 91_800 + shift })
    }
  }
}
