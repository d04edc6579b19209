import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonContacts
import CordonCore
import CordonRun
import CordonSimulator
import Foundation

/// `cordon compare`
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Tell what differs between two scenarios, or how far a run is from a measured day.",
    discussion: """
      Two scenarios are run again and again, with the same random numbers in both, and their differences told with 95 % \
      confidence intervals:

        cordon compare today.yaml staggered.yaml --replicas 20 -o difference.html

      Phones are not run: occupancy and contacts are the true ones, and of the pairs that should be warned it is told \
      how many both carry a phone. Ctrl-C ends it; what is told is of the repetitions that both scenarios have finished.

      A run folder is held against head counts (time,count; or DayId,Time,...,count) by time of day:

        cordon compare monday --measured counts.csv --space "Room 1" -o monday.html
      """)

  @Argument(help: ArgumentHelp("Two scenarios, or one run folder.", valueName: "scenario.yaml"))
  var paths: [String]

  @OptionGroup var changes: ScenarioChanges

  @Option(help: "How often each scenario is run.")
  var replicas = 20

  @Option(help: "Decides every random number, in place of the scenarios' own.")
  var seed: UInt64?

  @Option(help: ArgumentHelp("Head counts to compare a run with.", valueName: "file"))
  var measured: String?

  @Option(help: "Days of the head counts to take, by number, separated by commas. (default: all)")
  var days: String?

  @Option(help: "Name or identifier of the space that was counted. (default: the whole venue)")
  var space: String?

  @Option(
    help: ArgumentHelp(
      "The time zone of the head counts. (default: that of the venue, or UTC)", valueName: "Europe/Berlin"))
  var timeZone: String?

  @OptionGroup var workers: WorkerThreads

  @OptionGroup var output: PageOptions

  func validate() throws {
    if measured == nil {
      guard paths.count == 2 else { throw ValidationError("two scenarios are compared, or one run with --measured") }
    } else if paths.count != 1 {
      throw ValidationError("one run folder is held against head counts, not \(paths.count)")
    }
    guard (1...100_000).contains(replicas) else { throw ValidationError("--replicas is between 1 and 100000") }
  }

  func run() throws {
    let destination = try output.destination(
      inputs: paths + paths.map { $0 + "/run.sqlite" } + [measured].compactMap(\.self))
    if let measured { try compareRun(with: measured, destination) } else { try compareScenarios(destination) }
  }

  private func compareScenarios(_ destination: Destination?) throws {
    Interruption.watch()
    let progress = ProgressLine(quiet: output.quiet)
    defer { progress.finish() }
    let (first, second) = try (study(paths[0]), study(paths[1]))
    let comparison = try ScenarioComparison(
      first, second, replicas: replicas, threads: workers.threads,
      progress: { progress.update(phase: "replicas", done: $0, total: Double($1), unit: "runs") },
      isInterrupted: { Interruption.isRequested })
    progress.finish()
    // What both maps leave open is said once.
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
        "interrupted after \(comparison.replicas) of \(replicas) repetitions: what is told is of those",
        code: "interrupted", status: .interrupted)
    }
  }

  private func study(_ path: String) throws -> (name: String, study: TruthStudy) {
    if FileManager.default.fileExists(atPath: path + "/run.sqlite") || path.hasSuffix("run.sqlite") {
      throw CommandError(
        "is a run; compare takes two scenarios, or one run with --measured counts.csv", code: "usage", file: path)
    }
    let input = try SimulationInput.read(path, changes: changes.list())
    guard var scenario = input.scenario else { throw CommandError("is no scenario", code: "usage", file: path) }
    if let seed { scenario.seed = seed }
    do {
      let study = try TruthStudy(venue: input.venue, scenario: scenario)
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
    guard changes.set.isEmpty else { throw CommandError("--set goes with scenarios, not with --measured", code: "usage") }
    let run = try RunReader(path: paths[0])
    let parameters = try run.parameters()
    let venue = try run.venue()
    let name = timeZone ?? venue.timeZone ?? "UTC"
    guard let clock = ScenarioClock(zone: name) else {
      throw CommandError("--time-zone: '\(name)' is no time zone", code: "usage")
    }
    let wanted = try (days ?? "").split(separator: ",").map { text in
      guard let day = Int(text.filter { !$0.isWhitespace }) else {
        throw CommandError("--days: '\(text)' is no number of a day", code: "usage")
      }
      return day
    }
    let text = try TextFile.read(measured, code: "occupancy").text
    let counts: MeasuredOccupancy
    do {
      counts = try MeasuredOccupancy(parsing: text, days: Set(wanted), clock: clock)
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
        measured: counts, clock: clock)
    else {
      throw CommandError("the run and the head counts have no time of day in common", code: "no-overlap", file: measured)
    }
    let page = MeasuredPage(result, run: paths[0], measured: measured, space: space)
    progress.finish()
    try destination?.write(page.html)
    try output.report(page.json, page.text)
  }

  private func spaceNumber(_ venue: RunVenue) throws -> Int32 {
    guard let space else { return ObservedLocation.noSpace }
    guard let index = venue.spaces.firstIndex(where: { $0.id.rawValue == space || $0.name == space }) else {
      throw CommandError("--space: the venue has no space '\(space)'", code: "usage", file: paths[0])
    }
    return Int32(index)
  }
}
