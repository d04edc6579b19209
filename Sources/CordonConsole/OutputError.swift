internal import Foundation

/// Why an output was not written.
package struct OutputError: Error, Hashable, Sendable {
  /// The kind of failure.
  package enum Code: String, Hashable, Sendable {
    /// The file exists, and was not to be replaced.
    case exists
    /// The file is read by the same command.
    case isInput = "is-input"
    /// The system refused.
    case cannotWrite = "cannot-write"
    /// The reader of a pipe has gone away.
    case closedPipe = "closed-pipe"
  }

  /// The kind of failure.
  package var code: Code
  /// The file as it was named, or `standard output`.
  package var file: String
  /// One clause, in words.
  package var message: String

  /// The status of a process whose reader has gone away: 128 and the number of SIGPIPE, as shells report it of other tools.
  package static let closedPipeStatus: Int32 = 141

  /// An error.
  package init(_ code: Code, file: String, message: String) {
    self.code = code
    self.file = file
    self.message = message
  }

  /// The failure of a system call.
  init(file: String, number: Int32) {
    self.init(number == EPIPE ? .closedPipe : .cannotWrite, file: file, message: String(cString: strerror(number)))
  }
}
