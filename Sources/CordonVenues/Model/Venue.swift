public import CordonCore
public import CordonGeometry

/// A venue as its map describes it: one model for every format.
///
/// Every object keeps the identifier its source gave it. Lists are sorted (floors by ordinal, then
/// identifier; everything else by floor and identifier), so equal maps make equal values.
public struct Venue: Hashable, Sendable {
  /// The slug or name of the source, or a hash of its contents.
  public var id: VenueID
  /// The name, by language.
  public var name: LocalizedText
  /// The format it was read from.
  public var format: VenueFormat
  /// The version that the source claims, as text.
  public var formatVersion: String?
  /// SHA-256 of the bundle's contents, 64 hexadecimal digits.
  public var contentHash: String
  /// IANA time zone name, when the source gives one.
  public var timeZone: String?
  /// The outline that the source itself calls the venue, when it has one.
  public var outline: GeoMultiPolygon?
  /// Sorted by identifier. Empty when the source knows none.
  public var buildings: [Building]
  /// Sorted by ordinal, then identifier.
  public var floors: [Floor]
  /// Areas that people can be in. They may overlap: a desk area inside a hall.
  public var spaces: [Space]
  /// Walls, windows and columns: what nobody walks or looks through.
  public var walls: [Barrier]
  /// Other solid things that nobody walks through.
  public var obstructions: [Barrier]
  /// Desks, chairs and the like; walked round, seen over.
  public var furniture: [Barrier]
  /// Named parts of floors that are no rooms. Sorted by identifier.
  public var zones: [Zone]
  /// What the map draws for the eye alone.
  public var annotations: [Annotation]
  /// Doors and other ways through walls, and the ways in.
  public var openings: [Opening]
  /// Stairs, elevators and other ways between floors. Sorted by identifier.
  public var connections: [Connection]
  /// What people look for. Sorted by identifier. May hold names of people: real maps say who sits where.
  public var pointsOfInterest: [PointOfInterest]
  /// Groups of points of interest. Sorted by identifier.
  public var categories: [PointOfInterestCategory]
  /// The source's own navigation graph, if any. Its costs are what the source says, not metres.
  public var graph: NavigationGraph?
  /// What is shut for the time being. Readers leave it empty, and no writer keeps it.
  public var closures = VenueClosures()

  /// Takes the parts as they are.
  public init(
    id: VenueID, name: LocalizedText, format: VenueFormat, formatVersion: String? = nil, contentHash: String,
    timeZone: String? = nil, outline: GeoMultiPolygon? = nil, buildings: [Building] = [], floors: [Floor] = [],
    spaces: [Space] = [], walls: [Barrier] = [], obstructions: [Barrier] = [], furniture: [Barrier] = [],
    zones: [Zone] = [], annotations: [Annotation] = [], openings: [Opening] = [], connections: [Connection] = [],
    pointsOfInterest: [PointOfInterest] = [],
    categories: [PointOfInterestCategory] = [], graph: NavigationGraph? = nil
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
    self.graph = graph
  }
}

/// The formats that Cordon reads, detected from contents.
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
  /// Language tag (BCP 47; empty when the source does not say) to text.
  public var values: [String: String]

  /// Text by language tag.
  public init(_ values: [String: String] = [:]) { self.values = values }

  /// Text whose language the source does not say.
  public init(_ text: String) { values = text.isEmpty ? [:] : ["": text] }

  /// The text in `language`, else in English, else the first by language tag; `nil` when there is none.
  public func text(in language: String = "en") -> String? {
    values[language] ?? values["en"] ?? values[""] ?? values.min { $0.key < $1.key }?.value
  }

  /// Whether there is no text at all.
  public var isEmpty: Bool { values.isEmpty }
}
