import CordonGeometry

/// Cells around a cell, for the choice of places to stand.
extension WalkableRaster {
  /// Cells of the connected part of a cell whose centres lie within `reach` metres of its own, ascending.
  func cells(round cell: Int, within reach: Double) -> [Int] {
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

  /// Whether people can walk between two cells.
  func isJoined(_ cell: Int, to other: Int) -> Bool {
    component.indices.contains(cell) && component[cell] == component[other]
  }

  /// Cells of the connected part of a cell, within `reach` metres of its centre and visible from it, ascending.
  func cells(seenFrom cell: Int, within reach: Double, where accepts: (PlanePoint) -> Bool) -> [Int] {
    let middle = center(of: cell)
    return cells(round: cell, within: reach).filter { candidate in
      let point = center(of: candidate)
      return accepts(point) && !barriers.isCrossed(from: middle, to: point)
    }
  }

  /// Selects at most `most` of the cells, in their order, each at least `apart` metres from those selected before.
  func spread(_ cells: [Int], apart: Double, most: Int = .max) -> [Int] {
    var kept: [(cell: Int, point: PlanePoint)] = []
    for cell in cells where kept.count < most {
      let point = center(of: cell)
      if kept.allSatisfy({ PlaneSegment($0.point, point).length >= apart }) { kept.append((cell, point)) }
    }
    return kept.map(\.cell)
  }
}
