import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonSimulator
import Foundation

/// The command `cordon validate contacts`.
struct ValidateContactsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contacts",
    abstract: "Compare durations of simulated contacts with badge measurements.",
    discussion: """
      Runs the museum and the conference of venues/scenarios with several seeds, cuts their contacts (1.5 m) into slots \
      of 20 s as the badges do, and compares. The page shows durations with the curves of the badges. Exit status 1 when a \
      figure lies outside of its band; 130 after Ctrl-C, with the runs completed so far.

        cordon validate contacts --replicas 20 -o contacts.html
      """)

  @Option(
    help: ArgumentHelp(
      "A scenario to run. Repeat it for more. (default: museum and conference of venues/scenarios)",
      valueName: "scenario.yaml"))
  var scenario: [String] = []

  @Option(help: ArgumentHelp("The number of runs of each scenario, with seeds 1, 2 and so on.", valueName: "count"))
  var replicas = 20

  @OptionGroup(title: "Scenario") var overlay: OverlayOptions
  @OptionGroup(title: "Output") var destination: ValidationDestination

  func run() throws {
    guard (1...10_000).contains(replicas) else { throw CommandError("--replicas must be 1 to 10000", code: "usage") }
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
      let input = try SimulationInput.read(path, overlay: overlay.choice)
      guard let scenario = input.scenario else { throw CommandError("is not a scenario", code: "usage", file: path) }
      let name = scenario.name.isEmpty ? path : scenario.name
      do {
        let result = try ContactValidation.cases(
          name, venue: input.venue, scenario: scenario, seeds: replicas, threads: destination.workers.threads,
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
      cases, plots: plots, isPartial: made < replicas * paths.count, title: "Contacts against measured ones",
      schema: "cordon.validate-contacts/1")
  }
}
