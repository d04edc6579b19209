import Foundation

/// Gives every reader each element, from the moment on at which the reader began.
///
/// Each reader has a buffer of its own: a slow one loses its own oldest elements and nobody else's.
///
/// `@unchecked Sendable` holds because everything that changes is touched under `lock` only.
final class Broadcast<Element: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private let capacity: Int
  private var readers: [Int: AsyncStream<Element>.Continuation] = [:]
  private var lastReader = 0
  private var isFinished = false

  /// - Parameter capacity: how many elements a reader keeps that it has not read yet; the oldest are dropped.
  init(capacity: Int) { self.capacity = capacity }

  /// A new reader.
  func reader() -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(capacity))
    let number = lock.withLock { () -> Int? in
      if isFinished { return nil }
      lastReader += 1
      readers[lastReader] = continuation
      return lastReader
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.forget(number) }
    return stream
  }

  /// Whether anybody reads.
  var hasReaders: Bool { lock.withLock { !readers.isEmpty } }

  func send(_ element: Element) {
    for reader in lock.withLock({ Array(readers.values) }) { reader.yield(element) }
  }

  /// Ends every reader's stream, and those of later readers at once.
  func finish() {
    let ended = lock.withLock { () -> [AsyncStream<Element>.Continuation] in
      isFinished = true
      defer { readers = [:] }
      return Array(readers.values)
    }
    for reader in ended { reader.finish() }
  }

  private func forget(_ reader: Int) { lock.withLock { _ = readers.removeValue(forKey: reader) } }
}
