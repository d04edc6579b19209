public import CordonGeometry

/// What counts as "in the venue".
///
/// The choices differ a great deal on a campus: its buildings may cover a tenth of its grounds.
public enum BoundaryChoice: Hashable, Sendable {
  /// The outlines of the buildings; for a building without one, the union of its indoor floors.
  case buildings
  /// The outlines of all floors, outdoor ones included.
  case floors
  /// The outline that the source itself calls the venue.
  case venue
  /// The spaces of all indoor floors, dissolved.
  case spaces
  /// An area given by the caller.
  case polygon(GeoMultiPolygon)

  /// A choice by the name that commands use: `buildings`, `floors`, `venue`, `spaces`.
  public init?(name: String) {
    switch name {
    case "buildings": self = .buildings
    case "floors": self = .floors
    case "venue": self = .venue
    case "spaces": self = .spaces
    default: return nil
    }
  }

  /// The name that commands use; `polygon` for an area given by the caller.
  public var name: String {
    switch self {
    case .buildings: "buildings"
    case .floors: "floors"
    case .venue: "venue"
    case .spaces: "spaces"
    case .polygon: "polygon"
    }
  }
}

/// Where a boundary was taken from in the end.
public enum BoundarySource: String, Hashable, Sendable, CaseIterable {
  case buildings, floors, venue, spaces, polygon
  /// The convex hull of everything on the map: larger than the venue, and only used when there is nothing else.
  case hull
}

/// The area that counts as "in the venue", and how it was found.
public struct VenueBoundary: Hashable, Sendable {
  /// What was asked for.
  public var choice: BoundaryChoice
  /// What it was taken from; differs from the choice when the map has nothing of that kind.
  public var source: BoundarySource
  /// The area: valid, holes kept, parts apart.
  public var area: GeoMultiPolygon
  /// Its size in a local frame.
  public var squareMetres: Double

  /// Takes the parts as they are.
  public init(choice: BoundaryChoice, source: BoundarySource, area: GeoMultiPolygon, squareMetres: Double) {
    self.choice = choice
    self.source = source
    self.area = area
    self.squareMetres = squareMetres
  }

  /// Whether the map lacked what was asked for and something else stands in.
  public var isFallback: Bool {
    switch (choice, source) {
    case (.buildings, .buildings), (.floors, .floors), (.venue, .venue), (.spaces, .spaces), (.polygon, .polygon):
      false
    default: true
    }
  }
}
