import CordonGeometry
import CordonNavigation
import CordonVenues

/// The rules by which people make room where the pedestrian model alone would leave others blocked without end.
struct Yielding {
  private let state: WalkState
  private let rooms: RoomLimits

  /// A person who has been stuck for this many seconds longer than another person goes first.
  private static let priority = 12
  /// Time without progress from which a person may turn back a person who walks in the opposite direction, in seconds.
  private static let minimumStuck = 6
  /// Time after which a walking or climbing person who stepped aside continues, in milliseconds.
  private static let pause: Int64 = 4_000
  /// Distance that a person who steps aside keeps from the way of others, in metres.
  private static let clearance = 0.5
  /// Number of cells searched for a free place, for walking people and for others.
  private static let walkingSearch = 400
  private static let stayingSearch = 120

  init(_ state: WalkState, rooms: RoomLimits) {
    self.state = state
    self.rooms = rooms
  }

  /// Makes staying people leave a place where others want to get off.
  func clear(_ place: Place) {
    let middle = state.plane.center(of: place)
    for other in state.crowd.people(near: middle, within: 0.9) where state.walkers[other].floor == place.floor {
      switch state.walkers[other].phase {
      case .dwelling, .waitingForStairs, .waitingForCar, .waitingForRoom, .queueing, .served:
        stepAside(other, from: PlaneSegment(middle, middle))
      default: break
      }
    }
  }

  /// Makes people in front of a person step aside.
  ///
  /// Staying people always step aside. A person who walks in the opposite direction steps aside in two cases: that
  /// person has been stuck for a much shorter time, or is stuck too and has the larger number.
  func clearWay(of person: Int) {
    let crowd = state.crowd
    let here = crowd.position(of: person)
    guard let mark = crowd.nextMark(of: person) else { return }
    let ahead = PlaneSegment(here, mark)
    let length = max(ahead.length, 1e-6)
    let direction = PlanePoint(x: (mark.x - here.x) / length, y: (mark.y - here.y) / length)
    for other in crowd.people(near: here, within: 1.1) where other != person {
      let there = crowd.position(of: other)
      guard (there.x - here.x) * direction.x + (there.y - here.y) * direction.y > -0.1 else { continue }
      guard yields(other, to: person, heading: direction) else { continue }
      stepAside(other, from: ahead)
    }
  }

  /// Checks whether a person steps aside for another person who walks in a direction.
  private func yields(_ other: Int, to person: Int, heading direction: PlanePoint) -> Bool {
    let walkers = state.walkers
    switch walkers[other].phase {
    case .dwelling, .waitingForStairs, .waitingForCar, .waitingForRoom, .queueing, .served, .trapped: return true
    // People in front of a person who gets off leave the car.
    case .inCar: return walkers[person].phase == .walking
    // On stairs, leaving people make room for arriving ones.
    case .climbing: return !walkers[person].isBound(for: walkers[other].ride.way)
    case .walking:
      // Of two people who walk against each other, one goes back.
      let isFirst =
        walkers[person].stuck >= walkers[other].stuck + Self.priority
        || other > person && state.crowd.blockedSeconds(of: other) > 2
      guard isFirst, walkers[person].stuck >= Self.minimumStuck, let theirs = state.crowd.nextMark(of: other) else {
        return false
      }
      let there = state.crowd.position(of: other)
      return (theirs.x - there.x) * direction.x + (theirs.y - there.y) * direction.y < 0
    default: return false
    }
  }

  /// Sends a person to the nearest free place beside the way of others. Walking and climbing people continue after 4 s,
  /// others stay there.
  func stepAside(_ person: Int, from line: PlaneSegment) {
    let floor = state.walkers[person].floor
    let here = state.bodyPosition(of: person)
    guard let start = state.plane.place(at: here, floor: floor) else { return }
    let away = PlaneSegment(line.a, line.point(at: min(1, 3 / max(line.length, 1e-6))))
    let isWalking = state.walkers[person].phase == .walking
    guard
      let target = freePlace(
        around: start, seenFrom: here, away: away, limit: isWalking ? Self.walkingSearch : Self.stayingSearch,
        where: { isWalking || rooms.mayStepAside(person, to: $0, floor: floor) })
    else { return }
    state.figures.stepsAside += 1
    state.recorders[person].rest(until: state.now)
    state.send(person, [.point(target, radius: 0.12)])
    if isWalking || state.walkers[person].phase == .climbing {
      state.walkers[person].phase = .steppingAside
      state.events.add(.resume, person, at: state.now + Self.pause)
    }
  }

  /// Returns the nearest free point outside a way, in the plane of the crowd; `nil` if the search finds none.
  private func freePlace(
    around start: Place, seenFrom here: PlanePoint, away: PlaneSegment, limit: Int, where accepts: (PlanePoint) -> Bool
  ) -> PlanePoint? {
    let raster = state.world.routes.navigation.floors[start.floor]
    var seen: Set<Int> = [start.cell]
    var queue = [start.cell]
    var head = 0
    while head < queue.count, head < limit {
      let cell = queue[head]
      head += 1
      let point = raster.center(of: cell)
      let target = state.plane.plane(point, floor: start.floor)
      if head > 1, away.distance(to: target) > Self.clearance, !raster.barriers.isCrossed(from: here, to: point),
        state.crowd.isFree(target, radius: 0.2, margin: 0.03), accepts(point)
      {
        return target
      }
      for row in -1...1 {
        for column in -1...1 {
          let next = cell + row * raster.columns + column
          if raster.isJoined(next, to: start.cell), seen.insert(next).inserted { queue.append(next) }
        }
      }
    }
    return nil
  }
}
