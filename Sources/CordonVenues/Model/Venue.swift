public import CordonCore
public import CordonGeometry

/// A venue as its map describes it: one model for all formats.
///
/// Every object keeps the identifier of its source. Lists are sorted: floors by ordinal and identifier, features on a
/// floor by floor and identifier, and all others by identifier. Equal maps therefore give equal values.
public struct Venue: Hashable, Sendable {
  /// The slug or name in the source, or a hash of its contents.
  public var id: VenueID
  /// The name, by language.
  public var name: LocalizedText
  /// The format of the source.
  public var format: VenueFormat
  /// The version that the source states, as text.
  public var formatVersion: String?
  /// SHA-256 of the contents of the bundle, as 64 hexadecimal digits.
  public var contentHash: String
  /// The IANA name of the time zone; `nil` if the source has none.
  public var timeZone: String?
  /// The outline of the venue in the source; `nil` if it has none.
  public var outline: GeoMultiPolygon?
  /// The buildings, sorted by identifier; empty if the source has none.
  public var buildings: [Building]
  /// The floors, sorted by ordinal, then by identifier.
  public var floors: [Floor]
  /// The areas that people can be in. They may overlap, for example a desk area inside a hall.
  public var spaces: [Space]
  /// Walls, windows and columns, which block movement and sight.
  public var walls: [Barrier]
  /// Other solid objects, which block movement.
  public var obstructions: [Barrier]
  /// Desks, chairs and similar objects, which block movement but not sight.
  public var furniture: [Barrier]
  /// Named parts of floors that are not rooms, sorted by identifier.
  public var zones: [Zone]
  /// The purely visual elements of the map.
  public var annotations: [Annotation]
  /// Doors and other passages through walls, and the entrances.
  public var openings: [Opening]
  /// Stairs, elevators and other connections between floors, sorted by identifier.
  public var connections: [Connection]
  /// The points of interest, sorted by identifier. They may contain names of people, because real maps state who sits
  /// where.
  public var pointsOfInterest: [PointOfInterest]
  /// The categories of points of interest, sorted by identifier.
  public var categories: [PointOfInterestCategory]
  /// The navigation graph of the source; `nil` if it has none. Its costs are those of the source and not in metres.
  package var graph: NavigationGraph?
  /// The parts that are closed at present. Readers leave it empty, and writers do not write it.
  public var closures = VenueClosures()

  /// Creates a venue from its parts.
  public init(
    id: VenueID, name: LocalizedText, format: VenueFormat, formatVersion: String? = nil, contentHash: String,
    timeZone: String? = nil, outline: GeoMultiPolygon? = nil, buildings: [Building] = [], floors: [Floor] = [],
    spaces: [Space] = [], walls: [Barrier] = [], obstructions: [Barrier] = [], furniture: [Barrier] = [],
    zones: [Zone] = [], annotations: [Annotation] = [], openings: [Opening] = [], connections: [Connection] = [],
    pointsOfInterest: [PointOfInterest] = [],
    categories: [PointOfInterestCategory] = []
  ) {
    self.id = id
    self.name = name
    self.format = format
    self.formatVersion = formatVersion
    self.contentHash = contentHash
    self.timeZone = timeZone
    self.outline = outline
    self.buildings = buildings
    self.floors = floors
    self.spaces = spaces
    self.walls = walls
    self.obstructions = obstructions
    self.furniture = furniture
    self.zones = zones
    self.annotations = annotations
    self.openings = openings
    self.connections = connections
    self.pointsOfInterest = pointsOfInterest
    self.categories = categories
  }
}

/// The formats that Cordon reads, detected from the contents of a bundle.
public enum VenueFormat: String, Hashable, Sendable, CaseIterable {
  case mvf1 = "mvf-1"
  case mvf2 = "mvf-2"
  case mvf3 = "mvf-3"
  case imdf
  case osmIndoor = "osm-indoor"
  case wrld
  case geojson
}

/// Text in one or more languages.
public struct LocalizedText: Hashable, Sendable {
  /// The texts by language tag (BCP 47); the tag is empty if the source does not state it.
  public var values: [String: String]

  /// Creates texts from a dictionary by language tag.
  public init(_ values: [String: String] = [:]) { self.values = values }

  /// Creates a text without a language; an empty text gives no texts.
  public init(_ text: String) { values = text.isEmpty ? [:] : ["": text] }

  /// Returns the text in a language.
  ///
  /// Otherwise it returns the text in English, without a language, or with the first language tag; `nil` if there is
  /// none.
  public func text(in language: String = "en") -> String? {
    values[language] ?? values["en"] ?? values[""] ?? values.min { $0.key < $1.key }?.value
  }

  /// Whether there is no text.
  public var isEmpty: Bool { values.isEmpty }
}
