public import CordonCore

extension GeoMultiPolygon {
  /// Whether the point lies in one of the polygons: the plain, exact answer that every index is held against.
  ///
  /// The boundary is inside, also that of a hole. The rings of one polygon are combined by the even-odd
  /// rule, polygons by "or". Edges are straight in (longitude, latitude); longitudes are taken the short way round, see
  /// ``GeoBounds``. What is not a valid coordinate is outside, a hole with such a vertex is
  /// left out, and a polygon whose outer ring has one. O(vertices).
  public func contains(_ point: Coordinate) -> Bool {
    guard point.isValid else { return false }
    let polygons = polygons.map(\.validRings)
    guard let bounds = GeoMultiPolygon(polygons).bounds else { return false }
    let x = bounds.unwrapped(point.longitude)
    return polygons.contains { polygon in
      let rings = polygon.rings.map { ring in
        ring.map { PlanePoint(x: bounds.unwrapped($0.longitude), y: $0.latitude) }
      }
      return PlaneRing.contains(rings, PlanePoint(x: x, y: point.latitude))
    }
  }
}

extension GeoPolygon {
  /// Without the holes that have a vertex that is not a valid coordinate; without any ring when the outer one has.
  var validRings: GeoPolygon {
    guard outer.allSatisfy(\.isValid) else { return GeoPolygon(outer: []) }
    return GeoPolygon(outer: outer, holes: outer.isEmpty ? [] : holes.filter { $0.allSatisfy(\.isValid) })
  }
}

/// Rings in a plane, closed implicitly.
public enum PlaneRing {
  /// Whether a point lies within rings combined by the even-odd rule; on any ring counts as within. Exact; O(vertices).
  ///
  /// Rings with a vertex that is not finite are left out.
  public static func contains(_ rings: [[PlanePoint]], _ point: PlanePoint) -> Bool {
    guard point.x.isFinite, point.y.isFinite else { return false }
    var inside = false
    for ring in rings where ring.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) {
      guard var previous = ring.last else { continue }
      for vertex in ring {
        switch crossing(previous, vertex, point) {
        case .on: return true
        case .right: inside.toggle()
        case .none: break
        }
        previous = vertex
      }
    }
    return inside
  }

  /// The area enclosed, positive when counter-clockwise, in square units of the plane. O(vertices).
  public static func signedArea(_ ring: [PlanePoint]) -> Double {
    guard let first = ring.first, var previous = ring.last else { return 0 }
    var doubled = 0.0
    for vertex in ring {
      // Relative to a vertex, so that large coordinates do not eat the digits.
      doubled += (previous.x - first.x) * (vertex.y - first.y) - (vertex.x - first.x) * (previous.y - first.y)
      previous = vertex
    }
    return doubled / 2
  }

  enum Crossing { case none, right, on }

  /// How the ray from `p` in the direction of growing x meets the edge from `a` to `b`, its lower end included
  /// and its upper end not.
  @inline(__always)
  static func crossing(_ a: PlanePoint, _ b: PlanePoint, _ p: PlanePoint) -> Crossing {
    if (a.y > p.y) != (b.y > p.y) {
      let side = Orientation.side(ax: a.x, ay: a.y, bx: b.x, by: b.y, px: p.x, py: p.y)
      if side == 0 { return .on }
      return (side > 0) == (b.y > a.y) ? .right : .none
    }
    // The edge touches the ray's line only at a level end or along its whole length.
    if a.y == p.y && a.x == p.x || b.y == p.y && b.x == p.x { return .on }
    if a.y == p.y && b.y == p.y && (a.x < p.x) != (b.x < p.x) { return .on }
    return .none
  }
}
