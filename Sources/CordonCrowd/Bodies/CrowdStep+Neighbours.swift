import CordonGeometry

/// The neighbours of a person: the people within reach, and the room that they leave.
extension CrowdStep {
  /// A person whose neighbours are gathered.
  private struct Search {
    let x: Double
    let y: Double
    let headingX: Double
    let headingY: Double
    let radius: Double
    let person: Int32
    /// Square of the distance within which people influence each other, in square metres.
    let reachSquared: Double
    /// Gap below which two people limit each other's step, in metres.
    let limitReach: Double
    /// The range of the walls that may hide others, in `walls.hiding`.
    let hidingFrom: Int
    let hidingTo: Int
    /// The cell of `walls` that contains the person, and the cells in which walls may hide others.
    let column: Int
    let row: Int
    let hidingCells: HidingCells
  }

  /// Fills the scratch memory with the visible neighbours of a person, and with the limits that people near the person
  /// set to the step.
  @inline(__always)
  func gatherNeighbours(of place: Int, scratch: CrowdScratch) {
    scratch.neighbours = 0
    scratch.limits = 0
    let own = grid.bodies.base[place]
    let (column, row) = (walls.column(own.x), walls.row(own.y))
    let cell = row * walls.columns + column
    let search = Search(
      x: own.x, y: own.y, headingX: own.headingX, headingY: own.headingY, radius: own.radius, person: own.person,
      reachSquared: settings.reach * settings.reach, limitReach: 2 * CrowdSettings.maximumFreeSpeed * seconds,
      hidingFrom: Int(walls.hiding.starts[cell]), hidingTo: Int(walls.hiding.starts[cell + 1]),
      column: column, row: row, hidingCells: walls.hidingCells[cell])
    let left = min(max(Int((own.x - grid.low.x) / grid.size), 1), grid.columns - 2) - 1
    let bottom = min(max(Int((own.y - grid.low.y) / grid.size), 1), grid.rows - 2) - 1
    for line in bottom...(bottom + 2) {
      gatherWalkers(search, except: place, from: line * grid.columns + left, scratch: scratch)
    }
    guard grid.stayingCount > 0 else { return }
    for line in bottom...(bottom + 2) {
      gatherStaying(search, from: line * grid.columns + left, scratch: scratch)
    }
  }

  /// Adds the walking people in three cells of the grid, one beside the other.
  @inline(__always)
  private func gatherWalkers(_ search: Search, except place: Int, from first: Int, scratch: CrowdScratch) {
    if grid.isSparse {
      for cell in first..<(first + 3) {
        var other = Int(grid.firstMoving.base[cell])
        while other >= 0 {
          if other != place { add(grid.bodies.base[other], to: search, weight: 1, scratch: scratch) }
          other = Int(grid.nextMoving.base[other])
        }
      }
    } else {
      let from = Int(grid.starts.base[first])
      let to = Int(grid.starts.base[first + 3])
      for other in from..<to where other != place {
        add(grid.bodies.base[other], to: search, weight: 1, scratch: scratch)
      }
    }
  }

  /// Adds the staying people in three cells of the grid, one beside the other.
  @inline(__always)
  private func gatherStaying(_ search: Search, from first: Int, scratch: CrowdScratch) {
    for cell in first..<(first + 3) {
      var other = Int(grid.firstStaying.base[cell])
      while other >= 0 {
        // A pair of walkers is counted from both sides; a walker and a staying person are counted once, with weight 2.
        add(people.bodies.base[other], to: search, weight: 2, scratch: scratch)
        other = Int(grid.nextStaying.base[other])
      }
    }
  }

  /// Adds a person to the neighbours, and to the limits of the step.
  @inline(__always)
  private func add(_ other: CrowdBody, to search: Search, weight: Int, scratch: CrowdScratch) {
    let dx = other.x - search.x
    let dy = other.y - search.y
    let squared = dx * dx + dy * dy
    guard squared < search.reachSquared, scratch.neighbours < CrowdScratch.maximumNeighbours,
      scratch.limits < CrowdScratch.maximumNeighbours
    else { return }
    let distance = squared.squareRoot()
    let apart = search.radius + other.radius
    let gap = distance - apart
    if gap < scratch.minimumGap { scratch.minimumGap = gap }
    if gap < -CrowdFigures.overlapLimit { scratch.overlaps += weight }
    // Two people at one point separate along the x axis; the lower number goes west.
    let unitX = distance > 1e-9 ? dx / distance : (search.person < other.person ? 1 : -1)
    let unitY = distance > 1e-9 ? dy / distance : 0
    if gap < search.limitReach {
      // The two people share the gap so that their steps together cannot close it. Each may use half of it, a follower
      // more than the person in front. This also holds around the end of a wall that hides them from each other.
      let approach = (search.headingX + other.headingX) * unitX + (search.headingY + other.headingY) * unitY
      scratch.addLimit(unitX, unitY, gap * (0.5 + 0.225 * approach))
    }
    if search.hidingTo > search.hidingFrom,
      search.hidingCells.contains(
        column: walls.column(other.x) - search.column, row: walls.row(other.y) - search.row),
      isHidden(search, dx, dy)
    {
      return
    }
    scratch.addNeighbour(other, unitX: unitX, unitY: unitY, distance: distance, apart: apart)
  }

  /// Checks whether a wall lies between a person and a point at (`dx`, `dy`) from the person.
  @inline(__always)
  private func isHidden(_ search: Search, _ dx: Double, _ dy: Double) -> Bool {
    walls.hiding.items.withUnsafeBufferPointer { items in
      walls.shapes.withUnsafeBufferPointer { shapes in
        for item in search.hidingFrom..<search.hidingTo {
          let wall = shapes[Int(items[item])]
          let ax = wall[0] - search.x
          let ay = wall[1] - search.y
          let a = dx * ay - dy * ax
          let b = a + dx * wall[3] - dy * wall[2]
          if (a > 0) == (b > 0) { continue }
          // The ends of the wall lie on different sides of the line of sight. The wall hides the other person only if
          // the two people are also on different sides of the wall.
          let p = wall[2] * -ay - wall[3] * -ax
          let q = p + wall[2] * dy - wall[3] * dx
          if (p > 0) != (q > 0) { return true }
        }
        return false
      }
    }
  }
}
