import CordonGeometry
import CordonNavigation
import CordonVenues

/// Help for people who stand still on their way or walk to and fro.
final class StuckWatch {
  private let state: WalkState
  private let queues: ServiceQueues
  private let stairs: Stairs
  private let yielding: Yielding
  weak var coordinator: (any WalkCoordinator)?

  /// Times without progress, in seconds, after which a person asks others to step aside, accepts another spot nearby,
  /// or abandons the stop.
  private static let yieldTime = 3
  private static let replaceTime = 4
  private static let abandonTime = 45
  /// Time without progress that is a long one, in seconds, and the distances to a goal that count as near before and
  /// after that time, in metres.
  private static let longTime = 12
  private static let nearGoal = 2.5
  private static let farGoal = 6.0
  /// Distance within which a person in the queue of an exit stands behind another one, in metres.
  private static let queueGap = 0.8
  /// Distances from a car or stairs, in metres, within which a person who stands still belongs to the crowd there: at
  /// first, and after a long time.
  private static let nearCrowd = 3.0
  private static let farCrowd = 10.0

  init(_ state: WalkState, queues: ServiceQueues, stairs: Stairs, yielding: Yielding) {
    self.state = state
    self.queues = queues
    self.stairs = stairs
    self.yielding = yielding
  }

  /// Checks all walking people, once a second.
  func update() {
    let crowd = state.crowd
    for number in crowd.walkers {
      let person = Int(number)
      if !state.walkers[person].progress.update(rest: crowd.wayLeft(of: person)) { crowd.losePatience(person) }
      stairs.pressOn(person)
      guard crowd.blockedSeconds(of: person) > 1 else {
        state.walkers[person].stuck = 0
        continue
      }
      state.walkers[person].stuck += 1
      let stuck = state.walkers[person].stuck
      switch state.walkers[person].phase {
      case .walking: help(person)
      case .called: if stuck % 3 == 0 { yielding.clearWay(of: person) }
      case .climbing: if stuck % 6 == 5 { yielding.clearWay(of: person) }
      case .alighting:
        if stuck % 3 == 0 { yielding.clearWay(of: person) }
        if stuck > 6 { stairs.finishFlight(person) }
      // These people are near enough to the place where they wait or stay.
      case .waitingForStairs, .waitingForCar, .inCar, .queueing, .served, .steppingAside, .dwelling, .trapped, .away,
        .waitingForRoom, .waitingOutside, .leaving, .gone:
        if stuck > 3 { state.stay(person) }
      }
    }
  }

  private func help(_ person: Int) {
    let walker = state.walkers[person]
    if walker.goal == .stop, walker.leg >= walker.legs.count - 1, walker.endsWithWalk {
      if acceptsPosition(person) {
        state.figures.replacedSpots += 1
        state.walkers[person].leg = walker.legs.count
        coordinator?.reachStop(person)
        return
      }
      if walker.stuck >= Self.abandonTime {
        state.figures.abandonedStops += 1
        state.walkers[person].stuck = 0
        state.walkers[person].stop += 1
        coordinator?.proceed(person)
        return
      }
    }
    // People in the crowd in front of a car or stairs wait where they are. In a large crowd, they first have time to
    // see its size.
    if walker.stuck >= Self.yieldTime, walker.leg + 1 < walker.legs.count,
      case .ride(let way, let from, let to) = walker.legs[walker.leg + 1],
      state.landings.kinds[way] == .elevator || !stairs.isAdmitted(person, to: way),
      state.crowd.wayLeft(of: person) ?? .infinity
        < min(max(Self.nearCrowd, Double(walker.stuck) / 3), Self.farCrowd)
    {
      state.walkers[person].leg += 1
      coordinator?.beginRide(person, way: way, from: from, to: to)
      return
    }
    if walker.stuck >= Self.yieldTime, walker.stuck % 3 == 0 { yielding.clearWay(of: person) }
    if walker.stuck % 15 == 14, !isInQueueOfExit(person) { coordinator?.replan(person) }
  }

  /// Checks whether an evacuated person stands in the queue of an exit, behind others: with the next waypoint in sight, another
  /// search would find the same way.
  private func isInQueueOfExit(_ person: Int) -> Bool {
    let crowd = state.crowd
    let exit = state.itineraries[person].exit
    guard state.walkers[person].goal == .exit, state.itineraries[person].evacuee != nil,
      let mark = crowd.nextMark(of: person), let rest = crowd.wayLeft(of: person)
    else { return false }
    let here = crowd.position(of: person)
    guard !crowd.sight.isCrossed(from: here, to: mark) else { return false }
    return crowd.people(near: here, within: Self.queueGap).contains { other in
      guard other != person, state.walkers[other].goal == .exit, state.itineraries[other].exit == exit else {
        return false
      }
      return state.walkers[other].phase == .leaving || crowd.wayLeft(of: other) ?? .infinity < rest
    }
  }

  /// Checks whether a person near a taken or unreachable spot stays where the person stands.
  private func acceptsPosition(_ person: Int) -> Bool {
    let walker = state.walkers[person]
    let goal = queues.goalPlace(of: person)
    let here = state.recorders[person].position
    let target = state.center(of: goal)
    guard walker.stuck >= Self.replaceTime,
      PlaneSegment(here, target).length < (walker.stuck > Self.longTime ? Self.farGoal : Self.nearGoal),
      !state.blocksPassage(here, floor: walker.floor),
      walker.stuck > 8 || !state.crowd.isFree(state.plane.center(of: goal), radius: 0.2)
    else { return false }
    return !state.isHidden(target, from: here, floor: goal.floor)
  }
}
