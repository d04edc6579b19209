import CordonGeometry
import CordonNavigation
import CordonVenues

/// The elevators of a building: people wait in front of a car, board one after the other, stand in it and alight.
///
/// ``ElevatorCar`` decides who boards and where a car goes. This type moves the bodies of its passengers.
final class Elevators {
  let state: WalkState
  let yielding: Yielding
  let waitingPlaces: WaitingPlaces
  weak var coordinator: (any WalkCoordinator)?
  /// By vertical way; unused for ways other than elevators.
  var cars: [ElevatorCar]
  /// The places of riders and called people in their cars.
  var placesInCar: [Int: Place] = [:]

  /// Distance from the landing that is kept free for people who alight, in metres.
  private static let forecourt = 1.9

  init(_ state: WalkState, waitingPlaces: WaitingPlaces, yielding: Yielding) {
    self.state = state
    self.waitingPlaces = waitingPlaces
    self.yielding = yielding
    let landings = state.landings
    cars = state.world.routes.navigation.verticals.enumerated().map { way, vertical in
      ElevatorCar(way: way, levels: vertical.stops.map(\.level), capacity: landings.capacity(of: way))
    }
  }

  // MARK: Waiting

  /// Returns the number of people who wait at a stop.
  func waitingCount(for way: Int, at stop: Int) -> Int { cars[way].waiting[stop].count }

  /// Returns the way to a landing, without the part that people walk only after they are called in.
  func approach(_ corners: [PlanePoint]) -> [PlanePoint] { corners.withoutEnd(of: Self.forecourt) }

  /// Makes a person at a landing wait for the car.
  func wait(_ person: Int, way: Int, from: Int, to: Int) {
    state.recorders[person].rest(until: state.now)
    state.walkers[person].begin(.waitingForCar)
    state.walkers[person].since = state.now
    state.walkers[person].ride = WalkerState.Ride(way: way, from: from, next: to, to: to)
    cars[way].wait(ElevatorCar.Rider(person: person, from: from, to: to, since: state.now))
    if coordinator?.takeFasterWay(person, waited: 0) == true { return }
    sendToWaitingPlace(person)
    switch cars[way].phase {
    case .idle: if cars[way].stop == from { open(way) } else { depart(way) }
    case .open where cars[way].stop == from && !cars[way].isBeingLeft: callIn(way)
    case .open, .moving: break
    }
  }

  /// Sends a person to a free waiting place in front of a car for which no other person heads.
  func sendToWaitingPlace(_ person: Int) {
    let ride = state.walkers[person].ride
    let others = cars[ride.way].waiting[ride.from].map(\.person)
    let near = state.landings.waits[ride.way][ride.from]
    guard let place = waitingPlaces.firstFree(of: near.prefix(ElevatorCar.capacity), others: others) else {
      return waitingPlaces.send(person, way: ride.way, stop: ride.from, others: others)
    }
    waitingPlaces.assign(place, to: person)
    send(person, to: place, landing: ride.way, ride.from, radius: 0.2)
  }

  /// Removes a person who takes another way.
  func withdraw(_ person: Int, from way: Int) { cars[way].withdraw(person) }

  // MARK: Positions

  /// Checks whether a person stands in the car of a vertical way at one of its stops.
  func isInCar(_ person: Int, way: Int, stop: Int) -> Bool {
    let landing = state.landings.centers[way][stop]
    guard state.walkers[person].floor == landing.floor else { return false }
    let here = state.bodyPosition(of: person)
    let center = state.center(of: landing)
    guard !state.isHidden(center, from: here, floor: landing.floor) else { return false }
    if let shaft = state.landings.shafts[way][stop] { return state.world.plan.spaces[shaft].contains(here) }
    return PlaneSegment(here, center).length < Landings.openCarRadius
  }

  /// Sends a called person or a rider to the person's place in the car.
  func sendIntoCar(_ person: Int) {
    let ride = state.walkers[person].ride
    let stop = state.walkers[person].phase == .called ? ride.from : cars[ride.way].stop
    let landing = state.landings.centers[ride.way][stop]
    guard let place = placesInCar[person], place.floor == landing.floor else { return }
    state.recorders[person].rest(until: state.now)
    send(person, to: place, landing: ride.way, stop, radius: 0.15)
  }

  /// Sends a person to a place that is visible from a landing.
  ///
  /// The way is straight if the place is visible, and leads towards the landing until it is visible otherwise.
  private func send(_ person: Int, to place: Place, landing way: Int, _ stop: Int, radius: Double) {
    let navigation = state.world.routes.navigation
    let (here, goal) = (state.recorders[person].position, state.center(of: place))
    var corners = [here]
    if state.isHidden(goal, from: here, floor: place.floor) {
      let landing = state.landings.centers[way][stop]
      if let start = state.plane.place(at: here, floor: place.floor),
        let legs = navigation.route(
          from: start, to: landing, along: waitingPlaces.field(ofLanding: way, stop)), legs.count == 1,
        case .walk(_, let way) = legs[0]
      {
        let last = way.firstIndex { !state.isHidden(goal, from: $0, floor: place.floor) } ?? way.count - 1
        corners += way[...last]
      } else {
        corners.append(state.center(of: landing))
      }
    }
    state.send(person, state.plane.marks(along: corners + [goal], floor: place.floor, radius: radius))
  }
}
