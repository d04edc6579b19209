package import CordonCore
import Foundation

/// A clock that a replay keeps pace with.
///
/// ```swift
/// let pace = ReplayPace(factor: 20)
/// let ports = ReplayPorts(send: sink.handle, pace: { try pace.wait(until: $0) })
/// ```
package final class ReplayPace {
  /// A source of time.
  package struct Clock {
    /// Returns the seconds since a fixed point in time.
    package var now: () -> Double
    /// Waits for a number of seconds.
    package var sleep: (Double) -> Void

    /// Creates a clock from its parts.
    package init(now: @escaping () -> Double, sleep: @escaping (Double) -> Void) {
      self.now = now
      self.sleep = sleep
    }

    /// The clock of the machine.
    package static var machine: Clock {
      Clock(now: { ProcessInfo.processInfo.systemUptime }, sleep: { Thread.sleep(forTimeInterval: $0) })
    }
  }

  /// The ratio of replay time to clock time; `nil` for no waiting.
  private let factor: Double?
  private let clock: Clock
  private let check: () throws -> Void
  private var begin: (virtual: Instant, real: Double)?

  /// Creates a pace.
  ///
  /// - Parameters:
  ///   - factor: the ratio of replay time to clock time, greater than 0; `nil` for no waiting.
  ///   - clock: the clock to wait by.
  ///   - check: called at least five times a second; an error that it throws ends the wait.
  package init(factor: Double?, clock: Clock = .machine, check: @escaping () throws -> Void = {}) {
    self.factor = factor
    self.clock = clock
    self.check = check
  }

  /// Waits until the clock reaches a time of the replay. The first call sets the start and returns at once.
  ///
  /// - Throws: The error of the check.
  package func wait(until time: Instant) throws {
    try check()
    guard let factor else { return }
    guard let begin else {
      self.begin = (time, clock.now())
      return
    }
    let due = begin.real + (time - begin.virtual).seconds / factor
    while true {
      let left = due - clock.now()
      if left <= 0 { return }
      try check()
      clock.sleep(min(left, 0.2))
    }
  }
}
