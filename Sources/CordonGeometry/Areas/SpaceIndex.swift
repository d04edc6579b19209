public import CordonCore

/// Which of a floor's spaces a position lies in: built once, asked for every fix.
///
/// Spaces may overlap: the smallest wins (by area), then the earlier one. Boundaries are inside, holes are
/// outside, edges are straight in (longitude, latitude), and answers are exact. Asking never allocates.
public struct SpaceIndex: Sendable {
  /// The frame in which plane points are taken.
  public let frame: LocalFrame
  /// How many spaces there are.
  public let count: Int
  private let raster: AreaRaster?
  private let bounds: GeoBounds?
  private let wraps: Bool

  /// Prepares the outlines of spaces; answers are positions in this array.
  ///
  /// Without a frame, one in the middle of the spaces is used. Rings with a vertex that is not a valid coordinate
  /// are left out.
  public init(_ outlines: [GeoMultiPolygon], frame: LocalFrame? = nil) {
    let valid = outlines.map { area in
      GeoMultiPolygon(area.polygons.map(\.validRings))
    }
    let bounds = GeoBounds(valid.flatMap(\.vertices))
    self.bounds = bounds
    self.frame = frame ?? LocalFrame(origin: bounds?.center ?? Coordinate(longitude: 0, latitude: 0))
    count = outlines.count
    guard let bounds else {
      raster = nil
      wraps = false
      return
    }
    wraps = bounds.west <= -180 || bounds.east >= 180
    let measuring = self.frame
    let areas = valid.map { $0.area(in: measuring) }
    let order = valid.indices.sorted { (areas[$0], $0) < (areas[$1], $1) }
    // About eight cells across an average space; rather some fewer than a table four times as large.
    let shift = count <= 64 ? 7 : (count <= 2_048 ? 8 : (count <= 16_384 ? 9 : 10))
    raster = AreaRaster(
      order.flatMap { PlaneArea.parts(of: valid[$0], owner: $0, in: bounds) },
      shift: shift
    ) {
      RasterGrid(shift: $0, minX: bounds.west, minY: bounds.south, maxX: bounds.east, maxY: bounds.north)
    }
  }

  /// The index of the space at a position, `nil` when there is none.
  public func space(at position: Coordinate) -> Int? {
    guard let raster else { return nil }
    if wraps {
      guard let bounds, position.isValid else { return nil }
      return raster.owner(x: bounds.unwrapped(position.longitude), y: position.latitude)
    }
    return raster.owner(x: position.longitude, y: position.latitude)
  }

  /// The index of the space at a point of ``frame``, `nil` when there is none. Degrees are in between, so a point on
  /// a boundary may fall on either side by a nanometre.
  public func space(at point: PlanePoint) -> Int? {
    space(at: frame.unproject(point))
  }
}
