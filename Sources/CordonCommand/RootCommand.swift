import ArgumentParser
import CordonCommandLine
import CordonConsole

/// The root command of `cordon`.
@main
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cordon",
    abstract: "Monitor contacts inside venues: read maps, simulate crowds and phones, find contacts.",
    discussion: """
      Start with a simulation of a building and look at its report:

        cordon simulate venues/office.mvf.zip --people 300 --duration 2h --seed 7 \\
          -o out

      Every command takes --help, and --json for scripts. The unit of durations and distances may be left out: 90 is \
      90s, 2 is 2m.

      Exit status: 0 done, 1 findings or failed expectations, 2 wrong usage, input or output, 3 internal error, 130 \
      interrupted, 141 standard output closed by its reader.
      """,
    version: CordonVersion.current,
    subcommands: [
      SimulateCommand.self, EvacuateCommand.self, FitCommand.self, CompareCommand.self, SweepCommand.self,
      EverydayCommand.self, AirCommand.self, ValidateCommand.self, RunCommand.self, VenueCommand.self,
      ContactsCommand.self, TraceCommand.self, PresenceCommand.self, ReplayCommand.self, FormCommand.self,
      TrackCommand.self, DoctorCommand.self, BenchCommand.self,
    ])

  static func main() {
    let tool = CommandLineTool(
      RootCommand.self,
      types: [
        DurationArgument.self, DistanceArgument.self, ZoneArgument.self, GapArgument.self, CoordinateArgument.self,
        InstantArgument.self, SinkArgument.self, ClockArgument.self, DelayArgument.self, LoadArgument.self,
        HomeArgument.self, TravelArgument.self, DayArgument.self,
      ])
    tool.run {
      Interruption.endsAtOnce(saying: tool.text(of: .interrupted))
      Lifeline.watch()
    }
  }
}
