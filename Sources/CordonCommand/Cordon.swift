import ArgumentParser
import CordonConsole
import Foundation

/// The root of the `cordon` command.
@main
struct Cordon: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cordon",
    abstract: "Venue-geofenced contact monitoring: read venue maps, simulate crowds and phones, find contacts.",
    discussion: """
      Start with a simulation of a building and look at its report:

        cordon simulate venues/office.mvf.zip --people 300 --duration 2h --seed 7 \\
          -o out

      Every command takes --help, and --json for scripts. Exit status: 0 done, 1 findings or failed
      expectations, 2 wrong usage, input or output, 3 internal error, 130 interrupted, 141 the reader of
      standard output has gone away.
      """,
    version: CordonVersion.current,
    subcommands: [
      SimulateCommand.self, CompareCommand.self, SweepCommand.self, ValidateCommand.self, RunCommand.self,
      VenueCommand.self, ContactsCommand.self, TraceCommand.self, ReplayCommand.self, TrackCommand.self,
      DoctorCommand.self, BenchCommand.self,
    ])

  /// Parses, runs, and turns every error into one line and an exit status.
  static func main() {
    StandardOutput.prepare()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let wantsJSON = arguments.contains("--json") || arguments.contains("--jsonl")
    do {
      var command = try parseAsRoot(CommandArguments.prepared(arguments, for: Cordon.self))
      Interruption.endsAtOnce(saying: Failure.interrupted.text(wantsJSON: wantsJSON))
      try command.run()
    } catch {
      Failure.report(error, wantsJSON: wantsJSON)
    }
    Failure.succeed(wantsJSON: wantsJSON)
  }
}

/// The version of the project.
enum CordonVersion {
  static let current = "0.1.0"
}
