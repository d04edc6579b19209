public import CordonCore

/// The circle round a venue that an operating system monitors; entering it switches positioning on.
public struct Geofence: Hashable, Sendable {
  /// The centre.
  public var center: Coordinate
  /// The radius in metres; a device that is nearer has entered.
  public var radius: Double
  /// The exit radius in metres; a device that is farther has left.
  public var exitRadius: Double

  /// Creates a geofence from its parts, without a check.
  public init(center: Coordinate, radius: Double, exitRadius: Double) {
    self.center = center
    self.radius = radius
    self.exitRadius = exitRadius
  }
}
