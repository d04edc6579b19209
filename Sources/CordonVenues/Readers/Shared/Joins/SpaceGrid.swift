import CordonCore
import CordonGeometry

/// An index of the spaces of one floor, to find those that contain a position or lie near it.
///
/// It is a grid over the floor, and each cell lists the spaces whose box meets it.
struct SpaceGrid {
  struct Entry {
    var id: SpaceID
    var rings: [[PlanePoint]]
    var area: Double
    var low: PlanePoint
    var high: PlanePoint
  }

  let frame: LocalFrame
  private(set) var entries: [Entry] = []
  private var cells: [[Int32]] = []
  private var large: [Int32] = []
  private var low = PlanePoint(x: 0, y: 0)
  private var cellSize = 1.0
  private var columns = 1
  private var rows = 1

  /// Maximum number of cells of a space; larger spaces are checked in every query.
  private static let maximumCells = 4096

  init(_ spaces: [(id: SpaceID, outline: GeoMultiPolygon)], frame: LocalFrame) {
    self.frame = frame
    for space in spaces {
      let rings = space.outline.polygons.flatMap { $0.rings.map { $0.map(frame.project) } }
      guard let first = rings.first?.first else { continue }
      var (low, high) = (first, first)
      for point in rings.joined() {
        low = PlanePoint(x: min(low.x, point.x), y: min(low.y, point.y))
        high = PlanePoint(x: max(high.x, point.x), y: max(high.y, point.y))
      }
      let area = rings.reduce(0) { $0 + RingMeasure.signedArea($1) }
      entries.append(Entry(id: space.id, rings: rings, area: area, low: low, high: high))
    }
    guard let first = entries.first else { return }
    var (least, most) = (first.low, first.high)
    for entry in entries {
      least = PlanePoint(x: min(least.x, entry.low.x), y: min(least.y, entry.low.y))
      most = PlanePoint(x: max(most.x, entry.high.x), y: max(most.y, entry.high.y))
    }
    low = least
    let extent = max(most.x - least.x, most.y - least.y, 1)
    cellSize = max(extent / 128, 1)
    columns = Int((most.x - least.x) / cellSize) + 1
    rows = Int((most.y - least.y) / cellSize) + 1
    cells = Array(repeating: [], count: columns * rows)
    for (index, entry) in entries.enumerated() {
      let (firstColumn, firstRow) = cell(entry.low)
      let (lastColumn, lastRow) = cell(entry.high)
      if (lastColumn - firstColumn + 1) * (lastRow - firstRow + 1) > SpaceGrid.maximumCells {
        large.append(Int32(index))
        continue
      }
      for row in firstRow...lastRow {
        for column in firstColumn...lastColumn { cells[row * columns + column].append(Int32(index)) }
      }
    }
  }

  private func cell(_ point: PlanePoint) -> (column: Int, row: Int) {
    let x = min(max((point.x - low.x) / cellSize, 0), Double(columns - 1))
    let y = min(max((point.y - low.y) / cellSize, 0), Double(rows - 1))
    return (Int(x), Int(y))
  }

  private func candidates(near point: PlanePoint, within reach: Double) -> [Int] {
    guard !entries.isEmpty else { return [] }
    let (firstColumn, firstRow) = cell(PlanePoint(x: point.x - reach, y: point.y - reach))
    let (lastColumn, lastRow) = cell(PlanePoint(x: point.x + reach, y: point.y + reach))
    var found: [Int] = []
    func consider(_ index: Int32) {
      let entry = entries[Int(index)]
      if point.x >= entry.low.x - reach, point.x <= entry.high.x + reach, point.y >= entry.low.y - reach,
        point.y <= entry.high.y + reach
      {
        found.append(Int(index))
      }
    }
    for row in firstRow...lastRow {
      for column in firstColumn...lastColumn {
        for index in cells[row * columns + column] { consider(index) }
      }
    }
    for index in large { consider(index) }
    // A space is listed once in each of its cells, so duplicates are removed.
    return firstColumn == lastColumn && firstRow == lastRow ? found : Array(Set(found)).sorted()
  }

  /// Returns the smallest space that contains a point, except for excluded ones.
  func space(at point: PlanePoint, excluding excluded: Set<SpaceID> = []) -> SpaceID? {
    var best: (area: Double, id: SpaceID)?
    for index in candidates(near: point, within: 0) {
      let entry = entries[index]
      guard !excluded.contains(entry.id), entry.rings.reduce(false, { $0 != PlaneRing.isCrossedOddly($1, from: point) })
      else {
        continue
      }
      if let current = best, (current.area, current.id) < (entry.area, entry.id) { continue }
      best = (entry.area, entry.id)
    }
    return best?.id
  }

  /// Returns the spaces whose boundary passes within `reach` metres of a point, nearest first.
  func spaces(bordering point: PlanePoint, within reach: Double) -> [SpaceID] {
    var found: [(distance: Double, id: SpaceID)] = []
    for index in candidates(near: point, within: reach) {
      let distance = entries[index].rings.map { RingMeasure.distance($0, point) }.min() ?? .infinity
      if distance <= reach { found.append((distance, entries[index].id)) }
    }
    return found.sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }.map(\.id)
  }
}
