public import CordonCore
public import CordonMonitoring
import Foundation

/// A clock that a test advances manually: pass it to a `ContactMonitor`.
///
/// `@unchecked Sendable` holds because every access to the mutable fields happens with `lock` held.
public final class ManualClock: MonitorClock, @unchecked Sendable {
  private struct Sleeper {
    var end: TimeSpan
    var continuation: CheckedContinuation<Void, any Error>
  }

  private let lock = NSLock()
  private var time: ClockReading
  private var sleepers: [UInt64: Sleeper] = [:]
  private var lastSleeper: UInt64 = 0

  /// Makes a clock that shows a time, by default 08:00 UTC on 1 January 2026.
  public init(_ start: Instant = Instant(milliseconds: 1_767_254_400_000)) { time = ClockReading(virtual: start) }

  /// The current reading.
  public var now: ClockReading { lock.withLock { time } }

  /// Returns after the clock has advanced by `span`.
  public func sleep(for span: TimeSpan) async throws {
    let number = lock.withLock {
      lastSleeper += 1
      return lastSleeper
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = lock.withLock { () -> Bool in
          if Task.isCancelled || span <= .zero { return true }
          sleepers[number] = Sleeper(end: time.monotonic + span, continuation: continuation)
          return false
        }
        guard isOver else { return }
        if Task.isCancelled { continuation.resume(throwing: CancellationError()) } else { continuation.resume() }
      }
    } onCancel: {
      lock.withLock { sleepers.removeValue(forKey: number) }?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Advances both clocks and wakes the sleepers whose time has passed.
  public func advance(by span: TimeSpan) {
    let woken = lock.withLock { () -> [Sleeper] in
      time = time + span
      let due = sleepers.filter { $0.value.end <= time.monotonic }
      for number in due.keys { sleepers[number] = nil }
      return due.values.sorted { $0.end < $1.end }
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Moves the wall clock forward or back; the monotonic clock stays.
  public func setWall(by span: TimeSpan) { lock.withLock { time.wall = time.wall + span } }
}
