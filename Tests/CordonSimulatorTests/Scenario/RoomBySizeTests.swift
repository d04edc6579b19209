import CordonCore
import CordonGeometry
import CordonNavigation
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

/// Rooms fill by their floor area.
@Suite("Rooms by size")
struct RoomBySizeTests {
  let world: World

  init() throws { world = try World(venue: VenueGenerator.generate(kind: .office, floors: 1, area: 1_200, seed: 3)) }

  private func plan(_ change: (String) -> String) throws -> CrowdPlan {
    var planner = try ScenarioPlanner(Scenario(parsing: change(ScenarioReadingTests.small)), world: world)
    return try planner.plan()
  }

  /// The number of people with a place in each office.
  private func owners(_ plan: CrowdPlan) -> [Int: Int] {
    var people: [Int: Set<Int>] = [:]
    for itinerary in plan.itineraries {
      for stop in itinerary.stops where world.destinations[stop.destination].kind == .office {
        people[stop.destination, default: []].insert(itinerary.person)
      }
    }
    return people.mapValues(\.count)
  }

  @Test func theFloorAreaGivesTheNumberOfPeople() {
    #expect(OccupantLoad.people(on: 60, in: .office) == 10)
    #expect(OccupantLoad.people(on: 61, in: .office) == 11)
    #expect(OccupantLoad.people(on: 0.5, in: .office) == 1)
    #expect(OccupantLoad.people(on: 142, in: .office) > OccupantLoad.people(on: 21, in: .office) * 5)
    #expect(SpaceKind.allCases.allSatisfy { OccupantLoad.areaPerPerson(in: $0) > 0.5 })
  }

  @Test func largeHallsHaveSpotsByArea() throws {
    let mall = try World(venue: VenueGenerator.generate(kind: .mall, floors: 1, area: 6_000, seed: 11))
    let halls = mall.destinations.filter { ($0.space.map { mall.plan.spaces[$0].area } ?? 0) > 400 }
    #expect(!halls.isEmpty)
    for hall in halls {
      let area = mall.plan.spaces[try #require(hall.space)].area
      #expect(hall.spots.count > 150 && Double(hall.spots.count) <= area / 1.2, "\(area) m²: \(hall.spots.count)")
      #expect(Double(hall.spots.count) > area / 3, "\(area) m²: \(hall.spots.count)")
      let points = hall.spots.map { mall.routes.navigation.center(of: $0) }
      for (index, point) in points.enumerated() {
        #expect(points[..<index].allSatisfy { PlanePoint.distance($0, point) >= 0.7 })
      }
    }
  }

  @Test func theGridFindsThePointsAroundAPoint() {
    var random = RandomStream(seed: 5, stream: 1, entity: 1)
    var grid = SpotGrid(side: 1)
    var points: [PlanePoint] = []
    for _ in 0..<300 {
      let point = PlanePoint(x: random.nextUnit() * 12 - 6, y: random.nextUnit() * 12 - 6)
      #expect(grid.hasPoint(near: point, within: 0.7) == points.contains { PlanePoint.distance($0, point) < 0.7 })
      let near = Set(grid.numbers(near: point))
      #expect(points.indices.allSatisfy { near.contains($0) || PlanePoint.distance(points[$0], point) >= 1 }, "seed 5")
      grid.add(point)
      points.append(point)
    }
  }

  @Test func placesAreChosenByFreeRoom() {
    var presence = PresenceBook(limits: [nil, nil, nil], rooms: [12, 6, 2])
    presence.add(6, at: 0, 0..<100)
    presence.own(2, at: 2)
    let choice = PlaceChoice([0, 1, 2], presence: presence)
    var random = RandomStream(seed: 7, stream: 1, entity: 1)
    func counts(at time: Int64, fits: (Int) -> Bool = { _ in true }) -> [Int] {
      var counts = [0, 0, 0]
      for _ in 0..<6_000 {
        if let place = choice.pick(in: presence, arrival: { _ in time }, fits: fits, &random) { counts[place] += 1 }
      }
      return counts
    }
    // Six of twelve places are taken at first, and all places of the last room always.
    let (early, late) = (counts(at: 50), counts(at: 200))
    #expect(abs(early[0] - 3_000) < 250 && abs(early[1] - 3_000) < 250 && early[2] == 0, "seed 7: \(early)")
    #expect(abs(late[0] - 4_000) < 250 && abs(late[1] - 2_000) < 250 && late[2] == 0, "seed 7: \(late)")
    // Where nothing is free, the whole room counts.
    presence.own(12, at: 0)
    presence.own(6, at: 1)
    let full = counts(at: 200)
    #expect(abs(full[0] - 3_600) < 250 && abs(full[1] - 1_800) < 250 && abs(full[2] - 600) < 250, "seed 7: \(full)")
    #expect(counts(at: 200) { $0 == 2 } == [0, 0, 6_000])
    #expect(counts(at: 200) { _ in false } == [0, 0, 0])
  }

  @Test func everyOfficeGetsAsManyPeopleAsItsAreaAllows() throws {
    let offices = world.destinations.indices.filter { world.destinations[$0].kind == .office }
    let room = offices.reduce(0) { $0 + world.destinations[$1].room }
    let areas = offices.map { world.plan.spaces[world.destinations[$0].space ?? 0].area }
    #expect(try #require(areas.max()) > 2 * areas.min()!)
    let full = try owners(plan { $0.replacing("size: 40", with: "size: \(room)") })
    #expect(offices.allSatisfy { full[$0] == world.destinations[$0].room }, "\(full)")
    // A crowd of three times as many is spread in the same proportion.
    let crowd = try owners(plan { $0.replacing("size: 40", with: "size: \(3 * room)") })
    for office in offices {
      let expected = Double(3 * world.destinations[office].room)
      #expect(abs(Double(crowd[office] ?? 0) - expected) < 5 * expected.squareRoot(), "\(office)")
    }
  }

  @Test func overfullRoomsAreNamed() throws {
    let offices = world.destinations.indices.filter { world.destinations[$0].kind == .office }
    let load = world.destinations[offices[0]].occupantLoad
    func stays(_ count: Int, from start: Int64 = 0) -> [Stay] {
      (0..<count).map { number in
        Stay(
          destination: offices[0], space: world.destinations[offices[0]].space,
          start: Instant(milliseconds: start + Int64(number)), end: Instant(milliseconds: start + 1_000))
      }
    }
    #expect(OverfullRooms(stays(load), limits: [:], in: world).note == nil)
    // People who leave make room for others at the same time.
    #expect(OverfullRooms(stays(load) + stays(load, from: 1_000), limits: [:], in: world).note == nil)
    let note = try #require(OverfullRooms(stays(load + 1), limits: [:], in: world).note)
    #expect(note.hasPrefix("1 room held more people than the floor area allows: "), "\(note)")
    #expect(note.hasSuffix("(\(load + 1) people, room for \(load))"), "\(note)")
    #expect(OverfullRooms(stays(load + 1), limits: [offices[0]: load + 1], in: world).rooms.isEmpty)
    #expect(OverfullRooms(stays(2), limits: [offices[0]: 1], in: world).rooms.count == 1)
  }

  @Test func visitorsSpreadByRoomToo() throws {
    let scenario = Scenario(visitors: 150, duration: .hours(2), seed: 4)
    let plan = try scenario.plan(in: world)
    for (place, peak) in peaks(plan) {
      // People return to their first place although it is full, so a few may be too many.
      #expect(peak <= world.destinations[place].room * 2 + 3, "\(world.destinations[place].kind): \(peak)")
    }
  }

  /// The maximum number of people planned at each destination at a time.
  private func peaks(_ plan: CrowdPlan) -> [Int: Int] {
    var changes: [Int: [(Int64, Int)]] = [:]
    for itinerary in plan.itineraries {
      var here = world.entrances[itinerary.entrance].place
      var time = itinerary.arrival.milliseconds
      for stop in itinerary.stops {
        let arrival =
          time + ScenarioPlanner.walkingTime(from: here, to: stop.destination, speed: itinerary.freeSpeed, in: world)
        changes[stop.destination, default: []] += [(arrival, 1), (stop.leave.milliseconds, -1)]
        (here, time) = (stop.spot, stop.leave.milliseconds)
      }
    }
    return changes.mapValues { list in
      var (now, peak) = (0, 0)
      for change in list.sorted(by: { $0 < $1 }) {
        now += change.1
        peak = max(peak, now)
      }
      return peak
    }
  }
}
