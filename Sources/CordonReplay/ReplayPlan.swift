public import CordonCore
public import CordonGeometry

/// The drawing of a venue that a page shows under the tracks.
public struct ReplayPlan: Sendable {
  /// A floor of it.
  public struct Floor: Sendable {
    /// Where it lies in its building.
    public var ordinal: FloorOrdinal
    /// Its name.
    public var name: String
    /// Outlines of spaces, with a name or an empty one.
    public var spaces: [(name: String, outline: GeoMultiPolygon)]
    /// Walls, metres in the frame of the venue.
    public var walls: [WallSegment]

    /// A floor.
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
  /// What counts as the venue.
  public var boundary: GeoMultiPolygon
  /// By ordinal.
  public var floors: [Floor]
  /// The frame of the drawing.
  public var frame: LocalFrame

  /// A drawing.
  public init(name: String, boundary: GeoMultiPolygon, floors: [Floor], frame: LocalFrame) {
    self.name = name
    self.boundary = boundary
    self.floors = floors
    self.frame = frame
  }
}
