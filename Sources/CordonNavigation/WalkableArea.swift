package import CordonGeometry

/// The walkable part of one floor: areas without the solid objects in them.
package struct WalkableArea: Sendable {
  /// The areas that people can walk on; they may overlap.
  package var areas: [PlanePolygon]
  /// Solid objects, subtracted from the areas.
  package var solids: [PlanePolygon]
  /// Doorways through solid walls, added after the solid objects are subtracted.
  package var passages: [PlanePolygon]
  /// All lines that no path may cross: walls, edges of the areas, outlines of solid objects.
  package var barriers: [PlaneSegment]
  /// Lines that can be crossed only from their right to their left, such as the thresholds of one-way doors.
  package var oneWays: [PlaneSegment]
  /// The closed areas, subtracted last.
  package var closures: [Closure] = []

  /// A closed area with exceptions inside it.
  package struct Closure: Sendable {
    /// The closed areas.
    package var areas: [PlanePolygon]
    /// The areas inside that stay open.
    package var exceptions: [PlanePolygon]

    /// Creates a closure from its parts.
    package init(areas: [PlanePolygon], exceptions: [PlanePolygon]) {
      self.areas = areas
      self.exceptions = exceptions
    }
  }

  /// Creates a walkable area from its parts, without closures.
  package init(
    areas: [PlanePolygon], solids: [PlanePolygon] = [], passages: [PlanePolygon] = [], barriers: [PlaneSegment],
    oneWays: [PlaneSegment] = []
  ) {
    self.oneWays = oneWays
    self.areas = areas
    self.solids = solids
    self.passages = passages
    self.barriers = barriers
  }

  /// Checks whether a point is walkable.
  ///
  /// A walkable point lies outside every closure and either in a passage, or in an area and outside every solid object.
  /// A gap of about a centimetre between two areas of a map counts as part of them: it is not an edge, and people walk
  /// across it.
  ///
  /// Complexity: O(*n*), where *n* is the number of polygons and of the vertices of those with the point in their
  /// bounds. Meant for checks, not for loops over cells.
  package func contains(_ point: PlanePoint) -> Bool {
    if isClosed(point) { return false }
    if WalkableArea.any(of: passages, contains: point) { return true }
    guard !WalkableArea.any(of: solids, contains: point) else { return false }
    return WalkableArea.any(of: areas, contains: point) || isInSeam(point)
  }

  /// The maximum width of a gap in metres, with a margin for gaps at an angle to the axes.
  private static let seam = 0.011

  private func isInSeam(_ point: PlanePoint) -> Bool {
    let askew = WalkableArea.seam * 0.7071
    return [(WalkableArea.seam, 0), (0, WalkableArea.seam), (askew, askew), (askew, -askew)].contains { dx, dy in
      WalkableArea.any(of: areas, contains: PlanePoint(x: point.x + dx, y: point.y + dy))
        && WalkableArea.any(of: areas, contains: PlanePoint(x: point.x - dx, y: point.y - dy))
    }
  }

  /// Checks whether a point lies in a closed area and in none of its exceptions.
  package func isClosed(_ point: PlanePoint) -> Bool {
    closures.contains { closure in
      WalkableArea.any(of: closure.areas, contains: point) && !WalkableArea.any(of: closure.exceptions, contains: point)
    }
  }

  private static func any(of polygons: [PlanePolygon], contains point: PlanePoint) -> Bool {
    polygons.contains { $0.bounds?.contains(point) == true && $0.contains(point) }
  }
}

/// The settings of the division of a floor into cells.
package struct RasterSettings: Hashable, Sendable {
  /// The side of a cell in metres on floors of ordinary size.
  package var cellSize = 0.2
  /// The maximum side of a cell in metres, for floors that would have more than ``targetCells`` cells.
  ///
  /// Cells grow beyond it only to bound the memory of rasters of more than 60 million cells.
  package var largestCellSize = 0.4
  /// The approximate number of walkable cells above which the cells of a floor grow.
  package var targetCells = 250_000
  /// The minimum distance in metres between the centre of a walkable cell and the nearest barrier.
  package var minimumClearance = 0.05
  /// The distance in metres from barriers below which a cell costs more, which keeps paths away from walls.
  package var comfortableClearance = 0.3

  /// Creates the default settings.
  package init() {}
}
