public import CordonCore
public import CordonGeometry

/// A named part of a floor, or of several, that is no room: a department, a concourse, the area behind security.
///
/// Nobody is located in a zone and no wall bounds it; spaces lie inside and across its edge.
public struct Zone: Hashable, Sendable {
  /// The source's identifier.
  public var id: String
  /// The floors it is on; empty when the source names none, and then it belongs to the whole venue.
  public var floors: [FloorID]
  /// What the source calls it: `eatingdrinking`, `paidarea`, `platform`.
  public var sourceKind: String
  /// The name, by language; empty when the source has none.
  public var name: LocalizedText
  /// Its area.
  public var outline: GeoMultiPolygon

  /// Takes the parts as they are.
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
