public import CordonCore

/// How far a position is from the boundary of an area, and how probable it is that the device is inside of it.
///
/// Polygons of the area must not overlap (touching is fine), as in any valid multipolygon. Lengths are measured in a
/// plane that touches the ellipsoid at the position: to about a millimetre at 100 m and 10 cm at 1 km, at 60 degrees
/// north; far away they are only a rough measure. Built once, O(n log^2 n); a question costs about O(log n).
public struct BoundaryIndex: Sendable {
  private let gate: Gate
  private let tree: EdgeTree
  private let bounds: GeoBounds?

  /// Per-axis standard deviation of a Gaussian error of which 68 % is within 1 m: 1 / sqrt(-2 ln 0.32).
  public static let deviationPerAccuracy = 1 / 1.5095921854516636

  /// Prepares an area. Rings are left out as in ``Gate/init(_:tolerance:)``.
  public init(_ area: GeoMultiPolygon) {
    gate = Gate(area)
    let polygons = area.polygons.map(\.validRings)
    let bounds = GeoMultiPolygon(polygons).bounds
    self.bounds = bounds
    var edges: [EdgeTree.Edge] = []
    if let bounds {
      for part in PlaneArea.parts(of: area, owner: 0, in: bounds) {
        for (index, ring) in part.rings.enumerated() {
          // The inside is to the left: outer rings run counter-clockwise, holes clockwise.
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

  /// Metres to the boundary, negative inside, positive outside; `nil` when there is no boundary or the position is not a valid coordinate.
  public func signedDistance(from position: Coordinate) -> Double? {
    guard let bounds, position.isValid else { return nil }
    let frame = LocalFrame(origin: position)
    let nearest = tree.nearest(
      x: bounds.unwrapped(position.longitude), y: position.latitude, scaleX: frame.metresPerDegreeEast,
      scaleY: frame.metresPerDegreeNorth)
    guard let distance = nearest?.distanceSquared.squareRoot() else { return nil }
    return gate.contains(position) ? -distance : distance
  }

  /// The probability that the device is inside, when it is reported at `position` with 68 % of the error within `accuracy` metres.
  ///
  /// The error is Gaussian, the same in all directions, and nothing else is known of the device. Exact to 1e-4. An accuracy
  /// below a millimetre counts as none: 1 inside (the boundary included), else 0. An infinite, negative or
  /// not-a-number accuracy, and a position that is not a valid coordinate, prove nothing: 0.
  public func probabilityInside(at position: Coordinate, accuracy: Double) -> Double {
    guard let bounds, position.isValid, accuracy >= 0, accuracy.isFinite else { return 0 }
    let deviation = accuracy * BoundaryIndex.deviationPerAccuracy
    guard deviation >= 1e-3 else { return gate.contains(position) ? 1 : 0 }
    let frame = LocalFrame(origin: position)
    let scale = (x: frame.metresPerDegreeEast / deviation, y: frame.metresPerDegreeNorth / deviation)
    guard let place = evaluationPoint(position, bounds, scale) else { return 0.5 }
    // The share of the directions times the mass within the edge: over all edges that is the winding number, less
    // what lies beyond the edges.
    var beyond = 0.0
    tree.visit(x: place.x, y: place.y, radius: 8, scaleX: scale.x, scaleY: scale.y) { edge in
      beyond += GaussianMass.beyond(
        ax: (edge.ax - place.x) * scale.x, ay: (edge.ay - place.y) * scale.y, bx: (edge.bx - place.x) * scale.x,
        by: (edge.by - place.y) * scale.y)
    }
    let inside = gate.contains(Coordinate(longitude: rewrapped(place.x), latitude: place.y))
    return min(max((inside ? 1 : 0) - beyond, 0), 1)
  }

  /// The position, or one a ten-thousandth of a deviation off when it lies on the boundary, where the angle under which an edge is seen is
  /// not defined. The probability changes by less than 1e-4.
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
