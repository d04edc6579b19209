import Foundation

/// Who watches a long run: is told how far it is, and can end it.
public struct RunControl: Sendable {
  /// Asked now and then, on any thread; `true` ends the work.
  public var isInterrupted: @Sendable () -> Bool
  /// Told the share of the work that is done, 0 ... 1, on any thread.
  public var progress: (@Sendable (Double) -> Void)?

  /// Nobody watches unless somebody is named.
  public init(
    isInterrupted: @escaping @Sendable () -> Bool = { false }, progress: (@Sendable (Double) -> Void)? = nil
  ) {
    self.isInterrupted = isInterrupted
    self.progress = progress
  }
}

/// Adds up what several jobs that go on at the same time tell of themselves.
///
/// `@unchecked Sendable` holds because the variables are touched under `lock` only.
final class SummedProgress: @unchecked Sendable {
  private let lock = NSLock()
  private var shares: [Int: Double] = [:]
  private var sum = 0.0
  private let report: @Sendable (Double) -> Void

  /// - Parameter report: told how many jobs are done, in parts of a job.
  init(_ report: @escaping @Sendable (Double) -> Void) { self.report = report }

  /// Notes how far a job is; one that says less than before is not gone back.
  func note(_ share: Double, of job: Int) {
    lock.lock()
    let more = min(share, 1) - (shares[job] ?? 0)
    if more > 0 {
      shares[job, default: 0] += more
      sum += more
    }
    let told = sum
    lock.unlock()
    if more > 0 { report(told) }
  }
}

/// Asks one thread at a time, and not again once the answer was yes.
///
/// `@unchecked Sendable` holds because the variable is touched under `lock` only.
final class StickyAnswer: @unchecked Sendable {
  private let lock = NSLock()
  private var isYes = false
  private let question: @Sendable () -> Bool

  init(_ question: @escaping @Sendable () -> Bool) { self.question = question }

  func ask() -> Bool {
    lock.lock()
    defer { lock.unlock() }
    if !isYes { isYes = question() }
    return isYes
  }
}
