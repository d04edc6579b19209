package import CordonCore

/// An index of the spaces of one floor, built once and queried for every fix.
///
/// Spaces may overlap: the smallest one by area takes precedence, then the earlier one. Boundaries are inside, holes
/// are outside, and edges are straight in (longitude, latitude). The answers are exact, and a query never allocates
/// memory.
package struct SpaceIndex: Sendable {
  /// The frame of plane points.
  package let frame: LocalFrame
  /// The number of spaces.
  package let count: Int
  private let raster: AreaRaster?
  private let bounds: GeoBounds?
  private let wraps: Bool

  /// Prepares the outlines of spaces; results are indices in this array. Rings with an invalid vertex are left out.
  /// - Parameters:
  ///   - outlines: the outlines of the spaces.
  ///   - frame: the frame of plane points; `nil` for one in the middle of the spaces.
  package init(_ outlines: [GeoMultiPolygon], frame: LocalFrame? = nil) {
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
    // About eight cells across an average space; slightly fewer cells are better than a table four times as large.
    let shift = count <= 64 ? 7 : (count <= 2_048 ? 8 : (count <= 16_384 ? 9 : 10))
    raster = AreaRaster(
      order.flatMap { PlaneArea.parts(of: valid[$0], owner: $0, in: bounds) },
      shift: shift
    ) {
      RasterGrid(shift: $0, minX: bounds.west, minY: bounds.south, maxX: bounds.east, maxY: bounds.north)
    }
  }

  /// Returns the index of the space at a position; `nil` if there is none.
  package func space(at position: Coordinate) -> Int? {
    guard let raster else { return nil }
    if wraps {
      guard let bounds, position.isValid else { return nil }
      return raster.owner(x: bounds.unwrapped(position.longitude), y: position.latitude)
    }
    return raster.owner(x: position.longitude, y: position.latitude)
  }

  /// Returns the index of the space at a point of ``frame``; `nil` if there is none.
  ///
  /// The point is converted to degrees, so a point on a boundary may be off by a nanometre.
  package func space(at point: PlanePoint) -> Int? {
    space(at: frame.unproject(point))
  }
}
