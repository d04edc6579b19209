import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonIngest
import CordonServer
import Foundation
import Logging

/// The root command of `cordon-server`.
@main
struct RootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cordon-server",
    abstract: "Receive positions of devices, find contacts, and answer operators.",
    discussion: """
      A demonstration without any configuration:

        cordon-server demo

      In production:

        cordon-server operator add --data /var/lib/cordon --name "Ada Example" \\
          --role admin
        cordon-server serve --data /var/lib/cordon --venues /etc/cordon/venues \\
          --host 0.0.0.0 --certificate chain.pem --key key.pem

      Every setting can stand in a file (--config), as `name = value` lines, or in the environment, as CORDON_NAME. An \
      argument takes precedence over the environment, and the environment over the file. 'cordon-server settings' lists \
      the settings with their defaults. SIGHUP reloads venues, keys, operators and certificates; SIGTERM completes the \
      requests that have begun, and stops.

      Exit status: 0 done, 1 findings, 2 wrong usage or input, 3 internal error.
      """,
    version: CordonVersion.current,
    subcommands: [
      ServeCommand.self, DemoCommand.self, SettingsCommand.self, HealthCommand.self, CheckCommand.self,
      OperatorCommand.self,
      RotateKeysCommand.self, BackupCommand.self, RestoreCommand.self, RebuildLogCommand.self,
      CheckContactsCommand.self, ExportPositionsCommand.self, MigrateStoreCommand.self, WebhookCommand.self,
      StudyCommand.self, FormCommand.self,
    ])

  static func main() async {
    // Files of the server are for its owner: the store and its log, backups, keys.
    umask(0o077)
    await CommandLineTool(RootCommand.self, types: [DurationArgument.self, HostAndPort.self]).runAsync()
  }
}

func makeLogger(_ level: Logger.Level) -> Logger {
  var logger = Logger(label: "cordon-server") { LineLog(label: $0) }
  logger.logLevel = level
  return logger
}
