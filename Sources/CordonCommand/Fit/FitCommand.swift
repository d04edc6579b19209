import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonSimulator
import CordonSupport
import Foundation

/// The command `cordon fit`.
struct FitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fit",
    abstract: "Fit a scenario to measured numbers of people.",
    discussion: """
      Arrivals by day of the week and time, the length of visits, the popularity of rooms and the share of people with a \
      phone follow from head counts, flows through doors, or the devices that a server counted. The fitted scenario keeps \
      the keys of the given one:

        cordon fit day.yaml --measured counts.csv -o fitted.yaml

      The last 30 % of the days are not used. They are predicted, and the errors are compared with two baselines: the average \
      of the other days, and the scenario as it was. --hold-out chooses other days.

      Tables are read as spreadsheets write them, with a column of times and columns of numbers:

        time;Room 1;Room 2         head counts of rooms
        time,count                 head counts of the building
        time,space,count           head counts, a row for each room
        time,in,out                flows; visits follow from them exactly
        bin_start,...,mean         devices, from 'cordon contacts occupancy'

      Times without a date need --date, and rooms with other names than on the map --space:

        cordon fit day.yaml --measured monday.csv --date 2026-01-05 \\
          --space 'Room 1=Lecture Hall' --hold-out none -o fitted.yaml
      """)

  @Argument(help: ArgumentHelp("The scenario.", valueName: "scenario.yaml"))
  var scenario: String

  @OptionGroup(title: "Measurements") var files: MeasuredFiles
  @OptionGroup(title: "Fit") var choices: FitChoices
  @OptionGroup(title: "Scenario") var changes: ScenarioChanges
  @OptionGroup(title: "Scenario") var overlay: OverlayOptions
  @OptionGroup(title: "Output") var output: FitOutput

  func run() throws {
    let inputs = [scenario] + files.measured
    let destination = try output.output.map { try Destination($0, force: output.force, inputs: inputs) }
    let pageFile = try output.page.map { try Destination($0, force: output.force, inputs: inputs) }
    let own = try changes.list()
    let input = try SimulationInput.read(scenario, overlay: overlay.choice, changes: own)
    guard var plan = input.scenario else { throw CommandError("is not a scenario", code: "usage", file: scenario) }
    if let seed = choices.seed { plan.seed = seed }
    let tables = try files.tables(plan.clock)
    let days = Array(Set(tables.flatMap(\.days))).sorted { $0.number < $1.number }
    let options = try choices.options(days)
    Interruption.watch()
    let progress = ProgressLine(quiet: output.quiet)
    defer { progress.finish() }
    let fit: ScenarioFit
    do {
      fit = try ScenarioFit(
        plan, venue: input.venue, measured: tables, mapping: try files.mapping(), options: options,
        progress: { progress.update(phase: "fitting", done: $0, total: $1, unit: "runs") },
        isInterrupted: { Interruption.isRequested })
    } catch var error as ScenarioError {
      if error.path.hasPrefix("--") {
        throw CommandError("\(error.path): \(error.message)", code: "usage")
      }
      error.file = scenario
      throw error
    }
    progress.finish()
    let page = FitPage(fit, scenario: scenario, measured: files.measured, seed: plan.seed, options: options)
    guard !fit.isPartial else {
      throw CommandError("interrupted: no scenario was written", code: "interrupted", status: .interrupted)
    }
    try destination?.write(try text(fit, own))
    try pageFile?.write(page.html)
    if output.json {
      try Output.print(page.json(output: output.output))
    } else if output.output != "-" {
      try Output.print(page.text)
    }
  }

  /// The fitted scenario as a file, with a heading that states its origin.
  private func text(_ fit: ScenarioFit, _ own: [ScenarioChange]) throws -> String {
    let original = try TextFile.read(scenario, code: "scenario").text
    var edits = own + fit.changes.map(\.edit)
    if let venue = fit.scenario.venue, case .file(let file) = venue, !file.hasPrefix("/") {
      let moved = RelativePath.of(file, from: scenario, to: output.output ?? scenario)
      if moved != file { edits.append(ScenarioChange(path: "venue", value: moved)) }
    }
    let names = files.measured.map { URL(fileURLWithPath: $0).lastPathComponent }.joined(separator: ", ")
    let count = fit.trainingDays.count
    return """
      # Fitted by 'cordon fit' to \(names): \(count == 1 ? "1 day" : "\(count) days").
      # Changed: \(fit.changes.map(\.key).joined(separator: ", ")).
      \(try ScenarioChange.apply(edits, toText: original))
      """
  }
}

/// Paths of files that scenarios name.
enum RelativePath {
  /// Returns a path that is relative to the folder of `first`, made relative to the folder of `second`.
  static func of(_ path: String, from first: String, to second: String) -> String {
    guard second != "-" else { return path }
    func folder(_ file: String) -> [String] {
      URL(fileURLWithPath: file).deletingLastPathComponent().standardizedFileURL.pathComponents
    }
    let target = URL(fileURLWithPath: first).deletingLastPathComponent().appendingPathComponent(path)
      .standardizedFileURL
      .pathComponents
    let base = folder(second)
    guard folder(first) != base else { return path }
    let common = zip(target, base).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: base.count - common) + target[common...]).joined(separator: "/")
  }
}
