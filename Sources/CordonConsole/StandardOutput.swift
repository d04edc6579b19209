internal import CordonCore
import CordonSupport
internal import Foundation

/// Standard output and standard error of a command. Every write is checked.
package enum StandardOutput {
  /// The name in messages.
  package static let name = "standard output"

  /// Prepares the process: a closed pipe becomes an error of the write instead of a signal, so that temporary files are
  /// removed; a standard stream that the caller closed stays unusable, so that no file of the process takes its number.
  package static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) == -1 && errno == EBADF {
      // The lowest free number is taken, which is this one. Open for the other direction: its use still fails.
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes bytes as they are.
  package static func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    try writeAll(bytes, to: STDOUT_FILENO, file: name)
  }

  /// Writes a text as it is.
  package static func write(raw text: String) throws(OutputError) {
    try write(Array(text.utf8))
  }

  /// Writes bytes as they are.
  package static func write(_ bytes: [UInt8]) throws(OutputError) {
    try bytes.withBytes { bytes throws(OutputError) in try write(bytes) }
  }

  /// Writes lines for people: what a terminal would obey is escaped.
  package static func write(lines text: String) throws(OutputError) {
    try write(raw: text.escapedForTerminal(keepingLines: true))
  }

  /// Closes standard output: some file systems report only then that something could not be written.
  package static func close() throws(OutputError) {
    let copy = dup(STDOUT_FILENO)
    guard copy >= 0 else { return }
    guard Foundation.close(copy) == 0 || errno == EINTR else { throw OutputError(file: name, number: errno) }
  }

  /// Writes lines on standard error; what a terminal would obey is escaped. A failure is ignored.
  package static func note(_ text: String) {
    noteRaw(text.escapedForTerminal(keepingLines: true))
  }

  /// Writes to standard error as it is: the control sequences of progress.
  package static func noteRaw(_ text: String) {
    Array(text.utf8).withUnsafeBytes { _ = try? writeAll($0, to: STDERR_FILENO, file: "standard error") }
  }
}

/// Writes all bytes, however often it takes.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, file: String) throws(OutputError) {
  guard let base = bytes.baseAddress else { return }
  var done = 0
  while done < bytes.count {
    let count = write(descriptor, base + done, bytes.count - done)
    if count >= 0 {
      done += count
    } else if errno == EAGAIN {
      // A descriptor that somebody else made non-blocking.
      var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&wait, 1, -1)
    } else if errno != EINTR {
      throw OutputError(file: file, number: errno)
    }
  }
}
