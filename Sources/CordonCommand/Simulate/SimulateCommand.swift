import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonRun
import CordonSimulator
import CordonStorage
import CordonSupport
import CordonVenues
import Foundation

/// `cordon simulate`
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Fill a venue with people and phones, and compare the contacts that the phones saw with the true ones.",
    discussion: """
      Example:

        cordon simulate venues/office.mvf.zip --people 300 --duration 2h --seed 7 \\
          -o out

      People arrive, walk through doors, dwell in rooms, take stairs and elevators, and leave. Each carries a \
      phone that runs the real library: fixes are judged, kept only inside the venue, stored in SQLite, sent \
      every five minutes and deleted when acknowledged. The folder then holds run.sqlite, contacts.csv, \
      occupancy.csv, report.html (open it in a browser) and manifest.json. The same seed gives the same files.

      A scenario says more: populations, schedules, rules of the house, phones (docs/reference/scenarios.md). Options given \
      here win over what it says:

        cordon simulate venues/scenarios/office-day.yaml --seed 7 -o monday
        cordon simulate venues/scenarios/office-day.yaml --replicas 20 \\
          --set policies.stagger=30m -o staggered
      """)

  @Argument(
    help: "The venue, a zip or folder (MVF, IMDF, WRLD) or a GeoJSON file; or a scenario, YAML or JSON.")
  var venue: String

  @Option(name: .customLong("venue"), help: "The venue of a scenario, in place of the one that it names.")
  var otherVenue: String?

  @Option(
    help: "How many people come during the simulated time. (default: 300, or the scenario's)")
  var people: Int?

  @Option(
    help: ArgumentHelp(
      "How long the simulated time is: 90m, 2h, 1d. (default: 2h, or the scenario's)", valueName: "duration"))
  var duration: DurationArgument?

  @Option(
    help: "Decides every random number; the same seed gives the same result. (default: 1, or the scenario's)")
  var seed: UInt64?

  @Option(
    help: "Start of the simulated time, RFC 3339. (default: \(Scenario.defaultStart.rfc3339), or the scenario's)")
  var start: InstantArgument?

  @Option(
    help: ArgumentHelp(
      "The time zone of a scenario's times, in place of its own. Times with an offset stay.",
      valueName: "Europe/Berlin"))
  var timeZone: String?

  @Option(
    help:
      "How often a scenario is run, without phones but for the first time, for mean and percentiles of occupancy. (default: the scenario's)"
  )
  var replicas: Int?

  @OptionGroup var changes: ScenarioChanges

  @Option(
    help: ArgumentHelp("Time between two fixes of a phone. (default: 5s, or the scenario's)", valueName: "duration"))
  var interval: DurationArgument?

  @Option(
    help:
      "How people move: csm, avm (with bodies), way (through each other), meso (travel times). (default: csm, or the scenario's)"
  )
  var model: MovementArgument?

  @Option(
    help: ArgumentHelp(
      "The length of a step of csm and avm, 10ms to 150ms. (default: 100ms, or the scenario's)", valueName: "duration"))
  var step: DurationArgument?

  @Flag(help: "Hold every step of everybody against the map; slower. Exit status 1 when one breaks it.")
  var checkEveryStep = false

  @Option(
    help: ArgumentHelp(
      "One fix of each such interval is kept; 0s keeps all. (default: 5s or the interval, whichever is less)",
      valueName: "duration"))
  var thinning: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "When a phone makes fixes: library, continuous, motion, motion:TIME, distance:METRES. (default: library, or the scenario's)",
      valueName: "sampling"))
  var sampling: SamplingArgument?

  @Option(
    help: ArgumentHelp(
      "Rows are sent once the oldest waits so long. (default: 5m, or the scenario's)", valueName: "duration"))
  var flushAfter: DurationArgument?

  @Option(
    help:
      "How wrong phones are: \(PresetArgument.allValueStrings.joined(separator: ", ")). (default: rtt, or the scenario's)"
  )
  var phones: PresetArgument?

  @Option(
    help: "The share of people who carry a phone, 0 to 1. (default: 1, or that of each population)")
  var deviceShare: Double?

  @Option(
    help: ArgumentHelp("The contact distance. (default: 2m, or the scenario's)", valueName: "metres"))
  var distance: DistanceArgument?

  @Option(
    help: ArgumentHelp(
      "Two fixes farther apart in time than this are not joined. (default: 30s, or the scenario's)",
      valueName: "duration"))
  var maxGap: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Contact from which on somebody should be warned. (default: 15m, or the scenario's)", valueName: "duration"))
  var warning: DurationArgument?

  @Option(
    help: ArgumentHelp("Width of a bin of occupancy, 1s to 1d. (default: 1m, or the scenario's)", valueName: "duration")
  )
  var occupancyBin: DurationArgument?

  @Option(
    help:
      "The outline that counts as the venue: buildings, floors, venue, spaces. (default: buildings, or the scenario's)"
  )
  var boundary: String?

  @Option(help: "Where phones keep their rows: sqlite (as on a phone), or memory (faster, same result).")
  var store = StoreKind.sqlite

  @Option(help: ArgumentHelp("Post to this server in place of the sink in the process.", valueName: "url"))
  var server: String?

  @Option(help: "The invite code that phones activate themselves with at --server.")
  var invite: String?

  @OptionGroup var workers: WorkerThreads

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The folder to make. (default: cordon-run-VENUE-seedSEED)", valueName: "folder"))
  var output: String?

  @Flag(name: .shortAndLong, help: "Replace the folder if it exists.")
  var force = false

  @Flag(help: "Print one JSON object instead of a table.")
  var json = false

  @Flag(name: .shortAndLong, help: "Show no progress.")
  var quiet = false
}

extension SimulateCommand {
  func run() throws {
    // Errors in the options come before anything is read.
    if !SimulationInput.isScenario(venue) {
      _ = try configured(Scenario())
      for (option, isGiven) in [
        ("--time-zone", timeZone != nil), ("--replicas", replicas != nil), ("--set", !changes.set.isEmpty),
      ] where isGiven {
        throw CommandError("\(option) goes with a scenario, and '\(venue)' is a venue", code: "usage")
      }
    }
    let input = try SimulationInput.read(venue, venuePath: otherVenue, changes: scenarioChanges())
    let scenario = try configured(input.scenario ?? Scenario())
    _ = try serverLink()
    do {
      let simulation = try VenueSimulation(venue: input.venue, scenario: scenario)
      let path = output ?? "cordon-run-\(input.venue.id)-seed\(scenario.seed)"
      let folder = try RunFolder.prepare(at: path, replacing: force)
      do {
        try run(simulation, input, scenario, into: folder)
      } catch {
        folder.discard()
        throw error
      }
    } catch var error as ScenarioError {
      error.file = venue
      throw error
    }
  }

  /// What `--set` says, and the options that are shorter ways to say the same.
  private func scenarioChanges() throws -> [ScenarioChange] {
    var list = try changes.list()
    if let timeZone { list.append(ScenarioChange(path: "time.zone", value: timeZone)) }
    if let replicas { list.append(ScenarioChange(path: "replicas", value: "\(replicas)")) }
    return list
  }

  private func run(
    _ simulation: VenueSimulation, _ input: SimulationInput, _ scenario: Scenario, into folder: RunFolder
  ) throws {
    // One ends people's walk, another what their phones make of it.
    Interruption.watch(endingAt: 3)
    let finalPhases = [RunPhase.contacts, .write].map(\.text)
    let progress = ProgressLine(quiet: quiet) { phase in
      // What was simulated is made use of and written whole, whenever it ended.
      guard Interruption.isPending, finalPhases.contains(phase) else { return nil }
      let more = Interruption.left == 1 ? "one more Ctrl-C ends" : "\(Interruption.left) more Ctrl-C end"
      return "what was simulated is being finished; \(more) it at once, and nothing is kept"
    }
    defer { progress.finish() }
    let stopwatch = Stopwatch()
    progress.begin(phase: RunPhase.plan.text)
    let storeFolder = try TemporaryFolder()
    defer { storeFolder.remove() }
    let database = storeFolder.path + "/phones.sqlite"
    let store: PhoneStore =
      switch self.store {
      case .sqlite: .sqlite(try SQLiteStore(path: database))
      case .memory: .memory(MemoryStore())
      }
    let link = try serverLink()
    Interruption.removesAtEnd(
      files: ["", "-journal", "-wal", "-shm"].map { database + $0 } + folder.unfinishedFiles,
      folders: [storeFolder.path, folder.buildPath],
      saying: CommandError("interrupted: nothing is kept", code: "interrupted", status: .interrupted)
        .text(tool: "cordon", wantsJSON: json))
    var contents = try simulation.run(
      store: store, server: link.map(phoneServer), threads: workers.threads, onPhase: { stopwatch.end($0.rawValue) },
      progress: { progress.update(phase: $0.text, done: $1, total: $2, unit: $3) },
      isInterrupted: { Interruption.answer() }
    )
    contents.parameters.command = repeatableCommand(scenario, input)
    contents.parameters.version = CordonVersion.current
    contents.inputs = input.inputs.map { RunInput(role: $0.role, name: $0.name, sha256: $0.sha256) }
    progress.update(phase: RunPhase.write.text, done: 0, total: 1, unit: "runs")
    let outputs = try folder.write(contents, threads: workers.threads) {
      stopwatch.end(RunPhase.write.rawValue)
      return RunTimings(
        phases: stopwatch.phases, cpuSeconds: ProcessResources.cpuSeconds,
        peakMebibytes: ProcessResources.peakMebibytes, threads: workers.threads)
    }
    progress.finish()
    if json {
      try Output.print(
        contents.summary.json(
          cpuSeconds: ProcessResources.cpuSeconds, peakMebibytes: ProcessResources.peakMebibytes, outputs: outputs,
          more: [
            .init("agent_steps", .integer(Int64(contents.agentSteps))),
            .init("movement_cpu_s", .number(rounded(stopwatch.cpuSeconds(of: RunPhase.people.rawValue)))),
            .init(
              "setup_cpu_s",
              .number(
                rounded(
                  stopwatch.cpuSeconds(of: RunPhase.plan.rawValue)
                    + stopwatch.cpuSeconds(of: RunPhase.itineraries.rawValue)))),
            .init("notes", .array(contents.notes.map { .string($0) })),
            .init("partial", .bool(contents.isPartial)),
          ]))
    } else {
      Output.note(contents.notes)
      try Output.print(contents.summary.table(parameters: contents.parameters, folder: folder.path))
    }
    if contents.isPartial {
      throw CommandError(
        "interrupted: what was simulated until then is kept, and marked as partial", code: "interrupted",
        status: .interrupted, file: folder.path)
    }
    try link?.checkThatItTookSomething("--server")
    if scenario.movement.checksEveryStep, let broken = contents.outcome.invalidSteps {
      throw CommandError(broken, code: "broken-steps", status: .findings, file: folder.path)
    }
  }

  private func phoneServer(_ link: ServerLink) -> PhoneServer {
    PhoneServer(inviteCode: invite ?? "SIMULATED") { request in
      link.carry(request) ?? (SinkResponse(number: request.number, status: 400), 0)
    }
  }

  private func serverLink() throws -> ServerLink? {
    guard let server else {
      guard invite == nil else { throw CommandError("--invite goes with --server", code: "usage") }
      return nil
    }
    guard let url = URL(string: server), ["http", "https"].contains(url.scheme ?? ""), url.host != nil else {
      throw CommandError("--server: '\(server)' is no http or https address", code: "usage")
    }
    return ServerLink(url: url)
  }

  private func rounded(_ seconds: Double) -> Double { (seconds * 1_000).rounded() / 1_000 }

  /// The command with everything that decides the result and nothing that does not, every default written out.
  private func repeatableCommand(_ scenario: Scenario, _ input: SimulationInput) -> [String] {
    var words = ["cordon", "simulate", URL(fileURLWithPath: venue).lastPathComponent]
    if let otherVenue { words += ["--venue", URL(fileURLWithPath: otherVenue).lastPathComponent] }
    if let people = scenario.visitors?.count ?? people { words += ["--people", "\(people)"] }
    words += [
      "--duration", "\(scenario.duration)", "--seed", "\(scenario.seed)", "--start", scenario.start.rfc3339,
      "--interval", "\(scenario.phones.interval)", "--phones", scenario.phones.preset.rawValue,
    ]
    words += [
      "--model", scenario.movement.model.rawValue, "--step", "\(TimeSpan.milliseconds(scenario.movement.step))",
    ]
    for change in changes.set { words += ["--set", change] }
    if let timeZone { words += ["--time-zone", timeZone] }
    if let replicas { words += ["--replicas", "\(replicas)"] }
    if checkEveryStep { words.append("--check-every-step") }
    if let thinning { words += ["--thinning", "\(thinning.span)"] }
    if let sampling { words += ["--sampling", "\(sampling.sampling)"] }
    if let flushAfter { words += ["--flush-after", "\(flushAfter.span)"] }
    if let warning { words += ["--warning", "\(warning.span)"] }
    if let occupancyBin { words += ["--occupancy-bin", "\(occupancyBin.span)"] }
    if scenario.visitors != nil || deviceShare != nil { words += ["--device-share", "\(deviceShare ?? 1)"] }
    return words + [
      "--distance", "\(scenario.contactDistance)", "--max-gap", "\(scenario.maximumGap)", "--boundary",
      scenario.boundary.name,
    ]
  }

  /// Applies the options to a scenario.
  private func configured(_ scenario: Scenario) throws -> Scenario {
    var scenario = scenario
    if let start {
      let span = scenario.duration
      scenario.start = start.instant
      scenario.duration = span
    }
    if let duration { scenario.duration = duration.span }
    if let seed { scenario.seed = seed }
    if let people {
      guard ScenarioLimits.people.contains(people) else {
        throw CommandError(
          "--people must be between 1 and \(ScenarioLimits.people.upperBound), not \(people)", code: "usage")
      }
      scenario.scale(toPeople: people)
    }
    if let deviceShare {
      if scenario.visitors != nil {
        scenario.visitors?.deviceShare = deviceShare
      } else {
        scenario.policies.deviceShare = deviceShare
      }
    }
    if let interval { scenario.phones.interval = interval.span }
    if let thinning { scenario.phones.thinning = thinning.span }
    if let sampling { scenario.phones.sampling = sampling.sampling }
    if let flushAfter { scenario.phones.flushAfter = flushAfter.span }
    if let phones { scenario.phones.preset = phones.preset }
    if let warning { scenario.warningThreshold = warning.span }
    if let occupancyBin { scenario.occupancyBin = occupancyBin.span }
    if let distance { scenario.contactDistance = distance.metres }
    if let maxGap { scenario.maximumGap = maxGap.span }
    if let model { scenario.movement.model = model.choice }
    if let step { scenario.movement.step = step.span.milliseconds }
    if checkEveryStep { scenario.movement.checksEveryStep = true }
    if let boundary {
      guard let choice = BoundaryChoice(name: boundary) else {
        throw CommandError("--boundary is one of buildings, floors, venue, spaces, not '\(boundary)'", code: "usage")
      }
      scenario.boundary = choice
    }
    do {
      // A file is within all ranges, so that only an option can be out of one.
      try scenario.check()
    } catch {
      throw CommandError("\(Self.option(settingKey: error.path)) \(error.message)", code: "usage")
    }
    return scenario
  }

  /// The option that sets a key of a scenario.
  private static func option(settingKey key: String) -> String {
    switch key {
    case "visitors.count": "--people"
    case "contacts.distance": "--distance"
    default:
      // The others are named like their key.
      "--" + (key.split(separator: ".").last ?? "").replacing("_", with: "-")
    }
  }
}

/// Where simulated phones keep their rows.
enum StoreKind: String, ExpressibleByArgument, CaseIterable {
  case sqlite, memory
}

extension RunFolderError: CommandErrorConvertible {
  var commandError: CommandError {
    let hint = code == .exists ? "; use --force to replace it, or -o for another folder" : ""
    return CommandError(message + hint, code: code.rawValue, file: path, place: place)
  }
}

extension SimulationError: CommandErrorConvertible {
  var commandError: CommandError { CommandError(description, code: "simulation") }
}

extension GeofenceError: CommandErrorConvertible {
  var commandError: CommandError { CommandError(description, code: "geofence") }
}

/// How people move, as an argument.
enum MovementArgument: String, ExpressibleByArgument, CaseIterable {
  case csm, avm, way, meso

  var choice: MovementChoice {
    switch self {
    case .csm: .csm
    case .avm: .avm
    case .way: .way
    case .meso: .meso
    }
  }
}
