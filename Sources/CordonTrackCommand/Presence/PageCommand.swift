import ArgumentParser
import CordonConsole
import CordonCore
import CordonPresence
import CordonTracking
import Foundation

/// The command `cordon-track page`.
struct PageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page", abstract: "Write a page about the tracked person: status, trip, days, stays and ways.",
    discussion: """
      One HTML file without scripts and network, which only its owner may read. Positions are those that a sink of the kind file \
      keeps. Example:

        cordon-track page -o diary.html -c tracker.json
      """)

  /// The file of the page.
  struct Output: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write, - for standard output.", valueName: "file"))
    var output = "-"

    @Flag(name: .shortAndLong, help: "Replace the file if it exists.")
    var force = false
  }

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Output") var output: Output

  func run() async throws {
    let configuration = try options.load()
    try OutputFile.checkMayWrite(path: output.output, replaces: output.force)
    let status = try await configuration.carryOut(.status, within: .zero)
    var rules = PresenceRules()
    rules.movement = MovementRules()
    rules.timelineBin = .hours(1)
    var stream = PresenceStream(rules)
    for fix in try RecordedFixes(configuration.sinks).fixes { stream.add(fix) }
    let page = TrackerPage(
      sentence: status.sentence, remedy: status.remedy, consent: status.consentText,
      trip: try TripFile.read(store: configuration.storePath()), report: stream.finish())
    if output.output == "-" { return try StandardOutput.write(Array(page.html.utf8)) }
    _ = try OutputFile.write(Array(page.html.utf8), to: output.output, replaces: output.force)
    Printer.note("cordon-track: written to \(output.output)")
  }
}
