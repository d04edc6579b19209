package import CordonCore
import CordonVenues

extension Connection.Kind {
  /// Whether people climb steps on the connection.
  package var hasSteps: Bool {
    switch self {
    case .stairs, .unknown, .ladder, .escalator: true
    case .ramp, .elevator, .movingWalkway: false
    }
  }

  /// Returns the time from stepping on at one floor to stepping off at another, in seconds.
  ///
  /// - Stairs: 8 m in plan per level, at 0.455 of the free speed up and 0.515 of it down. That is 0.61 and 0.69 m/s for
  ///   a free speed of 1.34 m/s (Weidmann 1993).
  /// - Ladders: 20 s per level.
  /// - Ramps: 40 m per level, at 0.9 of the free speed.
  /// - Escalators and moving walkways: 9 m per level at 0.5 m/s, plus 2 s.
  /// - Elevators: 2.5 s per level plus 10 s, and an exponentially distributed wait with a mean of 18 s and a maximum of
  ///   90 s.
  ///
  /// - Parameter levels: the number of levels, positive upwards; at least a quarter of a level counts.
  package func seconds(levels: Double, freeSpeed: Double, _ random: inout RandomStream) -> Double {
    let wait = self == .elevator ? min(random.nextExponential(mean: 18), 90) : 0
    return seconds(levels: levels, freeSpeed: freeSpeed, wait: wait)
  }

  /// Returns the time from stepping on at one floor to stepping off at another after a known wait, in seconds.
  /// - Parameter wait: the wait for the elevator in seconds; ignored for other kinds.
  package func seconds(levels: Double, freeSpeed: Double, wait: Double = 0) -> Double {
    let height = max(abs(levels), 0.25)
    switch self {
    case .stairs, .unknown: return height * 8 / (freeSpeed * (levels > 0 ? 0.455 : 0.515))
    case .ladder: return height * 20
    case .ramp: return height * 40 / (freeSpeed * 0.9)
    case .escalator, .movingWalkway: return 2 + height * 9 / 0.5
    case .elevator: return wait + 10 + height * 2.5
    }
  }
}
