import CordonCore
import CordonMonitoring
import Foundation

/// Both clocks of the operating system.
struct SystemClock: Sendable {
  private let origin = ContinuousClock.now

  var now: Moment {
    let (seconds, attoseconds) = (ContinuousClock.now - origin).components
    return Moment(
      wall: SystemClock.wall,
      monotonic: TimeSpan(milliseconds: seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
  }

  static var wall: Instant { Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded())) }
}
