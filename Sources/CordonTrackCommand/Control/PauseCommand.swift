import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonSupport
import CordonTracking

/// The command `cordon-track pause`.
struct PauseCommand: ControlSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Pause recording; consent and waiting rows stay.")

  @Option(help: ArgumentHelp("The duration of the pause. (default: until 'resume')", valueName: "duration"))
  var duration: DurationArgument?

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Output") var output: JSONOption

  var command: ControlCommand { .pause(for: duration?.span.milliseconds) }

  func validate() throws {
    if let duration, duration.span <= .zero { throw ValidationError("--duration must be more than 0s") }
  }
}
