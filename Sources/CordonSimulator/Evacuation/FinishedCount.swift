import Foundation

/// A count of finished replicas that several threads increase.
///
/// `@unchecked Sendable` holds because the lock guards the count.
final class FinishedCount: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0
  private let report: @Sendable (Int) -> Void

  init(_ report: @escaping @Sendable (Int) -> Void) { self.report = report }

  /// Counts one more, and reports the count.
  func add() {
    lock.lock()
    count += 1
    report(count)
    lock.unlock()
  }
}
