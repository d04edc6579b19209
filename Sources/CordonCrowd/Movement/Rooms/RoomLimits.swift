import CordonGeometry
import CordonNavigation
import CordonVenues

/// The limits of spaces during a walk: people who would stay in a full space wait in front of it.
///
/// A person who only passes through a space is not admitted and does not count. Waiting people stand outside of spaces
/// with a limit where possible. A person who arrives at an entrance behind which everything is limited waits outside the
/// building.
final class RoomLimits {
  private let state: WalkState
  weak var coordinator: (any WalkCoordinator)?
  private let spaces: LimitedSpaces
  /// The admission to each of the spaces.
  private var admissions: [RoomAdmission]
  /// The spaces to which people are on their way without being admitted yet, and the point in front of them.
  private var pending: [Int: Approach] = [:]
  /// The time at which each waiting person gives up, in milliseconds since 1970.
  private var deadlines: [Int: Int64] = [:]
  /// The waiting place of each waiting person.
  private var places: [Int: Place] = [:]

  /// A way into a space with a limit.
  struct Approach {
    /// The index of the space in ``LimitedSpaces/spaces``.
    var index: Int
    /// The last point of the way outside of spaces with a limit.
    var gate: PlanePoint
    var floor: Int
  }

  /// Time after which a person no longer waits for room, in milliseconds.
  static let patience: Int64 = 15 * 60_000
  /// Distance from a gate at which people request admission, in metres: more than a person walks in a second.
  private static let gateReach = 3.0
  /// Distance of waiting places from a gate and from each other, in metres, and their number.
  private static let waitingReach = 12.0
  private static let clearance = 1.5
  private static let spacing = 0.9
  private static let maximumPlaces = 40
  /// Minimum duration of a stay in milliseconds, as for people who arrive late.
  private static let minimumStay: Int64 = 5_000

  /// Creates the limits of a walk.
  /// - Parameter limits: the maximum number of people at a destination, by its index; destinations outside all spaces
  ///   are ignored.
  init(_ state: WalkState, limits: [Int: Int]) {
    self.state = state
    spaces = LimitedSpaces(limits, in: state.world)
    admissions = spaces.limits.map { RoomAdmission(limit: $0) }
  }

  /// Whether a space has a limit.
  var isUsed: Bool { !spaces.isEmpty }

  // MARK: Places

  /// Returns the space with a limit in which a person's next stop is; `nil` for other stops and the exit.
  private func goal(of person: Int) -> Int? {
    let (walker, itinerary) = (state.walkers[person], state.itineraries[person])
    guard walker.goal == .stop, walker.stop < itinerary.stops.count else { return nil }
    return spaces.index(ofDestination: state.destination(of: person))
  }

  /// Checks whether a person may step to a point: not into a space with a limit that the person neither is admitted to
  /// nor is in.
  func mayStepAside(_ person: Int, to point: PlanePoint, floor: Int) -> Bool {
    guard isUsed, let index = spaces.index(at: point, floor: floor) else { return true }
    return admissions[index].isAdmitted(person)
      || spaces.index(at: state.bodyPosition(of: person, onFloor: floor), floor: floor) == index
  }

  /// Returns the last point of a way outside of spaces with a limit; `nil` if the last walk of the way has none.
  private func gate(of legs: [RouteLeg]) -> (point: PlanePoint, floor: Int)? {
    guard case .walk(let floor, let corners)? = legs.last else { return nil }
    for index in corners.indices.dropFirst().reversed() {
      let part = PlaneSegment(corners[index], corners[index - 1])
      let samples = max(Int(part.length / LimitedSpaces.sampling), 1)
      for sample in 0...samples {
        let point = part.point(at: Double(sample) / Double(samples))
        if spaces.index(at: point, floor: floor) == nil { return (point, floor) }
      }
    }
    return nil
  }

  // MARK: Admission

  /// Checks whether a person may set out for the next stop. A person who would begin in front of a full space waits.
  func maySetOut(_ person: Int, along legs: [RouteLeg]) -> Bool {
    pending[person] = nil
    guard let index = goal(of: person), !admissions[index].isAdmitted(person) else { return true }
    if let gate = gate(of: legs), !isNear(person, to: gate.point, floor: gate.floor) {
      pending[person] = Approach(index: index, gate: gate.point, floor: gate.floor)
      return true
    }
    return request(person, index)
  }

  /// Checks whether a person in front of an entrance may enter. A person who would be in a full space at once waits
  /// outside.
  func mayEnter(_ person: Int, at place: Place) -> Bool {
    guard isUsed else { return true }
    state.walkers[person].goal = .stop
    guard let index = goal(of: person), !admissions[index].isAdmitted(person),
      let field = state.goalField(of: person),
      let legs = state.world.routes.navigation.route(
        from: place, to: state.itineraries[person].stops[state.walkers[person].stop].spot, along: field)
    else { return true }
    if let gate = gate(of: legs),
      place.floor != gate.floor || PlaneSegment(state.center(of: place), gate.point).length > Self.clearance
    {
      return true
    }
    state.walkers[person].floor = place.floor
    guard !admissions[index].request(person) else { return true }
    wait(person, isOutside: true)
    return false
  }

  /// Checks whether a person may begin a stay at the current stop. A person who was not admitted waits instead.
  func mayStay(_ person: Int) -> Bool {
    guard isUsed, let index = goal(of: person) else { return true }
    pending[person] = nil
    return request(person, index)
  }

  private func request(_ person: Int, _ index: Int) -> Bool {
    guard !admissions[index].request(person) else { return true }
    wait(person, isOutside: false)
    return false
  }

  /// Checks whether a person is near a gate on the same floor.
  private func isNear(_ person: Int, to gate: PlanePoint, floor: Int) -> Bool {
    state.walkers[person].floor == floor
      && PlaneSegment(state.bodyPosition(of: person, onFloor: floor), gate).length <= Self.gateReach
  }

  // MARK: Waiting

  private func wait(_ person: Int, isOutside: Bool) {
    let stop = state.itineraries[person].stops[state.walkers[person].stop]
    var deadline = state.now + Self.patience
    // A stay with a planned end is not worth a longer wait.
    if !stop.hasQueue, stop.length == nil, state.itineraries[person].leader == nil {
      deadline = min(deadline, stop.leave.milliseconds - Self.minimumStay)
    }
    deadlines[person] = max(deadline, state.now)
    state.walkers[person].begin(isOutside ? .waitingOutside : .waitingForRoom)
    state.walkers[person].since = state.now
    state.figures.waitsForRoom += 1
    state.events.add(.roomCheck, person, at: max(deadline, state.now))
    if !isOutside { standAside(person) }
  }

  /// Sends a person who begins to wait to a free place nearby, outside of spaces with a limit and of passages.
  private func standAside(_ person: Int) {
    let floor = state.walkers[person].floor
    let here = state.bodyPosition(of: person)
    state.stay(person)
    guard let start = state.plane.place(at: here, floor: floor) else { return }
    let raster = state.world.routes.navigation.floors[floor]
    if spaces.index(at: here, floor: floor) == nil, !state.blocksPassage(here, floor: floor) { return }
    let cells = raster.cells(
      seenFrom: start.cell, within: Self.waitingReach, where: { self.spaces.index(at: $0, floor: floor) == nil })
    let near = cells.map { (cell: $0, distance: PlaneSegment(raster.center(of: $0), here).length) }
      .sorted { ($0.distance, $0.cell) < ($1.distance, $1.cell) }
    let taken = Set(places.values)
    for cell in raster.spread(near.map(\.cell), apart: Self.spacing, limit: Self.maximumPlaces) {
      let place = Place(floor: floor, cell: cell)
      guard !taken.contains(place), !state.blocksPassage(raster.center(of: cell), floor: floor),
        state.crowd.isFree(state.plane.center(of: place), radius: 0.2, margin: 0.05)
      else { continue }
      places[person] = place
      return state.send(person, [.point(state.plane.center(of: place), radius: 0.2)])
    }
  }

  /// Admits waiting people to rooms that others left, and stops people in front of full rooms; once a second.
  func update() {
    for person in pending.keys.sorted() {
      guard let approach = pending[person], state.walkers[person].phase == .walking else { continue }
      let walker = state.walkers[person]
      guard walker.leg + 1 >= walker.legs.count, isNear(person, to: approach.gate, floor: approach.floor) else {
        continue
      }
      pending[person] = nil
      _ = request(person, approach.index)
    }
    for index in admissions.indices {
      for person in admissions[index].admitted where hasLeft(person, index) { admissions[index].remove(person) }
      while let person = admissions[index].admitNext() { endWait(person) }
    }
  }

  /// Checks whether an admitted person has left a space: its next stop is elsewhere, and so is the person.
  private func hasLeft(_ person: Int, _ index: Int) -> Bool {
    let walker = state.walkers[person]
    guard walker.phase != .gone else { return true }
    guard goal(of: person) != index, walker.phase != .away, walker.phase != .waitingOutside else { return false }
    let here = state.bodyPosition(of: person)
    guard spaces.index(at: here, floor: walker.floor) != index else { return false }
    // A person on the threshold still counts.
    guard walker.phase == .walking else { return true }
    return !LimitedSpaces.threshold.contains { east, north in
      spaces.index(at: PlanePoint(x: here.x + east, y: here.y + north), floor: walker.floor) == index
    }
  }

  private func endWait(_ person: Int) {
    let isOutside = state.walkers[person].phase == .waitingOutside
    state.recordWait(person, until: state.now)
    deadlines[person] = nil
    places[person] = nil
    guard !isOutside else {
      state.walkers[person].begin(.away)
      return state.events.add(.arrival, person, at: state.now)
    }
    state.walkers[person].resumeWalking()
    state.recorders[person].rest(until: state.now)
    coordinator?.replan(person)
  }

  /// Makes a person whose time to wait is over go on with the plan, without the stop.
  func giveUp(_ person: Int) {
    guard let deadline = deadlines[person], deadline <= state.now, let index = goal(of: person) else { return }
    let isOutside = state.walkers[person].phase == .waitingOutside
    guard isOutside || state.walkers[person].phase == .waitingForRoom else { return }
    admissions[index].remove(person)
    state.recordWait(person, until: state.now)
    state.figures.roomsGivenUp += 1
    deadlines[person] = nil
    places[person] = nil
    state.walkers[person].stop += 1
    guard isOutside else {
      state.walkers[person].resumeWalking()
      state.recorders[person].rest(until: state.now)
      coordinator?.proceed(person)
      return
    }
    // A person with nothing left to do does not enter.
    guard state.walkers[person].stop < state.itineraries[person].stops.count else {
      state.walkers[person].phase = .gone
      return
    }
    state.walkers[person].begin(.away)
    state.events.add(.arrival, person, at: state.now)
  }
}
