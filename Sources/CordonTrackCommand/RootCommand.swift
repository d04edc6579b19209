import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonMonitoring
import CordonSupport
import CordonTracking
import Foundation

/// The root command of `cordon-track`.
@main
struct RootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cordon-track",
    abstract: "Track this machine with gpsd while it is in a venue, and send its positions.",
    discussion: """
      Nothing is recorded before consent, and nothing outside of the venue without a consent of its own:

        cordon-track consent 2026-01 -c tracker.json
        cordon-track activate 7QK2-MMWD -c tracker.json
        cordon-track -c tracker.json

      Exit status: 0 done, 1 findings, 2 wrong usage or input, 3 internal error, 130 interrupted.
      """,
    version: CordonVersion.current,
    subcommands: [
      RunCommand.self, ConsentCommand.self, WithdrawCommand.self, ActivateCommand.self, PauseCommand.self,
      ResumeCommand.self, FlushCommand.self, StatusCommand.self, TripCommand.self, PresenceCommand.self,
      AcknowledgeCommand.self, PageCommand.self, PersonPageCommand.self, CheckInFormCommand.self,
      ConsentsCommand.self, SignInCommand.self, SignOutCommand.self, SetupCommand.self, ExportCommand.self,
      DoctorCommand.self,
    ],
    defaultSubcommand: RunCommand.self)

  static func main() async {
    // Files of the tracker are for its owner, from their first byte on: the store, its companions, exports.
    umask(0o077)
    await CommandLineTool(RootCommand.self, types: [DurationArgument.self, DurationOrOffArgument.self]).runAsync()
  }
}

extension TrackerError: CommandErrorConvertible {
  var commandError: CommandError { CommandError(message, code: code, file: file, place: place) }
}

extension StoreError: CommandErrorConvertible {
  var commandError: CommandError { CommandError(description, code: "store", status: .internal) }
}
