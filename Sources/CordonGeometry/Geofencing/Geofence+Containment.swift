public import CordonCore

extension Geofence {
  /// Checks whether a position is in the circle: at most ``radius`` metres from its centre along the geodesic.
  ///
  /// An invalid coordinate is outside. The result is exact: a plane at the middle latitude decides (about 30 ns), and
  /// the geodesic decides near the edge.
  public func contains(_ position: Coordinate) -> Bool {
    isWithin(radius, of: position)
  }

  /// Checks whether a position is in the larger exit circle: at most ``exitRadius`` metres from the centre. The result
  /// is exact as in ``contains(_:)``.
  public func containsExit(_ position: Coordinate) -> Bool {
    isWithin(exitRadius, of: position)
  }

  private func isWithin(_ limit: Double, of position: Coordinate) -> Bool {
    guard position.isValid, center.isValid, limit >= 0 else { return false }
    let north = position.latitude - center.latitude
    // A degree of latitude is at least 110 574 m, and no line to another latitude is shorter.
    if abs(north) * 110_500 > limit + 1 { return false }
    var east = position.longitude - center.longitude
    if east > 180 { east -= 360 } else if east < -180 { east += 360 }
    let middle = (position.latitude + center.latitude) / 2
    if abs(north) < 0.5, abs(east) < 0.5, abs(middle) < 80 {
      // The plane at the middle latitude is accurate to 2e-4 within half a degree.
      let frame = LocalFrame(origin: Coordinate(longitude: 0, latitude: middle))
      let (x, y) = (east * frame.metresPerDegreeEast, north * frame.metresPerDegreeNorth)
      let distance = (x * x + y * y).squareRoot()
      let doubt = 1e-3 * limit + 0.01
      if distance < limit - doubt { return true }
      if distance > limit + doubt { return false }
    }
    return Geodesic.distance(from: center, to: position) <= limit
  }
}
