import ArgumentParser
import CordonCore
import CordonTracking
import Foundation

/// The command `cordon-track doctor`.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Look at configuration, venue, receiver, store, token and servers, and say why there is no data.",
    discussion: "Changes nothing and sends no position. Exit status 1 when something is wrong.")

  @OptionGroup var options: TrackerOptions
  @OptionGroup var doctor: DoctorOptions

  func run() async throws {
    let configuration = try options.load()
    var examination = Doctor(configuration, sealer: configuration.sealer, patience: try doctor.patience)
    examination.asksServers = !doctor.offline
    let report = DoctorReport(await examination.examine())
    if doctor.json {
      try Printer.write(raw: report.json.text() + "\n")
    } else {
      try Printer.write(lines: report.text)
    }
    if report.hasFailures { throw ExitCode(1) }
  }
}

/// The options of the diagnosis.
struct DoctorOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How long the receiver may take to report a position.", valueName: "duration"))
  var wait = "10s"

  @Flag(help: "Ask no server.")
  var offline = false

  @Flag(help: "Print one JSON object.")
  var json = false

  var patience: TimeSpan {
    get throws {
      guard let span = TimeSpan(parsing: wait), span >= .zero else {
        throw TrackerError("usage", "--wait: \"\(wait)\" is not a duration with its unit, such as 10s")
      }
      return span
    }
  }
}
