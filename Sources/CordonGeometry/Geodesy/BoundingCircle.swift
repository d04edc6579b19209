package import CordonCore

/// The smallest circle on the ellipsoid that encloses a set of places.
///
/// Every place is within ``radius`` metres of ``center`` along the geodesic. The radius is at most 1 mm larger than the
/// minimum for sets up to some 100 km across; larger sets are enclosed as well. It is rounded up to whole millimetres.
package struct BoundingCircle: Hashable, Sendable {
  /// The centre.
  package var center: Coordinate
  /// The radius in metres, a whole number of millimetres.
  package var radius: Double

  /// Creates the smallest circle; returns `nil` without places or with an invalid one. Complexity: O(*n*) expected.
  package init?(enclosing places: [Coordinate]) {
    guard let first = places.first, places.allSatisfy(\.isValid) else { return nil }
    var search = CircleSearch(places: places, start: first)
    (center, radius) = search.run()
  }
}
