public import CordonCore
public import CordonGeometry

/// What a drawing of a floor shows besides its spaces, walls and doors.
public struct RenderOptions: Hashable, Sendable {
  /// The boundary to draw, if any.
  public var boundary: GeoMultiPolygon?
  /// The circle to draw, if any.
  public var circle: BoundingCircle?
  /// Whether the whole circle must be in the picture; otherwise the floor fills it.
  public var fitsCircle = false
  /// Whether the walking graph is drawn.
  public var showsGraph = true
  /// Whether names are written.
  public var showsNames = true
  /// The longer side of the plan in pixels.
  public var size = 1_200.0

  /// The defaults: graph and names, no boundary, no circle.
  public init() {}
}

/// Draws floors as SVG, north up, with a legend and a scale bar.
public enum FloorRenderer {
  /// One floor as an SVG document.
  ///
  /// What lies outside the floor's own extent, such as the rest of the boundary, is drawn where it is
  /// and cut off at the edge of the picture. Equal input gives equal bytes.
  public static func svg(of floor: FloorID, in venue: Venue, options: RenderOptions = RenderOptions()) -> String {
    FloorDrawing(floor: floor, venue: venue, options: options).svg()
  }
}
