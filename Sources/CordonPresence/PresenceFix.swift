package import CordonCore
import CordonGeometry

/// A position of a person at a time, as presence is computed from it.
package struct PresenceFix: Hashable, Sendable {
  /// Milliseconds since 1970 at which the position was measured.
  package var time: Int64
  /// Milliseconds since 1970 until which the device rested there; ``time`` if it is not known to have rested.
  package var until: Int64
  /// The end of the rest that the row of this fix itself has, if ``until`` is that of an earlier row; `nil` if both are the same.
  var ownUntil: Int64?
  /// The position.
  package var coordinate: Coordinate
  /// The 68 % error radius in metres; NaN if it is unknown.
  package var accuracy: Double

  /// Creates a fix. An accuracy that is not greater than 0 is unknown, as platforms report it.
  package init(time: Int64, until: Int64? = nil, coordinate: Coordinate, accuracy: Double?) {
    self.time = time
    self.until = max(until ?? time, time)
    self.coordinate = coordinate
    self.accuracy = accuracy.map { $0 > 0 ? $0 : .nan } ?? .nan
  }

  /// Creates a fix of a provider.
  package init(_ fix: Fix) {
    self.init(time: fix.time.milliseconds, coordinate: fix.coordinate, accuracy: fix.accuracy)
  }

  /// Whether another fix may be of the same place: it is nearer than the edge of a visit with its hysteresis and one standard
  /// deviation of both errors.
  func isSamePlace(as other: PresenceFix) -> Bool {
    let first = hasAccuracy ? accuracy : MovementRules.unknownAccuracy
    let second = other.hasAccuracy ? other.accuracy : MovementRules.unknownAccuracy
    let error = (first * first + second * second).squareRoot() * PresenceFix.sigmaPerRadius
    return Geodesic.distance(from: coordinate, to: other.coordinate)
      <= MovementRules.defaultRadius + MovementRules.hysteresis + error
  }

  /// Whether the accuracy is known.
  var hasAccuracy: Bool { accuracy > 0 }

  /// The standard deviation of each axis for a 68 % radius of 1 m.
  static let sigmaPerRadius = 1 / 1.5096
}
