import ArgumentParser
import CordonCore
import CordonTracking

/// The command `cordon-track consent`.
struct ConsentCommand: ControlSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "consent",
    abstract: "Say that the person whom this machine tracks has agreed, and to what.",
    discussion:
      "Names the version of the text that the person has read. Without --record-only they agreed to sending as well.")

  @Argument(help: "The version of the text that the person agreed to.")
  var version: String

  @Flag(help: "They agreed to recording, not to sending.")
  var recordOnly = false

  @OptionGroup var options: TrackerOptions
  @Flag(help: "Print one JSON object.") var json = false

  var command: ControlCommand { .consent(version: version, shares: !recordOnly) }

  func validate() throws {
    guard (1...64).contains(version.utf8.count) else { throw ValidationError("a version has 1 to 64 bytes") }
  }
}

/// The command `cordon-track withdraw`.
struct WithdrawCommand: ControlSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "withdraw",
    abstract: "Take the consent back: recording stops, what is here goes, the server is asked to erase.",
    discussion: "Waits for the server's confirmation; when it does not come, every later run asks again until it has.")

  @OptionGroup var options: TrackerOptions
  @Flag(help: "Print one JSON object.") var json = false

  var command: ControlCommand { .withdraw }
  var patience: TimeSpan { .seconds(20) }
}

/// The command `cordon-track activate`.
struct ActivateCommand: ControlSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "activate", abstract: "Enter the invite code of the venue.",
    discussion:
      "The code is sent only after consent. Codes are not kept: if the server does not answer, enter it again.")

  @Argument(help: "The invite code.")
  var code: String

  @OptionGroup var options: TrackerOptions
  @Flag(help: "Print one JSON object.") var json = false

  var command: ControlCommand { .activate(code: code) }
  var patience: TimeSpan { .seconds(20) }
}

/// The command `cordon-track pause`.
struct PauseCommand: ControlSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Record nothing for a while; consent and queue stay.")

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("How long, such as 2h; until 'resume' if left out.", valueName: "duration"))
  var span: String?

  @OptionGroup var options: TrackerOptions
  @Flag(help: "Print one JSON object.") var json = false

  var command: ControlCommand {
    get throws {
      guard let span else { return .pause(for: nil) }
      guard let time = TimeSpan(parsing: span), time > .zero else {
        throw TrackerError("usage", "--for: \"\(span)\" is not a duration with its unit, such as 2h")
      }
      return .pause(for: time.milliseconds)
    }
  }
}

/// The command `cordon-track resume`.
struct ResumeCommand: ControlSubcommand {
  static let configuration = CommandConfiguration(commandName: "resume", abstract: "End a pause.")

  @OptionGroup var options: TrackerOptions
  @Flag(help: "Print one JSON object.") var json = false

  var command: ControlCommand { .resume }
}

/// The command `cordon-track flush`.
struct FlushCommand: ControlSubcommand {
  static let configuration = CommandConfiguration(commandName: "flush", abstract: "Send what waits now.")

  @OptionGroup var options: TrackerOptions
  @Flag(help: "Print one JSON object.") var json = false

  var command: ControlCommand { .flush }
  var patience: TimeSpan { .seconds(20) }
}

/// The command `cordon-track status`.
struct StatusCommand: ControlSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say how it goes; or why there is no data, and what to do about it.")

  @OptionGroup var options: TrackerOptions
  @Flag(help: "Print one JSON object.") var json = false

  var command: ControlCommand { .status }
}
