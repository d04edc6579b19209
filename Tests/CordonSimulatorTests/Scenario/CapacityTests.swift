import CordonCore
import CordonGeometry
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

/// Capacities limit the people whose stays are planned: single people, parties and events.
@Suite("Capacities")
struct CapacityTests {
  let world: World

  init() throws { world = try World(venue: VenueGenerator.generate(kind: .office, floors: 1, area: 1_200, seed: 3)) }

  private func plan(_ change: (String) -> String) throws -> CrowdPlan {
    let scenario = try Scenario(parsing: change(ScenarioReadingTests.small))
    var planner = try ScenarioPlanner(scenario, world: world)
    return try planner.plan()
  }

  /// The maximum number of people planned at one place of some kinds at a time.
  private func most(_ plan: CrowdPlan, at kinds: Set<SpaceKind>) -> Int {
    var changes: [Int: [(time: Int64, count: Int)]] = [:]
    for itinerary in plan.itineraries {
      var here = world.entrances[itinerary.entrance].place
      var time = itinerary.arrival.milliseconds
      for stop in itinerary.stops {
        let arrival =
          time + ScenarioPlanner.walkingTime(from: here, to: stop.destination, speed: itinerary.freeSpeed, in: world)
        let leave = stop.length.map { arrival + $0.milliseconds } ?? stop.leave.milliseconds
        if kinds.contains(world.destinations[stop.destination].kind), arrival < leave {
          changes[stop.destination, default: []] += [(arrival, 1), (leave, -1)]
        }
        (here, time) = (stop.spot, leave)
      }
    }
    return changes.values.map { list in
      var (now, most) = (0, 0)
      // A companion who arrives 0.8 s later is present with the leader.
      for change in list.sorted(by: { ($0.time, $0.count) < ($1.time, $1.count) }) {
        now += change.count
        most = max(most, now)
      }
      return most
    }.max() ?? 0
  }

  private static let table: Set<SpaceKind> = [.kitchen, .restaurant]
  private static let limit = "policies: {capacity: {kitchen: 4, restaurant: 4}}"

  @Test func capacitiesLimitPartiesToo() throws {
    let company: (String) -> String = {
      $0.replacing("    leave:", with: "    groups: {share: 1, size: 3}\n    leave:").replacing(
        "size: 40", with: "size: 60")
    }
    #expect(try most(plan(company), at: Self.table) > 4)
    let limited = try plan { company($0).replacing("seed: 9", with: Self.limit) }
    let reached = most(limited, at: Self.table)
    // Four seats have room for one party of three.
    #expect(reached > 0 && reached <= 4, "\(reached)")
    #expect(limited.turnedAway > 0)
  }

  @Test func capacitiesOfTheVenueApplyWhereTheScenarioStatesNone() throws {
    var venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 1_200, seed: 3)
    for index in venue.spaces.indices where Self.table.contains(venue.spaces[index].kind) {
      venue.spaces[index].capacity = 2
    }
    let limited = try World(venue: venue)
    func limits(_ text: String) throws -> Set<Int?> {
      let scenario = try Scenario(parsing: ScenarioReadingTests.small.replacing("seed: 9", with: text))
      let limits = try ScenarioPlaces(scenario, world: limited).limits
      return Set(
        limited.destinations.indices.filter { Self.table.contains(limited.destinations[$0].kind) }.map { limits[$0] })
    }
    #expect(try limits("seed: 9") == [2])
    #expect(try limits(Self.limit) == [4])
  }

  @Test func capacitiesLimitEventsAndSingleVisitors() throws {
    let events: (String) -> String = {
      $0.replacing(
        "seed: 9",
        with: """
            - {name: talk, kinds: [kitchen, restaurant], between: [11:30, 13:30], duration: 15m, collective: {at: ["11:30", "11:45", "12:00", "12:00"], capacity: 9}, repeat: 1}
          seed: 9
          """
      ).replacing("[work, lunch]", with: "[work, lunch, talk]")
    }
    #expect(try most(plan(events), at: Self.table) > 4)
    let limited = try plan { events($0).replacing("seed: 9", with: Self.limit) }
    let reached = most(limited, at: Self.table)
    #expect(reached == 4, "\(reached)")
  }

  @Test func anOwnPlaceIsCountedOnce() throws {
    // One person per desk: earlier stays at the own desk do not turn a person away.
    let offices = world.destinations.count { $0.kind == .office }
    let plan = try plan {
      $0.replacing("size: 40", with: "size: \(offices)").replacing("seed: 9", with: "policies: {capacity: {office: 1}}")
    }
    #expect(plan.itineraries.count == offices)
    #expect(most(plan, at: [.office]) == 1)
  }

  @Test func aMovingPersonCountsOnce() throws {
    let plan = try plan {
      $0.replacing("seed: 9", with: "policies: {capacity: {kitchen: 1, restaurant: 1}}")
        .replacing(
          "duration: {min: 20m, max: 45m}", with: "duration: {min: 20m, max: 25m}, moves: {min: 20s, max: 40s}"
        )
        .replacing("size: 40", with: "size: 4")
    }
    let lunches = plan.itineraries.flatMap(\.stops).count {
      Self.table.contains(world.destinations[$0.destination].kind)
    }
    #expect(lunches > 20 && most(plan, at: Self.table) == 1)
  }

  @Test func bookedTimesAgreeWithAPlainList() {
    var random = RandomStream(seed: 11, stream: 1, entity: 1)
    var times = BookedTimes()
    var list: [ClosedRange<Int64>] = []
    for _ in 0..<400 {
      let start = Int64(random.nextIndex(below: 2_000))
      let span = start...(start + Int64(random.nextIndex(below: 30)))
      #expect(times.isFree(span) == !list.contains { $0.overlaps(span) }, "seed 11: \(span)")
      if random.nextUnit() < 0.5 {
        times.book(span)
        list.append(span)
      }
    }
  }

  @Test func presenceIsCountedBetweenItsTimes() {
    var book = PresenceBook(limits: [5, nil])
    book.add(3, at: 0, 100..<200)
    book.add(2, at: 0, 200..<300)
    book.add(9, at: 1, 0..<1_000)
    #expect(book.room(at: 0, 100..<200) == 2 && book.room(at: 0, 200..<300) == 3)
    #expect(book.room(at: 0, 150..<250) == 2 && book.room(at: 0, 0..<100) == 5 && book.room(at: 0, 300..<400) == 5)
    #expect(book.room(at: 1, 0..<1_000) == .max && !book.isLimited(1) && book.isLimited(0))
    book.add(1, at: 0, 50..<250)
    #expect(book.room(at: 0, 0..<400) == 1 && book.room(at: 0, 250..<400) == 3 && book.room(at: 0, 50..<60) == 4)
  }
}
