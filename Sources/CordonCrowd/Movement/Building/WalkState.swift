import CordonContacts
import CordonCore
import CordonGeometry
import CordonNavigation
import CordonVenues

/// The people of a building walk, their bodies and tracks, and the time.
///
/// The parts of a walk share one instance: entrances, service queues, stairs, elevators, yielding.
final class WalkState {
  private(set) var itineraries: [Itinerary]
  let fields: RouteFields
  let world: World
  let plane: FloorPlane
  let crowd: PedestrianCrowd
  let landings: Landings
  /// Length of a step, in milliseconds.
  let step: Int64
  /// The end of the walk, in milliseconds since 1970.
  let end: Int64
  /// The simulated time, in milliseconds since 1970.
  var now: Int64
  var events = WalkEvents()
  var walkers: [WalkerState]
  var recorders: [TrackRecorder]
  var tracks: [Track]
  /// The companions who accompany a person, by the index of the person.
  private let followers: [Int: [Int]]
  var figures = MovementFigures()

  /// Distance from a landing at which a ride begins and ends, in metres. Several people fit within it.
  static let landingRadius = 0.6
  /// Distance from a door, landing or entrance within which a staying person blocks it, in metres.
  private static let passageRadius = 0.9

  init(
    _ itineraries: [Itinerary], fields: RouteFields, world: World, replication: Replication, model: CrowdMovement
  ) {
    self.itineraries = itineraries
    self.fields = fields
    self.world = world
    plane = FloorPlane(world)
    crowd = PedestrianCrowd(
      walls: plane.walls, oneWays: plane.oneWays, people: itineraries.count, doorways: plane.doors.count,
      thresholds: plane.doors, settings: model.settings,
      seed: replication.seed &+ UInt64(replication.number) &* 0x9e37_79b9)
    landings = Landings(world)
    step = model.step
    now = replication.start.milliseconds
    let end = replication.end.milliseconds
    self.end = end
    walkers = Array(repeating: WalkerState(), count: itineraries.count)
    recorders = itineraries.map { TrackRecorder(person: $0.person, end: end, step: model.step) }
    tracks = Array(repeating: Track(), count: itineraries.count)
    followers = Dictionary(grouping: itineraries.indices.filter { itineraries[$0].leader != nil }) {
      itineraries[$0].leader ?? $0
    }
    for (person, itinerary) in itineraries.enumerated() {
      events.add(.arrival, person, at: itinerary.arrival.milliseconds)
      crowd.join(party(ledBy: person))
    }
  }

  // MARK: People

  /// Returns the members of a party if `person` has the lowest number of them, and nothing otherwise.
  private func party(ledBy person: Int) -> [Int] {
    var party = [person]
    var next = itineraries[person].companion
    while let other = next, other != person {
      guard other > person, itineraries.indices.contains(other), party.count < itineraries.count else { return [] }
      party.append(other)
      next = itineraries[other].companion
    }
    return next == person ? party : []
  }

  /// Returns the companions of a person.
  func companions(of person: Int) -> [Int] {
    var others: [Int] = []
    var next = itineraries[person].companion
    while let other = next, other != person, itineraries.indices.contains(other), others.count < itineraries.count {
      others.append(other)
      next = itineraries[other].companion
    }
    return others
  }

  /// Returns the people who accompany a person, in ascending order.
  func followers(of person: Int) -> [Int] { followers[person] ?? [] }

  /// Checks whether a person has walked on from a stop, or has left the building.
  func hasLeft(_ person: Int, stop: Int) -> Bool {
    walkers[person].stop > stop || walkers[person].phase == .gone || walkers[person].phase == .trapped
  }

  /// Returns the position of a person's body on a floor, rounded to 0.1 mm.
  func bodyPosition(of person: Int, onFloor floor: Int) -> PlanePoint {
    plane.local(crowd.position(of: person), floor: floor)
  }

  /// Returns the position of a person's body on the person's own floor, rounded to 0.1 mm.
  func bodyPosition(of person: Int) -> PlanePoint { bodyPosition(of: person, onFloor: walkers[person].floor) }

  /// Returns the distance field of a person's current goal.
  func goalField(of person: Int) -> DistanceField? {
    let (walker, itinerary) = (walkers[person], itineraries[person])
    guard walker.goal == .stop, walker.stop < itinerary.stops.count else { return fields.exit(itinerary.exit) }
    return fields.destination(destination(of: person))
  }

  /// Returns the destination of a person's current stop: that of the server who called the person, or the planned one.
  func destination(of person: Int) -> Int {
    let walker = walkers[person]
    if let desk = walker.desk, desk.stop == walker.stop { return desk.destination }
    return itineraries[person].stops[walker.stop].destination
  }

  /// Returns the server who called or serves the person whom a companion accompanies, at the companion's own stop.
  func deskOfLeader(of person: Int) -> WalkerState.Desk? {
    guard let leader = itineraries[person].leader, let desk = walkers[leader].desk,
      desk.stop == walkers[person].stop
    else { return nil }
    return desk
  }

  // MARK: Evacuation

  /// Makes a person leave by another exit.
  func redirect(_ person: Int, to exit: Int) { itineraries[person].exit = exit }

  /// Changes the free speed of a person, in metres per second.
  func setFreeSpeed(_ speed: Double, of person: Int) {
    itineraries[person].freeSpeed = speed
    crowd.setFreeSpeed(speed, of: person)
  }

  /// Returns the vertical ways that a person cannot use, see ``Evacuee/stairPace``.
  func barredWays(of person: Int) -> Set<Int> {
    guard let evacuee = itineraries[person].evacuee, evacuee.stairPace <= 0 else { return [] }
    return Set(landings.kinds.indices.filter { landings.kinds[$0].hasSteps })
  }

  /// Returns the factor of a person's speed on stairs.
  func stairPace(of person: Int) -> Double {
    let pace = itineraries[person].evacuee?.stairPace ?? 1
    return pace > 0 ? pace : 1
  }

  // MARK: Places

  func center(of place: Place) -> PlanePoint { world.routes.navigation.center(of: place) }

  func isHidden(_ point: PlanePoint, from here: PlanePoint, floor: Int) -> Bool {
    world.routes.navigation.floors[floor].barriers.isCrossed(from: here, to: point)
  }

  /// Checks whether a person who stays at a point would block a doorway, a landing or an entrance.
  func blocksPassage(_ point: PlanePoint, floor: Int) -> Bool {
    for door in world.plan.doors where door.floor == floor && door.line.distance(to: point) < Self.passageRadius {
      return true
    }
    for way in landings.centers {
      for place in way where place.floor == floor {
        if PlaneSegment(center(of: place), point).length < Self.passageRadius { return true }
      }
    }
    return world.entrances.contains {
      $0.place.floor == floor && PlaneSegment($0.position, point).length < Self.passageRadius
    }
  }

  // MARK: Movement

  /// Moves all walking people by one step.
  func advance(threads: Int, checksPlan: Bool) {
    crowd.step(seconds: Double(step) / 1_000, threads: threads)
    now += step
    for walker in crowd.walkers {
      let person = Int(walker)
      let floor = walkers[person].floor
      let point = plane.local(crowd.position(of: person), floor: floor)
      recorders[person].move(to: point, at: now)
      if checksPlan, !world.plan.isWalkable(point, floor: floor) { figures.outside += 1 }
    }
  }

  /// Makes a person stay at the current position.
  func stay(_ person: Int) { crowd.stay(person) }

  /// Sends a person along waypoints.
  func send(_ person: Int, _ marks: [CrowdWaypoint]) {
    // A way that was found repeatedly may be the one that leads to and fro.
    if walkers[person].tries <= 2 { walkers[person].progress = WalkProgress() }
    crowd.send(person, along: crowd.add(way: marks))
  }

  /// Sends a person along the corners of a way on one floor.
  /// - Parameters:
  ///   - corners: the corners in the frame of the floor, with the person's position first.
  ///   - radius: the distance from the last corner at which the person has arrived, in metres.
  ///   - isCareful: whether the person passes every corner closely.
  func send(_ person: Int, along corners: [PlanePoint], floor: Int, radius: Double, isCareful: Bool = false) {
    var marks = plane.marks(along: corners, floor: floor, radius: radius, isCareful: isCareful)
    if !isCareful, let lanes = crowd.settings.lanes, let start = corners.first {
      marks = plane.rounded(
        marks, from: plane.plane(start, floor: floor), floor: floor, lanes: lanes,
        preference: crowd.preference(of: person))
    }
    send(person, marks)
  }

  /// Sends a person to a place on the same floor: straight if the place is visible, and along a distance field
  /// otherwise.
  func send(_ person: Int, to place: Place, radius: Double, along field: @autoclosure () -> DistanceField?) {
    recorders[person].rest(until: now)
    let here = recorders[person].position
    if isHidden(center(of: place), from: here, floor: place.floor),
      let start = plane.place(at: here, floor: place.floor), let field = field(),
      let legs = world.routes.navigation.route(from: start, to: place, along: field), legs.count == 1,
      case .walk(let floor, var corners) = legs[0]
    {
      corners.insert(here, at: 0)
      return send(person, along: corners, floor: floor, radius: radius)
    }
    send(person, [.point(plane.center(of: place), radius: radius)])
  }

  /// Sends a person who is near a place but does not see it closer to the place.
  func sendCloser(_ person: Int, to place: Place) {
    send(person, [.point(plane.center(of: place), radius: 0.05)])
  }

  /// Moves a person to a point of another floor.
  func enter(_ person: Int, floor: Int, at point: PlanePoint) {
    recorders[person].rest(until: now)
    recorders[person].begin(
      at: plane.local(point, floor: floor), floor: world.plan.floors[floor].ordinal.thousandths, time: now)
    crowd.place(person, at: point, freeSpeed: itineraries[person].freeSpeed)
    walkers[person].floor = floor
  }

  // MARK: Records

  /// Records a stay that ends. People who wait to leave an evacuated venue have no stop, and no stay.
  func recordStay(_ person: Int, until time: Int64) {
    guard walkers[person].since < time, walkers[person].stop < itineraries[person].stops.count else { return }
    let destination = destination(of: person)
    tracks[person].stays.append(
      Stay(
        destination: destination, space: world.destinations[destination].space,
        start: Instant(milliseconds: walkers[person].since), end: Instant(milliseconds: min(time, end))))
  }

  /// Records a wait that ends.
  func recordWait(_ person: Int, until time: Int64) {
    let walker = walkers[person]
    guard walker.since <= time else { return }
    let reason: Wait.Reason
    if walker.phase == .waitingForRoom || walker.phase == .waitingOutside {
      guard walker.stop < itineraries[person].stops.count else { return }
      reason = .room(destination(of: person))
    } else if walker.phase == .queueing {
      guard walker.stop < itineraries[person].stops.count else { return }
      reason = itineraries[person].stops[walker.stop].waitReason
    } else if walker.ride.way >= 0 {
      reason = .connection(world.routes.connectionOfVertical[walker.ride.way])
    } else {
      return
    }
    tracks[person].waits.append(
      Wait(
        reason: reason, floor: walker.floor, start: Instant(milliseconds: walker.since),
        end: Instant(milliseconds: min(time, end))))
  }

  /// Closes all tracks at the end of the walk.
  func finish() {
    now = end
    for person in itineraries.indices {
      switch walkers[person].phase {
      case .away, .gone: break
      case .dwelling, .served: recordStay(person, until: end)
      case .queueing:
        recordWait(person, until: end)
        if itineraries[person].stops[walkers[person].stop].isUntilCalled { recordStay(person, until: end) }
      case .waitingForStairs, .waitingForCar, .called, .waitingForRoom, .waitingOutside:
        recordWait(person, until: end)
      case .walking, .climbing, .alighting, .inCar, .trapped, .steppingAside, .leaving: break
      }
      if walkers[person].phase != .gone, recorders[person].hasBegun { recorders[person].rest(until: end) }
      recorders[person].close()
      tracks[person].segments = recorders[person].segments
    }
  }
}
