/// What of one floor can be walked on: areas, less the solid things in them.
public struct WalkableArea: Sendable {
  /// Areas that can be walked on; they may overlap.
  public var areas: [PlanePolygon]
  /// Solid things, taken out of the areas.
  public var solids: [PlanePolygon]
  /// Doorways through solid walls, put back after the solid things were taken out.
  public var passages: [PlanePolygon]
  /// Everything that no way may cross: walls, edges of the areas, outlines of solid things.
  public var barriers: [PlaneSegment]
  /// Lines that are crossed from their right to their left only, such as the thresholds of one-way doors.
  public var oneWays: [PlaneSegment]
  /// What is shut, taken out after everything else.
  public var closures: [Closure] = []

  /// An area that is shut, but for what lies in it and is not.
  public struct Closure: Sendable {
    /// What is shut.
    public var areas: [PlanePolygon]
    /// What stays open inside.
    public var exceptions: [PlanePolygon]

    /// Takes the parts as they are.
    public init(areas: [PlanePolygon], exceptions: [PlanePolygon]) {
      self.areas = areas
      self.exceptions = exceptions
    }
  }

  /// Takes the parts as they are.
  public init(
    areas: [PlanePolygon], solids: [PlanePolygon] = [], passages: [PlanePolygon] = [], barriers: [PlaneSegment],
    oneWays: [PlaneSegment] = []
  ) {
    self.oneWays = oneWays
    self.areas = areas
    self.solids = solids
    self.passages = passages
    self.barriers = barriers
  }

  /// Whether a point can be walked on: in an area and in nothing solid, or in a passage; and in nothing that is shut.
  ///
  /// A seam between two areas that a map draws a hair apart belongs to them: it is no edge, and bodies pass over it.
  /// Linear in the number of vertices near it; for checks, not for loops over cells.
  public func contains(_ point: PlanePoint) -> Bool {
    if isClosed(point) { return false }
    if WalkableArea.any(of: passages, contains: point) { return true }
    guard !WalkableArea.any(of: solids, contains: point) else { return false }
    return WalkableArea.any(of: areas, contains: point) || isInSeam(point)
  }

  /// Metres across, and a little more for a seam that runs askew.
  private static let seam = 0.011

  private func isInSeam(_ point: PlanePoint) -> Bool {
    let askew = WalkableArea.seam * 0.7071
    return [(WalkableArea.seam, 0), (0, WalkableArea.seam), (askew, askew), (askew, -askew)].contains { dx, dy in
      WalkableArea.any(of: areas, contains: PlanePoint(x: point.x + dx, y: point.y + dy))
        && WalkableArea.any(of: areas, contains: PlanePoint(x: point.x - dx, y: point.y - dy))
    }
  }

  /// Whether a point lies in something that is shut.
  public func isClosed(_ point: PlanePoint) -> Bool {
    closures.contains { closure in
      WalkableArea.any(of: closure.areas, contains: point) && !WalkableArea.any(of: closure.exceptions, contains: point)
    }
  }

  private static func any(of polygons: [PlanePolygon], contains point: PlanePoint) -> Bool {
    polygons.contains { $0.bounds?.contains(point) == true && $0.contains(point) }
  }
}

/// How a floor is cut into cells.
public struct RasterSettings: Hashable, Sendable {
  /// The side of a cell in metres where the floor is not too large for it.
  public var cellSize = 0.2
  /// The largest side, metres, used on floors that would have more than ``targetCells`` cells.
  public var largestCellSize = 0.4
  /// About how many walkable cells a floor may have before the cells grow.
  public var targetCells = 250_000
  /// Metres between a cell's centre and the nearest barrier below which nobody can stand there.
  public var leastClearance = 0.05
  /// Metres below which a cell costs more to walk on, so that ways keep off the walls.
  public var comfortableClearance = 0.3

  /// The defaults.
  public init() {}
}
