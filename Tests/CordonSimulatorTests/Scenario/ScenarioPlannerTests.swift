import CordonContacts
import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonNavigation
@testable import CordonSimulator

@Suite("Planning scenarios")
struct ScenarioPlannerTests {
  let world: World
  let venue: Venue

  init() throws {
    venue = try VenueGenerator.generate(kind: .office, floors: 2, area: 1_200, seed: 3)
    world = try World(venue: venue)
  }

  private func scenario(_ change: (String) -> String = { $0 }) throws -> Scenario {
    try Scenario(parsing: change(ScenarioReadingTests.small))
  }

  private func plan(_ scenario: Scenario) throws -> CrowdPlan {
    var planner = try ScenarioPlanner(scenario, world: world)
    return try planner.plan()
  }

  @Test func peopleArriveInTheWindowDoRequiredActivitiesAndLeave() throws {
    let scenario = try scenario()
    let plan = try plan(scenario)
    #expect(plan.itineraries.count == 40)
    #expect(plan.people.count == 40)
    let kinds: (Itinerary.Stop) -> SpaceKind = { world.destinations[$0.destination].kind }
    for itinerary in plan.itineraries {
      let local = itinerary.arrival - scenario.start
      #expect(local >= .zero && local <= .minutes(90))
      let lunches = itinerary.stops.count { [.kitchen, .restaurant].contains(kinds($0)) }
      #expect(lunches == 1, "person \(itinerary.person)")
      // A person keeps one desk.
      #expect(Set(itinerary.stops.filter { kinds($0) == .office }.map(\.spot)).count == 1)
      let end = try #require(itinerary.stops.last?.leave)
      #expect(end >= scenario.start + .hours(7) && end <= scenario.end + .minutes(5), "\(itinerary.person)")
      #expect(zip(itinerary.stops, itinerary.stops.dropFirst()).allSatisfy { $0.leave <= $1.leave })
    }
  }

  /// All people arrive within a short run, at any hour.
  @Test func arrivalsWithoutAWindowFallWithinTheRun() throws {
    let scenario = try Scenario(
      parsing: """
        time: {start: 2026-01-05T08:00, duration: 20m, zone: Europe/Berlin}
        populations: [{name: all, size: 20}, {name: staff, size: 5, leave: [08:10, 08:15]}]
        """)
    let plan = try plan(scenario)
    #expect(plan.itineraries.count == 25)
    #expect(plan.itineraries.allSatisfy { $0.arrival >= scenario.start && $0.arrival < scenario.end })
    let staff = plan.itineraries.filter { $0.person >= 20 }
    #expect(staff.count == 5 && staff.allSatisfy { $0.arrival < scenario.start + .minutes(10) })
  }

  @Test func equalSeedsGiveEqualPlansAndReplicasDiffer() throws {
    let scenario = try scenario()
    var again = try ScenarioPlanner(scenario, world: world)
    var other = try ScenarioPlanner(scenario, world: world, replica: 1)
    let first = try plan(scenario).itineraries.map(\.arrival)
    #expect(try again.plan().itineraries.map(\.arrival) == first)
    #expect(try other.plan().itineraries.map(\.arrival) != first)
  }

  @Test func plansRespectCapacities() throws {
    let scenario = try scenario {
      $0.replacing("seed: 9", with: "policies: {capacity: {kitchen: 3, restaurant: 3}}").replacing(
        "size: 40", with: "size: 70")
    }
    let plan = try plan(scenario)
    var events: [Int: [(Int64, Int)]] = [:]
    for itinerary in plan.itineraries {
      var before = itinerary.arrival.milliseconds
      for stop in itinerary.stops {
        if [.kitchen, .restaurant].contains(world.destinations[stop.destination].kind) {
          // Between the departure for the place and the end of the stay.
          events[stop.destination, default: []] += [(before + 120_000, 1), (stop.leave.milliseconds, -1)]
        }
        before = stop.leave.milliseconds
      }
    }
    #expect(!events.isEmpty)
    for list in events.values {
      var inside = 0
      for event in list.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
        inside += event.1
        #expect(inside <= 5)
      }
    }
    #expect(plan.capacities.values.allSatisfy { $0 == 3 })
  }

  @Test func groupsArriveStayAndLeaveTogether() throws {
    let scenario = try scenario { $0.replacing("    leave:", with: "    groups: {share: 1, size: 2}\n    leave:") }
    let plan = try plan(scenario)
    let pairs = Dictionary(grouping: plan.itineraries) { "\($0.stops.map(\.leave)) \($0.freeSpeed)" }
    let inPairs = pairs.values.filter { $0.count == 2 }.count * 2
    #expect(inPairs >= 36, "\(inPairs) of 40")
    for pair in pairs.values where pair.count == 2 {
      #expect(pair[0].stops.map(\.destination) == pair[1].stops.map(\.destination))
      #expect(abs((pair[0].arrival - pair[1].arrival).milliseconds) <= 1_000)
    }
  }

  @Test func membersOfAPartyAreLinkedInACircle() throws {
    let scenario = try scenario { $0.replacing("    leave:", with: "    groups: {share: 1, size: 4}\n    leave:") }
    let plan = try plan(scenario)
    var sizes: [Int: Int] = [:]
    for first in plan.itineraries.indices {
      var party = [first]
      while let next = plan.itineraries[party[party.count - 1]].companion, next != first, party.count < 10 {
        party.append(next)
      }
      sizes[party.count, default: 0] += 1
      // The same places at the same times, each next to the first.
      for (number, stop) in plan.itineraries[first].stops.enumerated() {
        let center = world.routes.navigation.center(of: stop.spot)
        for member in party {
          let other = plan.itineraries[member].stops[number]
          #expect(other.destination == stop.destination && other.leave == stop.leave)
          #expect(PlaneSegment(world.routes.navigation.center(of: other.spot), center).length < 12)
        }
      }
    }
    #expect((sizes[4] ?? 0) >= 32 && sizes[2] == nil, "\(sizes)")
  }

  @Test(.long) func thePeopleReturnOnSeveralDays() throws {
    let scenario = try scenario { $0.replacing("duration: 9h", with: "duration: 57h") }
    let plan = try plan(scenario)
    #expect(plan.people.count == 40)
    #expect(plan.itineraries.count == 120)
    let truth = try Simulation.truth(
      of: plan, world: world, replication: scenario.replication())
    #expect(truth.people.allSatisfy { $0.visits.count == 3 })
    // The venue is empty at night.
    let night = scenario.start + .hours(16)
    #expect(truth.people.indices.allSatisfy { truth.position(of: $0, at: night) == nil })
    #expect(TruthCheck.findings(truth, in: world).isClean, "\(TruthCheck.findings(truth, in: world))")
  }

  @Test func arrivalsFollowTheirRates() throws {
    let scenario = try scenario {
      $0.replacing("    size: 40\n", with: "")
        .replacing("arrival: {window: [08:00, 09:30], shape: normal}", with: "arrival: {hourly: {8: 600, 10: 200}}")
        .replacing("leave: [16:00, 17:00]", with: "visit: 1h").replacing("own_place: true, ", with: "")
    }
    let plan = try plan(scenario)
    let hours = plan.itineraries.map { Int(($0.arrival - scenario.start).seconds / 3_600) }
    #expect(hours.allSatisfy { $0 == 0 || $0 == 2 })
    // Six standard deviations.
    #expect(abs(hours.count { $0 == 0 } - 600) < 150)
    #expect(abs(hours.count { $0 == 2 } - 200) < 85)
  }

  @Test func movingPeopleChangeSpotsWithinThePlace() throws {
    let scenario = try scenario {
      $0.replacing(
        "duration: {min: 20m, max: 45m}", with: "duration: {min: 20m, max: 45m}, moves: {min: 30s, max: 90s}")
    }
    let plan = try plan(scenario)
    var moves = 0
    for itinerary in plan.itineraries {
      let lunch = itinerary.stops.filter { [.kitchen, .restaurant].contains(world.destinations[$0.destination].kind) }
      #expect(lunch.count >= 12, "\(itinerary.person) moves \(lunch.count) times")
      #expect(Set(lunch.map(\.destination)).count == 1)
      #expect(lunch.dropLast().allSatisfy { (30_000...90_000).contains($0.length?.milliseconds ?? 0) })
      #expect(lunch.last?.length == nil, "the last spot is theirs until they go")
      moves += zip(lunch, lunch.dropFirst()).count { $0.spot != $1.spot }
    }
    #expect(moves > 40 * 10)
    // The walk records one stay per lunch, not one per spot.
    let truth = try Simulation.truth(
      of: plan, world: world, replication: scenario.replication(), model: WayFollowing())
    for person in truth.people {
      let lunches = person.stays.count {
        [.kitchen, .restaurant].contains(world.destinations[$0.destination].kind)
      }
      #expect(lunches == 1)
    }
  }

  @Test func namesUnknownToTheVenueAreRejected() throws {
    func fails(_ from: String, _ to: String, says: String) throws {
      let changed = try scenario { $0.replacing(from, with: to) }
      let error = #expect(throws: ScenarioError.self) { try ScenarioPlanner(changed, world: world) }
      #expect(try #require(error).description.contains(says), "\(String(describing: error))")
    }
    try fails("kinds: [office]", "kinds: [ward]", says: "no space of kind ward")
    try fails("kinds: [office]", "spaces: [Atlantis]", says: "no space 'Atlantis'")
    try fails("    leave:", "    entrances: [backdoor]\n    leave:", says: "no entrance 'backdoor'")
    try fails("seed: 9", "policies: {close: {spaces: [office]}}", says: "closed by the policies")
    let closed = try scenario { $0.replacing("seed: 9", with: "policies: {close: {connections: [teleporter]}}") }
    #expect(throws: ScenarioError.self) { try closed.venue(underPolicies: venue) }
  }

  @Test func impossibleSchedulesAreRejected() throws {
    func fails(_ from: String, _ to: String, line: Int, says: String) throws {
      let changed = try scenario { $0.replacing(from, with: to) }
      let error = #expect(throws: ScenarioError.self) { try ScenarioPlanner(changed, world: world) }
      let reported = try #require(error)
      #expect(reported.description.contains(says) && reported.line == line, "\(reported)")
    }
    try fails(
      "[11:30, 13:30]", "[20:00, 21:00]", line: 12, says: "the run lasts from 2026-01-05 08:00 to 2026-01-05 17:00")
    try fails("duration: 9h", "duration: 30m", line: 12, says: "can only begin from 11:30 to 13:30")
    try fails("leave: [16:00, 17:00]", "leave: [10:00, 11:00]", line: 12, says: "none of them is present")
    try fails(
      "between: [11:30, 13:30]", "collective: {at: [07:00], capacity: 5}", line: 12, says: "at 07:00")
    // An optional activity on the second of two days is valid.
    let later = try scenario {
      $0.replacing("duration: 9h", with: "duration: 30h").replacing("[11:30, 13:30]", with: "[06:00, 07:00]")
        .replacing("repeat: 1", with: "repeat: {max: 1}")
    }
    #expect(throws: Never.self) { try ScenarioPlanner(later, world: world) }
  }

  @Test func closedConnectionsCutOffTheFloorAbove() throws {
    let closed = try scenario { $0.replacing("seed: 9", with: "policies: {close: {connections: [stairs, elevator]}}") }
    let changed = try closed.venue(underPolicies: venue)
    let shut = try World(venue: changed)
    #expect(shut.plan.connections.isEmpty && !world.plan.connections.isEmpty)
    // The floor above gets no entrance of its own, and unreachable places are reported.
    #expect(Set(shut.entrances.map(\.place.floor)) == Set(world.entrances.map(\.place.floor)))
    #expect(shut.destinations.allSatisfy { $0.floor == shut.entrances[0].place.floor })
    #expect(shut.remarks.contains { $0.hasPrefix("no way leads to ") && $0.contains("because of closures") })
    #expect(!world.remarks.contains { $0.contains("closed") })
  }

  @Test func arrivalsWaitForTheEndOfAMask() throws {
    let scenario = try scenario { $0.replacing("seed: 9", with: "policies: {masks: [{between: [08:00, 09:00]}]}") }
    let plan = try plan(scenario)
    #expect(plan.itineraries.count == 40)
    #expect(plan.itineraries.allSatisfy { $0.arrival >= scenario.start + .hours(1) })
  }

  @Test func runsLargerThanTheMemoryAreRejectedBeforePlanning() throws {
    let crowded = try scenario { $0.replacing("size: 40", with: "size: 1000000") }
    let error = #expect(throws: SimulationError.self) {
      try RunForecast(expecting: crowded).check(available: 64 << 30)
    }
    #expect(try #require(error).description.contains("64 GiB, enough for about "))
    #expect(throws: Never.self) {
      try RunForecast(expecting: try scenario()).check(available: 2 << 30)
    }
    // Without phones, more people fit.
    var moving = crowded
    moving.policies.deviceShare = 0
    #expect(throws: Never.self) { try RunForecast(expecting: moving).check(available: 64 << 30) }
    // The check precedes the preparation of the venue, which would fail here.
    var nothing = venue
    nothing.floors = []
    let many = Scenario(visitors: 1_000_000, duration: .hours(9))
    #expect(throws: SimulationError.self) {
      try VenueSimulation(venue: nothing, scenario: crowded).run(store: .memory(MemoryStore()))
    }
    #expect(throws: SimulationError.self) { try RunForecast(expecting: many).check(available: 8 << 30) }
  }

  @Test func theMaximumNumberOfPeopleIsStated() throws {
    let scenario = try scenario()
    var plan = try plan(scenario)
    plan.people = Array(repeating: plan.people[0], count: 1_000_000)
    let forecast = RunForecast(plan, phones: scenario.phones, end: scenario.end)
    #expect(throws: SimulationError.self) { try forecast.check(available: 2 << 30) }
    #expect(throws: Never.self) { try forecast.check(available: 64 << 30) }
  }
}
