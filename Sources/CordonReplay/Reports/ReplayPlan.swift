package import CordonCore
package import CordonGeometry

/// The plan of a venue under the tracks of a page.
package struct ReplayPlan: Sendable {
  /// A floor of the venue.
  package struct Floor: Sendable {
    /// The position in its building.
    package var ordinal: FloorOrdinal
    /// The name.
    package var name: String
    /// The outlines of spaces, with their names or an empty text.
    package var spaces: [(name: String, outline: GeoMultiPolygon)]
    /// The walls in metres in the frame of the venue.
    package var walls: [WallSegment]

    /// Creates a floor from its parts.
    package init(
      ordinal: FloorOrdinal, name: String, spaces: [(name: String, outline: GeoMultiPolygon)], walls: [WallSegment]
    ) {
      self.ordinal = ordinal
      self.name = name
      self.spaces = spaces
      self.walls = walls
    }
  }

  /// The name of the venue.
  package var name: String
  /// The boundary of the venue.
  package var boundary: GeoMultiPolygon
  /// The floors by ordinal.
  package var floors: [Floor]
  /// The frame of the drawing.
  package var frame: LocalFrame

  /// Creates a plan from its parts.
  package init(name: String, boundary: GeoMultiPolygon, floors: [Floor], frame: LocalFrame) {
    self.name = name
    self.boundary = boundary
    self.floors = floors
    self.frame = frame
  }
}
