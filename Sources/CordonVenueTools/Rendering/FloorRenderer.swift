public import CordonCore
public import CordonGeometry
public import CordonVenues

/// The elements of a drawing of a floor besides its spaces, walls and doors.
public struct RenderOptions: Hashable, Sendable {
  /// The boundary to draw; `nil` for none.
  public var boundary: GeoMultiPolygon?
  /// The circle to draw; `nil` for none.
  package var circle: BoundingCircle?
  /// Whether the whole circle must fit into the picture; otherwise the floor fills it.
  public var fitsCircle = false
  /// Whether the walking graph is drawn.
  public var showsGraph = true
  /// Whether names are drawn.
  public var showsNames = true
  /// The longer side of the plan, in pixels.
  public var size = 1_200.0

  /// Creates the default options: graph and names, but no boundary and no circle.
  public init() {}
}

/// Draws floors as SVG with north up, a legend and a scale bar.
public enum FloorRenderer {
  /// Returns one floor as an SVG document.
  ///
  /// Elements beyond the floor's own extent, such as the rest of the boundary, are clipped at the edge of the picture.
  /// Equal input gives equal bytes.
  ///
  /// - Parameters:
  ///   - floor: the floor to draw.
  ///   - venue: the venue.
  ///   - options: the elements to draw, and the size.
  public static func svg(of floor: FloorID, in venue: Venue, options: RenderOptions = RenderOptions()) -> String {
    FloorDrawing(floor: floor, venue: venue, options: options).svg()
  }
}
