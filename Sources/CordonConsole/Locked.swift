internal import Foundation

/// A value behind a lock.
///
/// `@unchecked Sendable` holds because `value` is read and written under `lock` only.
final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  /// Reads and changes the value. The function must not use the same lock again.
  func with<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
