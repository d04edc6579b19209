public import CordonCore
import Foundation

/// Holds a replay to a clock.
///
/// ```swift
/// let pace = ReplayPace(factor: 20)
/// let ports = ReplayPorts(carry: sink.handle, pace: { try pace.wait(until: $0) })
/// ```
public final class ReplayPace {
  /// What time passes by.
  public struct Clock {
    /// Seconds since some moment.
    public var now: () -> Double
    /// Lets so many seconds pass.
    public var sleep: (Double) -> Void

    /// A clock.
    public init(now: @escaping () -> Double, sleep: @escaping (Double) -> Void) {
      self.now = now
      self.sleep = sleep
    }

    /// The clock of the machine.
    public static var machine: Clock {
      Clock(now: { ProcessInfo.processInfo.systemUptime }, sleep: { Thread.sleep(forTimeInterval: $0) })
    }
  }

  /// How many times faster than the clock; `nil` for as fast as it goes.
  private let factor: Double?
  private let clock: Clock
  private let check: () throws -> Void
  private var begin: (virtual: Instant, real: Double)?

  /// - Parameters:
  ///   - factor: how many times faster than the clock, more than 0; `nil` for as fast as it goes.
  ///   - clock: what to wait by.
  ///   - check: asked at least five times a second; what it throws ends the wait.
  public init(factor: Double?, clock: Clock = .machine, check: @escaping () throws -> Void = {}) {
    self.factor = factor
    self.clock = clock
    self.check = check
  }

  /// Returns when the clock has come to a moment of the replay; the first moment is now.
  public func wait(until time: Instant) throws {
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
