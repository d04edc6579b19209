package import CordonConsole
import CordonCore
package import CordonSupport

/// The error of a command: one sentence, its place and the exit status.
package struct CommandError: Error, Equatable, Sendable {
  /// The exit statuses of the executables.
  package enum Status: Int32, Sendable {
    case findings = 1
    case usage = 2
    case `internal` = 3
    case interrupted = 130
    /// The reader of a pipe has closed it: `OutputError.closedPipeStatus`.
    case closedPipe = 141
  }

  package var status: Status
  /// A stable name, such as `not-found`.
  package var code: String
  /// The file concerned, if any.
  package var file: String?
  /// The place in the file, for people: `byte 12`, `/features/0`.
  package var place: String?
  package var message: String

  package init(
    _ message: String, code: String, status: Status = .usage, file: String? = nil, place: String? = nil
  ) {
    self.message = message
    self.code = code
    self.status = status
    self.file = file
    self.place = place.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Converts any error. An error without a conversion of its own is an internal one.
  package init(_ error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as any CommandErrorConvertible: self = error.commandError
    default:
      if let cause = WrappedError.cause(of: error) {
        self.init(cause)
      } else {
        self.init("\(error)", code: "internal", status: .internal)
      }
    }
  }

  /// The error of a command that a signal ended.
  package static let interrupted = CommandError("interrupted", code: "interrupted", status: .interrupted)

  /// `FILE: MESSAGE (PLACE)` on one line.
  package var line: String {
    let text = (file.map { "\($0): " } ?? "") + message + (place.map { " (\($0))" } ?? "")
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// The object `cordon.error/1`.
  package var json: JSONValue {
    [
      "schema": "cordon.error/1", "code": .string(code), "file": JSONValue(file), "place": JSONValue(place),
      "message": .string(message), "exit_status": .integer(Int64(status.rawValue)),
    ]
  }

  /// The text for standard error: one line, or one JSON object.
  package func text(tool: String, wantsJSON: Bool) -> String { wantsJSON ? json.text() : "\(tool): \(line)" }
}

/// An error of another module with a conversion to a command error.
package protocol CommandErrorConvertible: Error {
  var commandError: CommandError { get }
}

extension OutputError: CommandErrorConvertible {
  package var commandError: CommandError {
    CommandError(
      message, code: code == .isInput ? "usage" : code.rawValue, status: code == .closedPipe ? .closedPipe : .usage,
      file: file)
  }
}
