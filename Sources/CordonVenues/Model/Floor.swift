public import CordonCore
public import CordonGeometry

/// A building of a venue.
public struct Building: Hashable, Sendable {
  /// The identifier in the source.
  public var id: String
  /// The name, by language.
  public var name: LocalizedText
  /// The building's outline on the ground; `nil` if the source has none, and the union of its floors is then used.
  public var outline: GeoMultiPolygon?
  /// The floors that belong to the building in the source.
  public var floors: [FloorID]

  /// Creates a building from its parts.
  public init(
    id: String, name: LocalizedText = LocalizedText(), outline: GeoMultiPolygon? = nil, floors: [FloorID] = []
  ) {
    self.id = id
    self.name = name
    self.outline = outline
    self.floors = floors
  }
}

/// One floor of a building or of the ground outside. Several floors can share an ordinal.
public struct Floor: Hashable, Sendable {
  /// The identifier in the source.
  public var id: FloorID
  /// The position of the floor in the stack of floors.
  public var ordinal: FloorOrdinal
  /// The name, by language.
  public var name: LocalizedText
  /// The short name as on a sign: `G`, `1`, `B2`.
  public var shortName: LocalizedText
  /// The identifier of the building; `nil` for a floor outside all buildings.
  public var building: String?
  /// Whether the floor is outdoors, and therefore not part of a building's outline.
  public var isOutdoor: Bool
  /// The outline of the floor; `nil` if the source has none.
  public var outline: GeoMultiPolygon?

  /// Creates a floor from its parts.
  public init(
    id: FloorID, ordinal: FloorOrdinal, name: LocalizedText = LocalizedText(),
    shortName: LocalizedText = LocalizedText(),
    building: String? = nil, isOutdoor: Bool = false, outline: GeoMultiPolygon? = nil
  ) {
    self.id = id
    self.ordinal = ordinal
    self.name = name
    self.shortName = shortName
    self.building = building
    self.isOutdoor = isOutdoor
    self.outline = outline
  }
}
