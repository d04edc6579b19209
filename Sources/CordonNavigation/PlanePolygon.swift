package import CordonGeometry

/// A polygon of the plane in metres: one outer ring and any number of holes, with rings closed implicitly.
package struct PlanePolygon: Hashable, Sendable {
  /// The outer ring; at least three points in a valid polygon.
  package var outer: [PlanePoint] { didSet { bounds = PlaneBounds(outer) } }
  /// The holes.
  package var holes: [[PlanePoint]]
  /// The bounding box of the outer ring; `nil` for an empty ring.
  package private(set) var bounds: PlaneBounds?

  /// Creates a polygon from its rings.
  package init(outer: [PlanePoint], holes: [[PlanePoint]] = []) {
    self.outer = outer
    self.holes = holes
    bounds = PlaneBounds(outer)
  }

  /// All rings, the outer one first.
  package var rings: [[PlanePoint]] { [outer] + holes }

  /// The edges of all rings, except for those without length.
  package var edges: [PlaneSegment] {
    var edges: [PlaneSegment] = []
    for ring in rings {
      guard var previous = ring.last else { continue }
      for point in ring {
        if point != previous { edges.append(PlaneSegment(previous, point)) }
        previous = point
      }
    }
    return edges
  }

  /// The area in square metres: the outer ring minus the holes, regardless of their winding.
  package var area: Double {
    max(0, abs(PlanePolygon.signedArea(outer)) - holes.reduce(0) { $0 + abs(PlanePolygon.signedArea($1)) })
  }

  /// Checks by the even-odd rule whether a point is inside; a point on an edge may count either way.
  ///
  /// Complexity: linear in the number of vertices.
  package func contains(_ point: PlanePoint) -> Bool {
    var inside = PlanePolygon.crossesOddly(outer, point)
    for hole in holes where PlanePolygon.crossesOddly(hole, point) { inside.toggle() }
    return inside
  }

  private static func crossesOddly(_ ring: [PlanePoint], _ point: PlanePoint) -> Bool {
    guard var previous = ring.last else { return false }
    var odd = false
    for vertex in ring {
      if (vertex.y > point.y) != (previous.y > point.y) {
        let t = (point.y - vertex.y) / (previous.y - vertex.y)
        if point.x < vertex.x + t * (previous.x - vertex.x) { odd.toggle() }
      }
      previous = vertex
    }
    return odd
  }

  /// Returns the area in square metres, positive for a counter-clockwise ring.
  package static func signedArea(_ ring: [PlanePoint]) -> Double { PlaneRing.signedArea(ring) }
}

/// A box with sides along the axes.
package struct PlaneBounds: Hashable, Sendable {
  /// The corner with the smallest coordinates.
  package var low: PlanePoint
  /// The corner with the largest coordinates.
  package var high: PlanePoint

  /// Creates the smallest box that contains points; returns `nil` without points.
  package init?(_ points: some Sequence<PlanePoint>) {
    var box: PlaneBounds?
    for point in points {
      if box == nil { box = PlaneBounds(low: point, high: point) } else { box?.include(point) }
    }
    guard let box else { return nil }
    self = box
  }

  /// Creates the box between two corners.
  package init(low: PlanePoint, high: PlanePoint) {
    self.low = low
    self.high = high
  }

  /// Extends the box to contain a point.
  package mutating func include(_ point: PlanePoint) {
    low = PlanePoint(x: min(low.x, point.x), y: min(low.y, point.y))
    high = PlanePoint(x: max(high.x, point.x), y: max(high.y, point.y))
  }

  /// Checks whether a point lies in the box, extended by `margin` metres on every side.
  @inlinable
  package func contains(_ point: PlanePoint, margin: Double = 0) -> Bool {
    point.x >= low.x - margin && point.x <= high.x + margin && point.y >= low.y - margin && point.y <= high.y + margin
  }

  /// Checks whether the boxes overlap if this one is extended by `margin` metres.
  @inlinable
  package func overlaps(_ other: PlaneBounds, margin: Double = 0) -> Bool {
    low.x - margin <= other.high.x && high.x + margin >= other.low.x && low.y - margin <= other.high.y
      && high.y + margin >= other.low.y
  }
}
