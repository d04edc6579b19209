import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonSupport
import CordonTracking

/// The command `cordon-track resume`.
struct ResumeCommand: ControlSubcommand {
  static let configuration = CommandConfiguration(commandName: "resume", abstract: "End a pause.")

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Output") var output: JSONOption

  var command: ControlCommand { .resume }
}
