import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonRun
import CordonSimulator
import CordonSupport
import Foundation

/// The command `cordon evacuate`.
struct EvacuateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evacuate",
    abstract: "Simulate how long people take to leave a venue.",
    discussion: """
      Examples:

        cordon evacuate venues/office.mvf.zip --load 200 -o drill
        cordon evacuate venues/scenarios/office-day.yaml --at 10:15 --replicas 20 \\
          -o morning
        cordon evacuate venues/office.mvf.zip --load occupant --close-exit 0 \\
          --pre-movement lognormal:60s,0.4 -o blocked

      The people of a scenario are where they are at a time of its day; a load puts people into the spaces. After the alarm \
      and their pre-movement time, people walk to the exit with the least expected time and queue at doors and stairs. \
      The folder holds report.html, evacuation.json, tables as CSV and manifest.json. The same seed gives the same files.

      'evacuation:' in a scenario holds more rules (docs/reference/evacuation.md). Options override it. The result must \
      not be used for certification.
      """)

  /// The repetitions and the movement model.
  struct RunOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The venue of a scenario. (default: the scenario's)", valueName: "venue"))
    var venue: String?

    @Option(help: "The seed of all random numbers. (default: 1, or the scenario's)")
    var seed: UInt64?

    @Option(
      help: ArgumentHelp(
        "The number of runs, each with other people and delays. (default: 1, or the scenario's)", valueName: "count"))
    var replicas: Int?

    @Option(help: "The movement model: csm or avm. (default: csm, or the scenario's)")
    var model: CrowdBenchCommand.ModelArgument?

    func validate() throws {
      if let replicas, !ScenarioLimits.replicas.contains(replicas) {
        throw ValidationError("--replicas must be 1 to \(ScenarioLimits.replicas.upperBound)")
      }
    }
  }

  /// The folder that the command creates, and what it prints.
  struct FolderOptions: ParsableArguments, CarriesOutputFlags {
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("The folder to create. (default: cordon-evacuation-VENUE-seedSEED)", valueName: "folder"))
    var output: String?

    @OptionGroup var flags: OutputFlags
  }

  @Argument(help: "A venue (MVF, IMDF, WRLD, GeoJSON) or a scenario (YAML, JSON).")
  var venue: String

  @OptionGroup(title: "People") var people: EvacuationPeopleOptions
  @OptionGroup(title: "Ways") var ways: EvacuationWayOptions
  @OptionGroup(title: "Runs") var runs: RunOptions
  @OptionGroup(title: "Runs") var reachability: ReachabilityOptions
  @OptionGroup(title: "Runs") var changes: ScenarioChanges
  @OptionGroup(title: "Runs") var overlay: OverlayOptions
  @OptionGroup(title: "Processing") var workers: WorkerThreads
  @OptionGroup(title: "Output") var output: FolderOptions
}

extension EvacuateCommand {
  func run() throws {
    let isScenario = SimulationInput.isScenario(venue)
    if !isScenario, !changes.set.isEmpty {
      throw CommandError("--set needs a scenario, and '\(venue)' is a venue", code: "usage")
    }
    Interruption.watch()
    let progress = ProgressLine(quiet: output.quiet)
    defer { progress.finish() }
    progress.begin(phase: "reading")
    let input = try SimulationInput.read(
      venue, venuePath: runs.venue, overlay: overlay.choice, changes: changes.list())
    let scenario = try configured(input.scenario ?? Scenario(at: input.venue), isScenario: isScenario)
    do {
      let stopwatch = Stopwatch()
      let study = try reachability.checked {
        try EvacuationStudy(
          venue: input.venue, scenario: scenario, maximumUnreachableShare: reachability.maximumUnreachableShare)
      }
      stopwatch.end("venue")
      let folder = try RunFolder.prepare(
        at: output.output ?? "cordon-evacuation-\(input.venue.id)-seed\(scenario.seed)", replacing: output.force)
      do {
        try run(study, scenario, input, into: folder, stopwatch: stopwatch, progress: progress)
      } catch {
        folder.discard()
        throw error
      }
    } catch var error as ScenarioError {
      error.file = venue
      throw error
    }
  }

  /// Applies the options to a scenario, or to the default scenario of a venue.
  private func configured(_ given: Scenario, isScenario: Bool) throws -> Scenario {
    var scenario = given
    if isScenario, scenario.evacuation == nil, people.at == nil, people.load == nil {
      throw CommandError(
        "the scenario has no 'evacuation'; give --at TIME or --load occupant", code: "usage", file: venue)
    }
    if !isScenario, people.at == nil { scenario.visitors = nil }
    var evacuation = scenario.evacuation ?? Evacuation()
    people.apply(to: &evacuation)
    ways.apply(to: &evacuation)
    scenario.evacuation = evacuation
    if let seed = runs.seed { scenario.seed = seed }
    if let replicas = runs.replicas { scenario.replicas = replicas }
    if let model = runs.model { scenario.movement.model = model == .avm ? .avm : .csm }
    return scenario
  }

  private func run(
    _ study: EvacuationStudy, _ scenario: Scenario, _ input: SimulationInput, into folder: RunFolder,
    stopwatch: Stopwatch, progress: ProgressLine
  ) throws {
    Interruption.removesAtEnd(
      files: folder.unfinishedEvacuationFiles, folders: [folder.buildPath],
      saying: CommandError("interrupted: nothing is kept", code: "interrupted", status: .interrupted)
        .text(tool: "cordon", wantsJSON: output.json))
    let total = Double(scenario.replicas)
    progress.update(phase: "evacuating", done: 0, total: total, unit: "runs")
    let report = try study.run(
      replicas: scenario.replicas, threads: workers.threads,
      progress: { progress.update(phase: "evacuating", done: Double($0), total: total, unit: "runs") },
      isInterrupted: { Interruption.isRequested })
    guard let report else {
      throw CommandError("interrupted: nothing is kept", code: "interrupted", status: .interrupted)
    }
    stopwatch.end("people")
    let origin = EvacuationOrigin(
      version: CordonVersion.current, command: repeatableCommand(scenario),
      inputs: input.inputs.map { RunInput(role: $0.role, name: $0.name, sha256: $0.sha256) }, seed: scenario.seed,
      timings: RunTimings(
        phases: stopwatch.phases, cpuSeconds: ProcessResources.cpuSeconds,
        peakMebibytes: ProcessResources.peakMebibytes, threads: workers.threads))
    let outputs = try folder.write(report, origin: origin)
    progress.finish()
    if output.json {
      var members = EvacuationJSON(report).members
      members.append(
        .init("outputs", .object(outputs.map { .init($0.role, .string($0.path)) })))
      members.append(.init("cpu_s", .number((ProcessResources.cpuSeconds * 1_000).rounded() / 1_000)))
      try Output.print(JSONValue.object(members))
    } else {
      Output.note(report.notes)
      try Output.print(EvacuationSummary(report, folder: folder.path).text)
    }
    if report.isPartial {
      throw CommandError(
        "interrupted: the result covers \(report.replicas.count) of \(scenario.replicas) runs", code: "interrupted",
        status: .interrupted, file: folder.path)
    }
  }

  /// The command with everything that decides the result.
  private func repeatableCommand(_ scenario: Scenario) -> [String] {
    var words = ["cordon", "evacuate", URL(fileURLWithPath: venue).lastPathComponent]
    if let other = runs.venue { words += ["--venue", URL(fileURLWithPath: other).lastPathComponent] }
    words += people.words + ways.words
    words += ["--seed", "\(scenario.seed)", "--replicas", "\(scenario.replicas)"]
    words += ["--model", scenario.movement.model == .avm ? "avm" : "csm"]
    for change in changes.set { words += ["--set", change] }
    if reachability.acceptUnreachable { words.append("--accept-unreachable") }
    return words + overlay.words
  }
}
