public import CordonCore
public import CordonGeometry

/// A named part of one or more floors that is not a room, such as a department, a concourse or a security area.
///
/// Positions are not located in zones, and walls do not bound them. Spaces can lie inside a zone and across its edge.
public struct Zone: Hashable, Sendable {
  /// The identifier in the source.
  public var id: String
  /// The floors of the zone; empty if the source names none, and the zone then belongs to the whole venue.
  public var floors: [FloorID]
  /// The kind in the words of the source, such as `eatingdrinking`, `paidarea` or `platform`.
  public var sourceKind: String
  /// The name, by language; empty if the source has none.
  public var name: LocalizedText
  /// The outline of the zone.
  public var outline: GeoMultiPolygon

  /// Creates a zone from its parts.
  public init(
    id: String, floors: [FloorID], sourceKind: String = "", name: LocalizedText = LocalizedText(),
    outline: GeoMultiPolygon
  ) {
    self.id = id
    self.floors = floors
    self.sourceKind = sourceKind
    self.name = name
    self.outline = outline
  }
}
