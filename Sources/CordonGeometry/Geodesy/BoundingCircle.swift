public import CordonCore

/// The smallest circle on the ellipsoid that holds a set of places.
///
/// Every place is within ``radius`` metres of ``center`` along the geodesic. The radius is at most 1 mm above the
/// smallest possible (for sets up to some 100 km across; larger ones are still held), and is rounded up to whole millimetres.
public struct BoundingCircle: Hashable, Sendable {
  /// The centre.
  public var center: Coordinate
  /// Metres, a whole number of millimetres.
  public var radius: Double

  /// Finds the circle; `nil` when there is no place, or one is not valid. Expected O(n).
  public init?(enclosing places: [Coordinate]) {
    guard let first = places.first, places.allSatisfy(\.isValid) else { return nil }
    var search = CircleSearch(places: places, start: first)
    (center, radius) = search.run()
  }
}
