import ArgumentParser
import CordonCommandLine
import CordonSupport
import CordonTracking

/// The command `cordon-track check-in-form`.
struct CheckInFormCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-in-form", abstract: "Print a link to the form that the venue asks at check-in.",
    discussion: """
      The page checks the answers, keeps them without a network, and sends them as a record of this device. The link is valid \
      for ten minutes, once. Without such a form the exit status is 1. Example:

        cordon-track check-in-form -c tracker.json
      """)

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Output") var output: JSONOption

  func run() async throws {
    let link = try await options.load().link { .checkInForm(path: $0) }
    if output.json {
      try Printer.print("track-check-in-form", [.init("link", JSONValue(link))])
    } else if let link {
      try Printer.write(lines: link + "\n")
    } else {
      Printer.note("cordon-track: the venue asks no form at check-in, or the tracker is not activated")
    }
    guard link == nil else { return }
    throw ExitCode(CommandError.Status.findings.rawValue)
  }
}
