import Foundation

/// Counts the finished work of several threads and reports its share, about a hundred times in total.
///
/// `@unchecked Sendable` holds because `done`, the only variable, is accessed under `lock`.
final class ProgressMeter: @unchecked Sendable {
  private let lock = NSLock()
  private let total: Int
  private let every: Int
  private var done = 0
  private let report: (@Sendable (Double) -> Void)?

  init(total: Int, report: (@Sendable (Double) -> Void)?) {
    self.total = max(total, 1)
    every = max(total / 100, 1)
    self.report = report
  }

  func advance() {
    guard let report else { return }
    lock.lock()
    done += 1
    let share = done % every == 0 || done == total ? Double(done) / Double(total) : nil
    lock.unlock()
    if let share { report(share) }
  }
}
