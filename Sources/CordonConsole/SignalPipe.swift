internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A subscription to signals of the process.
///
/// The signal handler only writes the number of the signal into a pipe; a thread reads the pipe and calls the subscribers. No
/// signal is lost, whichever thread receives it, and subscribers may allocate and lock. Platform signal sources occasionally
/// lose a signal on a thread that blocks it: on Linux they raise it again for that thread alone.
///
/// A process may have several subscriptions at a time; each receives every signal that it asked for. When the last
/// subscription to a signal is closed, the signal has its default effect again.
package final class SignalPipe: Sendable {
  /// The reason why signals cannot be received.
  package struct Unavailable: Error, Hashable, CustomStringConvertible {
    package var description: String
  }

  /// The signal numbers in order of arrival, for a subscription without a function.
  package let numbers: AsyncStream<Int32>
  private let continuation: AsyncStream<Int32>.Continuation
  private let identifier: UInt64

  /// Replaces the effect of the signals with delivery to ``numbers`` until ``close()``.
  /// - Throws: ``Unavailable`` when the system gives no pipe; the signals keep their effect.
  package convenience init(_ signals: [Int32]) throws(Unavailable) {
    try self.init(signals, in: .process, receive: nil)
  }

  /// Replaces the effect of the signals with a call of a function, on a thread of its own, until ``close()``.
  /// - Throws: ``Unavailable`` when the system gives no pipe; the signals keep their effect.
  package convenience init(_ signals: [Int32], receive: @escaping @Sendable (Int32) -> Void) throws(Unavailable) {
    try self.init(signals, in: .process, receive: receive)
  }

  init(_ signals: [Int32], in hub: SignalHub, receive: (@Sendable (Int32) -> Void)?) throws(Unavailable) {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    (numbers, self.continuation) = (stream, continuation)
    self.hub = hub
    identifier = try hub.subscribe(to: signals, receive ?? { continuation.yield($0) })
  }

  private let hub: SignalHub

  /// Ends the subscription and ``numbers``.
  package func close() {
    hub.unsubscribe(identifier)
    continuation.finish()
  }
}

/// The signal handlers, the pipe and the subscribers of the process.
///
/// `@unchecked Sendable` holds because every stored variable is read and written under `lock` only.
final class SignalHub: @unchecked Sendable {
  private struct Subscriber {
    var signals: [Int32]
    var receive: @Sendable (Int32) -> Void
  }

  static let process = SignalHub { ends in pipe(&ends) }

  private let lock = NSLock()
  private let makePipe: @Sendable (inout [Int32]) -> Int32
  private var isReading = false
  private var subscribers: [UInt64: Subscriber] = [:]
  private var next: UInt64 = 0

  /// The descriptor that the handler writes to. It is set before the first handler is installed, and never again.
  nonisolated(unsafe) private static var descriptor: sig_atomic_t = -1

  /// - Parameter makePipe: `pipe`, or what stands in for it in a test.
  init(makePipe: @escaping @Sendable (inout [Int32]) -> Int32) { self.makePipe = makePipe }

  func subscribe(to signals: [Int32], _ receive: @escaping @Sendable (Int32) -> Void) throws(SignalPipe.Unavailable)
    -> UInt64
  {
    lock.lock()
    defer { lock.unlock() }
    if !isReading { try startReading() }
    let own = next
    next += 1
    subscribers[own] = Subscriber(signals: signals, receive: receive)
    for number in signals { install(number) }
    return own
  }

  func unsubscribe(_ identifier: UInt64) {
    lock.lock()
    defer { lock.unlock() }
    guard let former = subscribers.removeValue(forKey: identifier) else { return }
    for number in former.signals where !subscribers.values.contains(where: { $0.signals.contains(number) }) {
      signal(number, SIG_DFL)
    }
  }

  private func startReading() throws(SignalPipe.Unavailable) {
    var ends: [Int32] = [-1, -1]
    guard makePipe(&ends) == 0 else {
      throw SignalPipe.Unavailable(description: "signals cannot be received: \(String(cString: strerror(errno)))")
    }
    // A handler must not block; a full pipe already holds enough signals.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    Self.descriptor = sig_atomic_t(ends[1])
    isReading = true
    let reading = ends[0]
    // Neither the pipe nor the thread ends before the process.
    Thread.detachNewThread { [self] in
      var byte: UInt8 = 0
      while true {
        let count = read(reading, &byte, 1)
        if count == 1 { deliver(Int32(byte)) } else if count == 0 || errno != EINTR { return }
      }
    }
  }

  private func install(_ number: Int32) {
    signal(number) { number in
      let saved = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(Int32(SignalHub.descriptor), &byte, 1)
      errno = saved
    }
    // Programs that start others from a worker thread leave them with the signal blocked.
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  private func deliver(_ number: Int32) {
    let receivers = lock.withLock {
      subscribers.sorted { $0.key < $1.key }.map(\.value).filter { $0.signals.contains(number) }
    }
    for subscriber in receivers { subscriber.receive(number) }
  }
}
