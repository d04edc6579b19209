import CordonGeometry
import CordonNavigation

/// A grid of square cells that sorts people by cell, so that neighbours are adjacent in memory.
struct CrowdGrid {
  let low: PlanePoint
  let size: Double
  let columns: Int
  let rows: Int
  /// Start of each cell in the sorted bodies: cell `k` holds `starts[k] ..< starts[k + 1]`.
  let starts: Column<Int32>
  let cells: Column<Int32>
  let bodies: Column<CrowdBody>
  private(set) var count = 0
  /// Whether so few people walk that linked lists by cell are cheaper than sorting. The lists hold indices of
  /// ``bodies``.
  private(set) var isSparse = false
  let firstMoving: Column<Int32>
  let nextMoving: Column<Int32>
  private var touched: [Int32] = []
  /// Linked lists of staying people, by cell.
  ///
  /// People are inserted when they stop and removed when they walk on, so a staying person costs nothing per step.
  let firstStaying: Column<Int32>
  let nextStaying: Column<Int32>
  private(set) var stayingCount = 0

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
    bodies = Column(repeating: CrowdBody(), count: people)
    firstMoving = Column(repeating: -1, count: columns * rows)
    nextMoving = Column(repeating: -1, count: people)
    firstStaying = Column(repeating: -1, count: columns * rows)
    nextStaying = Column(repeating: -1, count: people)
  }

  @inline(__always)
  func cell(x: Double, y: Double) -> Int {
    let scale = 1 / size
    let column = min(max(Int((x - low.x) * scale), 0), columns - 1)
    let row = min(max(Int((y - low.y) * scale), 0), rows - 1)
    return row * columns + column
  }

  /// Inserts a staying person.
  mutating func enter(_ body: CrowdBody) {
    let person = Int(body.person)
    let cell = cell(x: body.x, y: body.y)
    nextStaying[person] = firstStaying[cell]
    firstStaying[cell] = Int32(person)
    stayingCount += 1
  }

  /// Removes a person who stayed until now.
  mutating func leave(_ body: CrowdBody) {
    let person = Int(body.person)
    let cell = cell(x: body.x, y: body.y)
    var other = firstStaying[cell]
    if other == Int32(person) {
      firstStaying[cell] = nextStaying[person]
      stayingCount -= 1
      return
    }
    while other >= 0 {
      let next = nextStaying[Int(other)]
      if next == Int32(person) {
        nextStaying[Int(other)] = nextStaying[person]
        stayingCount -= 1
        return
      }
      other = next
    }
  }

  /// Sorts the walking people by cell and then by number, so that floating-point sums do not depend on history.
  /// - Parameter movers: the walking people, in ascending order.
  mutating func sort(_ people: CrowdColumns, movers: [Int32]) {
    for cell in touched { firstMoving.base[Int(cell)] = -1 }
    touched.removeAll(keepingCapacity: true)
    count = movers.count
    isSparse = movers.count * 8 < columns * rows
    if isSparse { list(people, movers) } else { fill(people, movers) }
  }

  private mutating func list(_ people: CrowdColumns, _ movers: [Int32]) {
    var place = movers.count
    while place > 0 {
      place -= 1
      let person = Int(movers[place])
      let cell = cell(x: people.bodies.base[person].x, y: people.bodies.base[person].y)
      let next = firstMoving.base[cell]
      if next < 0 { touched.append(Int32(cell)) }
      nextMoving.base[place] = next
      firstMoving.base[cell] = Int32(place)
      bodies.base[place] = people.bodies.base[person]
    }
  }

  private func fill(_ people: CrowdColumns, _ movers: [Int32]) {
    let cellCount = columns * rows
    let starts = starts.base
    for cell in 0...cellCount { starts[cell] = 0 }
    for mover in movers {
      let person = Int(mover)
      let cell = cell(x: people.bodies.base[person].x, y: people.bodies.base[person].y)
      cells.base[person] = Int32(cell)
      starts[cell + 1] += 1
    }
    for cell in 0..<cellCount { starts[cell + 1] += starts[cell] }
    // Filling moves each start to the end of its cell; the loop below restores the starts.
    for mover in movers {
      let person = Int(mover)
      let cell = Int(cells.base[person])
      bodies.base[Int(starts[cell])] = people.bodies.base[person]
      starts[cell] += 1
    }
    var cell = cellCount
    while cell > 0 {
      starts[cell] = starts[cell - 1]
      cell -= 1
    }
    starts[0] = 0
  }
}
