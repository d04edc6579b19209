import ArgumentParser
import CordonConsole
import CordonCore
import CordonMonitoring
import CordonTracking
import Foundation

/// The root command of `cordon-track`.
@main
struct CordonTrack: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cordon-track",
    abstract: "Track this machine with gpsd while it is in a venue, and deliver where it was.",
    discussion: """
      Nothing is recorded before somebody has consented, and nothing outside of the venue ever:

        cordon-track consent 2026-01 -c tracker.json
        cordon-track activate 7QK2-MMWD -c tracker.json
        cordon-track -c tracker.json

      Exit status: 0 done, 1 findings, 2 wrong usage or input, 3 internal error, 130 interrupted.
      """,
    version: "0.1.0",
    subcommands: [
      RunCommand.self, ConsentCommand.self, WithdrawCommand.self, ActivateCommand.self, PauseCommand.self,
      ResumeCommand.self, FlushCommand.self, StatusCommand.self, ExportCommand.self, DoctorCommand.self,
    ],
    defaultSubcommand: RunCommand.self)

  static func main() async {
    StandardOutput.prepare()
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      var command = try parseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      // Some file systems report only now that something could not be written.
      try StandardOutput.close()
    } catch {
      report(error, wantsJSON: arguments.contains("--json"))
    }
  }

  /// Prints an error as one line or as one JSON object, and ends the process with its exit status.
  private static func report(_ error: any Error, wantsJSON: Bool) -> Never {
    var error = error
    do {
      let isAnswer = !(error is ExitCode) && exitCode(for: error) == .success
      if isAnswer { try StandardOutput.write(raw: HelpText.wrapped(fullMessage(for: error)) + "\n") }
      if isAnswer || error is ExitCode {
        try StandardOutput.close()
        Foundation.exit((error as? ExitCode)?.rawValue ?? 0)
      }
    } catch let failed {
      error = failed
    }
    // The reader's choice.
    if (error as? OutputError)?.code == .closedPipe { Foundation.exit(OutputError.closedPipeStatus) }
    let failure: (code: String, message: String, file: String?, place: String?, status: Int32)
    switch error {
    case let error as TrackerError: failure = (error.code, error.message, error.file, error.place, 2)
    case let error as OutputError: failure = (error.code.rawValue, error.message, error.file, nil, 2)
    case let error as StoreError: failure = ("store", error.description, nil, nil, 3)
    default:
      let isUsage = exitCode(for: error) == .validationFailure
      failure = (isUsage ? "usage" : "internal", isUsage ? message(for: error) : "\(error)", nil, nil, isUsage ? 2 : 3)
    }
    let json: JSONValue = [
      "schema": "cordon.error/1", "code": .string(failure.code), "file": JSONValue(failure.file),
      "place": JSONValue(failure.place), "message": .string(failure.message),
      "exit_status": .integer(Int64(failure.status)),
    ]
    let line = (failure.file.map { "\($0): " } ?? "") + failure.message + (failure.place.map { " (\($0))" } ?? "")
    Printer.note(
      wantsJSON ? json.text() : "cordon-track: " + line.split(whereSeparator: \.isNewline).joined(separator: " "))
    Foundation.exit(failure.status)
  }
}

/// What a command prints. Writes to standard output are checked, and what a terminal would obey is escaped: names come from
/// servers, venues and files.
enum Printer {
  /// One JSON object on standard output, its first key `schema`.
  /// - Throws: `OutputError`
  static func print(_ schema: String, _ members: [JSONValue.Member]) throws {
    try write(raw: JSONValue.object([.init("schema", .string("cordon.\(schema)/1"))] + members).text() + "\n")
  }

  /// Lines for people on standard output, at once.
  static func write(lines text: String) throws { try StandardOutput.write(lines: text) }

  /// Data on standard output as they are, at once.
  static func write(raw text: String) throws { try StandardOutput.write(raw: text) }

  /// A line for people who watch, on standard error.
  static func note(_ line: String) { StandardOutput.note(line.escapedForTerminal() + "\n") }
}
