import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonSupport
import CordonTracking

/// The command `cordon-track doctor`.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check configuration, venue, receiver, store, token and servers.",
    discussion: """
      Each finding has a sentence, and a remedy where something is wrong. Changes nothing and sends no position. Exit status \
      1 when something is wrong.
      """)

  @Option(help: ArgumentHelp("The time that the receiver has to report a position.", valueName: "duration"))
  var wait = DurationArgument(.seconds(10))

  @Flag(help: "Do not connect to servers.")
  var offline = false

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Output") var output: JSONOption

  func validate() throws {
    guard wait.span >= .zero else { throw ValidationError("--wait must not be negative") }
  }

  func run() async throws {
    let configuration = try options.load()
    var examination = Doctor(configuration, sealer: configuration.sealer, patience: wait.span)
    examination.asksServers = !offline
    let report = DiagnosisReport(await examination.examine(), schema: "cordon.doctor/1")
    try output.report(report.json, report.text)
    if report.hasFailures { throw ExitCode(CommandError.Status.findings.rawValue) }
  }
}
