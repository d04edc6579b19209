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

/// The command `cordon simulate`.
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Simulate people and phones in a venue, and compare observed with true contacts.",
    discussion: """
      Examples:

        cordon simulate venues/office.mvf.zip --people 300 --duration 2h --seed 7 \\
          -o out
        cordon simulate venues/scenarios/office-day.yaml --seed 7 -o monday
        cordon simulate venues/scenarios/office-day.yaml --replicas 20 \\
          --set policies.stagger=30m -o staggered

      People arrive, walk through doors, dwell in rooms, take stairs and elevators, and leave. Each carries a phone that \
      runs the library itself: it keeps fixes inside the venue, stores them in SQLite, sends them every five minutes and \
      deletes acknowledged rows. The folder holds report.html, run.sqlite, tables as CSV and manifest.json. \
      The same seed gives the same files.

      A scenario adds populations, schedules, rules and phones (docs/reference/scenarios.md). Options override it.
      """)

  @Argument(help: "A venue (MVF, IMDF, WRLD, GeoJSON) or a scenario (YAML, JSON).")
  var venue: String

  @OptionGroup(title: "Scenario") var scenarioOptions: ScenarioOptions
  @OptionGroup(title: "Scenario") var reachability: ReachabilityOptions
  @OptionGroup(title: "Scenario") var changes: ScenarioChanges
  @OptionGroup(title: "Scenario") var overlay: OverlayOptions
  @OptionGroup(title: "Model") var model: ModelOptions
  @OptionGroup(title: "Phones") var phones: PhoneOptions
  @OptionGroup(title: "Contacts") var contacts: ContactOptions
  @OptionGroup(title: "Contacts") var contactFiles: ContactFileOptions
  @OptionGroup(title: "Processing") var workers: WorkerThreads
  @OptionGroup(title: "Output") var output: FolderOptions
}

extension SimulateCommand {
  func run() throws {
    // Errors in the options come before anything is read.
    if !SimulationInput.isScenario(venue) {
      _ = try configured(Scenario())
      for (option, isGiven) in [
        ("--time-zone", scenarioOptions.timeZone != nil), ("--replicas", scenarioOptions.replicas != nil),
        ("--set", !changes.set.isEmpty),
      ] where isGiven {
        throw CommandError("\(option) needs a scenario, and '\(venue)' is a venue", code: "usage")
      }
    }
    let input = try SimulationInput.read(
      venue, venuePath: scenarioOptions.venue, overlay: overlay.choice, changes: scenarioChanges())
    let scenario = try configured(input.scenario ?? Scenario(at: input.venue))
    _ = try serverLink()
    do {
      let simulation = try VenueSimulation(venue: input.venue, scenario: scenario)
      let path = output.output ?? "cordon-run-\(input.venue.id)-seed\(scenario.seed)"
      let folder = try RunFolder.prepare(at: path, replacing: output.force)
      do {
        try reachability.checked { try run(simulation, input, scenario, into: folder) }
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
    if let zone = scenarioOptions.timeZone { list.append(ScenarioChange(path: "time.zone", value: zone)) }
    if let count = scenarioOptions.replicas { list.append(ScenarioChange(path: "replicas", value: "\(count)")) }
    return list
  }

  private func run(
    _ simulation: VenueSimulation, _ input: SimulationInput, _ scenario: Scenario, into folder: RunFolder
  ) throws {
    // The first signal ends the movement of people, the second the simulation of their phones.
    Interruption.watch(endingAt: 3)
    let finalPhases = [RunPhase.contacts, .write].map(\.text)
    let progress = ProgressLine(quiet: output.quiet) { phase in
      // The result of an interrupted simulation is evaluated and written in full.
      guard Interruption.isPending, finalPhases.contains(phase) else { return nil }
      let more = Interruption.left == 1 ? "one more Ctrl-C ends" : "\(Interruption.left) more Ctrl-C end"
      return "the partial result is being evaluated and written; \(more) the command at once, and nothing is kept"
    }
    defer { progress.finish() }
    let stopwatch = Stopwatch()
    progress.begin(phase: RunPhase.plan.text)
    let storeFolder = try TemporaryFolder()
    defer { storeFolder.remove() }
    let database = storeFolder.path + "/phones.sqlite"
    let store: PhoneStore =
      switch phones.store {
      case .sqlite: .sqlite(try SQLiteStore(path: database))
      case .memory: .memory(MemoryStore())
      }
    let link = try serverLink()
    Interruption.removesAtEnd(
      files: ["", "-journal", "-wal", "-shm"].map { database + $0 } + folder.unfinishedFiles,
      folders: [storeFolder.path, folder.buildPath],
      saying: CommandError("interrupted: nothing is kept", code: "interrupted", status: .interrupted)
        .text(tool: "cordon", wantsJSON: output.json))
    var contents = try simulation.run(
      store: store, server: link.map(phoneServer), threads: workers.threads,
      maximumUnreachableShare: reachability.maximumUnreachableShare,
      onPhase: { stopwatch.end($0.rawValue) },
      progress: { progress.update(phase: $0.text, done: $1, total: $2, unit: $3) },
      isInterrupted: { Interruption.answer() }
    )
    contents.parameters.command = repeatableCommand(scenario, input)
    contents.parameters.version = CordonVersion.current
    contents.inputs = input.inputs.map { RunInput(role: $0.role, name: $0.name, sha256: $0.sha256) }
    progress.update(phase: RunPhase.write.text, done: 0, total: 1, unit: "runs")
    let outputs = try folder.write(contents, contactFiles: contactFiles.contacts?.files, threads: workers.threads) {
      stopwatch.end(RunPhase.write.rawValue)
      return RunTimings(
        phases: stopwatch.phases, cpuSeconds: ProcessResources.cpuSeconds,
        peakMebibytes: ProcessResources.peakMebibytes, threads: workers.threads)
    }
    progress.finish()
    if contactFiles.contacts == nil, let note = ContactFiles.note(contacts: contents.contacts.count) {
      contents.notes.append(note)
    }
    if output.json {
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
            .init("over_capacity", contents.overCapacity),
            .init("notes", .array(contents.notes.map { .string($0) })),
            .init("partial", .bool(contents.isPartial)), .init("connectivity", contents.connectivity?.json ?? .null),
          ]))
    } else {
      // The summary begins with the parts of the map; the notes do not repeat them.
      var stated: [String] = []
      if let map = contents.connectivity { stated = ["the map has separate parts: " + map.sentence] + map.warnings }
      Output.note(contents.notes.filter { !stated.contains($0) })
      if let map = contents.connectivity { try Output.print(Self.connectivity(map)) }
      try Output.print(contents.summary.table(parameters: contents.parameters, folder: folder.path))
      let crowded = contents.overCapacityText
      if !crowded.isEmpty { try Output.print("\n" + crowded) }
    }
    if contents.isPartial {
      throw CommandError(
        "interrupted: the result so far is kept, and marked as partial", code: "interrupted",
        status: .interrupted, file: folder.path)
    }
    try link?.checkThatItTookSomething("--sink")
    if scenario.movement.checksEveryStep, let broken = contents.outcome.invalidSteps {
      throw CommandError(broken, code: "broken-steps", status: .findings, file: folder.path)
    }
  }

  /// The first lines of the summary.
  private static func connectivity(_ map: RunConnectivity) -> String {
    let assumed = map.assumptions.count
    return "Map: \(map.sentence)\n" + map.warnings.map { "Map: \($0)\n" }.joined()
      + (assumed > 0 ? "Map: \(Counted.of(assumed, "assumption")); see cordon venue validate\n" : "") + "\n"
  }

  private func phoneServer(_ link: ServerLink) -> PhoneServer {
    PhoneServer(inviteCode: phones.invite ?? "SIMULATED") { request in
      link.carry(request) ?? (SinkResponse(number: request.number, status: 400), 0)
    }
  }

  private func serverLink() throws -> ServerLink? {
    switch phones.sink {
    case .memory:
      guard phones.invite == nil else {
        throw CommandError("--invite needs a server as --sink, such as cordon=https://HOST", code: "usage")
      }
      return nil
    case .file: throw CommandError("--sink: simulate sends to memory or cordon=URL, not to a file", code: "usage")
    case .server(let url): return ServerLink(url: url)
    }
  }

  private func rounded(_ seconds: Double) -> Double { (seconds * 1_000).rounded() / 1_000 }

  /// The command with everything that decides the result and nothing that does not, every default written out.
  private func repeatableCommand(_ scenario: Scenario, _ input: SimulationInput) -> [String] {
    var words = ["cordon", "simulate", URL(fileURLWithPath: venue).lastPathComponent]
    if let other = scenarioOptions.venue { words += ["--venue", URL(fileURLWithPath: other).lastPathComponent] }
    if let people = scenario.visitors?.count ?? scenarioOptions.people { words += ["--people", "\(people)"] }
    words += [
      "--duration", "\(scenario.duration)", "--seed", "\(scenario.seed)", "--start", scenario.start.rfc3339,
      "--interval", "\(scenario.phones.interval)", "--phones", scenario.phones.preset.rawValue,
    ]
    words += [
      "--model", scenario.movement.model.rawValue, "--step", "\(TimeSpan.milliseconds(scenario.movement.step))",
    ]
    for change in changes.set { words += ["--set", change] }
    if let zone = scenarioOptions.timeZone { words += ["--time-zone", zone] }
    if let replicas = scenarioOptions.replicas { words += ["--replicas", "\(replicas)"] }
    if reachability.acceptUnreachable { words.append("--accept-unreachable") }
    words += overlay.words
    if model.checkEveryStep { words.append("--check-every-step") }
    if let thinning = phones.thinning { words += ["--thinning", "\(thinning.span)"] }
    if let sampling = phones.sampling { words += ["--sampling", "\(sampling.sampling)"] }
    if let flushAfter = phones.flushAfter { words += ["--flush-after", "\(flushAfter.span)"] }
    if let warning = contacts.warning { words += ["--warning", "\(warning.span)"] }
    if let bin = contacts.bin { words += ["--bin", "\(bin.span)"] }
    if let tables = contactFiles.contacts { words += ["--contacts", tables.rawValue] }
    if scenario.visitors != nil || phones.deviceShare != nil {
      words += ["--device-share", "\(phones.deviceShare ?? 1)"]
    }
    return words + [
      "--distance", "\(scenario.contactDistance)", "--maximum-gap", "\(scenario.maximumGap)", "--boundary",
      scenario.boundary.name,
    ]
  }

  /// Applies the options to a scenario.
  private func configured(_ scenario: Scenario) throws -> Scenario {
    var scenario = scenario
    if let start = scenarioOptions.start {
      let span = scenario.duration
      scenario.start = start.instant
      scenario.duration = span
    }
    if let duration = scenarioOptions.duration { scenario.duration = duration.span }
    if let seed = scenarioOptions.seed { scenario.seed = seed }
    if let people = scenarioOptions.people {
      guard ScenarioLimits.people.contains(people) else {
        throw CommandError(
          "--people must be between 1 and \(ScenarioLimits.people.upperBound), not \(people)", code: "usage")
      }
      scenario.scale(toPeople: people)
    }
    if let share = phones.deviceShare {
      if scenario.visitors != nil {
        scenario.visitors?.deviceShare = share
      } else {
        scenario.policies.deviceShare = share
      }
    }
    if let interval = phones.interval { scenario.phones.interval = interval.span }
    if let thinning = phones.thinning { scenario.phones.thinning = thinning.span }
    if let sampling = phones.sampling { scenario.phones.sampling = sampling.sampling }
    if let flushAfter = phones.flushAfter { scenario.phones.flushAfter = flushAfter.span }
    if let preset = phones.phones { scenario.phones.preset = preset.preset }
    if let warning = contacts.warning { scenario.warningThreshold = warning.span }
    if let bin = contacts.bin { scenario.occupancyBin = bin.span }
    if let distance = contacts.distance { scenario.contactDistance = distance.metres }
    if let gap = contacts.maximumGap { scenario.maximumGap = gap.span }
    if let choice = model.model { scenario.movement.model = choice.choice }
    if let step = model.step { scenario.movement.step = step.span.milliseconds }
    if model.checkEveryStep { scenario.movement.checksEveryStep = true }
    if let boundary = model.boundary { scenario.boundary = boundary.choice }
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
    case "contacts.max_gap": "--maximum-gap"
    case "contacts.occupancy_bin": "--bin"
    default:
      // The others are named like their key.
      "--" + (key.split(separator: ".").last ?? "").replacing("_", with: "-")
    }
  }
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
