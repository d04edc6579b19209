import CordonCore

extension CrowdStep {
  /// Returns the direction and speed that the model chooses.
  @inline(__always)
  func wish(_ body: CrowdBody, course: CrowdCourse, isAtDoor: Bool, scratch: CrowdScratch) -> CrowdWish {
    let (goalX, goalY) = (course.x, course.y)
    let radius = body.radius
    var x = goalX
    var y = goalY
    switch settings.model {
    case .collisionFreeSpeed(let model):
      pushAway(model, &x, &y, radius: radius, isGentle: !isAtDoor, scratch: scratch)
    // A doorway leaves no room to step aside, so both models keep the same distances there.
    case .anticipationVelocity where isAtDoor:
      pushAway(CollisionFreeSpeed(), &x, &y, radius: radius, scratch: scratch)
    case .anticipationVelocity(let model):
      anticipate(model, body, &x, &y, goalX: goalX, goalY: goalY, scratch: scratch)
    }
    let length = (x * x + y * y).squareRoot()
    if length > 1e-9 {
      x /= length
      y /= length
    } else {
      x = body.headingX
      y = body.headingY
    }
    var width = isAtDoor ? settings.doorShoulder : 1.0
    var minimum = 0.0
    let waited = Double(body.blocked) - (isAtDoor ? settings.doorPatience : settings.patience)
    if waited > 0 {
      // Shuffling: a random turn, a narrower shoulder width and a minimum speed. Against counterflow, the range of
      // turns grows with the waiting time, so more and more people give way.
      let chance = shuffle(Int(body.person))
      let angle = isOpposed(goalX, goalY, scratch: scratch) ? min(1.2 + 0.4 * waited, 3.1) : 1.2
      let (sine, cosine) = PortableMath.sincos(chance.0 * angle)
      (x, y) = (goalX * cosine - goalY * sine, goalX * sine + goalY * cosine)
      width = min(width, 0.6)
      minimum = 0.4 * chance.1 * course.freeSpeed
    }
    let gap = headway(x, y, width: width, scratch: scratch)
    let wish = CrowdWish(x: x, y: y, speed: min(max(gap / course.timeGap, minimum), course.freeSpeed))
    guard waited <= 0, !isAtDoor, wish.speed < 0.9 * course.freeSpeed else { return wish }
    return overtaking(wish, course: course, radius: radius, scratch: scratch)
  }

  /// The directions that a blocked person tries: sine and cosine of 20, 40 and 60 degrees, right first.
  private static let glances: [(sine: Double, cosine: Double)] = [
    (-0.342, 0.9397), (0.342, 0.9397), (-0.6428, 0.766), (0.6428, 0.766), (-0.866, 0.5), (0.866, 0.5),
  ]

  /// Returns another direction if it is clearly faster than the wish, and the wish otherwise.
  ///
  /// Neither model overtakes by itself: without this step, all people would walk as fast as the slowest person in front.
  @inline(__always)
  private func overtaking(
    _ wish: CrowdWish, course: CrowdCourse, radius: Double, scratch: CrowdScratch
  ) -> CrowdWish {
    var best = wish
    var bestProgress = max(wish.speed * (wish.x * course.x + wish.y * course.y), 0) * 1.1 + 0.05
    for (sine, cosine) in CrowdStep.glances where course.freeSpeed * cosine > bestProgress {
      let x = course.x * cosine - course.y * sine
      let y = course.x * sine + course.y * cosine
      var isOpen = true
      for index in 0..<scratch.wallCount
      where scratch.wallDistance.base[index] < radius + 0.2
        && x * scratch.wallX.base[index] + y * scratch.wallY.base[index] > 0.2
      {
        isOpen = false
      }
      guard isOpen else { continue }
      let speed = min(headway(x, y, width: 1, scratch: scratch) / course.timeGap, course.freeSpeed)
      if speed * cosine > bestProgress {
        bestProgress = speed * cosine
        best = CrowdWish(x: x, y: y, speed: speed)
      }
    }
    return best
  }

  /// Returns the time gap in front of a doorway, in seconds. The length of a step is a delay of its own and is
  /// subtracted.
  @inline(__always)
  func timeGap(at door: CrowdWaypoint) -> Double {
    let share = min(max((door.halfWidth - 0.5) / 0.15, 0), 1)
    let gap = settings.doorTimeGap + share * (settings.wideDoorTimeGap - settings.doorTimeGap)
    return max(gap - seconds, 0.02)
  }

  /// Returns the direction and speed of a person who gives way: along the wish, but away from close neighbours.
  @inline(__always)
  func yieldingWish(
    _ goalX: Double, _ goalY: Double, freeSpeed: Double, timeGap: Double, radius: Double, scratch: CrowdScratch
  ) -> CrowdWish {
    var x = goalX
    var y = goalY
    pushAway(CollisionFreeSpeed(), &x, &y, radius: radius, scratch: scratch)
    let length = (x * x + y * y).squareRoot()
    guard length > 0.3 else { return CrowdWish(x: 0, y: 0, speed: 0) }
    let speed = headway(x / length, y / length, width: 0.6, scratch: scratch) / timeGap
    return CrowdWish(x: x / length, y: y / length, speed: min(max(speed, 0), 0.7 * freeSpeed))
  }

  /// Returns the speed of the person who is first at a doorway, in metres per second.
  @inline(__always)
  func leadSpeed(_ course: CrowdCourse, scratch: CrowdScratch) -> Double {
    min(max(headway(course.x, course.y, width: 0.6, scratch: scratch) / course.timeGap, 0), course.freeSpeed)
  }

  /// Checks whether a neighbour within 1.2 m heads in the opposite direction.
  @inline(__always)
  private func isOpposed(_ goalX: Double, _ goalY: Double, scratch: CrowdScratch) -> Bool {
    for index in 0..<scratch.neighbours where scratch.distance.base[index] < 1.2 {
      if scratch.headingX.base[index] * goalX + scratch.headingY.base[index] * goalY < -0.3 { return true }
    }
    return false
  }

  /// Returns the gap to the nearest person ahead, in metres; infinity if there is none.
  @inline(__always)
  private func headway(_ x: Double, _ y: Double, width: Double, scratch: CrowdScratch) -> Double {
    var gap = Double.infinity
    for index in 0..<scratch.neighbours {
      let unitX = scratch.unitX.base[index]
      let unitY = scratch.unitY.base[index]
      guard x * unitX + y * unitY >= 0 else { continue }
      let distance = scratch.distance.base[index]
      let apart = scratch.apart.base[index]
      if abs(x * unitY - y * unitX) * distance <= apart * width { gap = min(gap, distance - apart) }
    }
    return gap
  }

  /// Applies steps 3 to 5 of the collision-free speed model.
  ///
  /// The repulsion of walls falls off within centimetres, which is less than the length of a step. With `isGentle`, it
  /// exceeds the speed of approach only slightly, so that people walk along the wall instead of bouncing off.
  @inline(__always)
  private func pushAway(
    _ model: CollisionFreeSpeed, _ x: inout Double, _ y: inout Double, radius: Double, isGentle: Bool = false,
    scratch: CrowdScratch
  ) {
    let range = 1 / model.neighbourRange
    for index in 0..<scratch.neighbours {
      let exponent = (scratch.apart.base[index] - scratch.distance.base[index]) * range
      // Below this exponent the push is less than a ten-thousandth of the pull of the goal.
      guard exponent > -11.5 else { continue }
      let push = model.neighbourStrength * quickExp(min(exponent, 4))
      x -= push * scratch.unitX.base[index]
      y -= push * scratch.unitY.base[index]
    }
    let wallRange = 1 / model.wallRange
    for index in 0..<scratch.wallCount {
      let exponent = (radius - scratch.wallDistance.base[index]) * wallRange
      guard exponent > -11.5 else { continue }
      var push = model.wallStrength * quickExp(min(exponent, 4))
      if isGentle {
        let into = x * scratch.wallX.base[index] + y * scratch.wallY.base[index]
        push = min(push, max(into, 0) + 0.3)
      }
      x -= push * scratch.wallX.base[index]
      y -= push * scratch.wallY.base[index]
    }
  }

  /// Applies steps 1 to 6 and 8 of the anticipation velocity model.
  @inline(__always)
  private func anticipate(
    _ model: AnticipationVelocity, _ own: CrowdBody, _ x: inout Double, _ y: inout Double, goalX: Double, goalY: Double,
    scratch: CrowdScratch
  ) {
    let (headingX, headingY) = (own.headingX, own.headingY)
    for index in 0..<scratch.neighbours {
      let unitX = scratch.unitX.base[index]
      let unitY = scratch.unitY.base[index]
      guard goalX * unitX + goalY * unitY >= 0 || headingX * unitX + headingY * unitY >= 0 else { continue }
      let vx = scratch.velocityX.base[index]
      let vy = scratch.velocityY.base[index]
      let distance = scratch.distance.base[index]
      let closing = (own.velocityX - vx) * unitX + (own.velocityY - vy) * unitY
      let gap = max(0, distance - scratch.apart.base[index] - model.anticipation * closing)
      let exponent = -gap / model.range
      guard exponent > -11.5 else { continue }
      let speed = (vx * vx + vy * vy).squareRoot()
      let alignment = speed > 1e-6 ? (goalX * vx + goalY * vy) / speed : 0
      let strength = model.strength * (1 + 0.5 * (1 - alignment)) * quickExp(exponent)
      // The push is to the left or right of the goal's direction, away from the neighbour's future position.
      let futureX = unitX * distance + vx * model.anticipation
      let futureY = unitY * distance + vy * model.anticipation
      let side = -goalY * futureX + goalX * futureY
      let sign = abs(side) > 1e-6 ? (side > 0 ? -1.0 : 1.0) : (shuffle(Int(own.person)).0 > 0 ? 1.0 : -1.0)
      x += strength * sign * -goalY
      y += strength * sign * goalX
    }
    var length = (x * x + y * y).squareRoot()
    if length > 1e-9 {
      x /= length
      y /= length
    }
    if headingX != 0 || headingY != 0,
      (goalX * x + goalY * y) * (goalX * headingX + goalY * headingY) >= 0
    {
      let share = min(seconds / model.reaction, 1)
      x = headingX + share * (x - headingX)
      y = headingY + share * (y - headingY)
      length = (x * x + y * y).squareRoot()
      if length > 1e-9 {
        x /= length
        y /= length
      }
    }
    keepOffWalls(model, &x, &y, radius: own.radius, scratch: scratch)
  }

  /// Turns a direction away from near walls.
  @inline(__always)
  private func keepOffWalls(
    _ model: AnticipationVelocity, _ x: inout Double, _ y: inout Double, radius: Double, scratch: CrowdScratch
  ) {
    for index in 0..<scratch.wallCount where scratch.wallDistance.base[index] < radius + model.wallBuffer {
      let wallX = scratch.wallX.base[index]
      let wallY = scratch.wallY.base[index]
      let into = x * wallX + y * wallY
      if into > 0 {
        x -= into * wallX
        y -= into * wallY
      }
      x -= model.wallPush * wallX
      y -= model.wallPush * wallY
    }
  }
}
