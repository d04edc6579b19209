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
      The version is that of the text that the person has read. Without --record-only the consent covers sending as well. \
      Places outside of venues are recorded only with --everywhere, and only if the configuration has "mode": "everywhere".
      """)

  @Argument(help: "The version of the text that the person agreed to.")
  var version: String

  @Flag(help: "The consent covers recording, not sending.")
  var recordOnly = false

  @Flag(help: "The consent covers places outside of venues too.")
  var everywhere = false

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Output") var output: JSONOption

  var command: ControlCommand { .consent(version: version, shares: !recordOnly, everywhere: everywhere) }

  func validate() throws {
    guard (1...64).contains(version.utf8.count) else { throw ValidationError("a version has 1 to 64 bytes") }
  }
}
