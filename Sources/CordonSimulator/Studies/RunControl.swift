import Foundation

/// Control of a long run: an interruption check and a progress callback.
package struct RunControl: Sendable {
  /// Polled from time to time, on any thread; `true` ends the work.
  package var isInterrupted: @Sendable () -> Bool
  /// Receives the share of finished work, 0 ... 1, on any thread.
  package var progress: (@Sendable (Double) -> Void)?

  /// Creates a control; by default the run is not interrupted and does not report progress.
  /// - Parameters:
  ///   - isInterrupted: whether to end the work, called on any thread.
  ///   - progress: receives the share of finished work, 0 ... 1, on any thread.
  package init(
    isInterrupted: @escaping @Sendable () -> Bool = { false }, progress: (@Sendable (Double) -> Void)? = nil
  ) {
    self.isInterrupted = isInterrupted
    self.progress = progress
  }
}

/// The sum of the progress of several concurrent jobs.
///
/// `@unchecked Sendable` holds because all variables are accessed only under `lock`.
final class SummedProgress: @unchecked Sendable {
  private let lock = NSLock()
  private var shares: [Int: Double] = [:]
  private var sum = 0.0
  private let report: @Sendable (Double) -> Void

  /// Creates a sum at zero.
  /// - Parameter report: receives the number of finished jobs, in fractions of a job.
  init(_ report: @escaping @Sendable (Double) -> Void) { self.report = report }

  /// Records the progress of a job, 0 ... 1; a value below the last one is ignored.
  func note(_ share: Double, of job: Int) {
    lock.lock()
    let more = min(share, 1) - (shares[job] ?? 0)
    if more > 0 {
      shares[job, default: 0] += more
      sum += more
    }
    let total = sum
    lock.unlock()
    if more > 0 { report(total) }
  }
}

/// A condition that is evaluated by one thread at a time and no longer once it was true.
///
/// `@unchecked Sendable` holds because the variable is accessed only under `lock`.
final class LatchedCondition: @unchecked Sendable {
  private let lock = NSLock()
  private var isTrue = false
  private let condition: @Sendable () -> Bool

  init(_ condition: @escaping @Sendable () -> Bool) { self.condition = condition }

  func evaluate() -> Bool {
    lock.lock()
    defer { lock.unlock() }
    if !isTrue { isTrue = condition() }
    return isTrue
  }
}
