public import CordonCore

/// A polygon in degrees: one outer ring and any number of holes, edges straight in (longitude, latitude).
///
/// Rings are closed implicitly: the first vertex is not repeated at the end. Winding carries no
/// meaning; readers turn outer rings counter-clockwise and holes clockwise.
public struct GeoPolygon: Hashable, Sendable {
  /// The outer ring, at least three vertices in a valid polygon.
  public var outer: [Coordinate]
  /// The holes.
  public var holes: [[Coordinate]]

  /// Takes the rings as they are; a last vertex equal to the first is dropped.
  public init(outer: [Coordinate], holes: [[Coordinate]] = []) {
    self.outer = GeoPolygon.opened(outer)
    self.holes = holes.map(GeoPolygon.opened)
  }

  /// All rings, the outer one first.
  public var rings: [[Coordinate]] { [outer] + holes }

  private static func opened(_ ring: [Coordinate]) -> [Coordinate] {
    ring.count > 1 && ring.first == ring.last ? Array(ring.dropLast()) : ring
  }
}

/// Any number of polygons in degrees, as one area. Empty is allowed and contains nothing.
public struct GeoMultiPolygon: Hashable, Sendable {
  /// The parts.
  public var polygons: [GeoPolygon]

  /// Takes the parts as they are.
  public init(_ polygons: [GeoPolygon] = []) { self.polygons = polygons }

  /// Whether there is no part.
  public var isEmpty: Bool { polygons.isEmpty }

  /// Every vertex of every ring.
  public var vertices: [Coordinate] { polygons.flatMap { $0.rings.joined() } }
}
