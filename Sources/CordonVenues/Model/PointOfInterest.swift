public import CordonCore

/// Something that people look for: a shop, a desk, an amenity. (A map's own "locations".)
public struct PointOfInterest: Hashable, Sendable {
  /// The source's identifier.
  public var id: String
  /// The name, by language.
  public var name: LocalizedText
  /// What the source called its type: `tenant`, `amenity`.
  public var sourceKind: String
  /// Identifiers of categories.
  public var categories: [String]
  /// The spaces it occupies.
  public var spaces: [SpaceID]
  /// Position, when it has one of its own.
  public var position: Coordinate?
  /// The floor of the position.
  public var floor: FloorID?
  /// Opening hours in the source's own text (OSM syntax in IMDF, schema.org JSON in MVF 3).
  public var openingHours: String?

  /// Takes the parts as they are.
  public init(
    id: String, name: LocalizedText = LocalizedText(), sourceKind: String = "", categories: [String] = [],
    spaces: [SpaceID] = [], position: Coordinate? = nil, floor: FloorID? = nil, openingHours: String? = nil
  ) {
    self.id = id
    self.name = name
    self.sourceKind = sourceKind
    self.categories = categories
    self.spaces = spaces
    self.position = position
    self.floor = floor
    self.openingHours = openingHours
  }
}

/// A group of points of interest.
public struct PointOfInterestCategory: Hashable, Sendable {
  /// The source's identifier.
  public var id: String
  /// The name, by language.
  public var name: LocalizedText
  /// The category above, if any.
  public var parent: String?

  /// Takes the parts as they are.
  public init(id: String, name: LocalizedText = LocalizedText(), parent: String? = nil) {
    self.id = id
    self.name = name
    self.parent = parent
  }
}
