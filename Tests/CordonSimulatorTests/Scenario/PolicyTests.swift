import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonRun
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
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

  @Test func thePolicyReplacesTheShareOfDevices() throws {
    #expect(try plan(policy("{devices: 0.25}")).plan.people.allSatisfy { $0.deviceShare == 0.25 })
    #expect(try plan { $0 }.plan.people.allSatisfy { $0.deviceShare == 1 })
  }

  @Test func peopleDoNotStayInClosedSpaces() throws {
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
    // The map keeps the door: without it, another door would be assumed elsewhere.
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
      $0.replacing("    size: 40\n", with: "").replacing(
        "    leave: [16:00, 17:00]\n", with: rule.contains("shifts") ? "" : "    visit: 1h\n"
      )
      .replacing("{window: [08:00, 09:30], shape: normal}", with: rule)
      .replacing("duration: 9h", with: "duration: \(hours)h")
      .replacing("[work, lunch]", with: "[work]")
    }
  }

  @Test func batchesArriveTogetherEveryDay() throws {
    let (scenario, plan) = try plan(arrivals("{batches: [{at: 10:00, size: 30, spread: 3m}]}", hours: 33))
    // The second day's batch consists of other people.
    #expect(plan.people.count == 60 && plan.itineraries.count == 60)
    for itinerary in plan.itineraries {
      let since = (itinerary.arrival - scenario.start).seconds.truncatingRemainder(dividingBy: 86_400)
      #expect(since >= 7_200 && since <= 7_200 + 180)
    }
  }

  @Test func shiftsPastMidnightKeepTheirPeople() throws {
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

  @Test func daysFollowTheClockAfterATimeChange() throws {
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

  private static let visits = """
    venue: office
    time: {start: 2026-01-05T07:00, duration: 4h}
    populations: [{name: all, size: 60, arrival: {window: [08:00, 09:30]}, visit: 20m}]
    activities: [{name: work, kinds: [office], duration: {min: 3m, max: 10m}}]
    seed: 3
    """

  private func truth(_ more: String, _ change: (String) -> String = { $0 }) throws -> (plan: CrowdPlan, truth: Truth) {
    let scenario = try Scenario(parsing: change(Self.visits) + "\n" + more)
    let world = try scenario.world(try scenario.venue(underPolicies: venue))
    var planner = try ScenarioPlanner(scenario, world: world)
    let plan = try planner.plan()
    let replication = scenario.replication()
    return (plan, try Simulation.truth(of: plan, world: world, replication: replication, model: WayFollowing()))
  }

  @Test func maskedVisitsStartLaterWithTheSameDuration() throws {
    let (plan, truth) = try truth("policies: {masks: [{between: [08:30, 09:30]}]}")
    let start = Instant(milliseconds: truth.start.milliseconds)
    #expect(plan.remarks.isEmpty)
    for person in truth.people {
      let visit = try #require(person.visits.first)
      let minutes = (visit.arrival - start).seconds / 60
      #expect(minutes < 90 || minutes >= 150, "\(minutes)")
      #expect((visit.departure - visit.arrival).seconds > 15 * 60)
    }
  }

  @Test func visitsDelayedPastTheirEndAreReported() throws {
    let (plan, truth) = try truth("policies: {masks: [{between: [08:30, 09:30]}]}") {
      $0.replacing("visit: 20m", with: "leave: [09:00, 09:10]")
    }
    let came = truth.people.count { !$0.visits.isEmpty }
    #expect(came > 5 && came < 55)
    #expect(
      plan.remarks.count == 1 && plan.remarks[0].hasPrefix("\(60 - came) visits were left out"), "\(plan.remarks)")
  }

  @Test func aVenueDoorCanBeOneWay() throws {
    let doors = world.entrances.map(\.id)
    try #require(doors.count > 1)
    let behind = try #require(venue.openings.first(where: { $0.id == doors[0] })?.spaces.first).rawValue
    let out = try truth("policies: {one_way: [{door: \(doors[0]), from: \(behind)}]}").truth.people.flatMap(\.visits)
    #expect(out.allSatisfy { $0.entrance != 0 } && out.contains { $0.exit == 0 })
    let inwards = try truth("policies: {one_way: [{door: \(doors[0]), from: outside}]}").truth.people.flatMap(\.visits)
    #expect(inwards.allSatisfy { $0.exit != 0 } && inwards.contains { $0.entrance == 0 })
    let all = doors.map { door in
      let space = venue.openings.first(where: { $0.id == door })?.spaces.first?.rawValue ?? ""
      return "{door: \(door), from: \(space)}"
    }.joined(separator: ", ")
    let error = #expect(throws: ScenarioError.self) { try truth("policies: {one_way: [\(all)]}") }
    #expect(error?.line == 6 && error?.message == "leaves 'all' without a door to enter", "\(error as Any)")
  }

  @Test func plansAvoidPlacesThatOneWayDoorsCutOff() throws {
    // A room with one door.
    let room = try #require(
      venue.spaces.first { space in
        space.kind == .office && venue.openings.count { $0.spaces.contains(space.id) } == 1
      })
    let door = try #require(venue.openings.first { $0.spaces.contains(room.id) && $0.spaces.count == 2 })
    let hall = try #require(door.spaces.first { $0 != room.id }).rawValue
    let number = try #require(
      world.destinations.firstIndex { $0.space.map { world.plan.spaces[$0].id } == room.id })
    for from in [room.id.rawValue, hall] {
      let policy = "policies: {one_way: [{door: \(door.id), from: \(from)}]}"
      let (plan, truth) = try truth(policy)
      #expect(!plan.itineraries.contains { $0.stops.contains { $0.destination == number } })
      #expect(plan.remarks == ["people cannot stay in 1 place that policies.one_way leaves without a way in or out"])
      #expect(truth.people.allSatisfy { $0.visits.count == 1 } && truth.unreachable == 0)
      let error = #expect(throws: ScenarioError.self) {
        try self.truth(policy) { $0.replacing("kinds: [office]", with: "spaces: [\(room.id)]") }
      }
      #expect(error?.line == 4 && error?.message.contains("no way in or out") == true, "\(error as Any)")
    }
  }

  @Test func everyVisitPassesTwoVenueDoors() throws {
    var scenario = try Scenario(parsing: Self.visits)
    scenario.movement.model = .way
    let contents = try VenueSimulation(venue: venue, scenario: scenario).run(
      store: .memory(MemoryStore()))
    let doors = Set(world.entrances.map(\.id))
    let through = contents.outcome.flows.filter { doors.contains($0.opening) }
    // Sixty in and sixty out.
    #expect(through.reduce(0) { $0 + $1.forward + $1.backward } == 120)
    for door in doors {
      let line = try #require(world.plan.doors.first(where: { $0.id == door })).line
      let inside = try #require(world.entrances.first(where: { $0.id == door })).position
      let isLeft =
        (line.b.x - line.a.x) * (inside.y - line.a.y) - (line.b.y - line.a.y) * (inside.x - line.a.x) > 0
      let bins = through.filter { $0.opening == door }.sorted { $0.binStart < $1.binStart }
      // In the first quarter of an hour people only arrive.
      let first = try #require(bins.first)
      #expect((isLeft ? first.backward : first.forward) > (isLeft ? first.forward : first.backward))
    }
  }

  @Test func peopleWithoutRoomEnterLater() throws {
    let (plan, _) = try truth("policies: {capacity: {restaurant: 3, kitchen: 3}}") {
      $0.replacing(
        "activities: [", with: "activities: [{name: eat, kinds: [restaurant, kitchen], duration: 5m, weight: 9}, ")
    }
    #expect(plan.turnedAway > 0)
    #expect(Set(plan.itineraries.map(\.person)).count > 50, "\(Set(plan.itineraries.map(\.person)).count)")
  }

  @Test func missedRequiredActivitiesAreReported() throws {
    let (plan, _) = try truth("") {
      $0.replacing(
        "activities: [",
        with:
          "activities: [{name: talk, kinds: [office], duration: 10m, repeat: 1, collective: {at: [09:00], capacity: 3}}, "
      )
    }
    let seats = world.destinations.count { $0.kind == .office } * 3
    let note = try #require(plan.remarks.first)
    #expect(note.contains("left without 'talk'"), "\(plan.remarks)")
    let count = try #require(Int(note.prefix { $0.isNumber }))
    #expect(count >= 60 - min(seats, 60) && count < 60, "\(count)")
  }

  @Test(arguments: ["entrances", "activities"]) func anEmptyListIsRejected(_ key: String) throws {
    let error = #expect(throws: ScenarioError.self) {
      try Scenario(parsing: Self.visits.replacing("visit: 20m", with: "visit: 20m, \(key): []"))
    }
    #expect(error?.line == 3 && error?.message.contains("the list is empty") == true, "\(error as Any)")
  }

  @Test(arguments: [
    ("between: [08:00, 08:30], collective: {at: [\"09:00\"], capacity: 5}", "is outside 'between'"),
    ("served: true, own_place: true", "cannot be combined with 'served'"),
    ("served: true, collective: {at: [\"09:00\"], capacity: 5}", "cannot be combined with 'served'"),
  ])
  func exclusiveKeysAreRejected(_ more: String, _ message: String) throws {
    let text = Self.visits.replacing("duration: {min: 3m, max: 10m}", with: "duration: 10m, \(more)")
    let error = #expect(throws: ScenarioError.self) {
      var planner = try ScenarioPlanner(try Scenario(parsing: text), world: world)
      _ = try planner.plan()
    }
    #expect(error?.line == 4 && error?.message.contains(message) == true, "\(error as Any)")
  }

  @Test func shiftsExcludeLeave() throws {
    let error = #expect(throws: ScenarioError.self) {
      try Scenario(
        parsing: Self.visits.replacing("size: 60, ", with: "").replacing(
          "{window: [08:00, 09:30]}", with: "{shifts: [{from: 08:00, to: 10:00, size: 5}]}"))
    }
    #expect(error?.line == 3 && error?.message.contains("cannot be combined with shifts") == true, "\(error as Any)")
  }
}
