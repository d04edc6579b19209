public import CordonCore
public import CordonMonitoring
import Foundation

/// The two clocks of the operating system.
public struct SystemClock: MonitorClock {
  private let origin = ContinuousClock.now

  /// Makes a clock whose monotonic time begins now.
  public init() {}

  /// The current reading.
  public var now: ClockReading {
    let (seconds, attoseconds) = (ContinuousClock.now - origin).components
    return ClockReading(
      wall: SystemClock.wall,
      monotonic: TimeSpan(milliseconds: seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
  }

  /// See `MonitorClock.sleep(for:)`. Sleeps at most a day.
  public func sleep(for span: TimeSpan) async throws {
    let milliseconds = min(max(span.milliseconds, 0), 86_400_000)
    try await Task.sleep(nanoseconds: UInt64(milliseconds) * 1_000_000)
  }

  static var wall: Instant { Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded())) }
}
