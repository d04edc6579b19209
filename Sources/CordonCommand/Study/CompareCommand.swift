import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonContacts
import CordonCore
import CordonRun
import CordonSimulator
import CordonSupport
import Foundation

/// The repetitions of scenarios.
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

  @Option(help: ArgumentHelp("The day of times without a date, such as 2026-01-05.", valueName: "date"))
  var date: String?

  /// The day of times without a date.
  func day() throws -> CalendarDay? {
    try date.map { text in
      guard let day = CalendarDay(written: text) else {
        throw CommandError("--date: '\(text)' is not a date such as 2026-01-05", code: "usage")
      }
      return day
    }
  }
}

/// The command `cordon compare`.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare scenarios, finished runs, or a run with measured head counts.",
    discussion: """
      The sides are A, B, C and so on, in the order given. Scenarios run repeatedly with the same random numbers; the report \
      has the differences of the other sides from A, for the building and each group, space, desk and queue:

        cordon compare today.yaml staggered.yaml --replicas 20 -o difference.html

      --set changes one side without a copy of the file. A side without a file has that of A:

        cordon compare today.yaml --set B:policies.stagger=30m \\
          --set C:policies.devices=0.5

      The intervals of a table hold together with 95 % confidence: each is wider, by the number of differences in the table \
      (Bonferroni). --per building shows one table. Take more replicas if no interval excludes zero.

      Phones are not simulated: occupancy and contacts are the true ones, and the report counts how many of the pairs to warn \
      both carry a phone. Ctrl-C ends the comparison; the report then covers the repetitions that all scenarios have \
      completed.

      Run folders are compared by the figures in them. Runs with 'replicas' have intervals for spaces and groups:

        cordon compare monday tuesday wednesday -o days.html

      A run folder is compared with head counts (time,count; or DayId,Time,...,count) by time of day:

        cordon compare monday --measured counts.csv --space "Room 1" \\
          -o monday.html
      """)

  @Argument(
    help: ArgumentHelp("Scenarios or run folders; or one run folder with --measured.", valueName: "scenario.yaml"))
  var paths: [String]

  @OptionGroup(title: "Scenarios") var changes: SideChanges
  @OptionGroup(title: "Scenarios") var overlay: OverlayOptions
  @OptionGroup(title: "Scenarios") var reachability: ReachabilityOptions
  @OptionGroup(title: "Scenarios") var runs: ReplicaOptions
  @OptionGroup(title: "Head counts") var counts: MeasuredOptions
  @OptionGroup(title: "Processing") var workers: WorkerThreads
  @OptionGroup(title: "Output") var tables: PartOptions
  @OptionGroup(title: "Output") var output: PageOptions

  func validate() throws {
    if counts.measured != nil, paths.count != 1 {
      throw ValidationError("--measured needs one run folder, not \(paths.count)")
    }
    guard (1...ComparisonSide.maximum).contains(paths.count) else {
      throw ValidationError("at most \(ComparisonSide.maximum) sides can be compared, not \(paths.count)")
    }
    guard (1...100_000).contains(runs.replicas) else { throw ValidationError("--replicas must be 1 to 100000") }
  }

  func run() throws {
    let destination = try output.destination(
      inputs: paths + paths.map { $0 + "/run.sqlite" } + [counts.measured].compactMap(\.self))
    if let measured = counts.measured {
      try compareRun(with: measured, destination)
    } else if paths.allSatisfy(isRun) {
      try compareRuns(destination)
    } else {
      try compareScenarios(destination)
    }
  }

  private func isRun(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path + "/run.sqlite") || path.hasSuffix("run.sqlite")
  }

  private func compareRuns(_ destination: Destination?) throws {
    guard paths.count > 1 else {
      throw CommandError(
        "give another run to compare it with, or --measured counts.csv", code: "usage", file: paths[0])
    }
    guard changes.set.isEmpty else {
      throw CommandError("--set changes scenarios; a finished run cannot be changed", code: "usage")
    }
    let progress = ProgressLine(quiet: output.quiet)
    defer { progress.finish() }
    progress.begin(phase: "reading")
    let sides = try paths.map { (name: URL(fileURLWithPath: $0).lastPathComponent, run: try RunReader(path: $0)) }
    let comparison = try ScenarioComparison(runs: sides, parts: try tables.parts())
    let page = ComparisonPage(comparison, notes: try RunNotes.list(sides))
    progress.finish()
    try destination?.write(page.html)
    try output.report(page.json, page.text)
  }

  private func compareScenarios(_ destination: Destination?) throws {
    let changes = try changes.list(files: paths.count)
    guard changes.count > 1 else {
      throw CommandError(
        "give another scenario to compare it with, or a changed value such as --set B:policies.stagger=30m",
        code: "usage", file: paths[0])
    }
    guard changes.count <= ComparisonSide.maximum else {
      throw CommandError("at most \(ComparisonSide.maximum) sides can be compared", code: "usage")
    }
    let parts = try tables.parts()
    Interruption.watch()
    let progress = ProgressLine(quiet: output.quiet)
    defer { progress.finish() }
    let sides = try changes.indices.map { try study(side: $0, changes[$0]) }
    let comparison = try ScenarioComparison(
      sides, parts: parts, replicas: runs.replicas, threads: workers.threads,
      progress: { progress.update(phase: "replicas", done: $0, total: Double($1), unit: "runs") },
      isInterrupted: { Interruption.isRequested })
    progress.finish()
    // Remarks about all scenarios are printed once.
    let common = sides[0].study.remarks.filter { remark in sides.allSatisfy { $0.study.remarks.contains(remark) } }
    let notes =
      common
      + sides.enumerated().flatMap { index, side in
        side.study.remarks.filter { !common.contains($0) }.map { "\(ComparisonSide.letter(index)): \($0)" }
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

  private func study(side: Int, _ own: [ScenarioChange]) throws -> (name: String, study: TruthStudy) {
    let path = paths[side < paths.count ? side : 0]
    if isRun(path) {
      throw CommandError(
        "is a run; give scenarios only, runs only, or one run with --measured counts.csv", code: "usage", file: path)
    }
    let input = try SimulationInput.read(path, overlay: overlay.choice, changes: own)
    guard var scenario = input.scenario else { throw CommandError("is not a scenario", code: "usage", file: path) }
    if let seed = runs.seed { scenario.seed = seed }
    do {
      let study = try reachability.checked {
        try TruthStudy(
          venue: input.venue, scenario: scenario, maximumUnreachableShare: reachability.maximumUnreachableShare)
      }
      return (URL(fileURLWithPath: path).lastPathComponent + changes.words(for: side), study)
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
    if MeasuredAir.isCarbonDioxide(text) {
      let air = try MeasuredAirPage(
        run: paths[0], parameters: parameters, measured: measured, text: text, days: Set(wanted), clock: clock)
      progress.finish()
      try destination?.write(air.html)
      return try output.report(air.json, air.text)
    }
    let occupancy: MeasuredOccupancy
    do {
      occupancy = try MeasuredOccupancy(
        parsing: text, days: Set(wanted), place: counts.space, date: try counts.day(), clock: clock)
    } catch var error as TableError {
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
