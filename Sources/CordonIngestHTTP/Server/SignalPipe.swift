internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The signals of the process, one after another.
///
/// A handler writes the number into a pipe, which is all that a handler may do; whichever thread the signal hits, none
/// is lost. The platform's own signal sources lose one now and then when it hits a thread that blocks it
/// (on Linux they raise it again for that thread alone), and a server that does not hear of its end is killed.
final class SignalPipe: Sendable {
  /// The numbers, as they come.
  let numbers: AsyncStream<Int32>
  private let caught: [Int32]
  private let writing: Int32

  /// Where the handler writes: one pipe in a process. The handler only reads it.
  nonisolated(unsafe) private static var descriptor: Int32 = -1

  /// From now on the signals do nothing but to be told; until ``close()``.
  init(_ signals: [Int32]) {
    caught = signals
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    let reading = ends[0]
    writing = ends[1]
    // A handler never waits: a full pipe has enough in it.
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

  /// Lets the signals do what they did before.
  func close() {
    for number in caught { signal(number, SIG_DFL) }
    Self.descriptor = -1
    _ = Foundation.close(writing)
  }
}
