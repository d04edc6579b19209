import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonContacts
import CordonCore
import CordonRun
import CordonSimulator
import CordonSupport
import Foundation

/// The repetitions of two scenarios.
struct ReplicaOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The number of runs of each scenario.", valueName: "count"))
  var replicas = 20

  @Option(help: "The seed of all random numbers. (default: the scenario's)")
  var seed: UInt64?
}

/// The head counts to compare a run with.
struct MeasuredOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A file of head counts to compare a run with.", valueName: "file"))
  var measured: String?

  @Option(
    help: ArgumentHelp("The days of the head counts, by number, separated by commas. (default: all)", valueName: "list")
  )
  var days: String?

  @Option(
    help: ArgumentHelp("The counted space, by name or identifier. (default: the whole venue)", valueName: "space"))
  var space: String?

  @Option(
    help: ArgumentHelp("The zone of the head counts. (default: that of the venue, or UTC)", valueName: "zone"))
  var timeZone: String?
}

/// The command `cordon compare`.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare two scenarios, or a run with measured head counts.",
    discussion: """
      Two scenarios run repeatedly with the same random numbers; the report has their differences with 95 % confidence \
      intervals:

        cordon compare today.yaml staggered.yaml --replicas 20 -o difference.html

      Phones are not simulated: occupancy and contacts are the true ones, and the report counts how many of the pairs to warn \
      both carry a phone. Ctrl-C ends the comparison; the report then covers the repetitions that both scenarios have \
      completed.

      A run folder is compared with head counts (time,count; or DayId,Time,...,count) by time of day:

        cordon compare monday --measured counts.csv --space "Room 1" \\
          -o monday.html
      """)

  @Argument(help: ArgumentHelp("Two scenarios, or one run folder.", valueName: "scenario.yaml"))
  var paths: [String]

  @OptionGroup(title: "Scenarios") var changes: ScenarioChanges
  @OptionGroup(title: "Scenarios") var overlay: OverlayOptions
  @OptionGroup(title: "Scenarios") var reachability: ReachabilityOptions
  @OptionGroup(title: "Scenarios") var runs: ReplicaOptions
  @OptionGroup(title: "Head counts") var counts: MeasuredOptions
  @OptionGroup(title: "Processing") var workers: WorkerThreads
  @OptionGroup(title: "Output") var output: PageOptions

  func validate() throws {
    if counts.measured == nil {
      guard paths.count == 2 else { throw ValidationError("give two scenarios, or one run folder with --measured") }
    } else if paths.count != 1 {
      throw ValidationError("--measured needs one run folder, not \(paths.count)")
    }
    guard (1...100_000).contains(runs.replicas) else { throw ValidationError("--replicas must be 1 to 100000") }
  }

  func run() throws {
    let destination = try output.destination(
      inputs: paths + paths.map { $0 + "/run.sqlite" } + [counts.measured].compactMap(\.self))
    if let measured = counts.measured {
      try compareRun(with: measured, destination)
    } else {
      try compareScenarios(destination)
    }
  }

  private func compareScenarios(_ destination: Destination?) throws {
    Interruption.watch()
    let progress = ProgressLine(quiet: output.quiet)
    defer { progress.finish() }
    let (first, second) = try (study(paths[0]), study(paths[1]))
    let comparison = try ScenarioComparison(
      first, second, replicas: runs.replicas, threads: workers.threads,
      progress: { progress.update(phase: "replicas", done: $0, total: Double($1), unit: "runs") },
      isInterrupted: { Interruption.isRequested })
    progress.finish()
    // Remarks about both scenarios are printed once.
    let common = first.study.remarks.filter(second.study.remarks.contains)
    let notes =
      common
      + [first, second].flatMap { name, study in
        study.remarks.filter { !common.contains($0) }.map { "\(name): \($0)" }
      }
    let page = ComparisonPage(comparison, notes: notes)
    try destination?.write(page.html)
    if !output.json { Output.note(notes) }
    try output.report(page.json, page.text)
    if comparison.isPartial {
      throw CommandError(
        "interrupted after \(comparison.replicas) of \(runs.replicas) repetitions: the report covers those",
        code: "interrupted", status: .interrupted)
    }
  }

  private func study(_ path: String) throws -> (name: String, study: TruthStudy) {
    if FileManager.default.fileExists(atPath: path + "/run.sqlite") || path.hasSuffix("run.sqlite") {
      throw CommandError(
        "is a run; give two scenarios, or one run with --measured counts.csv", code: "usage", file: path)
    }
    let input = try SimulationInput.read(path, overlay: overlay.choice, changes: changes.list())
    guard var scenario = input.scenario else { throw CommandError("is not a scenario", code: "usage", file: path) }
    if let seed = runs.seed { scenario.seed = seed }
    do {
      let study = try reachability.checked {
        try TruthStudy(
          venue: input.venue, scenario: scenario, maximumUnreachableShare: reachability.maximumUnreachableShare)
      }
      return (URL(fileURLWithPath: path).lastPathComponent, study)
    } catch var error as ScenarioError {
      error.file = path
      throw error
    }
  }

  private func compareRun(with measured: String, _ destination: Destination?) throws {
    let progress = ProgressLine(quiet: output.quiet)
    defer { progress.finish() }
    progress.begin(phase: "reading")
    guard changes.set.isEmpty else {
      throw CommandError("--set and --measured exclude each other", code: "usage")
    }
    let run = try RunReader(path: paths[0])
    let parameters = try run.parameters()
    let venue = try run.venue()
    let name = counts.timeZone ?? venue.timeZone ?? "UTC"
    guard let clock = ScenarioClock(zone: name) else {
      throw CommandError("--time-zone: '\(name)' is not a time zone", code: "usage")
    }
    let wanted = try (counts.days ?? "").split(separator: ",").map { text in
      guard let day = Int(text.filter { !$0.isWhitespace }) else {
        throw CommandError("--days: '\(text)' is not the number of a day", code: "usage")
      }
      return day
    }
    let text = try TextFile.read(measured, code: "occupancy").text
    let occupancy: MeasuredOccupancy
    do {
      occupancy = try MeasuredOccupancy(parsing: text, days: Set(wanted), clock: clock)
    } catch var error {
      error.file = measured
      throw error
    }
    let number = try spaceNumber(venue)
    var people: [Int64: Double] = [:]
    for row in try run.occupancy() where row.source == .truth && row.space == number {
      people[row.binStart, default: 0] += row.mean
    }
    guard
      let result = OccupancyError(
        run: people, start: parameters.start, end: parameters.end, occupancyBin: parameters.occupancyBin,
        measured: occupancy, clock: clock)
    else {
      throw CommandError(
        "the run and the head counts have no time of day in common", code: "no-overlap", file: measured)
    }
    let page = MeasuredPage(result, run: paths[0], measured: measured, space: counts.space)
    progress.finish()
    try destination?.write(page.html)
    try output.report(page.json, page.text)
  }

  private func spaceNumber(_ venue: RunVenue) throws -> Int32 {
    guard let space = counts.space else { return ObservedLocation.noSpace }
    guard let index = venue.spaces.firstIndex(where: { $0.id.rawValue == space || $0.name == space }) else {
      throw CommandError("--space: the venue has no space '\(space)'", code: "usage", file: paths[0])
    }
    return Int32(index)
  }
}
