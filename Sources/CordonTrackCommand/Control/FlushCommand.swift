import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonSupport
import CordonTracking

/// The command `cordon-track flush`.
struct FlushCommand: ControlSubcommand {
  static let configuration = CommandConfiguration(commandName: "flush", abstract: "Send the waiting rows now.")

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Output") var output: JSONOption

  var command: ControlCommand { .flush }
  var patience: TimeSpan { .seconds(20) }
}
