import CordonCore
import CordonGeometry
import CordonNavigation
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonSimulator
@testable import CordonVenueTools

/// Records the decisions that a part of a walk requests, and makes none.
private final class RecordingCoordinator: WalkCoordinator {
  var replanned: [Int] = []
  var proceeded: [Int] = []
  var reached: [Int] = []
  var rides: [Int] = []

  func replan(_ person: Int) { replanned.append(person) }
  func proceed(_ person: Int) { proceeded.append(person) }
  func reachStop(_ person: Int) { reached.append(person) }
  func beginRide(_ person: Int, way: Int, from: Int, to: Int) { rides.append(person) }
  func takeFasterWay(_ person: Int, waited: Int64) -> Bool { false }
  func navigation(avoiding ways: Set<Int>) -> Navigation { Navigation(floors: [], verticals: []) }
}

/// People who are in a building already, and the parts that move them.
private struct Parts {
  let state: WalkState
  let places: WaitingPlaces
  let queues: ServiceQueues
  let stairs: Stairs
  let elevators: Elevators
  let alternatives: AlternativeWays
  let coordinator = RecordingCoordinator()

  init(_ itineraries: [Itinerary], in world: World) {
    state = WalkState(
      itineraries, fields: RouteFields(for: itineraries, in: world, threads: 1), world: world,
      replication: Replication(start: BuildingWalkTests.monday, duration: .minutes(30), seed: 1), model: CrowdMovement()
    )
    places = WaitingPlaces(state)
    queues = ServiceQueues(state)
    let yielding = Yielding(state, rooms: RoomLimits(state, limits: [:]))
    stairs = Stairs(state, waitingPlaces: places, yielding: yielding)
    elevators = Elevators(state, waitingPlaces: places, yielding: yielding)
    alternatives = AlternativeWays(
      state, queues: queues, stairs: stairs, elevators: elevators, waitingPlaces: places)
    queues.coordinator = coordinator
    stairs.coordinator = coordinator
    elevators.coordinator = coordinator
    alternatives.coordinator = coordinator
  }

  /// Puts a person at a place of the building.
  func put(_ person: Int, at place: Place) {
    state.enter(person, floor: place.floor, at: state.plane.center(of: place))
    state.walkers[person].phase = .walking
  }
}

@Suite("Queues of a building walk")
struct WalkQueueTests {
  @Test func onlyTheFirstAtAnEntranceIsAdmitted() {
    var queues = EntranceQueues(entrances: 2)
    let isFirst = [(4, 0), (2, 0), (9, 1)].map { queues.join($0, at: $1) }
    #expect(isFirst == [true, false, true])
    #expect(queues.first(at: 0) == 4 && queues.first(at: 1) == 9)
    let othersWait = [queues.admitFirst(at: 0), queues.admitFirst(at: 1)]
    #expect(othersWait == [true, false])
    #expect(queues.first(at: 0) == 2 && queues.first(at: 1) == nil)
    let isEmpty = [queues.admitFirst(at: 0), queues.admitFirst(at: 0)]
    #expect(isEmpty == [false, false] && queues.first(at: 0) == nil)
  }

  @Test func aServiceQueueServesInOrderAndMovesUp() throws {
    let world = try BuildingWalkTests.world(.museum, floors: 1)
    let target = try BuildingWalkTests.destination(on: world.entrances[0].place.floor, in: world)
    let parts = Parts(
      (0..<3).map {
        BuildingWalkTests.itinerary($0, to: target, spot: $0, in: world, arrival: 0, service: .seconds(30))
      }, in: world)
    let (state, queues) = (parts.state, parts.queues)
    #expect(queues.isUsed)
    let stop = state.itineraries[0].stops[0]
    let places = queues.queue(for: stop).desks + queues.queue(for: stop).line
    try #require(places.count > 3)
    for (a, b) in zip(places, places.dropFirst()) {
      #expect(PlaneSegment(state.center(of: a), state.center(of: b)).length >= ServiceQueue.spacing)
    }
    for person in 0..<3 {
      parts.put(person, at: places[person])
      #expect(queues.goalPlace(of: person) == places[person])
      queues.join(person)
    }
    #expect(state.walkers.map(\.phase) == [.served, .queueing, .queueing])
    queues.endService(1)
    #expect(queues.queue(for: stop).station.served == [0] && queues.queue(for: stop).station.waiting == [1, 2])
    state.now += 30_000
    queues.endService(0)
    #expect(parts.coordinator.proceeded == [0])
    #expect(queues.queue(for: stop).station.served == [1] && queues.queue(for: stop).station.waiting == [2])
    #expect(state.walkers[1].phase == .served && state.walkers[2].phase == .queueing)
    #expect(state.tracks[0].stays.count == 1 && state.tracks[1].waits.count == 1)
    #expect(queues.goalPlace(of: 2) == places[1])
  }

  @Test func waitingPlacesAreApartAndKeepPassagesFree() throws {
    let world = try BuildingWalkTests.world(.hospital, floors: 3)
    let parts = Parts([], in: world)
    var found = 0
    for (way, stops) in parts.state.landings.centers.enumerated() {
      for stop in stops.indices {
        let places = parts.places.places(before: way, stop: stop)
        found += places.count
        let points = places.map { parts.state.center(of: $0) }
        for (index, point) in points.enumerated() {
          #expect(!parts.state.blocksPassage(point, floor: stops[stop].floor))
          #expect(points[..<index].allSatisfy { PlaneSegment($0, point).length >= 1.1 })
        }
      }
    }
    #expect(found > 20)
  }

  @Test func aPlaceThatAnotherPersonHeadsForIsNotFree() throws {
    let world = try BuildingWalkTests.world(.hospital, floors: 3)
    let target = try BuildingWalkTests.destination(on: world.entrances[0].place.floor, in: world)
    let parts = Parts([BuildingWalkTests.itinerary(0, to: target, spot: 0, in: world, arrival: 0)], in: world)
    let places = try #require(
      parts.state.landings.centers.indices.lazy.map { parts.places.places(before: $0, stop: 0) }
        .first { $0.count > 2 })
    #expect(parts.places.firstFree(of: places[...], others: [7]) == places[0])
    parts.places.assign(places[0], to: 7)
    #expect(parts.places.firstFree(of: places[...], others: [7]) == places[1])
    // A body needs the place too.
    parts.put(0, at: places[1])
    #expect(parts.places.firstFree(of: places[...], others: [7]) == places[2])
    parts.places.free(7)
    #expect(parts.places.firstFree(of: places[...], others: [7]) == places[0])
  }

  @Test func theEndOfAWayIsCutOff() {
    let way = [PlanePoint(x: 0, y: 0), PlanePoint(x: 4, y: 0), PlanePoint(x: 4, y: 3)]
    #expect(way.withoutEnd(of: 0) == way)
    #expect(way.withoutEnd(of: 1) == [way[0], way[1], PlanePoint(x: 4, y: 2)])
    #expect(way.withoutEnd(of: 5) == [way[0], PlanePoint(x: 2, y: 0)])
    #expect(way.withoutEnd(of: 9) == [way[0]])
    #expect([PlanePoint]().withoutEnd(of: 1).isEmpty)
  }
}

@Suite("Progress, room and ways of a building walk")
struct WalkProgressTests {
  @Test func fourSecondsWithoutApproachAreNoProgress() {
    var progress = WalkProgress()
    let shrinking = [10, 9.9, 9.9, 9.5].map { progress.update(rest: $0) }
    #expect(shrinking == [true, true, true, true])
    // To and fro between the same two points.
    let still = [9.4, 9.6, 9.4, 9.6].map { progress.update(rest: $0) }
    #expect(still == [true, true, true, false])
    // A person who waits makes progress with the next way.
    let later = [nil, 50, 50, 49].map { progress.update(rest: $0) }
    #expect(later == [true, true, true, true])
  }

  @Test func aPersonIsBoundForTheNextRideOfThePath() {
    var walker = WalkerState()
    walker.phase = .walking
    walker.legs = [.walk(floor: 0, points: []), .ride(way: 3, from: 0, to: 1), .walk(floor: 1, points: [])]
    #expect(walker.isBound(for: 3) && !walker.isBound(for: 2) && walker.endsWithWalk)
    walker.leg = 1
    #expect(walker.isBound(for: 3))
    walker.leg = 2
    #expect(!walker.isBound(for: 3))
    walker.phase = .climbing
    walker.ride.way = 2
    #expect(walker.isBound(for: 2) && !walker.isBound(for: 3))
    walker.phase = .dwelling
    #expect(!walker.isBound(for: 2))
  }

  @Test func aStayingPersonLeavesAPlaceThatIsNeeded() throws {
    let world = try BuildingWalkTests.world(.office, floors: 1)
    let target = try BuildingWalkTests.destination(on: world.entrances[0].place.floor, in: world)
    let parts = Parts(
      (0..<2).map { BuildingWalkTests.itinerary($0, to: target, spot: $0, in: world, arrival: 0) }, in: world)
    let spot = world.destinations[target].spots[0]
    parts.put(0, at: spot)
    let yielding = Yielding(parts.state, rooms: RoomLimits(parts.state, limits: [:]))
    // A walking person leaves anyway.
    yielding.clear(spot)
    #expect(parts.state.figures.stepsAside == 0)
    parts.state.walkers[0].phase = .dwelling
    yielding.clear(spot)
    #expect(parts.state.figures.stepsAside == 1)
    let goal = try #require(parts.state.crowd.lastMark(of: 0))
    #expect(PlanePoint.distance(goal, parts.state.plane.center(of: spot)) > 0.5)
    #expect(parts.state.walkers[0].phase == .dwelling)
  }

  @Test func stairsAdmitAPersonUnlessOthersFillThemTheOtherWay() throws {
    let world = try BuildingWalkTests.world(.office, floors: 2)
    let landings = Landings(world)
    let way = try #require(landings.kinds.firstIndex(of: .stairs))
    let capacity = landings.flights[way].map(\.capacity).max() ?? 0
    let target = try BuildingWalkTests.destination(on: world.entrances[0].place.floor, in: world)
    let parts = Parts(
      (0...(capacity + 1)).map { BuildingWalkTests.itinerary($0, to: target, spot: $0, in: world, arrival: 0) },
      in: world)
    let down = try #require(parts.places.places(before: way, stop: 1).first)
    let up = try #require(parts.places.places(before: way, stop: 0).first)
    for person in 0...capacity {
      parts.put(person, at: down)
      parts.stairs.begin(person, way: way, from: 1, to: 0)
      #expect(parts.stairs.isAdmitted(person, to: way))
    }
    #expect(parts.coordinator.replanned == Array(0...capacity))
    let last = capacity + 1
    parts.put(last, at: up)
    parts.stairs.begin(last, way: way, from: 0, to: 1)
    #expect(parts.state.walkers[last].phase == .waitingForStairs && !parts.stairs.isAdmitted(last, to: way))
    #expect(parts.stairs.waitingCount(for: way, at: 0) == 1)
    // The others take another way.
    for person in 0...capacity { parts.stairs.withdraw(person, from: way) }
    parts.stairs.update()
    #expect(parts.stairs.isAdmitted(last, to: way) && parts.coordinator.replanned.last == last)
  }

  @Test func aLongQueueForAnElevatorMakesPeopleTakeTheStairs() throws {
    let world = try BuildingWalkTests.world(.office, floors: 3)
    let landings = Landings(world)
    let group = world.routes.group(of: world.entrances[0].place)
    let way = try #require(landings.kinds.firstIndex(of: .elevator))
    let stop = try #require(landings.centers[way].firstIndex { $0.floor == world.entrances[0].place.floor })
    let goal = try #require(
      world.destinations.indices.first {
        world.destinations[$0].group == group && world.destinations[$0].floor != landings.centers[way][stop].floor
      })
    let other = try #require(landings.centers[way].firstIndex { $0.floor == world.destinations[goal].floor })
    let count = 100
    let parts = Parts(
      (0..<count).map { BuildingWalkTests.itinerary($0, to: goal, spot: $0, in: world, arrival: 0) }, in: world)
    for person in 0..<count {
      parts.put(person, at: landings.centers[way][stop])
      parts.elevators.wait(person, way: way, from: stop, to: other)
    }
    let last = count - 1
    // The coordinator of this test lets all people wait.
    #expect(parts.elevators.waitingCount(for: way, at: stop) > count - 10)
    #expect(!parts.alternatives.takeFasterWay(0, waited: 0))
    #expect(parts.alternatives.takeFasterWay(last, waited: 0))
    #expect(parts.state.walkers[last].avoided == [way] && parts.state.walkers[last].phase == .walking)
    #expect(parts.coordinator.replanned == [last] && parts.state.figures.reroutes == 1)
    #expect(parts.state.tracks[last].waits.isEmpty)
  }
}
