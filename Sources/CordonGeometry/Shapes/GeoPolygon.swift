public import CordonCore

/// A polygon in degrees: one outer ring and any number of holes, with edges that are straight in (longitude, latitude).
///
/// Rings are closed implicitly: the last vertex does not repeat the first. Winding has no meaning; readers make outer
/// rings counter-clockwise and holes clockwise.
public struct GeoPolygon: Hashable, Sendable {
  /// The outer ring, with at least three vertices in a valid polygon.
  public var outer: [Coordinate]
  /// The holes.
  public var holes: [[Coordinate]]

  /// Creates a polygon from its rings. A last vertex equal to the first is dropped.
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

/// An area of any number of polygons in degrees. An empty area contains nothing.
public struct GeoMultiPolygon: Hashable, Sendable {
  /// The parts.
  public var polygons: [GeoPolygon]

  /// Creates an area from its parts.
  public init(_ polygons: [GeoPolygon] = []) { self.polygons = polygons }

  /// Whether there are no parts.
  public var isEmpty: Bool { polygons.isEmpty }

  /// All vertices of all rings.
  public var vertices: [Coordinate] { polygons.flatMap { $0.rings.joined() } }
}
