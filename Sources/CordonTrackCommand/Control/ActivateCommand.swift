import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonMonitoring
import CordonSupport
import CordonTracking

/// The command `cordon-track activate`.
struct ActivateCommand: ControlSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "activate", abstract: "Enter the invite code of the venue.",
    discussion: "The code is sent only after consent. It is not stored: if the server does not answer, enter it again.")

  @Argument(help: "The invite code.")
  var code: String

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Output") var output: JSONOption

  var command: ControlCommand { .activate(code: code) }
  var patience: TimeSpan { .seconds(20) }

  func run() async throws {
    let configuration = try options.load()
    guard configuration.sinks.contains(where: \.sink.needsActivation) else {
      throw TrackerError("no-activation", "no sink of the configuration needs an invite code")
    }
    try await configuration.carryOut(command, within: patience).print("activate", asJSON: output.json)
  }
}
