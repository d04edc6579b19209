import CordonCore
import CordonGeometry

/// One step of a crowd: reads the old state, writes the new place of one person at a time.
struct CrowdStep {
  let people: CrowdColumns
  let grid: CrowdGrid
  let walls: CrowdWalls
  let sight: SegmentGrid
  let settings: CrowdSettings
  let seconds: Double
  let number: Int
  let seed: UInt64
  let nextX: Column<Double>
  let nextY: Column<Double>
  let events: Column<UInt8>

  static let hasArrived: UInt8 = 1
  static let isLost: UInt8 = 2
  private static let stream: UInt32 = 0x7368_7566

  @inline(__always)
  func move(_ place: Int, marks: UnsafeBufferPointer<CrowdWaypoint>, scratch: CrowdScratch) {
    let person = Int(grid.order.base[place])
    let x = grid.x.base[place]
    let y = grid.y.base[place]
    nextX.base[person] = x
    nextY.base[person] = y
    events.base[person] = 0
    guard people.state.base[person] == CrowdState.walking else { return }
    let radius = grid.radius.base[place]
    let mark = advanceMark(of: person, x: x, y: y, marks: marks)
    gatherNeighbours(of: place, x: x, y: y, radius: radius, scratch: scratch)
    gatherWalls(x: x, y: y, scratch: scratch)
    let isMet = marks[mark].isDoor && isMetAtDoor(marks[mark], x: x, y: y, scratch: scratch)
    let aim = marks[mark].aim(x: x, y: y, body: radius, keepingRight: isMet)

    let toX = aim.x - x
    let toY = aim.y - y
    let far = (toX * toX + toY * toY).squareRoot()
    let goalX = far > 1e-9 ? toX / far : people.headingX.base[person]
    let goalY = far > 1e-9 ? toY / far : people.headingY.base[person]
    let freeSpeed = people.freeSpeed.base[person]
    let isAtDoor = aim.isBeside && far < settings.doorReach
    let isFirst = isAtDoor && isFirst(at: marks[mark], x: x, y: y, scratch: scratch)
    let wish =
      isFirst
      ? CrowdWish(x: goalX, y: goalY, speed: leadSpeed(goalX, goalY, freeSpeed, scratch: scratch))
      : wish(
        person: person, goalX: goalX, goalY: goalY, freeSpeed: freeSpeed, radius: radius,
        timeGap: isAtDoor ? settings.doorTimeGap : settings.timeGap, scratch: scratch)
    // Nobody walks past the end of their way.
    let isLast = mark == Int(people.lastMark.base[person]) && !marks[mark].isDoor
    let length = isLast ? min(wish.speed * seconds, max(far, 1e-6)) : wish.speed * seconds
    let done = scratch.limited(wish.x * length, wish.y * length)
    finish(
      person, x: x, y: y, moved: done, progress: done.x * goalX + done.y * goalY, wish: wish, freeSpeed: freeSpeed,
      scratch: scratch)
    if marks[mark].isPassed(x: x + done.x, y: y + done.y), isLast { events.base[person] |= CrowdStep.hasArrived }
  }

  /// The mark to head for: past those that were reached, and past corners behind which the next one shows.
  @inline(__always)
  private func advanceMark(of person: Int, x: Double, y: Double, marks: UnsafeBufferPointer<CrowdWaypoint>) -> Int {
    var mark = Int(people.mark.base[person])
    let last = Int(people.lastMark.base[person])
    while mark < last, marks[mark].isPassed(x: x, y: y) { mark += 1 }
    // Looking takes time, so each looks every sixteenth step.
    if (number &+ person) & 15 == 0 {
      let here = PlanePoint(x: x, y: y)
      if mark < last, !marks[mark].isDoor, isVisible(marks[mark + 1], from: here) { mark += 1 }
      if (number &+ person) & 63 == 0, !isVisible(marks[mark], from: here) { events.base[person] |= CrowdStep.isLost }
    }
    people.mark.base[person] = Int32(mark)
    return mark
  }

  private func isVisible(_ mark: CrowdWaypoint, from here: PlanePoint) -> Bool {
    guard mark.isDoor else { return !sight.isCrossed(from: here, to: mark.middle) }
    let depth = (here.x - mark.middle.x) * mark.through.x + (here.y - mark.middle.y) * mark.through.y
    if depth > -0.35 {
      // In the doorway, or beside it close to the wall: seen when it is not far to the side.
      let offset = (here.x - mark.middle.x) * mark.along.x + (here.y - mark.middle.y) * mark.along.y
      return abs(offset) < mark.halfWidth + 3 && depth < 1
    }
    let mouth = PlanePoint(x: mark.middle.x - mark.through.x * 0.3, y: mark.middle.y - mark.through.y * 0.3)
    return !sight.isCrossed(from: here, to: mouth)
  }

  @inline(__always)
  private func gatherNeighbours(of place: Int, x: Double, y: Double, radius: Double, scratch: CrowdScratch) {
    let reach = settings.reach
    let limitReach = 2 * CrowdSettings.fastest * seconds
    let column = min(max(Int((x - grid.low.x) / grid.size), 1), grid.columns - 2)
    let row = min(max(Int((y - grid.low.y) / grid.size), 1), grid.rows - 2)
    let cell = walls.cell(x: x, y: y)
    let hideFrom = Int(walls.hiding.starts[cell])
    let hideTo = Int(walls.hiding.starts[cell + 1])
    scratch.neighbours = 0
    scratch.limits = 0
    for line in (row - 1)...(row + 1) {
      let from = Int(grid.starts.base[line * grid.columns + column - 1])
      let to = Int(grid.starts.base[line * grid.columns + column + 2])
      for other in from..<to where other != place {
        let dx = grid.x.base[other] - x
        let dy = grid.y.base[other] - y
        let squared = dx * dx + dy * dy
        guard squared < reach * reach, scratch.neighbours < CrowdScratch.mostNeighbours else { continue }
        let distance = squared.squareRoot()
        let apart = radius + grid.radius.base[other]
        let gap = distance - apart
        if gap < scratch.leastGap { scratch.leastGap = gap }
        if gap < -CrowdFigures.overlapLimit { scratch.overlaps += 1 }
        if hideTo > hideFrom, isHidden(x, y, dx, dy, hideFrom, hideTo) { continue }
        // Two in one place part along the x axis, whoever is first to the west.
        let unitX = distance > 1e-9 ? dx / distance : (grid.order.base[place] < grid.order.base[other] ? 1 : -1)
        let unitY = distance > 1e-9 ? dy / distance : 0
        let index = scratch.neighbours
        scratch.unitX.base[index] = unitX
        scratch.unitY.base[index] = unitY
        scratch.distance.base[index] = distance
        scratch.apart.base[index] = apart
        scratch.headingX.base[index] = grid.headingX.base[other]
        scratch.headingY.base[index] = grid.headingY.base[other]
        scratch.velocityX.base[index] = grid.velocityX.base[other]
        scratch.velocityY.base[index] = grid.velocityY.base[other]
        scratch.neighbours = index + 1
        // Each may use up half of the gap, so two steps together cannot close it.
        if gap < limitReach { scratch.addLimit(unitX, unitY, gap / 2) }
      }
    }
  }

  /// Whether somebody comes the other way through the doorway ahead.
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

  /// Whether nobody near is nearer to a doorway's middle: they go first, and press on, so that two who
  /// block each other at a narrow door do not do so for ever.
  @inline(__always)
  private func isFirst(at door: CrowdWaypoint, x: Double, y: Double, scratch: CrowdScratch) -> Bool {
    let dx = x - door.middle.x
    let dy = y - door.middle.y
    let own = dx * dx + dy * dy
    guard own < 1 else { return false }
    for index in 0..<scratch.neighbours where scratch.distance.base[index] < 1 {
      let otherX = dx + scratch.unitX.base[index] * scratch.distance.base[index]
      let otherY = dy + scratch.unitY.base[index] * scratch.distance.base[index]
      // Those who are through are ahead, not before.
      guard otherX * door.through.x + otherY * door.through.y < 0.2 else { continue }
      if otherX * otherX + otherY * otherY < own { return false }
    }
    return true
  }

  /// Whether a wall lies between (x, y) and the point (dx, dy) from there.
  @inline(__always)
  private func isHidden(_ x: Double, _ y: Double, _ dx: Double, _ dy: Double, _ from: Int, _ to: Int) -> Bool {
    walls.hiding.items.withUnsafeBufferPointer { items in
      walls.shapes.withUnsafeBufferPointer { shapes in
        for item in from..<to {
          let wall = shapes[Int(items[item])]
          let ax = wall[0] - x
          let ay = wall[1] - y
          let a = dx * ay - dy * ax
          let b = a + dx * wall[3] - dy * wall[2]
          if (a > 0) == (b > 0) { continue }
          // The wall's ends are on both sides of the line; so must the two people be of the wall's.
          let p = wall[2] * -ay - wall[3] * -ax
          let q = p + wall[2] * dy - wall[3] * dx
          if (p > 0) != (q > 0) { return true }
        }
        return false
      }
    }
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
        for item in from..<to where scratch.wallCount < CrowdScratch.mostWalls {
          let wall = shapes[Int(items[item])]
          let t = min(max(((x - wall[0]) * wall[2] + (y - wall[1]) * wall[3]) * wall[4], 0), 1)
          let dx = wall[0] + t * wall[2] - x
          let dy = wall[1] + t * wall[3] - y
          let squared = dx * dx + dy * dy
          guard squared < 0.36 else { continue }
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

  @inline(__always)
  private func finish(
    _ person: Int, x: Double, y: Double, moved: (x: Double, y: Double), progress: Double, wish: CrowdWish,
    freeSpeed: Double,
    scratch: CrowdScratch
  ) {
    let endX = x + moved.x
    let endY = y + moved.y
    if scratch.wallCount > 0, crosses(x, y, moved.x, moved.y, scratch: scratch) { scratch.wallCrossings += 1 }
    nextX.base[person] = endX
    nextY.base[person] = endY
    people.headingX.base[person] = wish.x
    people.headingY.base[person] = wish.y
    people.velocityX.base[person] = moved.x / seconds
    people.velocityY.base[person] = moved.y / seconds
    // Shuffling from side to side is no progress.
    let isSlow = progress < 0.1 * freeSpeed * seconds
    let blocked = people.blocked.base[person]
    people.blocked.base[person] = isSlow ? min(blocked + Float(seconds), 12) : max(0, blocked - 2 * Float(seconds))
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

  /// A random angle for somebody who is stuck, -1 ... 1; new about three times a second.
  func shuffle(_ person: Int) -> (Double, Double) {
    let turn = UInt64(Double(number) * seconds * 3)
    let bits = RandomStream(seed: seed, stream: CrowdStep.stream, entity: UInt64(person)).block(at: turn)
    return (Double(bits.0 >> 11) * 0x1p-52 - 1, Double(bits.1 >> 11) * 0x1p-53)
  }
}

/// Where somebody wants to go, and how fast.
struct CrowdWish {
  var x: Double
  var y: Double
  var speed: Double
}
