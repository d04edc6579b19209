package import CordonCore

/// An index for the distance of positions to the boundary of an area, and for the probability of being inside it.
///
/// The polygons of the area must not overlap, but may touch, as in any valid multipolygon. Lengths are measured in a
/// plane that touches the ellipsoid at the position. At 60 degrees north they are accurate to about a millimetre at 100
/// m and 10 cm at 1 km; at larger distances they are a rough measure.
///
/// Complexity: O(*n* log² *n*) to build, and about O(log *n*) per query.
package struct BoundaryIndex: Sendable {
  private let gate: Gate
  private let tree: EdgeTree
  private let bounds: GeoBounds?

  /// Standard deviation per axis of a Gaussian error that is within 1 m with 68 %: 1 / sqrt(-2 ln 0.32).
  package static let deviationPerAccuracy = 1 / 1.5095921854516636

  /// Prepares an area. Invalid rings are left out as in ``Gate/init(_:tolerance:)``.
  package init(_ area: GeoMultiPolygon) {
    gate = Gate(area)
    let polygons = area.polygons.map(\.validRings)
    let bounds = GeoMultiPolygon(polygons).bounds
    self.bounds = bounds
    var edges: [EdgeTree.Edge] = []
    if let bounds {
      for part in PlaneArea.parts(of: area, owner: 0, in: bounds) {
        for (index, ring) in part.rings.enumerated() {
          // The inside is on the left: outer rings are counter-clockwise, holes clockwise.
          let isForward = (PlaneRing.signedArea(ring) >= 0) == (index == 0)
          let directed = isForward ? ring : ring.reversed()
          guard var previous = directed.last else { continue }
          for vertex in directed {
            edges.append(EdgeTree.Edge(ax: previous.x, ay: previous.y, bx: vertex.x, by: vertex.y, id: edges.count))
            previous = vertex
          }
        }
      }
    }
    tree = EdgeTree(edges)
  }

  /// Returns the distance to the boundary in metres, negative inside and positive outside.
  ///
  /// The result is `nil` without a boundary or for an invalid position.
  package func signedDistance(from position: Coordinate) -> Double? {
    guard let bounds, position.isValid else { return nil }
    let frame = LocalFrame(origin: position)
    let nearest = tree.nearest(
      x: bounds.unwrapped(position.longitude), y: position.latitude, scaleX: frame.metresPerDegreeEast,
      scaleY: frame.metresPerDegreeNorth)
    guard let distance = nearest?.distanceSquared.squareRoot() else { return nil }
    return gate.contains(position) ? -distance : distance
  }

  /// Returns the probability that a device is inside, accurate to 1e-4.
  ///
  /// The error is Gaussian and isotropic, without other knowledge of the device. An accuracy below a millimetre counts
  /// as exact: the result is 1 inside (the boundary included) and 0 outside. An infinite, negative or NaN accuracy, or
  /// an invalid position, gives 0.
  /// - Parameters:
  ///   - position: the reported position.
  ///   - accuracy: the radius in metres that contains the device with a probability of 68 %.
  package func probabilityInside(at position: Coordinate, accuracy: Double) -> Double {
    guard let bounds, position.isValid, accuracy >= 0, accuracy.isFinite else { return 0 }
    let deviation = accuracy * BoundaryIndex.deviationPerAccuracy
    guard deviation >= 1e-3 else { return gate.contains(position) ? 1 : 0 }
    let frame = LocalFrame(origin: position)
    let scale = (x: frame.metresPerDegreeEast / deviation, y: frame.metresPerDegreeNorth / deviation)
    guard let place = evaluationPoint(position, bounds, scale) else { return 0.5 }
    // Sums the mass beyond each edge, within the angle under which it is seen. The result is the winding number minus
    // that sum.
    var beyond = 0.0
    tree.visit(x: place.x, y: place.y, radius: 8, scaleX: scale.x, scaleY: scale.y) { edge in
      beyond += GaussianMass.beyond(
        ax: (edge.ax - place.x) * scale.x, ay: (edge.ay - place.y) * scale.y, bx: (edge.bx - place.x) * scale.x,
        by: (edge.by - place.y) * scale.y)
    }
    let inside = gate.contains(Coordinate(longitude: rewrapped(place.x), latitude: place.y))
    return min(max((inside ? 1 : 0) - beyond, 0), 1)
  }

  /// Returns the position, or one that is a ten-thousandth of a deviation away from it if it lies on the boundary.
  ///
  /// On the boundary, the angle under which an edge is seen is not defined. The probability changes by less than 1e-4.
  private func evaluationPoint(
    _ position: Coordinate, _ bounds: GeoBounds, _ scale: (x: Double, y: Double)
  ) -> PlanePoint? {
    let x = bounds.unwrapped(position.longitude)
    for attempt in 0..<12 {
      let angle = Double(attempt) * 2.4
      let offset = attempt == 0 ? 0 : 1e-4
      let place = PlanePoint(
        x: x + offset * PortableMath.cos(angle) / scale.x,
        y: position.latitude + offset * PortableMath.sin(angle) / scale.y)
      let nearest = tree.nearest(x: place.x, y: place.y, scaleX: scale.x, scaleY: scale.y)
      if let nearest, nearest.distanceSquared < 1e-10 { continue }
      return place
    }
    return nil
  }

  private func rewrapped(_ x: Double) -> Double {
    x > 180 ? x - 360 : (x < -180 ? x + 360 : x)
  }
}
