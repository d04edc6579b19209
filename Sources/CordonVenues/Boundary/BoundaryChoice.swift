public import CordonGeometry

/// The rule that determines which area counts as the venue.
///
/// On a campus the choice matters: the buildings may cover a tenth of the grounds.
public enum BoundaryChoice: Hashable, Sendable {
  /// The outlines of the buildings; for a building without one, the union of its indoor floors.
  case buildings
  /// The outlines of all floors, including outdoor floors.
  case floors
  /// The outline of the venue in the source.
  case venue
  /// The union of the spaces of all indoor floors.
  case spaces
  /// An area that the caller provides.
  case polygon(GeoMultiPolygon)

  /// Creates a choice from its name in commands: `buildings`, `floors`, `venue` or `spaces`.
  public init?(name: String) {
    switch name {
    case "buildings": self = .buildings
    case "floors": self = .floors
    case "venue": self = .venue
    case "spaces": self = .spaces
    default: return nil
    }
  }

  /// The name of the choice in commands; `polygon` for an area that the caller provides.
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

/// The source from which a boundary was taken.
public enum BoundarySource: String, Hashable, Sendable, CaseIterable {
  case buildings, floors, venue, spaces, polygon
  /// The convex hull of the whole map: larger than the venue, and used only if there is no other source.
  case hull
}

/// The area that counts as the venue, and its source.
public struct VenueBoundary: Hashable, Sendable {
  /// The requested choice.
  public var choice: BoundaryChoice
  /// The source of the area, which differs from the choice if the map lacks it.
  public var source: BoundarySource
  /// The area: valid, with holes, possibly in several parts.
  public var area: GeoMultiPolygon
  /// The size of the area in a local frame, in square metres.
  public var squareMetres: Double

  /// Creates a boundary from its parts.
  public init(choice: BoundaryChoice, source: BoundarySource, area: GeoMultiPolygon, squareMetres: Double) {
    self.choice = choice
    self.source = source
    self.area = area
    self.squareMetres = squareMetres
  }

  /// Whether the map lacks the requested source, so that another one was used.
  public var isFallback: Bool {
    switch (choice, source) {
    case (.buildings, .buildings), (.floors, .floors), (.venue, .venue), (.spaces, .spaces), (.polygon, .polygon):
      false
    default: true
    }
  }
}
