/// The rule that derives a geofence from the enclosing circle of a venue.
public struct GeofencePolicy: Hashable, Sendable {
  /// Padding of the venue's circle in metres, because positions are late and inaccurate. 50 by default.
  public var padding: Double
  /// Minimum radius in metres, because operating systems do not detect smaller circles reliably. 200 by default.
  public var minimumRadius: Double
  /// Distance beyond the circle at which a device has left, in metres. 100 by default.
  public var exitHysteresis: Double
  /// Maximum radius in metres. A larger padded circle is an error, because such a large venue is most likely a fault of
  /// the map. 20 000 by default.
  public var maximumRadius: Double

  /// Creates a policy. A negative, infinite or NaN padding, minimum radius or hysteresis counts as 0.
  /// - Parameters:
  ///   - padding: the padding of the venue's circle, in metres.
  ///   - minimumRadius: the minimum radius, in metres.
  ///   - exitHysteresis: the distance beyond the circle at which a device has left, in metres.
  ///   - maximumRadius: the maximum radius, in metres.
  public init(
    padding: Double = 50, minimumRadius: Double = 200, exitHysteresis: Double = 100, maximumRadius: Double = 20_000
  ) {
    self.padding = GeofencePolicy.usable(padding)
    self.minimumRadius = GeofencePolicy.usable(minimumRadius)
    self.exitHysteresis = GeofencePolicy.usable(exitHysteresis)
    self.maximumRadius = maximumRadius
  }

  /// Returns the geofence of a venue whose boundary lies in `circle`.
  /// - Throws: ``GeofenceError/tooLarge(radius:maximum:)`` if the padded circle is too large.
  package func geofence(around circle: BoundingCircle) throws(GeofenceError) -> Geofence {
    let padded = max(circle.radius + padding, minimumRadius)
    guard padded <= maximumRadius else { throw .tooLarge(radius: padded, maximum: maximumRadius) }
    return Geofence(center: circle.center, radius: padded, exitRadius: padded + exitHysteresis)
  }

  /// Returns the geofence of a venue with a boundary.
  /// - Throws: ``GeofenceError`` if the boundary is empty or invalid, or if the padded circle is too large.
  public func geofence(around boundary: GeoMultiPolygon) throws(GeofenceError) -> Geofence {
    let vertices = boundary.vertices
    guard !vertices.isEmpty else { throw .emptyBoundary }
    guard let circle = BoundingCircle(enclosing: vertices) else { throw .invalidCoordinate }
    return try geofence(around: circle)
  }

  private static func usable(_ metres: Double) -> Double { metres.isFinite ? max(metres, 0) : 0 }
}

/// The reason why a boundary has no geofence.
public enum GeofenceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The boundary is empty.
  case emptyBoundary
  /// A vertex is not finite or out of range.
  case invalidCoordinate
  /// The padded circle is larger than the policy allows; both values are in metres.
  case tooLarge(radius: Double, maximum: Double)

  /// One sentence for readers.
  public var description: String {
    switch self {
    case .emptyBoundary: "the boundary is empty, so there is nothing to watch"
    case .invalidCoordinate: "a vertex of the boundary is not a place on the globe"
    case .tooLarge(let radius, let maximum):
      "the geofence would have a radius of \(GeofenceError.metres(radius)), more than the \(GeofenceError.metres(maximum)) allowed"
    }
  }

  private static func metres(_ value: Double) -> String {
    abs(value) < 1e9 ? "\(Int(value.rounded(.up))) m" : "\(value) m"
  }
}
