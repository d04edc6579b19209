import CordonGeometry

/// People sorted into square cells, so that those near somebody lie next to each other in memory.
struct CrowdGrid {
  let low: PlanePoint
  let size: Double
  let columns: Int
  let rows: Int
  /// The people of cell k are `starts[k] ..< starts[k + 1]` in the sorted columns.
  let starts: Column<Int32>
  let cells: Column<Int32>
  let order: Column<Int32>
  let x: Column<Double>
  let y: Column<Double>
  let headingX: Column<Double>
  let headingY: Column<Double>
  let velocityX: Column<Double>
  let velocityY: Column<Double>
  let radius: Column<Double>
  private(set) var count = 0

  init(bounds: PlaneBounds, size: Double, people: Int) {
    low = PlanePoint(x: bounds.low.x - size, y: bounds.low.y - size)
    var size = size
    let width = bounds.high.x - bounds.low.x
    let height = bounds.high.y - bounds.low.y
    while (width / size + 3) * (height / size + 3) > 4e6 { size *= 2 }
    self.size = size
    columns = Int(width / size) + 3
    rows = Int(height / size) + 3
    starts = Column(repeating: 0, count: columns * rows + 1)
    cells = Column(repeating: 0, count: people)
    order = Column(repeating: 0, count: people)
    (x, y) = (Column(repeating: 0, count: people), Column(repeating: 0, count: people))
    (headingX, headingY) = (Column(repeating: 0, count: people), Column(repeating: 0, count: people))
    (velocityX, velocityY) = (Column(repeating: 0, count: people), Column(repeating: 0, count: people))
    radius = Column(repeating: 0, count: people)
  }

  /// Sorts everybody who is on the floor; within a cell by number, so that sums do not depend on history.
  mutating func sort(_ people: CrowdColumns, count everybody: Int) {
    let cellCount = columns * rows
    let starts = starts.base
    for cell in 0...cellCount { starts[cell] = 0 }
    let scale = 1 / size
    for person in 0..<everybody {
      guard people.state.base[person] != CrowdState.away else {
        cells.base[person] = -1
        continue
      }
      let column = min(max(Int((people.x.base[person] - low.x) * scale), 0), columns - 1)
      let row = min(max(Int((people.y.base[person] - low.y) * scale), 0), rows - 1)
      let cell = row * columns + column
      cells.base[person] = Int32(cell)
      starts[cell + 1] += 1
    }
    for cell in 0..<cellCount { starts[cell + 1] += starts[cell] }
    count = Int(starts[cellCount])
    // Each start is moved to its cell's end while filling, and put back after.
    for person in 0..<everybody {
      let cell = Int(cells.base[person])
      guard cell >= 0 else { continue }
      let place = Int(starts[cell])
      starts[cell] += 1
      order.base[place] = Int32(person)
      x.base[place] = people.x.base[person]
      y.base[place] = people.y.base[person]
      headingX.base[place] = people.headingX.base[person]
      headingY.base[place] = people.headingY.base[person]
      velocityX.base[place] = people.velocityX.base[person]
      velocityY.base[place] = people.velocityY.base[person]
      radius.base[place] = people.radius.base[person]
    }
    var cell = cellCount
    while cell > 0 {
      starts[cell] = starts[cell - 1]
      cell -= 1
    }
    starts[0] = 0
  }
}
