public import CordonCore
public import CordonGeometry

/// The plan of a venue under the tracks of a page.
public struct ReplayPlan: Sendable {
  /// A floor of the venue.
  public struct Floor: Sendable {
    /// The position in its building.
    public var ordinal: FloorOrdinal
    /// The name.
    public var name: String
    /// The outlines of spaces, with their names or an empty text.
    public var spaces: [(name: String, outline: GeoMultiPolygon)]
    /// The walls in metres in the frame of the venue.
    public var walls: [WallSegment]

    /// Creates a floor from its parts.
    public init(
      ordinal: FloorOrdinal, name: String, spaces: [(name: String, outline: GeoMultiPolygon)], walls: [WallSegment]
    ) {
      self.ordinal = ordinal
      self.name = name
      self.spaces = spaces
      self.walls = walls
    }
  }

  /// The name of the venue.
  public var name: String
  /// The boundary of the venue.
  public var boundary: GeoMultiPolygon
  /// The floors by ordinal.
  public var floors: [Floor]
  /// The frame of the drawing.
  public var frame: LocalFrame

  /// Creates a plan from its parts.
  public init(name: String, boundary: GeoMultiPolygon, floors: [Floor], frame: LocalFrame) {
    self.name = name
    self.boundary = boundary
    self.floors = floors
    self.frame = frame
  }
}
