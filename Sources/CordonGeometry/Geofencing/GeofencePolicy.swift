/// How the circle that an operating system watches is made of the circle that holds a venue.
public struct GeofencePolicy: Hashable, Sendable {
  /// Metres added to the radius of the venue's circle. Positions are late and inexact; 50 by default.
  public var padding: Double
  /// Metres; operating systems do not see smaller circles reliably. 200 by default.
  public var minimumRadius: Double
  /// Metres that a device must be beyond the circle before it has left. 100 by default.
  public var exitHysteresis: Double
  /// Metres; a padded circle larger than this is an error, since a venue so large is most likely a mistake in its map.
  /// 20 000 by default.
  public var maximumRadius: Double

  /// A policy; negative and not finite paddings, minima and hystereses count as 0.
  public init(
    padding: Double = 50, minimumRadius: Double = 200, exitHysteresis: Double = 100, maximumRadius: Double = 20_000
  ) {
    self.padding = GeofencePolicy.usable(padding)
    self.minimumRadius = GeofencePolicy.usable(minimumRadius)
    self.exitHysteresis = GeofencePolicy.usable(exitHysteresis)
    self.maximumRadius = maximumRadius
  }

  /// The geofence of a venue whose boundary lies in `circle`.
  public func geofence(around circle: BoundingCircle) throws(GeofenceError) -> Geofence {
    let padded = max(circle.radius + padding, minimumRadius)
    guard padded <= maximumRadius else { throw .tooLarge(radius: padded, maximum: maximumRadius) }
    return Geofence(center: circle.center, radius: padded, exitRadius: padded + exitHysteresis)
  }

  /// The geofence of a venue with this boundary.
  public func geofence(around boundary: GeoMultiPolygon) throws(GeofenceError) -> Geofence {
    let vertices = boundary.vertices
    guard !vertices.isEmpty else { throw .emptyBoundary }
    guard let circle = BoundingCircle(enclosing: vertices) else { throw .invalidCoordinate }
    return try geofence(around: circle)
  }

  private static func usable(_ metres: Double) -> Double { metres.isFinite ? max(metres, 0) : 0 }
}

/// Why a boundary has no geofence.
public enum GeofenceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is nothing to put a circle round.
  case emptyBoundary
  /// A vertex is not a place: not finite, or out of range.
  case invalidCoordinate
  /// The padded circle is larger than the policy allows; metres.
  case tooLarge(radius: Double, maximum: Double)

  /// One sentence for people.
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
