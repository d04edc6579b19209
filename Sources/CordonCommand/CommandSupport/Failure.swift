import ArgumentParser
import CordonConsole
import CordonCore
import CordonVenues
import Foundation

/// What a command throws when it cannot do what was asked: one sentence, where, and the exit status.
struct Failure: Error, Equatable {
  /// Exit statuses of `cordon`.
  enum Status: Int32 {
    case findings = 1
    case usage = 2
    case `internal` = 3
    case interrupted = 130
    /// The reader of a pipe has gone away: `OutputError.closedPipeStatus`.
    case closedPipe = 141
  }

  var status: Status
  /// A stable name, such as `not-found`.
  var code: String
  /// The file concerned, if any.
  var file: String?
  /// The place in the file, for people: `byte 12`, `/features/0`.
  var place: String?
  var message: String

  init(_ message: String, code: String, status: Status = .usage, file: String? = nil, place: String? = nil) {
    self.message = message
    self.code = code
    self.status = status
    self.file = file
    self.place = place.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A signal ended the command.
  static let interrupted = Failure("interrupted", code: "interrupted", status: .interrupted)

  /// `FILE: MESSAGE (PLACE)` on one line.
  var line: String {
    let text = (file.map { "\($0): " } ?? "") + message + (place.map { " (\($0))" } ?? "")
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  var json: JSONValue {
    [
      "schema": "cordon.error/1", "code": .string(code), "file": JSONValue(file), "place": JSONValue(place),
      "message": .string(message), "exit_status": .integer(Int64(status.rawValue)),
    ]
  }

  /// What standard error says: one line, or one JSON object.
  func text(wantsJSON: Bool) -> String { wantsJSON ? json.text() : "cordon: \(line)" }

  /// Any error as a failure.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure:
      self = failure
    case let error as VenueError:
      let place = [error.byteOffset.map { "at byte \($0)" }, error.pointer.flatMap { $0.isEmpty ? nil : "at \($0)" }]
        .compactMap { $0 }.joined(separator: ", ")
      self.init(error.message, code: error.code, file: error.file, place: place.isEmpty ? nil : place)
    default:
      if let known = (error as? any FailureConvertible)?.failure {
        self = known
      } else {
        self.init("\(error)", code: "internal", status: .internal)
      }
    }
  }

  /// Ends the process after its work: what was printed must have arrived.
  static func succeed(wantsJSON: Bool) -> Never {
    end(with: 0, wantsJSON: wantsJSON)
  }

  /// Prints the error as one line, or as one JSON object, and ends the process with its status.
  static func report(_ error: any Error, wantsJSON: Bool) -> Never {
    if let code = error as? ExitCode { end(with: code.rawValue, wantsJSON: wantsJSON) }
    if Cordon.exitCode(for: error) == .success {
      // Help and version are answers, not errors.
      do {
        try StandardOutput.write(raw: HelpText.wrapped(Cordon.fullMessage(for: error)) + "\n")
      } catch {
        Failure(error).end(wantsJSON: wantsJSON)
      }
      succeed(wantsJSON: wantsJSON)
    }
    (Cordon.exitCode(for: error) == .validationFailure ? usage(error) : Failure(error)).end(wantsJSON: wantsJSON)
  }

  /// What the parser refuses.
  private static func usage(_ error: any Error) -> Failure {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let reason = Cordon.message(for: error)
    var failure = Failure(CommandSuggestion.message(for: arguments, below: Cordon.self) ?? reason, code: "usage")
    if reason.hasPrefix("The value") {
      if reason.contains("<duration>") { failure.message += ". A duration has its unit: 30s, 5m, 2h" }
      if reason.contains("<zone>") { failure.message += ". A zone is a name or an offset: Europe/Berlin, UTC, +02:00" }
      if reason.contains("<metres>") { failure.message += ". A distance is a number of metres: 2, 2m, 1.8288m" }
    }
    if let hint = helpHint(for: error) { failure.message += "; \(hint)" }
    return failure
  }

  private static func end(with status: Int32, wantsJSON: Bool) -> Never {
    do {
      try StandardOutput.close()
    } catch {
      Failure(error).end(wantsJSON: wantsJSON)
    }
    Foundation.exit(status)
  }

  /// Reports the failure on standard error and ends the process. A closed pipe is the reader's choice, and nothing is said.
  private func end(wantsJSON: Bool) -> Never {
    if status != .closedPipe { StandardOutput.note(text(wantsJSON: wantsJSON) + "\n") }
    Foundation.exit(status.rawValue)
  }

  /// The parser's own "See ... for more information", when it has one.
  private static func helpHint(for error: any Error) -> String? {
    for line in Cordon.fullMessage(for: error).split(separator: "\n") where line.contains("--help") {
      guard let start = line.range(of: "'cordon") else { continue }
      let command = line[start.lowerBound...].dropFirst().prefix { $0 != "'" }
      return "see '\(command)'"
    }
    return nil
  }
}

/// An error of another module that knows how it should be told to people.
protocol FailureConvertible: Error {
  var failure: Failure { get }
}
