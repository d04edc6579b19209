public import CordonCore

/// The circle round a venue that an operating system watches: entering it turns positioning on.
public struct Geofence: Hashable, Sendable {
  /// Where it is.
  public var center: Coordinate
  /// Metres; entered when nearer than this.
  public var radius: Double
  /// Metres; left when farther than this.
  public var exitRadius: Double

  /// Takes the numbers as they are.
  public init(center: Coordinate, radius: Double, exitRadius: Double) {
    self.center = center
    self.radius = radius
    self.exitRadius = exitRadius
  }
}
