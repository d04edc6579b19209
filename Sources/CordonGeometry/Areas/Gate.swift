public import CordonCore

/// Whether positions lie in an area: built once, asked for every fix.
///
/// The boundary is inside, holes are outside, edges are straight in (longitude, latitude), and answers are
/// exact: those of ``GeoMultiPolygon/contains(_:)``. With a tolerance, positions that are no
/// farther than that from the boundary are inside too, measured in a plane that touches the ellipsoid at the position.
public struct Gate: Sendable {
  /// Metres outside of the boundary that still count as inside.
  public let tolerance: Double
  private let area: GeoMultiPolygon

  /// Prepares an area. A tolerance that is negative or not finite counts as 0.
  public init(_ area: GeoMultiPolygon, tolerance: Double = 0) {
    self.area = area
    self.tolerance = tolerance.isFinite ? max(tolerance, 0) : 0
  }

  /// Whether the position is inside; not-a-number is outside.
  public func contains(_ position: Coordinate) -> Bool {
    area.contains(position)
  }

  /// Answers for many positions, in order.
  public func contains(_ positions: [Coordinate]) -> [Bool] {
    positions.map(contains)
  }
}
