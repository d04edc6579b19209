public import CordonCore
public import CordonGeometry

/// A building of a venue.
public struct Building: Hashable, Sendable {
  /// The source's identifier.
  public var id: String
  /// The name, by language.
  public var name: LocalizedText
  /// The building's outline on the ground, when the source has one; otherwise the union of its floors serves.
  public var outline: GeoMultiPolygon?
  /// The floors that the source puts in this building.
  public var floors: [FloorID]

  /// Takes the parts as they are.
  public init(
    id: String, name: LocalizedText = LocalizedText(), outline: GeoMultiPolygon? = nil, floors: [FloorID] = []
  ) {
    self.id = id
    self.name = name
    self.outline = outline
    self.floors = floors
  }
}

/// One floor of one building (or of the ground outside). Several floors can share an ordinal.
public struct Floor: Hashable, Sendable {
  /// The source's identifier.
  public var id: FloorID
  /// Its place in the stack of floors.
  public var ordinal: FloorOrdinal
  /// The name, by language.
  public var name: LocalizedText
  /// What a sign would say: `G`, `1`, `B2`.
  public var shortName: LocalizedText
  /// The building's identifier, or `nil` for a floor in none.
  public var building: String?
  /// Whether the floor is open air and so not part of any building's outline.
  public var isOutdoor: Bool
  /// The floor's outline, when the source has one.
  public var outline: GeoMultiPolygon?

  /// Takes the parts as they are.
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
