import CordonGeometry

/// Cells round a cell, for those who choose places to stand.
extension WalkableRaster {
  /// Cells of the part that a cell belongs to, their centres within `reach` metres of its own, ascending.
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

  /// Whether two cells can be walked between.
  func isJoined(_ cell: Int, to other: Int) -> Bool {
    component.indices.contains(cell) && component[cell] == component[other]
  }

  /// Cells of the part that a cell belongs to, within `reach` metres of its centre and seen from it, ascending.
  func cells(seenFrom cell: Int, within reach: Double, where accepts: (PlanePoint) -> Bool) -> [Int] {
    let middle = center(of: cell)
    return cells(round: cell, within: reach).filter { candidate in
      let point = center(of: candidate)
      return accepts(point) && !barriers.isCrossed(from: middle, to: point)
    }
  }

  /// Of cells in their order, at most so many, each at least `apart` metres from those before it.
  func spread(_ cells: [Int], apart: Double, most: Int = .max) -> [Int] {
    var kept: [(cell: Int, point: PlanePoint)] = []
    for cell in cells where kept.count < most {
      let point = center(of: cell)
      if kept.allSatisfy({ PlaneSegment($0.point, point).length >= apart }) { kept.append((cell, point)) }
    }
    return kept.map(\.cell)
  }
}
