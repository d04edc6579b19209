internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A stream of the signals of the process.
///
/// The handler only writes the signal number into a pipe. No signal is lost, whichever thread receives it.
/// Platform signal sources occasionally lose a signal on a thread that blocks it: on Linux they raise it again for that
/// thread alone. A server that misses its termination signal is killed.
final class SignalPipe: Sendable {
  /// The signal numbers in order of arrival.
  let numbers: AsyncStream<Int32>
  private let caught: [Int32]
  private let writing: Int32

  /// The descriptor that the handler writes to: one pipe for the process. The handler only reads this variable.
  nonisolated(unsafe) private static var descriptor: Int32 = -1

  /// Replaces the effect of the signals with delivery to ``numbers`` until ``close()``.
  init(_ signals: [Int32]) {
    caught = signals
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    let reading = ends[0]
    writing = ends[1]
    // A handler must not block; a full pipe already holds enough signals.
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    Self.descriptor = writing
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    numbers = stream
    Thread.detachNewThread {
      var byte: UInt8 = 0
      while true {
        let count = read(reading, &byte, 1)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { break }
        continuation.yield(Int32(byte))
      }
      _ = Foundation.close(reading)
      continuation.finish()
    }
    for number in signals {
      signal(number) { number in
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(SignalPipe.descriptor, &byte, 1)
        errno = saved
      }
    }
  }

  /// Restores the former signal handlers.
  func close() {
    for number in caught { signal(number, SIG_DFL) }
    Self.descriptor = -1
    _ = Foundation.close(writing)
  }
}
