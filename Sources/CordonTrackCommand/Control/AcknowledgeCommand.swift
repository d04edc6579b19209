import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonSupport
import CordonTracking

/// The command `cordon-track acknowledge`.
struct AcknowledgeCommand: ControlSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "acknowledge", abstract: "Acknowledge an exposure notice, and report that to the server.",
    discussion: "'cordon-track status' lists the notices with their numbers.")

  @Argument(help: "The number of the notice.")
  var notice: Int64

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Output") var output: JSONOption

  var command: ControlCommand { .acknowledge(notice: notice) }
  var patience: TimeSpan { .seconds(20) }

  func run() async throws {
    let reply = try await options.load().carryOut(command, within: patience)
    guard reply.lists(notice: notice) else {
      throw TrackerError("no-notice", "there is no notice \(notice); 'cordon-track status' lists the notices")
    }
    try reply.print("acknowledge", asJSON: output.json)
  }

  func validate() throws {
    guard notice > 0 else { throw ValidationError("a notice has a number from 1 on") }
  }
}
