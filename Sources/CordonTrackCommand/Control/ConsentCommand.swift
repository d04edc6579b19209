import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonSupport
import CordonTracking

/// The command `cordon-track consent`.
struct ConsentCommand: ControlSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "consent",
    abstract: "Record the consent of the person whom this machine tracks.",
    discussion: """
      The version is that of the text that the person has read. Without --record-only the consent covers sending as well.
      """)

  @Argument(help: "The version of the text that the person agreed to.")
  var version: String

  @Flag(help: "The consent covers recording, not sending.")
  var recordOnly = false

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Output") var output: JSONOption

  var command: ControlCommand { .consent(version: version, shares: !recordOnly) }

  func validate() throws {
    guard (1...64).contains(version.utf8.count) else { throw ValidationError("a version has 1 to 64 bytes") }
  }
}
