import Foundation

/// An interruption check that returns `true` at certain calls, counted from 1.
///
/// `@unchecked Sendable` holds because `count` is accessed only under `lock`.
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
