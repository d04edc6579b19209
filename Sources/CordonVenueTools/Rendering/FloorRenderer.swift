package import CordonCore
package import CordonGeometry
package import CordonVenues

/// The elements of a drawing of a floor besides its spaces, walls and doors.
package struct RenderOptions: Hashable, Sendable {
  /// The boundary to draw; `nil` for none.
  package var boundary: GeoMultiPolygon?
  /// The circle to draw; `nil` for none.
  package var circle: BoundingCircle?
  /// Whether the whole circle must fit into the picture; otherwise the floor fills it.
  package var fitsCircle = false
  /// Whether the map's own graph of routes is drawn.
  package var showsGraph = false
  /// Whether names are drawn.
  package var showsNames = true
  /// The longer side of the plan, in pixels.
  package var size = 1_200.0

  /// Creates the default options: names, but no graph, no boundary and no circle.
  package init() {}
}

/// Draws floors as SVG with north up, a scale bar, a legend and a list of the entrances, for light and dark screens.
package enum FloorRenderer {
  /// Returns one floor as an SVG document.
  ///
  /// Elements beyond the floor's own extent, such as the rest of the boundary, are clipped at the edge of the picture.
  /// Equal input gives equal bytes.
  ///
  /// - Parameters:
  ///   - floor: the floor to draw.
  ///   - venue: the venue.
  ///   - marks: the entrances, assumed doors and unreachable spaces of the venue.
  ///   - options: the elements to draw, and the size.
  package static func svg(
    of floor: FloorID, in venue: Venue, marks: FloorMarks = FloorMarks(), options: RenderOptions = RenderOptions()
  ) -> String {
    FloorDrawing(floor: floor, venue: venue, marks: marks, options: options).svg()
  }
}
