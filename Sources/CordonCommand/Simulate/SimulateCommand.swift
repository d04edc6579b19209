import ArgumentParser
import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonRun
import CordonSimulator
import CordonStorage
import CordonVenues
import Foundation

/// `cordon simulate`
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Fill a venue with people and phones, and compare the contacts that the phones saw with the true ones.",
    discussion: """
      Example:

        cordon simulate venues/office.mvf.zip --people 300 --duration 2h --seed 7 -o out

      People arrive, walk through doors, dwell in rooms, take stairs and elevators, and leave. Each carries a \
      phone that runs the real library: fixes are judged, kept only inside the venue, stored in SQLite, sent \
      every five minutes and deleted when acknowledged. The folder then holds run.sqlite, contacts.csv, \
      occupancy.csv, report.html (open it in a browser) and manifest.json. The same seed gives the same files.
      """)

  @Argument(help: "The venue: a zip or folder (MVF, IMDF, WRLD), or a GeoJSON file.")
  var venue: String

  @Option(parsing: .unconditional, help: "How many people come during the simulated time.")
  var people = 300

  @Option(parsing: .unconditional, help: "How long the simulated time is, with its unit: 90m, 2h, 1d.")
  var duration = DurationArgument(.hours(2))

  @Option(parsing: .unconditional, help: "Decides every random number; the same seed gives the same result.")
  var seed: UInt64 = 1

  @Option(help: "Start of the simulated time, RFC 3339.")
  var start = InstantArgument(SimulationSettings().start)

  @Option(parsing: .unconditional, help: "Time between two fixes of a phone, with its unit.")
  var interval = DurationArgument(.seconds(5))

  @Option(help: "How people move: csm, avm (with bodies), way (through each other), meso (travel times).")
  var model = MovementArgument.csm

  @Option(parsing: .unconditional, help: "The length of a step of csm and avm, with its unit, 10ms to 150ms.")
  var step = DurationArgument(.milliseconds(CrowdMovement.usualStep))

  @Flag(help: "Hold every step of everybody against the map; slower.")
  var checkEveryStep = false

  @Option(help: "How wrong phones are: \(PresetArgument.allValueStrings.joined(separator: ", ")).")
  var phones = PresetArgument(.rtt)

  @Option(parsing: .unconditional, help: "The share of people who carry a phone, 0 to 1.")
  var deviceShare = 1.0

  @Option(parsing: .unconditional, help: "Metres within which two devices are in contact.")
  var distance = 2.0

  @Option(parsing: .unconditional, help: "Two fixes farther apart in time than this are not joined.")
  var maxGap = DurationArgument(.seconds(30))

  @Option(help: "The outline that counts as the venue: buildings, floors, venue, spaces.")
  var boundary = "buildings"

  @Option(help: "Where phones keep their rows: sqlite (as on a phone), or memory (faster, same result).")
  var store = StoreKind.sqlite

  @Option(parsing: .unconditional, help: "How many threads may work; the result does not depend on it.")
  var threads = ProcessInfo.processInfo.activeProcessorCount

  @Option(name: [.short, .long], help: "The folder to make. (default: cordon-run-VENUE-seedSEED)")
  var output: String?

  @Flag(help: "Replace the output folder if it exists.")
  var force = false

  @Flag(help: "Print one JSON object instead of a table.")
  var json = false

  @Flag(name: [.short, .long], help: "Show no progress.")
  var quiet = false
}

extension SimulateCommand {
  func run() throws {
    let settings = try checkedSettings()
    let loaded = try VenueLoader.load(path: venue)
    let simulation = try VenueSimulation(venue: loaded.venue, settings: settings)
    let path = output ?? "cordon-run-\(loaded.venue.id)-seed\(seed)"
    let folder = try RunFolder.prepare(at: path, replacing: force)
    do {
      try run(simulation, loaded.venue, into: folder)
    } catch {
      folder.discard()
      throw error
    }
  }

  private func run(_ simulation: VenueSimulation, _ venue: Venue, into folder: RunFolder) throws {
    Interruption.watch()
    let progress = ProgressLine(quiet: quiet)
    defer { progress.finish() }
    let stopwatch = Stopwatch()
    let storeFolder = try TemporaryFolder()
    defer { storeFolder.remove() }
    let store: PhoneStore =
      switch self.store {
      case .sqlite: .sqlite(try SQLiteStore(path: storeFolder.path + "/phones.sqlite"))
      case .memory: .memory(MemoryStore())
      }
    var contents = try simulation.run(
      store: store, onPhase: { stopwatch.end($0) },
      progress: { progress.update(phase: $0, done: $1, total: $2, unit: $3) },
      isInterrupted: { Interruption.isRequested }
    )
    contents.parameters.command = repeatableCommand
    contents.parameters.version = CordonVersion.current
    contents.inputs = [
      RunInput(role: "venue", name: URL(fileURLWithPath: self.venue).lastPathComponent, sha256: venue.contentHash)
    ]
    progress.update(phase: "writing", done: 0, total: 1, unit: "runs")
    let outputs = try folder.write(contents) {
      stopwatch.end("write")
      return RunTimings(
        phases: stopwatch.phases, cpuSeconds: ProcessResources.cpuSeconds,
        peakMebibytes: ProcessResources.peakMebibytes, threads: settingsThreads)
    }
    progress.finish()
    if json {
      Output.print(
        contents.summary.json(
          cpuSeconds: ProcessResources.cpuSeconds, peakMebibytes: ProcessResources.peakMebibytes, outputs: outputs))
    } else {
      Output.print(contents.summary.table(parameters: contents.parameters, folder: folder.path))
    }
    if contents.isPartial {
      throw Failure(
        "interrupted: what was simulated until then is kept, and marked as partial", code: "interrupted",
        status: .interrupted, file: folder.path)
    }
  }

  private var settingsThreads: Int { max(threads, 1) }

  /// The command with everything that decides the result and nothing that does not, every default written out.
  private var repeatableCommand: [String] {
    [
      "cordon", "simulate", URL(fileURLWithPath: venue).lastPathComponent, "--people", "\(people)", "--duration",
      "\(duration.span)", "--seed", "\(seed)", "--start", start.instant.rfc3339, "--interval", "\(interval.span)",
      "--phones", phones.preset.rawValue, "--device-share", "\(deviceShare)", "--distance", "\(distance)", "--max-gap",
      "\(maxGap.span)", "--boundary", boundary, "--model", model.rawValue, "--step", "\(step.span)",
    ]
  }

  private func checkedSettings() throws -> SimulationSettings {
    var settings = SimulationSettings(people: people, duration: duration.span, seed: seed)
    settings.start = start.instant
    settings.fixInterval = interval.span
    settings.phones = phones.preset
    settings.deviceShare = deviceShare
    settings.contactDistance = distance
    settings.maximumGap = maxGap.span
    settings.threads = settingsThreads
    settings.movement = model.choice
    settings.checksEveryStep = checkEveryStep
    guard (10...150).contains(step.span.milliseconds) else {
      throw Failure("--step: a step is between 10ms and 150ms long, not \(step.span)", code: "usage")
    }
    settings.movementStep = step.span.milliseconds
    guard let choice = BoundaryChoice(name: boundary) else {
      throw Failure("--boundary is one of buildings, floors, venue, spaces, not '\(boundary)'", code: "usage")
    }
    settings.boundary = choice
    do {
      try settings.check()
    } catch {
      throw Failure("--\(error.setting): \(error.message)", code: "usage")
    }
    return settings
  }
}

/// Where simulated phones keep their rows.
enum StoreKind: String, ExpressibleByArgument, CaseIterable {
  case sqlite, memory
}

extension RunFolderError: FailureConvertible {
  var failure: Failure {
    let hint = code == .exists ? "; use --force to replace it, or -o for another folder" : ""
    return Failure(message + hint, code: code.rawValue, file: path, place: place)
  }
}

extension SimulationError: FailureConvertible {
  var failure: Failure { Failure(description, code: "simulation") }
}

extension GeofenceError: FailureConvertible {
  var failure: Failure { Failure(description, code: "geofence") }
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
