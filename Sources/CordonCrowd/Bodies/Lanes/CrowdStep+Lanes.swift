import CordonGeometry

/// The lanes of people between the walls of a corridor.
extension CrowdStep {
  /// The nearest wall on one side that runs along the walking direction.
  private struct Lining {
    /// The distance, in metres; infinity without a wall.
    var distance = Double.infinity
    /// The direction of the wall, a unit vector in the walking direction.
    var x = 0.0
    var y = 0.0
  }

  /// Turns the direction to a distant goal into the direction of the lane.
  ///
  /// On the last metres the direction becomes that of the goal again.
  /// - Parameters:
  ///   - toX: the way to the goal, eastwards, in metres.
  ///   - toY: the way to the goal, northwards, in metres.
  @inline(__always)
  func followLane(
    _ lanes: LaneSettings, _ body: CrowdBody, toX: Double, toY: Double, goalX: inout Double, goalY: inout Double,
    scratch: CrowdScratch
  ) {
    let person = Int(body.person)
    // Walls change slowly, so each person looks for them only after some steps.
    if (number &+ person) & (LaneSettings.period(seconds) - 1) == 0 {
      people.lane.base[person] = lane(lanes, body, goalX: goalX, goalY: goalY, scratch: scratch)
    }
    let lane = people.lane.base[person]
    let along = toX * lane.x + toY * lane.y
    let aside = abs(toX * lane.y - toY * lane.x)
    let share = min((along - 2 * aside - 1) * 0.5, 1)
    guard share > 0 else { return }
    let x = goalX + share * (lane.x - goalX)
    let y = goalY + share * (lane.y - goalY)
    let length = (x * x + y * y).squareRoot()
    guard length > 1e-6 else { return }
    (goalX, goalY) = (x / length, y / length)
  }

  /// Returns the direction along the walls and towards the person's place between them; zero without walls.
  private func lane(
    _ lanes: LaneSettings, _ body: CrowdBody, goalX: Double, goalY: Double, scratch: CrowdScratch
  ) -> SIMD2<Double> {
    let person = Int(body.person)
    var (left, right) = linings(of: body, goalX: goalX, goalY: goalY)
    let isMet = isMet(
      lanes, body, goalX: goalX, goalY: goalY, left: min(left.distance, LaneSettings.reach),
      right: min(right.distance, LaneSettings.reach), scratch: scratch)
    let passed = Float(Double(LaneSettings.period(seconds)) * seconds)
    let kept = isMet ? Float(lanes.memory) : max(people.keeping.base[person] - passed, 0)
    people.keeping.base[person] = kept
    guard left.distance < .infinity || right.distance < .infinity else { return .zero }
    let wall = left.distance < right.distance ? left : right
    var margin = lanes.wallMargin
    if let offset = pairOffset(of: body, goalX: goalX, goalY: goalY) {
      // The middle of the pair keeps the lane.
      left.distance -= offset
      right.distance += offset
      margin += 0.3
    }
    var place = people.preference.base[person]
    if kept > 0 { place = lanes.keeping(place, share: lanes.sideShare) }
    // The way to the right that is left to the lane, in metres.
    var aside: Double
    if left.distance < .infinity, right.distance < .infinity {
      let width = left.distance + right.distance
      margin = min(margin, width / 2)
      aside = right.distance - margin - place * (width - 2 * margin)
    } else if right.distance < .infinity {
      aside = min(right.distance - margin - place * lanes.openWidth, 0)
    } else {
      aside = max(margin + (1 - place) * lanes.openWidth - left.distance, 0)
    }
    guard aside != 0 else { return .zero }
    aside = min(max(aside * lanes.gain, -lanes.maximumTurn), lanes.maximumTurn)
    let length = (1 + aside * aside).squareRoot()
    return SIMD2((wall.x + aside * wall.y) / length, (wall.y - aside * wall.x) / length)
  }

  /// Returns the nearest walls to the left and to the right of a person.
  private func linings(of body: CrowdBody, goalX: Double, goalY: Double) -> (left: Lining, right: Lining) {
    var (left, right) = (Lining(), Lining())
    let cell = walls.cell(x: body.x, y: body.y)
    let from = Int(walls.lining.starts[cell])
    let to = Int(walls.lining.starts[cell + 1])
    guard to > from else { return (left, right) }
    walls.lining.items.withUnsafeBufferPointer { items in
      walls.shapes.withUnsafeBufferPointer { shapes in
        for item in from..<to {
          let wall = shapes[Int(items[item])]
          let dx = wall[0] - body.x
          let dy = wall[1] - body.y
          // The ends of the wall, along the walking direction.
          let a = dx * goalX + dy * goalY
          let along = wall[2] * goalX + wall[3] * goalY
          if (a > 0) == (a + along > 0) { continue }
          // Walls at more than 45 degrees to the walking direction do not line a lane.
          let cosine = along * along * wall[4]
          guard cosine > 0.5 else { continue }
          let share = -a / along
          let aside = (dy + share * wall[3]) * goalX - (dx + share * wall[2]) * goalY
          let distance = abs(aside) * cosine.squareRoot()
          guard distance < LaneSettings.reach, distance < (aside > 0 ? left : right).distance else { continue }
          let scale = wall[4].squareRoot() * (along > 0 ? 1 : -1)
          let lining = Lining(distance: distance, x: wall[2] * scale, y: wall[3] * scale)
          if aside > 0 { left = lining } else { right = lining }
        }
      }
    }
    return (left, right)
  }

  /// Returns the way to the left from a person to the middle of the pair, in metres; `nil` for a single person.
  @inline(__always)
  private func pairOffset(of body: CrowdBody, goalX: Double, goalY: Double) -> Double? {
    let partner = Int(people.partner.base[Int(body.person)])
    guard partner >= 0, people.state.base[partner] == CrowdState.walking else { return nil }
    let dx = people.bodies.base[partner].x - body.x
    let dy = people.bodies.base[partner].y - body.y
    let left = dy * goalX - dx * goalY
    guard abs(left) < 1.5, abs(dx * goalX + dy * goalY) < 2 else { return nil }
    return left / 2
  }

  /// Checks whether others come towards a person between the walls.
  private func isMet(
    _ lanes: LaneSettings, _ body: CrowdBody, goalX: Double, goalY: Double, left: Double, right: Double,
    scratch: CrowdScratch
  ) -> Bool {
    for index in 0..<scratch.neighbours
    where scratch.headingX.base[index] * goalX + scratch.headingY.base[index] * goalY < -0.5 {
      if scratch.unitX.base[index] * goalX + scratch.unitY.base[index] * goalY > 0 { return true }
    }
    // Beyond the neighbours, the cells on the left and on the right half of the way ahead are searched.
    let count = min(max(Int((lanes.meetingDistance / grid.size).rounded()), 1), 4)
    for step in 1...count {
      let x = body.x + goalX * grid.size * Double(step)
      let y = body.y + goalY * grid.size * Double(step)
      let first = grid.cell(x: x - goalY * left * 0.5, y: y + goalX * left * 0.5)
      let second = grid.cell(x: x + goalY * right * 0.5, y: y - goalX * right * 0.5)
      if comes(from: first, towards: body, goalX: goalX, goalY: goalY, left: left, right: right) { return true }
      if second != first, comes(from: second, towards: body, goalX: goalX, goalY: goalY, left: left, right: right) {
        return true
      }
    }
    return false
  }

  /// Checks whether a walker in a cell comes towards a person.
  @inline(__always)
  private func comes(
    from cell: Int, towards body: CrowdBody, goalX: Double, goalY: Double, left: Double, right: Double
  ) -> Bool {
    func comes(_ other: CrowdBody) -> Bool {
      guard other.headingX * goalX + other.headingY * goalY < -0.5 else { return false }
      let dx = other.x - body.x
      let dy = other.y - body.y
      let aside = dy * goalX - dx * goalY
      return dx * goalX + dy * goalY > 0 && aside < left && aside > -right
    }
    if grid.isSparse {
      var other = Int(grid.firstMoving.base[cell])
      while other >= 0 {
        if comes(grid.bodies.base[other]) { return true }
        other = Int(grid.nextMoving.base[other])
      }
    } else {
      for other in Int(grid.starts.base[cell])..<Int(grid.starts.base[cell + 1]) where comes(grid.bodies.base[other]) {
        return true
      }
    }
    return false
  }
}
