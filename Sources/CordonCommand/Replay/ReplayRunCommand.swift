import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonExchange
import CordonGeometry
import CordonMonitoring
import CordonOverlays
import CordonReplay
import CordonRun
import CordonStorage
import CordonSupport
import CordonVenues
import Foundation

/// How traces are replayed.
struct ReplayOptions: ParsableArguments {
  @Option(help: "The speed: max, 1x, 20x.")
  var speed = ReplaySpeed(factor: nil)

  @Option(
    help: ArgumentHelp("The destination of rows: memory, file=PATH (JSON Lines), or cordon=URL.", valueName: "sink"))
  var sink = SinkArgument.memory

  @Option(help: ArgumentHelp("The invite code of the devices at the server of --sink.", valueName: "code"))
  var invite: String?

  @Option(help: ArgumentHelp("The store of devices; the result does not depend on it.", valueName: "store"))
  var store = StoreKind.memory

  @Option(help: ArgumentHelp("The interval of which one fix is kept; 0s keeps all.", valueName: "duration"))
  var thinning = DurationArgument(MonitorConfiguration().thinning)

  @Option(help: ArgumentHelp("The maximum accuracy radius (68 %) of a kept fix.", valueName: "metres"))
  var maximumAccuracy = DistanceArgument(MonitorConfiguration().maximumAccuracy)

  @Flag(help: "Deliver fixes in the order of the file, not of their times, like a phone that receives some late.")
  var fileOrder = false

  @Flag(help: "Keep fixes that software generated; apps refuse them.")
  var acceptMocked = false

  @Option(help: ArgumentHelp("The contact distance, inclusive.", valueName: "metres"))
  var distance = DistanceArgument(2)

  @Option(help: ArgumentHelp("The maximum time between two rows that are joined.", valueName: "duration"))
  var maximumGap = DurationArgument(.seconds(30))

  func validate() throws {
    guard distance.metres.isFinite, distance.metres > 0 else {
      throw ValidationError("--distance must be more than 0 metres")
    }
    guard maximumGap.span.milliseconds > 0 else { throw ValidationError("--maximum-gap must be more than 0s") }
    guard maximumAccuracy.metres.isFinite, maximumAccuracy.metres > 0 else {
      throw ValidationError("--maximum-accuracy must be more than 0 metres")
    }
    guard thinning.span.milliseconds >= 0 else { throw ValidationError("--thinning must not be negative") }
  }
}

/// The options for the expectations of a replay.
struct ExpectationOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The file of expectations to check.", valueName: "file"))
  var expect: String?

  @Option(help: ArgumentHelp("Check only the expectation of this name.", valueName: "name"))
  var only: String?

  @Option(help: ArgumentHelp("The JUnit XML file of outcomes to write.", valueName: "file"))
  var junit: String?

  @Option(help: ArgumentHelp("The file of expectations to write, as this replay meets them.", valueName: "file"))
  var record: String?

  @Flag(help: "Change failing expectations to the result of this replay.")
  var update = false
}

/// The options for the output of a replay.
struct ReplayOutputOptions: ParsableArguments {
  @Flag(help: "Show the positions of refused fixes.")
  var showRefused = false

  @Flag(help: "Print which events occurred in which phases.")
  var coverage = false

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder to create. (default: none)", valueName: "folder"))
  var output: String?

  @Flag(name: .shortAndLong, help: "Replace what exists.")
  var force = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print only failures.")
  var quiet = false
}

/// The command `cordon replay run`, the default of `cordon replay`.
struct ReplayRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Replay traces through the library (the default of cordon replay).",
    discussion: """
      Examples:

        cordon replay walk.gpx --venue venues/office.mvf.zip --assume-accuracy 5 \\
          --interpolate 1s -o out
        cordon replay walk.gpx --venue venues/office.mvf.zip --expect walk.yaml \\
          --junit result.xml
        cordon replay --suite Tests/Traces --venue venues/office.mvf.zip \\
          --junit result.xml

      Every fix passes through the real runtime of its device, under a simulated clock, to a sink. The folder holds \
      decisions.txt and decisions.jsonl (every fix with its verdict, phases, rows, batches, answers, contacts) and \
      replay.html, the tracks on the floor plan. Refused fixes appear by index, reason and distance to the boundary; their \
      positions only with --show-refused. The replay gives and logs a consent for the test.

      Expectations are short YAML: per device stored, thinned, fixes, acknowledged, refused by reason, enter and exit times \
      within a tolerance, spaces in order; contacts, contact_count, stored_outside. --record writes them from a replay.

      A suite is a folder with subfolders: walk.gpx.yaml holds the expectations of walk.gpx beside it, and may name its \
      venue (venue: office.mvf.zip, relative to its folder). Traces without such a file are skipped. All options apply to \
      every trace. Exit status 2 when a trace could not be replayed, 1 when an expectation failed.
      """)

  @Argument(help: "Traces (see cordon trace), runs of cordon simulate, or - for standard input.")
  var traces: [String] = []

  /// The map, and a folder of traces.
  struct SourceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The map. (default: that of the expectations)", valueName: "venue"))
    var venue: String?

    @Option(help: ArgumentHelp("Replay every trace of a folder that has expectations.", valueName: "folder"))
    var suite: String?
  }

  @OptionGroup(title: "Input") var sourceOptions: SourceOptions
  @OptionGroup(title: "Input") var overlay: OverlayOptions
  @OptionGroup(title: "Input") var reading: TraceReading
  @OptionGroup(title: "Assumptions") var assumptions: AssumptionOptions
  @OptionGroup(title: "Boundary") var boundary: BoundaryOptions
  @OptionGroup(title: "Geofence") var geofence: GeofenceOptions
  @OptionGroup(title: "Replay") var replayOptions: ReplayOptions
  @OptionGroup(title: "Expectations") var expectationOptions: ExpectationOptions
  @OptionGroup(title: "Processing") var workers: WorkerThreads
  @OptionGroup(title: "Output") var outputOptions: ReplayOutputOptions
}

// The options of the groups, by their own names.
extension ReplayRunCommand {
  var venue: String? {
    get { sourceOptions.venue }
    set { sourceOptions.venue = newValue }
  }
  var suite: String? { sourceOptions.suite }
  var speed: ReplaySpeed { replayOptions.speed }
  var sink: SinkArgument { replayOptions.sink }
  var invite: String? { replayOptions.invite }
  var store: StoreKind { replayOptions.store }
  var thinning: DurationArgument { replayOptions.thinning }
  var maximumAccuracy: DistanceArgument { replayOptions.maximumAccuracy }
  var fileOrder: Bool { replayOptions.fileOrder }
  var acceptMocked: Bool { replayOptions.acceptMocked }
  var distance: DistanceArgument { replayOptions.distance }
  var maximumGap: DurationArgument { replayOptions.maximumGap }
  var expect: String? {
    get { expectationOptions.expect }
    set { expectationOptions.expect = newValue }
  }
  var only: String? { expectationOptions.only }
  var junit: String? { expectationOptions.junit }
  var record: String? { expectationOptions.record }
  var update: Bool { expectationOptions.update }
  var showRefused: Bool { outputOptions.showRefused }
  var coverage: Bool { outputOptions.coverage }
  var output: String? {
    get { outputOptions.output }
    set { outputOptions.output = newValue }
  }
  var force: Bool { outputOptions.force }
  var json: Bool { outputOptions.json }
  var quiet: Bool { outputOptions.quiet }
}

extension ReplayRunCommand {
  func validate() throws {
    if suite == nil {
      guard !traces.isEmpty else { throw ValidationError("name a trace, or a folder of traces with --suite") }
      if update, expect == nil { throw ValidationError("--update needs --expect") }
      if only != nil, expect == nil { throw ValidationError("--only needs --expect") }
      if junit != nil, expect == nil { throw ValidationError("--junit needs --expect") }
    } else {
      guard traces.isEmpty else { throw ValidationError("--suite and traces exclude each other") }
      for (option, isGiven) in [
        ("--expect", expect != nil), ("--only", only != nil), ("--record", record != nil), ("--coverage", coverage),
        ("--sink", sink != .memory), ("--speed", speed.factor != nil),
      ] where isGiven { throw ValidationError("--suite and \(option) exclude each other") }
    }
    if junit != nil, update { throw ValidationError("--update and --junit exclude each other") }
    if output == "-" { throw ValidationError("a replay writes a folder, which needs a name: -o FOLDER") }
    if let junit { try FileEnding.check(junit, is: ["xml"]) }
    if let record { try FileEnding.check(record, is: ["yaml", "yml"]) }
    if let sinkFile { try FileEnding.check(sinkFile, is: ["jsonl", "ndjson"]) }
  }

  func run() throws {
    if suite != nil { return try runSuite() }
    for file in [junit, record, sinkFile] { _ = try file.map(destination) }
    let wanted = try readExpectations()
    var command = self
    let path = try venuePath(wanted?.expectations)
    command.venue = path
    let sink = try makeSink()
    let outcome = try command.outcome(in: try place(at: path), to: sink, wanted)
    try command.report(outcome)
    try (sink as? ServerSink)?.link.checkThatItTookSomething("--sink")
    if outcome.hasFailed { throw ExitCode(CommandError.Status.findings.rawValue) }
  }

  /// Loads a venue.
  func place(at path: String) throws -> ReplayPlace {
    let venue = try overlay.load(path).venue
    let packing = try venue.packing(boundary: try boundary.choice(), policy: geofence.policy)
    Output.note(packing.findings.map { "\($0.code): \($0.message)" })
    return ReplayPlace(venue, packing.venue)
  }

  /// The venue of `--venue`, or else the one that the expectations name.
  func venuePath(_ expectations: Expectations?) throws -> String {
    if let venue { return venue }
    guard let expect, let named = expectations?.venue else {
      throw CommandError("name the venue with --venue, or with the key venue in the file of --expect", code: "usage")
    }
    if named.hasPrefix("/") { return named }
    let folder = expect.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    return expect.contains("/") ? folder + "/" + named : named
  }

  /// Replays the traces and writes the requested files except the report.
  func outcome(
    in place: ReplayPlace, to sink: any ReplaySink, _ wanted: (text: String, expectations: Expectations)?
  ) throws -> ReplayOutcome {
    let resolved: ResolvedTrace
    do {
      var assumptions = try assumptions.assumptions()
      // A stay is one contact only when its rows are close enough to be joined.
      assumptions.stayInterval = min(max(maximumGap.span, .seconds(1)), assumptions.stayInterval)
      assumptions.keepsFileOrder = fileOrder
      let floors = place.venue.floorOrdinals
      resolved = try ResolvedTrace(try traces.map { try reading.read($0, floors: floors) }, assumptions)
    } catch let error as TraceError {
      throw CommandError(
        error.message, code: error.code.rawValue, file: traces.joined(separator: ", "),
        place: error.line.map { "line \($0)" })
    }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let began = ContinuousClock.now
    let result = try replay(resolved, place.packed, sink, folder)
    var outcome = ReplayOutcome(result, venue: place.name, seconds: (ContinuousClock.now - began) / .seconds(1))
    if let local = sink as? LocalSink, let path = sinkFile { try destination(path).write(local.lines) }
    if let wanted {
      if update {
        do {
          outcome.update = try ExpectationUpdate(of: wanted.text, to: result, only: only, spaceNames: place.spaceNames)
        } catch {
          throw badExpectations(error)
        }
      } else {
        outcome.expectations = wanted.expectations.check(result, only: only, spaceNames: place.spaceNames)
      }
      if let only, outcome.expectationCount == 0 {
        throw CommandError("no expectation \(only)", code: "not-found", file: expect)
      }
    }
    try write(&outcome, place)
    return outcome
  }

  /// A file that is written besides the folder.
  func destination(_ path: String) throws -> Destination {
    try Destination(
      path, force: force,
      inputs: traces + traces.map { $0 + "/run.sqlite" } + [venue, expect, boundary.boundaryPolygon].compactMap(\.self))
  }

  private var sinkFile: String? {
    if case .file(let path) = sink { path } else { nil }
  }

  private func makeSink() throws -> any ReplaySink {
    guard case .server(let url) = sink else { return LocalSink(keepsLines: sinkFile != nil) }
    guard speed.factor == 1 else {
      throw CommandError("a running server has its own clock: replay to it with --speed 1x", code: "usage")
    }
    return ServerSink(url: url)
  }

  private func replay(
    _ resolved: ResolvedTrace, _ packed: PackedVenue, _ sink: any ReplaySink, _ folder: TemporaryFolder
  ) throws -> ReplayResult {
    var settings = ReplaySettings()
    settings.monitor.sinks = [CordonMonitoring.Sink(.cordon, needsActivation: sink is ServerSink && invite != nil)]
    settings.monitor.thinning = thinning.span
    settings.monitor.maximumAccuracy = maximumAccuracy.metres
    settings.monitor.acceptsMocked = acceptMocked
    settings.inviteCode = invite
    settings.showsRefused = showRefused
    settings.contactDistance = distance.metres
    settings.maximumGap = maximumGap.span
    if sink is ServerSink { settings.afterwards = .seconds(10) }
    let pace = ReplayPace(factor: speed.factor)
    var count = 0
    let usesFiles = store == .sqlite
    let ports = ReplayPorts(
      store: { (_) throws(StoreError) in
        guard usesFiles else { return MemoryStore() }
        count += 1
        return try SQLiteStore(path: folder.database("device-\(count).sqlite"))
      }, send: { try sink.send($0, $1) }, pace: { try pace.wait(until: $0) })
    do {
      return try Replay(resolved, in: packed, settings: settings).run(ports, received: { sink.received })
    } catch let error as StoreError {
      throw CommandError("\(error)", code: "store", status: .internal)
    }
  }

  /// The file of `--expect`; `nil` without one, and when `--update` is to make it.
  func readExpectations() throws -> (text: String, expectations: Expectations)? {
    guard let expect, !(update && !FileManager.default.fileExists(atPath: expect)) else { return nil }
    let text = try TextFile.read(expect, code: "unreadable").text
    do {
      return (text, try Expectations(yaml: text))
    } catch {
      throw badExpectations(error)
    }
  }

  private func badExpectations(_ error: ExpectationError) -> CommandError {
    CommandError(error.message, code: "bad-expectations", file: expect, place: error.line.map { "line \($0)" })
  }
}
