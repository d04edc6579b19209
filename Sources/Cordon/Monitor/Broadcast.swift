import Foundation

/// Sends each element to every reader, from the moment at which the reader began.
///
/// Each reader has its own buffer: a slow reader loses only its own oldest elements.
///
/// `@unchecked Sendable` holds because every access to the mutable fields happens with `lock` held.
final class Broadcast<Element: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private let capacity: Int
  private var readers: [Int: AsyncStream<Element>.Continuation] = [:]
  private var lastReader = 0
  private var isFinished = false

  /// - Parameter capacity: the number of unread elements that a reader keeps; older ones are dropped.
  init(capacity: Int) { self.capacity = capacity }

  /// Returns a stream for a new reader.
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

  /// Whether there are readers.
  var hasReaders: Bool { lock.withLock { !readers.isEmpty } }

  func send(_ element: Element) {
    for reader in lock.withLock({ Array(readers.values) }) { reader.yield(element) }
  }

  /// Ends all streams; later readers get an empty one.
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
