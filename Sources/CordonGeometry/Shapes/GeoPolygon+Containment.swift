public import CordonCore

extension GeoMultiPolygon {
  /// Checks whether the point lies in one of the polygons. This exact test defines the answer of every index.
  ///
  /// The boundary counts as inside, including that of a hole. The even-odd rule combines the rings of one polygon; the
  /// area is the union of the polygons. Edges are straight in (longitude, latitude). Longitudes are taken the short way
  /// round, see ``GeoBounds``. A point that is not a valid coordinate is outside. Holes with an invalid vertex are
  /// ignored, and so are polygons with an invalid vertex in the outer ring.
  ///
  /// Complexity: O(*n*), where *n* is the number of vertices.
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
  /// The polygon without the holes that have an invalid vertex; without any ring if the outer ring has one.
  var validRings: GeoPolygon {
    guard outer.allSatisfy(\.isValid) else { return GeoPolygon(outer: []) }
    return GeoPolygon(outer: outer, holes: outer.isEmpty ? [] : holes.filter { $0.allSatisfy(\.isValid) })
  }
}

/// Tests and measures of rings in a plane, closed implicitly.
package enum PlaneRing {
  /// Checks whether a point lies within rings combined by the even-odd rule. A point on a ring is within.
  ///
  /// The test is exact. It ignores rings with a vertex that is not finite.
  ///
  /// Complexity: O(*n*), where *n* is the number of vertices.
  package static func contains(_ rings: [[PlanePoint]], _ point: PlanePoint) -> Bool {
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

  /// Returns the area enclosed, positive if counter-clockwise, in square units of the plane.
  ///
  /// Complexity: O(*n*), where *n* is the number of vertices.
  package static func signedArea(_ ring: [PlanePoint]) -> Double {
    guard let first = ring.first, var previous = ring.last else { return 0 }
    var doubled = 0.0
    for vertex in ring {
      // Relative to a vertex, so that large coordinates do not cancel the digits.
      doubled += (previous.x - first.x) * (vertex.y - first.y) - (vertex.x - first.x) * (previous.y - first.y)
      previous = vertex
    }
    return doubled / 2
  }

  /// Checks whether a ray from a point crosses a ring oddly often, which is to lie within it by the even-odd rule.
  ///
  /// The test rounds, unlike ``contains(_:_:)``: on an edge, either answer is possible.
  ///
  /// Complexity: O(*n*), where *n* is the number of vertices.
  package static func isCrossedOddly(_ ring: [PlanePoint], from point: PlanePoint) -> Bool {
    guard var previous = ring.last else { return false }
    var isOdd = false
    for vertex in ring {
      if (vertex.y > point.y) != (previous.y > point.y),
        point.x < (previous.x - vertex.x) * (point.y - vertex.y) / (previous.y - vertex.y) + vertex.x
      {
        isOdd.toggle()
      }
      previous = vertex
    }
    return isOdd
  }

  enum Crossing { case none, right, on }

  /// Returns how the ray from `p` in the direction of growing x meets the edge from `a` to `b`. The edge includes its
  /// lower end but not its upper end.
  @inline(__always)
  static func crossing(_ a: PlanePoint, _ b: PlanePoint, _ p: PlanePoint) -> Crossing {
    if (a.y > p.y) != (b.y > p.y) {
      let side = Orientation.side(ax: a.x, ay: a.y, bx: b.x, by: b.y, px: p.x, py: p.y)
      if side == 0 { return .on }
      return (side > 0) == (b.y > a.y) ? .right : .none
    }
    // Otherwise the point is on the edge only if it is an end of it or lies on a level edge.
    if a.y == p.y && a.x == p.x || b.y == p.y && b.x == p.x { return .on }
    if a.y == p.y && b.y == p.y && (a.x < p.x) != (b.x < p.x) { return .on }
    return .none
  }
}
