import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonSupport
import CordonTracking

/// The command `cordon-track status`.
struct StatusCommand: ControlSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the status, and remedies for what is wrong.")

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Output") var output: JSONOption

  var command: ControlCommand { .status }

  func run() async throws {
    let configuration = try options.load()
    let reply = try await configuration.carryOut(command, within: patience)
    try reply.print("status", asJSON: output.json, trip: try TripFile.read(store: configuration.storePath()))
  }
}
