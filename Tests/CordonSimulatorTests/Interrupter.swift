import Foundation

/// Says yes to certain questions, by their number from 1: an interruption that comes at the same place every time.
///
/// `@unchecked Sendable` holds because `count` is touched under `lock` only.
final class Interrupter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0
  private let answer: @Sendable (Int) -> Bool

  init(_ answer: @escaping @Sendable (Int) -> Bool) { self.answer = answer }

  var asked: Int { lock.withLock { count } }

  func ask() -> Bool {
    lock.withLock {
      count += 1
      return answer(count)
    }
  }
}
