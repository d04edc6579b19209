public import CordonCore

/// A place that people look for, such as a shop, a desk or an amenity; map formats call it a location.
public struct PointOfInterest: Hashable, Sendable {
  /// The identifier in the source.
  public var id: String
  /// The name, by language.
  public var name: LocalizedText
  /// The type in the words of the source, such as `tenant` or `amenity`.
  public var sourceKind: String
  /// The identifiers of the categories.
  public var categories: [String]
  /// The spaces that the point of interest occupies.
  public var spaces: [SpaceID]
  /// The position, if the point of interest has one of its own.
  public var position: Coordinate?
  /// The floor of the position.
  public var floor: FloorID?
  /// The opening hours as text of the source (OSM syntax in IMDF, schema.org JSON in MVF 3).
  public var openingHours: String?

  /// Creates a point of interest from its parts.
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

/// A category of points of interest.
public struct PointOfInterestCategory: Hashable, Sendable {
  /// The identifier in the source.
  public var id: String
  /// The name, by language.
  public var name: LocalizedText
  /// The parent category; `nil` for a top-level category.
  public var parent: String?

  /// Creates a category from its parts.
  public init(id: String, name: LocalizedText = LocalizedText(), parent: String? = nil) {
    self.id = id
    self.name = name
    self.parent = parent
  }
}
