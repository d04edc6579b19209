import ArgumentParser
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
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      var command = try parseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      report(error, wantsJSON: arguments.contains("--json"))
    }
  }

  /// Prints an error as one line or as one JSON object, and ends the process with its exit status.
  private static func report(_ error: any Error, wantsJSON: Bool) -> Never {
    if let code = error as? ExitCode { Foundation.exit(code.rawValue) }
    if exitCode(for: error) == .success {
      print(fullMessage(for: error))
      Foundation.exit(0)
    }
    let failure: (code: String, message: String, file: String?, place: String?, status: Int32)
    switch error {
    case let error as TrackerError: failure = (error.code, error.message, error.file, error.place, 2)
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
    let text =
      wantsJSON ? json.text() : "cordon-track: " + line.split(whereSeparator: \.isNewline).joined(separator: " ")
    FileHandle.standardError.write(Data((text + "\n").utf8))
    Foundation.exit(failure.status)
  }
}

/// Output to the terminal.
enum Printer {
  /// Prints one JSON object to standard output, with `schema` as its first key.
  static func print(_ schema: String, _ members: [JSONValue.Member]) {
    write(JSONValue.object([.init("schema", .string("cordon.\(schema)/1"))] + members).text() + "\n")
  }

  /// Writes text to standard output at once.
  static func write(_ text: String) { write(Data(text.utf8)) }

  /// Writes bytes to standard output at once.
  static func write(_ data: Data) {
    // A closed pipe is not an error here.
    try? FileHandle.standardOutput.write(contentsOf: data)
  }

  /// Writes a line to standard error.
  static func note(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
