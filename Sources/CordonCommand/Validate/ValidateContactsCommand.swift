import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonSimulator
import Foundation

/// `cordon validate contacts`
struct ValidateContactsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contacts",
    abstract: "Hold the durations of simulated contacts against those measured with badges.",
    discussion: """
      Runs the museum and the conference of venues/scenarios with several seeds, cuts their contacts (1.5 m) into slots \
      of 20 s as the badges do, and compares. The page shows how long contacts are over the curves of the badges. Exit \
      status 1 when a figure lies outside of its band; 130 after Ctrl-C, with the runs that were done until then.

        cordon validate contacts --seeds 20 -o contacts.html
      """)

  @Option(
    help: ArgumentHelp(
      "Scenarios to run. (default: museum and conference of venues/scenarios)", valueName: "scenario.yaml"))
  var scenario: [String] = []

  @Option(help: "How many seeds of each.")
  var seeds = 20

  @OptionGroup var destination: ValidationDestination

  func run() throws {
    guard (1...10_000).contains(seeds) else { throw CommandError("--seeds is between 1 and 10000", code: "usage") }
    try destination.check()
    Interruption.watch()
    let progress = ProgressLine(quiet: destination.quiet)
    defer { progress.finish() }
    let paths =
      scenario.isEmpty ? ["museum", "conference"].map { "venues/scenarios/\($0).yaml" } : scenario
    var cases: [ValidationCase] = []
    var plots: [ReferencePlot] = []
    var made = 0
    for path in paths where !Interruption.isRequested {
      progress.begin(phase: "reading")
      let input = try SimulationInput.read(path)
      guard let scenario = input.scenario else { throw CommandError("is no scenario", code: "usage", file: path) }
      let name = scenario.name.isEmpty ? path : scenario.name
      do {
        let result = try ContactValidation.cases(
          name, venue: input.venue, scenario: scenario, seeds: seeds, threads: destination.workers.threads,
          progress: { progress.update(phase: name, done: $0, total: Double($1), unit: "seeds") },
          isInterrupted: { Interruption.isRequested })
        cases += result.cases
        made += result.runs
        if result.runs > 0 { plots.append(ContactValidation.plot(name, result.durations)) }
      } catch var error as ScenarioError {
        error.file = path
        throw error
      }
    }
    progress.finish()
    try destination.put(
      cases, plots: plots, isPartial: made < seeds * paths.count, title: "Contacts against measured ones",
      schema: "cordon.validate-contacts/1")
  }
}
