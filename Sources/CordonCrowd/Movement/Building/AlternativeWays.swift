import CordonGeometry
import CordonNavigation
import CordonVenues

/// The choice of another way by people who see a crowd in front of stairs or a car.
///
/// On arrival, people know the number of others in front of the ways of their floor. Later they know that a car has
/// left without them. They do not know the state of other floors.
final class AlternativeWays {
  private let state: WalkState
  private let queues: ServiceQueues
  private let stairs: Stairs
  private let elevators: Elevators
  private let waitingPlaces: WaitingPlaces
  weak var coordinator: (any WalkCoordinator)?
  /// Navigation without some vertical ways, by the set of avoided ways.
  private var navigations: [Set<Int>: Navigation] = [:]

  /// The maximum number of cached navigations, one for each set of avoided ways.
  private static let cacheCapacity = 64
  /// Number of waiting people from which others extend their stay.
  private static let crowdSize = 15

  init(
    _ state: WalkState, queues: ServiceQueues, stairs: Stairs, elevators: Elevators, waitingPlaces: WaitingPlaces
  ) {
    self.state = state
    self.queues = queues
    self.stairs = stairs
    self.elevators = elevators
    self.waitingPlaces = waitingPlaces
  }

  /// Returns navigation through the building without some of the vertical ways.
  func navigation(avoiding ways: Set<Int>) -> Navigation {
    if ways.isEmpty { return state.world.routes.navigation }
    if let navigation = navigations[ways] { return navigation }
    if navigations.count >= Self.cacheCapacity { navigations = [:] }
    let navigation = state.world.routes.navigation.avoiding(ways)
    navigations[ways] = navigation
    return navigation
  }

  private func isElevator(_ way: Int) -> Bool { state.landings.kinds[way] == .elevator }

  /// Returns the number of people who wait at a stop of a vertical way.
  private func waitingCount(for way: Int, at stop: Int) -> Int {
    isElevator(way) ? elevators.waitingCount(for: way, at: stop) : stairs.waitingCount(for: way, at: stop)
  }

  /// Returns the expected extra wait in milliseconds: until the people ahead that do not fit in together with this
  /// person have left.
  private func expectedWait(_ person: Int, way: Int, from: Int, to: Int, ahead: Int) -> Int64 {
    if isElevator(way) {
      return Int64(ahead / elevators.cars[way].capacity) * elevators.cars[way].round(from: from, to: to)
    }
    let stops = state.world.routes.navigation.verticals[way].stops
    let seconds = state.landings.kinds[way].seconds(
      levels: stops[to].level - stops[from].level, freeSpeed: state.itineraries[person].freeSpeed)
    let capacity = stairs.admissions[way].capacities[state.landings.rank(of: from, on: way)]
    // The time for one trip down and one trip up.
    return Int64(ahead / max(capacity, 1)) * Int64(2_000 * seconds)
  }

  /// A trip of a person to a goal, without some of the vertical ways.
  private struct Trip {
    var person: Int
    var start: Place
    var goal: Place
    var field: DistanceField
    var avoided: Set<Int>
  }

  /// Checks whether a person reaches a goal sooner without a vertical way than after a wait for it.
  ///
  /// The comparison includes the wait for the way that replaces it.
  /// - Parameter wait: the expected wait for the vertical way, in milliseconds.
  private func isFaster(_ trip: Trip, without way: Int, wait: Int64) -> Bool {
    let others = navigation(avoiding: trip.avoided.union([way]))
    guard wait > 0, let legs = others.route(from: trip.start, to: trip.goal, along: trip.field),
      let other = others.walkingDistance(from: trip.start, to: trip.goal, along: trip.field),
      let this = navigation(avoiding: trip.avoided)
        .walkingDistance(from: trip.start, to: trip.goal, along: trip.field)
    else { return false }
    var otherWait: Int64 = 0
    if case .ride(let next, let from, let to)? = legs.first(where: \.isRide) {
      let ahead = waitingCount(for: next, at: from)
      otherWait = expectedWait(trip.person, way: next, from: from, to: to, ahead: ahead)
    }
    return other - this < Double(wait - otherWait) / 1_000 * state.itineraries[trip.person].freeSpeed
  }

  // MARK: Waiting people

  /// Makes a person who waits for stairs or a car compare the ways, and take another one if that is faster.
  ///
  /// Companions on the same way go along.
  ///
  /// - Parameter waited: the time that the person has waited without boarding, in milliseconds. The person expects the
  ///   same time again if others are still ahead, or if that time is longer than two rounds of the car.
  /// - Returns: whether the person takes another way now.
  func takeFasterWay(_ person: Int, waited: Int64) -> Bool {
    guard state.barredWays(of: person).isEmpty else { return false }
    let walker = state.walkers[person]
    let ride = walker.ride
    let ahead: Int
    switch walker.phase {
    case .waitingForCar: ahead = elevators.cars[ride.way].ahead(of: person, at: ride.from)
    case .waitingForStairs: ahead = stairs.admissions[ride.way].ahead(of: person)
    default: return false
    }
    var wait = expectedWait(person, way: ride.way, from: ride.from, to: ride.to, ahead: ahead)
    if wait > 0 || waited > 2 * elevators.cars[ride.way].round(from: ride.from, to: ride.to) {
      wait = max(wait, waited)
    }
    guard wait > 0, let field = state.goalField(of: person),
      let start = state.plane.place(at: state.recorders[person].position, floor: walker.floor)
    else { return false }
    let trip = Trip(
      person: person, start: start, goal: queues.goalPlace(of: person), field: field, avoided: walker.avoided)
    guard isFaster(trip, without: ride.way, wait: wait) else { return false }
    reroute(person, avoiding: ride.way)
    for other in state.companions(of: person) {
      let theirs = state.walkers[other]
      guard theirs.stop == walker.stop, theirs.goal == walker.goal, theirs.floor == walker.floor else { continue }
      switch theirs.phase {
      case .walking where theirs.isBound(for: ride.way) && !stairs.isAdmitted(other, to: ride.way): break
      case .waitingForCar where theirs.ride.way == ride.way: break
      case .waitingForStairs where theirs.ride.way == ride.way: break
      default: continue
      }
      reroute(other, avoiding: ride.way)
    }
    return true
  }

  private func reroute(_ person: Int, avoiding way: Int) {
    if state.walkers[person].phase != .walking {
      if state.walkers[person].since < state.now { state.recordWait(person, until: state.now) }
      elevators.withdraw(person, from: way)
      stairs.withdraw(person, from: way)
      waitingPlaces.free(person)
    }
    state.figures.reroutes += 1
    state.walkers[person].avoided.insert(way)
    state.walkers[person].resumeWalking()
    state.recorders[person].rest(until: state.now)
    coordinator?.replan(person)
  }

  // MARK: Staying people

  /// Checks whether a person whose stay ends would only wait in front of crowded stairs or a crowded car.
  func isCrowdedAhead(of person: Int) -> Bool {
    guard
      stairs.admissions.contains(where: { $0.waiting.count >= Self.crowdSize })
        || elevators.cars.contains(where: { $0.waiting.contains { $0.count >= Self.crowdSize } })
    else { return false }
    guard var trip = nextTrip(of: person) else { return false }
    while let legs = navigation(avoiding: trip.avoided).route(from: trip.start, to: trip.goal, along: trip.field) {
      guard case .ride(let way, let from, let to)? = legs.first(where: \.isRide) else { return false }
      let people = waitingCount(for: way, at: from)
      guard people >= Self.crowdSize else { return false }
      let wait = expectedWait(person, way: way, from: from, to: to, ahead: people)
      guard isFaster(trip, without: way, wait: wait) else { return true }
      trip.avoided.insert(way)
    }
    return false
  }

  /// Returns the trip of a staying person to the next stop, or to the exit.
  private func nextTrip(of person: Int) -> Trip? {
    let itinerary = state.itineraries[person]
    let next = state.walkers[person].stop + 1
    let isStop = next < itinerary.stops.count
    let field =
      isStop ? state.fields.destination(itinerary.stops[next].destination) : state.fields.exit(itinerary.exit)
    let goal = isStop ? itinerary.stops[next].spot : state.world.entrances[itinerary.exit].place
    let position = state.recorders[person].position
    guard let field, let start = state.plane.place(at: position, floor: state.walkers[person].floor) else {
      return nil
    }
    return Trip(person: person, start: start, goal: goal, field: field, avoided: [])
  }
}
