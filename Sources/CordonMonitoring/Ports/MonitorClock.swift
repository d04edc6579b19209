public import CordonCore

/// What tells the time, and wakes who waits: the system's clock in apps, one that is moved by hand in tests.
public protocol MonitorClock: Sendable {
  /// What time it is by both clocks.
  var now: ClockReading { get }
  /// Returns when so much time has passed on the monotonic clock.
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  func sleep(for span: TimeSpan) async throws
}
