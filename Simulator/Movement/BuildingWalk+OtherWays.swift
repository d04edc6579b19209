import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenues

/// Alternative ways: people who see a crowd in front of stairs or a car take another way if that is faster.
///
/// On arrival, people know the number of others in front of the ways of their floor. Later they know that a car has
/// left without them. They do not know the state of other floors.
extension BuildingWalk {
  /// The number of cached navigations, one for each set of avoided ways.
  private static let keptNavigations = 64

  /// Returns navigation through the building without some of the vertical ways.
  func navigation(avoiding ways: Set<Int>) -> Navigation {
    if ways.isEmpty { return world.routes.navigation }
    if let navigation = navigations[ways] { return navigation }
    if navigations.count >= Self.keptNavigations { navigations = [:] }
    let navigation = world.routes.navigation.avoiding(ways)
    navigations[ways] = navigation
    return navigation
  }

  /// Returns the number of people who wait at a stop of a vertical way.
  func peopleWaiting(for way: Int, at stop: Int) -> Int {
    landings.kinds[way] == .elevator
      ? cars[way].waiting[stop].count : admissions[way].waiting(at: landings.rank(of: stop, on: way))
  }

  /// Returns the expected extra wait in milliseconds: until the people ahead that do not fit in together with this
  /// person have left.
  func expectedWait(_ number: Int, way: Int, from: Int, to: Int, ahead: Int) -> Int64 {
    if landings.kinds[way] == .elevator {
      return Int64(ahead / cars[way].capacity) * cars[way].round(from: from, to: to)
    }
    let stops = world.routes.navigation.verticals[way].stops
    let seconds = landings.kinds[way].seconds(
      levels: stops[to].level - stops[from].level, freeSpeed: itineraries[number].freeSpeed, &rides[number])
    let capacity = admissions[way].capacities[landings.rank(of: from, on: way)]
    // The time for one trip down and one trip up.
    return Int64(ahead / max(capacity, 1)) * Int64(2_000 * seconds)
  }

  /// Checks whether a person reaches a goal sooner without a vertical way than after a wait for it.
  ///
  /// The comparison includes the wait for the way that replaces it.
  /// - Parameter wait: the expected wait for the vertical way, in milliseconds.
  func isSooner(
    _ number: Int, from start: Place, to goal: Place, along field: DistanceField, without way: Int, avoided: Set<Int>,
    wait: Int64
  ) -> Bool {
    let others = navigation(avoiding: avoided.union([way]))
    guard wait > 0, let legs = others.route(from: start, to: goal, along: field),
      let other = others.walkingDistance(from: start, to: goal, along: field),
      let this = navigation(avoiding: avoided).walkingDistance(from: start, to: goal, along: field)
    else { return false }
    var otherWait: Int64 = 0
    if case .ride(let next, let from, let to)? = legs.first(where: \.isRide) {
      otherWait = expectedWait(number, way: next, from: from, to: to, ahead: peopleWaiting(for: next, at: from))
    }
    return other - this < Double(wait - otherWait) / 1_000 * itineraries[number].freeSpeed
  }

  /// Makes a person who waits for stairs or a car compare the ways, and take another one if that is faster.
  ///
  /// Companions who came together with the person go along.
  ///
  /// - Parameter waited: the time that the person has waited without getting on, in milliseconds. The person expects
  ///   the same time again if others are still ahead, or if that time is longer than two rounds of the car.
  /// - Returns: whether the person takes another way now.
  func turnsElsewhere(_ number: Int, waited: Int64 = 0) -> Bool {
    let (phase, ride) = (walkers[number].phase, walkers[number].ride)
    let ahead: Int
    switch phase {
    case .waitingForCar: ahead = cars[ride.way].ahead(of: number, at: ride.from)
    case .waitingForStairs: ahead = admissions[ride.way].ahead(of: number)
    default: return false
    }
    var wait = expectedWait(number, way: ride.way, from: ride.from, to: ride.to, ahead: ahead)
    if wait > 0 || waited > 2 * cars[ride.way].round(from: ride.from, to: ride.to) { wait = max(wait, waited) }
    guard wait > 0, let field = goalField(of: number),
      let start = plane.place(at: recorders[number].position, floor: walkers[number].floor),
      isSooner(
        number, from: start, to: goalPlace(of: number), along: field, without: ride.way,
        avoided: walkers[number].avoided, wait: wait)
    else { return false }
    let (stop, goal, floor) = (walkers[number].stop, walkers[number].goal, walkers[number].floor)
    takeAnotherWay(number, than: ride.way)
    for other in companions(of: number)
    where walkers[other].stop == stop && walkers[other].goal == goal && walkers[other].floor == floor {
      switch walkers[other].phase {
      case .walking where goesUp(other, by: ride.way) && !admissions[ride.way].isOn(other): break
      case .waitingForCar where walkers[other].ride.way == ride.way: break
      case .waitingForStairs where walkers[other].ride.way == ride.way: break
      default: continue
      }
      takeAnotherWay(other, than: ride.way)
    }
    return true
  }

  private func takeAnotherWay(_ number: Int, than way: Int) {
    if walkers[number].phase != .walking {
      if walkers[number].since < now { noteWait(number, until: now) }
      cars[way].giveUp(number)
      admissions[way].leave(number)
      waitingSpots[number] = nil
      walkers[number].phase = .walking
    }
    figures.turnedElsewhere += 1
    walkers[number].avoided.insert(way)
    walkers[number].stuck = 0
    walkers[number].tries = 0
    recorders[number].rest(until: now)
    lookForTheWay(number)
  }

  /// Returns the people who came together with a person.
  private func companions(of number: Int) -> [Int] {
    var others: [Int] = []
    var next = itineraries[number].companion
    while let other = next, other != number, itineraries.indices.contains(other), others.count < itineraries.count {
      others.append(other)
      next = itineraries[other].companion
    }
    return others
  }
}
