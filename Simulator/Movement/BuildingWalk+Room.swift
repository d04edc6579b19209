import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenues

/// Rules by which people make room for each other where the model alone would leave them blocked without end.
extension BuildingWalk {
  /// Times without progress, in seconds, after which a person asks others to step aside, accepts another spot nearby,
  /// or gives up the stop.
  private static let askAfter = 3
  private static let settleAfter = 4
  private static let giveUpAfter = 45
  /// A person makes progress if the rest of the way shrinks by `minimumProgress` metres within this many seconds.
  private static let getOnWithin = 4
  private static let minimumProgress = 0.2
  /// A person who has been stuck for this many seconds longer than another person goes first.
  private static let muchLonger = 12
  /// Distances from a car or stairs, in metres, within which a person who stands still belongs to the crowd there: at
  /// first, and after a long time.
  private static let near = 3.0
  private static let far = 10.0

  /// Helps people who stand still on their way or walk to and fro, once a second.
  func lookAfterTheStuck() {
    for walker in crowd.walkers {
      let number = Int(walker)
      if !getsOn(number) { crowd.losePatience(number) }
      pressOn(number)
      guard crowd.blockedSeconds(of: number) > 1 else {
        walkers[number].stuck = 0
        continue
      }
      walkers[number].stuck += 1
      switch walkers[number].phase {
      case .walking: help(number)
      case .called: if walkers[number].stuck % 3 == 0 { askAside(for: number) }
      case .climbing: if walkers[number].stuck % 6 == 5 { askAside(for: number) }
      case .alighting:
        if walkers[number].stuck % 3 == 0 { askAside(for: number) }
        if walkers[number].stuck > 6 { hasClimbed(number) }
      // These people are near enough to the place where they wait or stay.
      case .waitingForStairs, .waitingForCar, .inCar, .inLine, .served, .steppingAside, .dwelling, .lockedIn, .away,
        .gone:
        if walkers[number].stuck > 3 { rest(number) }
      }
    }
  }

  /// Checks whether a person made progress in the last seconds.
  ///
  /// A person whom others or a wall turn back at every other step never stands still, but makes no progress either.
  private func getsOn(_ number: Int) -> Bool {
    let least = walkers[number].least
    guard let way = crowd.wayLeft(of: number), way >= least.way - Self.minimumProgress else {
      walkers[number].least = (crowd.wayLeft(of: number) ?? .infinity, 0)
      return true
    }
    walkers[number].least.seconds += 1
    return least.seconds + 1 < Self.getOnWithin
  }

  private func help(_ number: Int) {
    let walker = walkers[number]
    if walker.goal == .stop, walker.leg >= walker.legs.count - 1, isLastLegAWalk(walker) {
      let goal = goalPlace(of: number)
      let here = recorders[number].position
      let target = world.routes.navigation.center(of: goal)
      let distance = PlaneSegment(here, target).length
      let isNear = distance < (walker.stuck > 12 ? 6.0 : 2.5) && !isInTheWay(here, floor: walker.floor)
      let isTaken = !crowd.isFree(plane.center(of: goal), radius: 0.2)
      if walker.stuck >= Self.settleAfter, isNear, isTaken || walker.stuck > 8,
        !world.routes.navigation.floors[goal.floor].barriers.isCrossed(from: here, to: target)
      {
        figures.spotsTaken += 1
        walkers[number].leg = walker.legs.count
        return reachStop(number)
      }
      if walker.stuck >= Self.giveUpAfter {
        figures.givenUp += 1
        walkers[number].stuck = 0
        walkers[number].stop += 1
        return goOn(number)
      }
    }
    // People in the crowd in front of a car or stairs wait where they are. In a large crowd, they first have time to
    // see its size.
    if walker.stuck >= Self.askAfter, walker.leg + 1 < walker.legs.count,
      case .ride(let way, let from, let to) = walker.legs[walker.leg + 1],
      landings.kinds[way] == .elevator || !admissions[way].isOn(number),
      crowd.wayLeft(of: number) ?? .infinity < min(max(Self.near, Double(walker.stuck) / 3), Self.far)
    {
      walkers[number].leg += 1
      return ride(number, way: way, from: from, to: to)
    }
    if walker.stuck >= Self.askAfter, walker.stuck % 3 == 0 { askAside(for: number) }
    if walker.stuck % 15 == 14 { lookForTheWay(number) }
  }

  private func isLastLegAWalk(_ walker: Walker) -> Bool {
    guard let last = walker.legs.last else { return true }
    if case .walk = last { return true }
    return false
  }

  /// Checks whether a person who stays at a point would block a doorway, a landing or an entrance.
  func isInTheWay(_ point: PlanePoint, floor: Int) -> Bool {
    for door in world.plan.doors where door.floor == floor && door.line.distance(to: point) < 0.9 { return true }
    for way in landings.centers {
      for place in way where place.floor == floor {
        if PlaneSegment(world.routes.navigation.center(of: place), point).length < 0.9 { return true }
      }
    }
    return world.entrances.contains { $0.place.floor == floor && PlaneSegment($0.position, point).length < 0.9 }
  }

  /// Asks people in front of a person to step aside.
  ///
  /// Staying people always step aside. A person who walks in the opposite direction steps aside in two cases: that
  /// person has been stuck for a much shorter time, or is stuck too and has the larger number.
  private func askAside(for number: Int) {
    let here = crowd.position(of: number)
    guard let mark = crowd.nextMark(of: number) else { return }
    let ahead = PlaneSegment(here, mark)
    let length = max(ahead.length, 1e-6)
    let (ux, uy) = ((mark.x - here.x) / length, (mark.y - here.y) / length)
    for other in crowd.people(near: here, within: 1.1) where other != number {
      let there = crowd.position(of: other)
      guard (there.x - here.x) * ux + (there.y - here.y) * uy > -0.1 else { continue }
      switch walkers[other].phase {
      case .dwelling, .waitingForStairs, .waitingForCar, .inLine, .served, .lockedIn: break
      // People in front of a person who gets off leave the car.
      case .inCar where walkers[number].phase == .walking: break
      // On stairs, leaving people make room for arriving ones.
      case .climbing where !goesUp(number, by: walkers[other].ride.way): break
      case .walking:
        // Of two people who walk against each other, one goes back.
        let isFirst =
          walkers[number].stuck >= walkers[other].stuck + Self.muchLonger
          || other > number && crowd.blockedSeconds(of: other) > 2
        guard isFirst, walkers[number].stuck >= 6,
          let theirs = crowd.nextMark(of: other),
          (theirs.x - there.x) * ux + (theirs.y - there.y) * uy < 0
        else { continue }
      default: continue
      }
      stepAside(other, from: ahead)
    }
  }

  /// Sends a person to the nearest free place beside the way of others. Walking and climbing people continue after 4 s,
  /// others stay there.
  func stepAside(_ number: Int, from line: PlaneSegment) {
    let floor = walkers[number].floor
    let raster = world.routes.navigation.floors[floor]
    let here = plane.local(crowd.position(of: number), floor: floor)
    guard let start = plane.place(at: here, floor: floor) else { return }
    let away = PlaneSegment(line.a, line.point(at: min(1, 3 / max(line.length, 1e-6))))
    let limit = walkers[number].phase == .walking ? 400 : 120
    var seen: Set<Int> = [start.cell]
    var queue = [start.cell]
    var head = 0
    while head < queue.count, head < limit {
      let cell = queue[head]
      head += 1
      let point = raster.center(of: cell)
      let target = plane.plane(point, floor: floor)
      if head > 1, away.distance(to: target) > 0.5, !raster.barriers.isCrossed(from: here, to: point),
        crowd.isFree(target, radius: 0.2, margin: 0.03)
      {
        figures.stepsAside += 1
        recorders[number].rest(until: now)
        send(number, [.point(target, radius: 0.12)])
        if walkers[number].phase == .walking || walkers[number].phase == .climbing {
          walkers[number].phase = .steppingAside
          events.add(.goOn, number, at: now + 4_000)
        }
        return
      }
      for row in -1...1 {
        for column in -1...1 {
          let next = cell + row * raster.columns + column
          if raster.component.indices.contains(next), raster.component[next] == raster.component[start.cell],
            seen.insert(next).inserted
          {
            queue.append(next)
          }
        }
      }
    }
  }
}
