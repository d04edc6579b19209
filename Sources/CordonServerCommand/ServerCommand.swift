import ArgumentParser
import CordonConsole
import CordonCore
import CordonIngest
import CordonIngestHTTP
import Foundation
import Logging

/// The root of `cordon-server`.
@main
struct ServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cordon-server",
    abstract: "Takes in positions of devices, finds who was near whom, and answers operators.",
    discussion: """
      To look at it, without any configuration:
        cordon-server demo

      In earnest:
        cordon-server operator add --data /var/lib/cordon --name "Ada Example" \\
          --role admin
        cordon-server serve --data /var/lib/cordon --venues /etc/cordon/venues \\
          --host 0.0.0.0 --certificate chain.pem --key key.pem

      Every setting can stand in a file (--config), as `name = value` lines, or in the environment, as
      CORDON_NAME; an argument counts before the environment, that before the file. `cordon-server settings`
      lists them with their defaults. SIGHUP reloads venues, keys, operators and certificates; SIGTERM answers
      what has begun, and stops.
      """,
    version: "cordon-server 0.1",
    subcommands: [
      Serve.self, Demo.self, ListSettings.self, OperatorCommand.self, RotateKeys.self, Backup.self, Restore.self,
      RebuildLog.self, CheckContacts.self,
    ])

  /// Parses, runs, and turns every error into one line and an exit status: 2 for wrong usage or input, 3 for what
  /// is the program's own.
  static func main() async {
    // What it writes is for its owner: the store and its log, backups, keys.
    umask(0o077)
    StandardOutput.prepare()
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      // Some file systems report only now that something could not be written.
      try StandardOutput.close()
    } catch {
      report(error)
    }
  }

  private static func report(_ error: any Error) -> Never {
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
    let isUsage = exitCode(for: error) == .validationFailure
    let isInput =
      error is CommandError || error is DataFolder.Fault || error is StoreFault || error is VenueCatalog.Conflict
      || error is OutputError || error is CertificateFault || error is ListenFault
    let text = isUsage ? message(for: error) : (error as? OutputError).map { "\($0.file): \($0.message)" } ?? "\(error)"
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    let hint = isUsage ? "; see cordon-server --help" : ""
    StandardOutput.note("cordon-server: \(line)\(hint)".escapedForTerminal() + "\n")
    Foundation.exit(isUsage || isInput ? 2 : 3)
  }
}

/// An error that is printed as it is.
struct CommandError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

func makeLogger(_ level: Logger.Level) -> Logger {
  var logger = Logger(label: "cordon-server") { LineLog(label: $0) }
  logger.logLevel = level
  return logger
}
