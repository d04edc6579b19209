import CordonCore
import CordonGeometry
import CordonNavigation

/// One step of a crowd. It reads the old state and writes the new state of one person at a time.
struct CrowdStep {
  let people: CrowdColumns
  let grid: CrowdGrid
  let walls: CrowdWalls
  let sight: SegmentGrid
  let settings: CrowdSettings
  let seconds: Double
  let number: Int
  let seed: UInt64
  let arbiter: DoorArbiter
  /// Results of the step, by index in the sorted bodies; those of one thread are adjacent.
  let moves: Column<CrowdBody>
  let events: Column<UInt8>

  static let hasArrived: UInt8 = 1
  static let isLost: UInt8 = 2
  static let isAtDoor: UInt8 = 4
  static let isInDoor: UInt8 = 8
  private static let stream: UInt32 = 0x7368_7566

  @inline(__always)
  func move(_ place: Int, marks: UnsafeBufferPointer<CrowdWaypoint>, scratch: CrowdScratch) {
    let body = grid.bodies.base[place]
    let person = Int(body.person)
    let (x, y, radius) = (body.x, body.y, body.radius)
    events.base[place] = 0
    let mark = advanceMark(of: person, at: place, x: x, y: y, marks: marks)
    gatherNeighbours(of: place, scratch: scratch)
    gatherWalls(x: x, y: y, scratch: scratch)
    let freeSpeed = people.freeSpeed.base[person] * marks[mark].pace
    if marks[mark].isDoor, marks[mark].turn != 0, noteDoor(marks[mark], place: place, x: x, y: y) {
      stepAside(marks[mark], place: place, x: x, y: y, freeSpeed: freeSpeed, radius: radius, scratch: scratch)
      return
    }
    let isMet = marks[mark].isDoor && !marks[mark].isOpen && isMetAtDoor(marks[mark], x: x, y: y, scratch: scratch)
    let aim = marks[mark].aim(x: x, y: y, body: radius, keepingRight: isMet)

    let toX = aim.x - x
    let toY = aim.y - y
    let far = (toX * toX + toY * toY).squareRoot()
    var goalX = far > 1e-9 ? toX / far : body.headingX
    var goalY = far > 1e-9 ? toY / far : body.headingY
    let isAtDoor = aim.isBeside && far < settings.doorReach
    let isFirst = isAtDoor && isFirst(at: marks[mark], x: x, y: y, scratch: scratch)
    if let lanes = settings.lanes, !isAtDoor, far > 1, marks[mark].pace == 1 {
      followLane(lanes, body, toX: toX, toY: toY, goalX: &goalX, goalY: &goalY, scratch: scratch)
    }
    var pace = 1.0
    if people.next.base[person] >= 0, !isAtDoor {
      if people.partner.base[person] >= 0 {
        pace = keepBeside(person, x: x, y: y, far: far, goalX: &goalX, goalY: &goalY)
      }
      if people.next.base[person] != people.partner.base[person] {
        pace = min(pace, keepTogether(person, x: x, y: y, far: far, goalX: &goalX, goalY: &goalY))
      }
    }
    if !isAtDoor, far > 0.5, scratch.wallCount > 0 { slide(&goalX, &goalY, radius: radius, scratch: scratch) }
    let timeGap = isAtDoor ? timeGap(at: marks[mark]) : settings.timeGap
    let course = CrowdCourse(x: goalX, y: goalY, freeSpeed: isFirst ? freeSpeed : freeSpeed * pace, timeGap: timeGap)
    let wish =
      isFirst
      ? CrowdWish(x: goalX, y: goalY, speed: leadSpeed(course, scratch: scratch))
      : wish(body, course: course, isAtDoor: isAtDoor, scratch: scratch)
    // The last step ends at the end of the way, not beyond it.
    let isLast = mark == Int(people.lastMark.base[person]) && !marks[mark].isDoor
    let length = isLast ? min(wish.speed * seconds, max(far, 1e-6)) : wish.speed * seconds
    let done = scratch.limited(wish.x * length, wish.y * length)
    let progress = done.x * goalX + done.y * goalY
    finish(place, moved: done, isSlow: isSlow(progress, freeSpeed), wish: wish, scratch: scratch)
    if marks[mark].isPassed(x: x + done.x, y: y + done.y), isLast { events.base[place] |= CrowdStep.hasArrived }
  }

  /// Turns a goal behind a close wall into a direction along the wall.
  ///
  /// With long steps, the models alone can bounce off the wall without end.
  @inline(__always)
  private func slide(_ goalX: inout Double, _ goalY: inout Double, radius: Double, scratch: CrowdScratch) {
    var (x, y) = (goalX, goalY)
    for index in 0..<scratch.wallCount where scratch.wallDistance.base[index] < radius + 0.1 {
      let into = x * scratch.wallX.base[index] + y * scratch.wallY.base[index]
      guard into > 0 else { continue }
      x -= into * scratch.wallX.base[index]
      y -= into * scratch.wallY.base[index]
    }
    let length = (x * x + y * y).squareRoot()
    guard length > 0.05 else { return }
    (goalX, goalY) = (x / length, y / length)
  }

  /// Records a person near a doorway, and returns whether the person has to step aside.
  @inline(__always)
  private func noteDoor(_ door: CrowdWaypoint, place: Int, x: Double, y: Double) -> Bool {
    let dx = x - door.middle.x
    let dy = y - door.middle.y
    guard dx * dx + dy * dy < DoorArbiter.reach * DoorArbiter.reach else { return false }
    events.base[place] |= CrowdStep.isAtDoor
    let depth = dx * door.through.x + dy * door.through.y
    let offset = dx * door.along.x + dy * door.along.y
    if depth > -0.3, abs(offset) < door.halfWidth { events.base[place] |= CrowdStep.isInDoor }
    return arbiter.isAgainst(door.turn)
  }

  /// Moves a waiting person away from the axis of a doorway and back, to clear a lane for people on their way out.
  @inline(__always)
  private func stepAside(
    _ door: CrowdWaypoint, place: Int, x: Double, y: Double, freeSpeed: Double, radius: Double,
    scratch: CrowdScratch
  ) {
    let dx = x - door.middle.x
    let dy = y - door.middle.y
    let depth = dx * door.through.x + dy * door.through.y
    let offset = dx * door.along.x + dy * door.along.y
    // People in the middle step to their right.
    let right = door.along.x * door.through.y - door.along.y * door.through.x > 0 ? 1.0 : -1.0
    let side = abs(offset) > 0.15 ? (offset > 0 ? 1.0 : -1.0) : right
    var goalX = 0.0
    var goalY = 0.0
    if depth > -0.5, abs(offset) < door.halfWidth + 0.1 {
      // A person in the doorway leaves it first.
      (goalX, goalY) = (-door.through.x, -door.through.y)
    } else if abs(offset) < max(door.halfWidth, 0.5) + 0.3 {
      goalX = side * door.along.x - 0.4 * door.through.x
      goalY = side * door.along.y - 0.4 * door.through.y
      let length = (goalX * goalX + goalY * goalY).squareRoot()
      (goalX, goalY) = (goalX / length, goalY / length)
    }
    let wish = yieldingWish(
      goalX, goalY, freeSpeed: freeSpeed, timeGap: timeGap(at: door), radius: radius, scratch: scratch)
    let length = wish.speed * seconds
    let done = scratch.limited(wish.x * length, wish.y * length)
    // A person who waits for a turn keeps facing the doorway and does not count as stuck.
    let facing = CrowdWish(x: door.through.x, y: door.through.y, speed: 0)
    finish(place, moved: done, isSlow: false, wish: facing, scratch: scratch)
  }

  /// Turns a person's goal towards the side of the partner, and returns a factor for the speed.
  @inline(__always)
  private func keepBeside(
    _ person: Int, x: Double, y: Double, far: Double, goalX: inout Double, goalY: inout Double
  ) -> Double {
    let partner = Int(people.partner.base[person])
    guard people.state.base[partner] == CrowdState.walking else { return 1 }
    let dx = people.bodies.base[partner].x - x
    let dy = people.bodies.base[partner].y - y
    let squared = dx * dx + dy * dy
    guard squared < 36, far > 1 else { return 1 }
    let ahead = dx * goalX + dy * goalY
    let left = -dx * goalY + dy * goalX
    // The partners walk side by side with 0.6 m between their centres, and the left one stays on the left.
    let isLeft = abs(left) > 0.05 ? left < 0 : person < partner
    let wanted = isLeft ? -0.6 : 0.6
    let turn = min(max((left - wanted) * 0.5, -0.4), 0.4)
    let (x0, y0) = (goalX, goalY)
    goalX = x0 - y0 * turn
    goalY = y0 + x0 * turn
    let length = (goalX * goalX + goalY * goalY).squareRoot()
    (goalX, goalY) = (goalX / length, goalY / length)
    return ahead < -0.15 ? max(0.35, 1 + 0.8 * (ahead + 0.15)) : 1
  }

  /// Distance in metres by which the first member of a party may lead the last one, and the distance in metres beyond
  /// which members no longer wait.
  private static let partyLength = 1.2
  private static let partyReach = 12.0

  /// Keeps a party of more than two people together.
  ///
  /// Returns the speed factor of a leader, and turns a single person in the last row towards the row ahead.
  @inline(__always)
  private func keepTogether(
    _ person: Int, x: Double, y: Double, far: Double, goalX: inout Double, goalY: inout Double
  ) -> Double {
    guard far > 1 else { return 1 }
    var rear = 0.0
    var front = (left: 0.0, count: 0.0)
    var other = Int(people.next.base[person])
    while other != person {
      defer { other = Int(people.next.base[other]) }
      guard people.state.base[other] == CrowdState.walking else { continue }
      let dx = people.bodies.base[other].x - x
      let dy = people.bodies.base[other].y - y
      guard dx * dx + dy * dy < CrowdStep.partyReach * CrowdStep.partyReach else { continue }
      let ahead = dx * goalX + dy * goalY
      rear = min(rear, ahead)
      if ahead > 0.4 { front = (front.left - dx * goalY + dy * goalX, front.count + 1) }
    }
    if people.partner.base[person] < 0, front.count > 0 {
      let turn = min(max(front.left / front.count * 0.3, -0.3), 0.3)
      (goalX, goalY) = (goalX - goalY * turn, goalY + goalX * turn)
      let length = (goalX * goalX + goalY * goalY).squareRoot()
      (goalX, goalY) = (goalX / length, goalY / length)
    }
    return rear < -CrowdStep.partyLength ? max(0.35, 1 + 0.8 * (rear + CrowdStep.partyLength)) : 1
  }

  /// Returns the index of the waypoint to head for.
  ///
  /// Skips waypoints that were passed, and corners behind which the next waypoint is visible.
  @inline(__always)
  private func advanceMark(
    of person: Int, at place: Int, x: Double, y: Double, marks: UnsafeBufferPointer<CrowdWaypoint>
  ) -> Int {
    let old = Int(people.mark.base[person])
    var mark = old
    let last = Int(people.lastMark.base[person])
    while mark < last, marks[mark].isPassed(x: x, y: y) {
      // Beside a corner that was passed but not reached, the next waypoint may still be hidden.
      if !marks[mark].isDoor, !marks[mark].isReached(x: x, y: y),
        !isVisible(marks[mark + 1], from: PlanePoint(x: x, y: y))
      {
        break
      }
      mark += 1
    }
    // Visibility tests are costly, so each person makes one only every sixteenth step.
    if (number &+ person) & 15 == 0 {
      let here = PlanePoint(x: x, y: y)
      if mark < last, !marks[mark].isDoor, isVisible(marks[mark + 1], from: here),
        isClear(marks[mark], before: marks[mark + 1], from: here)
      {
        mark += 1
      }
      if (number &+ person) & 63 == 0, !isVisible(marks[mark], from: here) { events.base[place] |= CrowdStep.isLost }
    }
    // All threads read this column, so it is written only if the value changes.
    if mark != old { people.mark.base[person] = Int32(mark) }
    return mark
  }

  /// Checks whether a person who leaves a corner out keeps the corner's distance from the inner wall.
  private func isClear(_ corner: CrowdWaypoint, before next: CrowdWaypoint, from here: PlanePoint) -> Bool {
    guard corner.inner != 0, PlanePoint.distance(corner.middle, here) > CrowdStep.cornerRadius else { return true }
    let (x, y) = (next.near.x - here.x, next.near.y - here.y)
    let length = max((x * x + y * y).squareRoot(), 1e-9)
    // The point beside the person, on the inner side.
    let aside = PlanePoint(x: here.x - y / length * corner.inner, y: here.y + x / length * corner.inner)
    return isVisible(next, from: aside)
  }

  /// Distance from a corner within which a person may leave it out as soon as the next waypoint is visible, in metres.
  private static let cornerRadius = 0.8

  private func isVisible(_ mark: CrowdWaypoint, from here: PlanePoint) -> Bool {
    guard mark.isDoor else { return !sight.isCrossed(from: here, to: mark.middle) }
    let depth = (here.x - mark.middle.x) * mark.through.x + (here.y - mark.middle.y) * mark.through.y
    if depth > -0.35 {
      // In the doorway, or beside it close to the wall, the doorway is visible unless it is far to the side.
      let offset = (here.x - mark.middle.x) * mark.along.x + (here.y - mark.middle.y) * mark.along.y
      return abs(offset) < mark.halfWidth + 3 && depth < 1
    }
    let mouth = PlanePoint(x: mark.middle.x - mark.through.x * 0.3, y: mark.middle.y - mark.through.y * 0.3)
    return !sight.isCrossed(from: here, to: mouth)
  }

  /// Checks whether a person passes the doorway ahead from the other side.
  @inline(__always)
  private func isMetAtDoor(_ door: CrowdWaypoint, x: Double, y: Double, scratch: CrowdScratch) -> Bool {
    let dx = x - door.middle.x
    let dy = y - door.middle.y
    guard dx * dx + dy * dy < 9 else { return false }
    for index in 0..<scratch.neighbours {
      let against = scratch.headingX.base[index] * door.through.x + scratch.headingY.base[index] * door.through.y
      guard against < -0.3 else { continue }
      let otherX = dx + scratch.unitX.base[index] * scratch.distance.base[index]
      let otherY = dy + scratch.unitY.base[index] * scratch.distance.base[index]
      let depth = otherX * door.through.x + otherY * door.through.y
      let offset = otherX * door.along.x + otherY * door.along.y
      if depth > -0.8, depth < 1.5, abs(offset) < door.halfWidth + 0.8 { return true }
    }
    return false
  }

  /// Checks whether no neighbour is nearer to the middle of a doorway.
  ///
  /// The nearest person presses on, so that two people do not block each other at a narrow door without end.
  @inline(__always)
  private func isFirst(at door: CrowdWaypoint, x: Double, y: Double, scratch: CrowdScratch) -> Bool {
    let dx = x - door.middle.x
    let dy = y - door.middle.y
    let own = dx * dx + dy * dy
    guard own < 1 else { return false }
    for index in 0..<scratch.neighbours where scratch.distance.base[index] < 1 {
      let otherX = dx + scratch.unitX.base[index] * scratch.distance.base[index]
      let otherY = dy + scratch.unitY.base[index] * scratch.distance.base[index]
      // People who have passed the doorway do not count.
      guard otherX * door.through.x + otherY * door.through.y < 0.2 else { continue }
      if otherX * otherX + otherY * otherY < own { return false }
    }
    return true
  }

  @inline(__always)
  private func gatherWalls(x: Double, y: Double, scratch: CrowdScratch) {
    let cell = walls.cell(x: x, y: y)
    let from = Int(walls.touching.starts[cell])
    let to = Int(walls.touching.starts[cell + 1])
    scratch.wallCount = 0
    guard to > from else { return }
    walls.touching.items.withUnsafeBufferPointer { items in
      walls.shapes.withUnsafeBufferPointer { shapes in
        for item in from..<to where scratch.wallCount < CrowdScratch.maximumWalls {
          let wall = shapes[Int(items[item])]
          let t = min(max(((x - wall[0]) * wall[2] + (y - wall[1]) * wall[3]) * wall[4], 0), 1)
          let dx = wall[0] + t * wall[2] - x
          let dy = wall[1] + t * wall[3] - y
          let squared = dx * dx + dy * dy
          guard squared < 0.36 else { continue }
          if wall[5] != 0, wall[2] * (y - wall[1]) - wall[3] * (x - wall[0]) <= 0 { continue }
          let distance = squared.squareRoot()
          let unitX = distance > 1e-9 ? dx / distance : 0
          let unitY = distance > 1e-9 ? dy / distance : 0
          let index = scratch.wallCount
          scratch.wallX.base[index] = unitX
          scratch.wallY.base[index] = unitY
          scratch.wallDistance.base[index] = distance
          scratch.wall.base[index] = items[item]
          scratch.wallCount = index + 1
          scratch.addLimit(unitX, unitY, max(distance - settings.wallDistance, 0))
        }
      }
    }
  }

  /// Checks whether the progress of a step towards the goal, in metres, is so small that the person counts as blocked.
  ///
  /// Sideways shuffling is not progress.
  @inline(__always)
  private func isSlow(_ progress: Double, _ freeSpeed: Double) -> Bool { progress < 0.1 * freeSpeed * seconds }

  /// Stores the result of a step.
  @inline(__always)
  private func finish(
    _ place: Int, moved: (x: Double, y: Double), isSlow: Bool, wish: CrowdWish, scratch: CrowdScratch
  ) {
    let old = grid.bodies.base[place]
    if scratch.wallCount > 0, crosses(old.x, old.y, moved.x, moved.y, scratch: scratch) { scratch.wallCrossings += 1 }
    moves.base[place] = CrowdBody(
      x: old.x + moved.x, y: old.y + moved.y, headingX: wish.x, headingY: wish.y, velocityX: moved.x / seconds,
      velocityY: moved.y / seconds, radius: old.radius,
      blocked: isSlow ? min(old.blocked + Float(seconds), 12) : max(0, old.blocked - 2 * Float(seconds)),
      person: old.person)
  }

  @inline(__always)
  private func crosses(_ x: Double, _ y: Double, _ dx: Double, _ dy: Double, scratch: CrowdScratch) -> Bool {
    let step = PlaneSegment(PlanePoint(x: x, y: y), PlanePoint(x: x + dx, y: y + dy))
    for index in 0..<scratch.wallCount {
      let wall = walls.shapes[Int(scratch.wall.base[index])]
      let a = PlanePoint(x: wall[0], y: wall[1])
      if step.meets(PlaneSegment(a, PlanePoint(x: wall[0] + wall[2], y: wall[1] + wall[3]))) { return true }
    }
    return false
  }

  /// Returns two pseudo-random numbers for a stuck person, in -1 ..< 1 and in 0 ..< 1.
  ///
  /// They change about three times a second and depend only on the seed, the person and the time.
  func shuffle(_ person: Int) -> (Double, Double) {
    let turn = UInt64(Double(number) * seconds * 3)
    let bits = RandomStream(seed: seed, stream: CrowdStep.stream, entity: UInt64(person)).block(at: turn)
    return (Double(bits.0 >> 11) * 0x1p-52 - 1, Double(bits.1 >> 11) * 0x1p-53)
  }
}

/// The course of a person: the direction to the goal (a unit vector), the free speed (metres per second) and the time gap
/// to people in front (seconds).
struct CrowdCourse {
  var x: Double
  var y: Double
  var freeSpeed: Double
  var timeGap: Double
}

/// The desired direction (a unit vector, or zero) and speed (metres per second) of a person.
struct CrowdWish {
  var x: Double
  var y: Double
  var speed: Double
}
