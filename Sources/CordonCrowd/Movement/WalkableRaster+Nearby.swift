package import CordonGeometry
import CordonNavigation

/// Cells around a cell, for the choice of places to stand.
extension WalkableRaster {
  /// Returns the cells that are connected with a cell and whose centres lie within `reach` metres of its centre, in
  /// ascending order.
  package func cells(round cell: Int, within reach: Double) -> [Int] {
    let middle = center(of: cell)
    let span = Int(reach / cellSize) + 1
    let (row, column) = (cell / columns, cell % columns)
    var found: [Int] = []
    for other in max(row - span, 0)...(row + span) {
      for side in max(column - span, 0)...min(column + span, columns - 1) {
        let candidate = other * columns + side
        if isJoined(candidate, to: cell), PlaneSegment(middle, center(of: candidate)).length <= reach {
          found.append(candidate)
        }
      }
    }
    return found
  }

  /// Checks whether people can walk between two cells.
  func isJoined(_ cell: Int, to other: Int) -> Bool {
    component.indices.contains(cell) && component[cell] == component[other]
  }

  /// Returns the cells that are connected with a cell, visible from its centre and within `reach` metres of it, in
  /// ascending order.
  /// - Parameter accepts: whether the cell with this centre may be included.
  package func cells(seenFrom cell: Int, within reach: Double, where accepts: (PlanePoint) -> Bool) -> [Int] {
    let middle = center(of: cell)
    return cells(round: cell, within: reach).filter { candidate in
      let point = center(of: candidate)
      return accepts(point) && !barriers.isCrossed(from: middle, to: point)
    }
  }

  /// Selects cells in their order, each at least `apart` metres from those selected before.
  /// - Parameter limit: the maximum number of cells.
  package func spread(_ cells: [Int], apart: Double, limit: Int = .max) -> [Int] {
    var kept: [(cell: Int, point: PlanePoint)] = []
    for cell in cells where kept.count < limit {
      let point = center(of: cell)
      if kept.allSatisfy({ PlaneSegment($0.point, point).length >= apart }) { kept.append((cell, point)) }
    }
    return kept.map(\.cell)
  }
}
