public import CordonCore

/// A clock that reads the time and sleeps: the system's clock in apps, one that tests move by hand.
public protocol MonitorClock: Sendable {
  /// The current reading of both clocks.
  var now: ClockReading { get }
  /// Returns after `span` on the monotonic clock.
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  func sleep(for span: TimeSpan) async throws
}
