import ArgumentParser
import CordonCore
import CordonExchange
import CordonGeometry
import CordonMonitoring
import CordonReplay
import CordonRun
import CordonStorage
import CordonVenues
import Foundation

/// `cordon replay TRACE...`
struct ReplayRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Replay recorded positions (the default of cordon replay).",
    discussion: """
      Examples:

        cordon replay walk.gpx --venue venues/office.mvf.zip --assume-accuracy 5 --interpolate 1s -o out
        cordon replay walk.gpx --venue venues/office.mvf.zip --expect walk.yaml --junit result.xml

      Every fix goes through the real runtime of its device, under a clock that the replay owns, to a sink: in this process, a \
      file, or a running server. The folder then holds decisions.txt and decisions.jsonl (every fix with its verdict, phases, rows, \
      batches, answers, contacts) and replay.html, the tracks on the floor plan. Refused fixes appear by index, reason and distance \
      to the boundary; where they were only with --show-refused. Consent is given for the test, and logged.

      A file of expectations is short YAML: per device stored, thinned, fixes, acknowledged, refused by reason, enter and exit \
      times within a tolerance, spaces in order; contacts, contact_count, stored_outside. --record writes one from this replay.
      """)

  @Argument(help: "Recorded files (see cordon trace), runs of cordon simulate, or - for standard input.")
  var traces: [String]

  @Option(help: ArgumentHelp("The map of the venue.", valueName: "venue"))
  var venue: String

  @OptionGroup var reading: TraceReading
  @OptionGroup var assumptions: AssumptionOptions
  @OptionGroup var boundary: BoundaryOptions
  @OptionGroup var geofence: GeofenceOptions

  @Option(help: "How fast: max, 1x, 20x.")
  var speed = ReplaySpeed(factor: nil)

  @Option(
    help: ArgumentHelp("Where rows go: memory, file:PATH (JSON Lines), or the address of a server.", valueName: "sink"))
  var sink = "memory"

  @Option(help: "For a server: the invite code with which devices are activated.")
  var invite: String?

  @Option(help: "Where devices keep their rows: memory, or sqlite.")
  var store = StoreKind.memory

  @Option(help: ArgumentHelp("One fix of each such interval is kept; 0s keeps all.", valueName: "duration"))
  var thinning = DurationArgument(Settings().thinning)

  @Option(help: ArgumentHelp("The largest radius (68 %) of a fix that is kept.", valueName: "metres"))
  var maximumAccuracy = DistanceArgument(Settings().maximumAccuracy)

  @Flag(help: "Keep fixes that software made up; apps refuse them.")
  var acceptMocked = false

  @Option(help: ArgumentHelp("The contact distance.", valueName: "metres"))
  var distance = DistanceArgument(2)

  @Option(help: ArgumentHelp("Two rows farther apart in time than this are not joined.", valueName: "duration"))
  var maxGap = DurationArgument(.seconds(30))

  @Option(help: ArgumentHelp("A file of expectations that the replay must meet.", valueName: "file"))
  var expect: String?

  @Option(help: "Check only the expectation of this name.")
  var only: String?

  @Option(help: ArgumentHelp("Write the outcomes as JUnit XML.", valueName: "file"))
  var junit: String?

  @Option(help: ArgumentHelp("Write a file of expectations that this replay meets, for review.", valueName: "file"))
  var record: String?

  @Flag(help: "Renew the file of --expect from this replay.")
  var update = false

  @Flag(help: "Show where refused fixes were, which the output then says.")
  var showRefused = false

  @Flag(help: "Print which events came in which phases.")
  var coverage = false

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder to make.", valueName: "folder"))
  var output: String?

  @Flag(name: .shortAndLong, help: "Replace files that exist.")
  var force = false

  @Flag(help: "Print one JSON object.")
  var json = false
}

extension ReplayRunCommand {
  func validate() throws {
    guard distance.metres.isFinite, distance.metres > 0 else {
      throw ValidationError("--distance must be more than 0 metres")
    }
    guard maxGap.span.milliseconds > 0 else { throw ValidationError("--max-gap must be more than nothing") }
    guard maximumAccuracy.metres.isFinite, maximumAccuracy.metres > 0 else {
      throw ValidationError("--maximum-accuracy must be more than 0 metres")
    }
    guard thinning.span.milliseconds >= 0 else { throw ValidationError("--thinning must not be negative") }
    if update, expect == nil { throw ValidationError("--update needs --expect, the file to renew") }
    if only != nil, expect == nil { throw ValidationError("--only needs --expect") }
    if junit != nil, expect == nil { throw ValidationError("--junit needs --expect") }
    if junit != nil, update { throw ValidationError("--update holds nothing to expectations: it has no --junit") }
    if output == "-" { throw ValidationError("a replay makes a folder, which needs a name: -o FOLDER") }
    if let junit { try FileEnding.check(junit, is: ["xml"]) }
    if let record { try FileEnding.check(record, is: ["yaml", "yml"]) }
    if let sinkFile { try FileEnding.check(sinkFile, is: ["jsonl", "ndjson"]) }
  }

  func run() throws {
    Interruption.watch()
    for file in [junit, record, sinkFile] { _ = try file.map(destination) }
    let wanted = try readExpectations()
    let loaded = try VenueLoader.load(path: venue).venue
    let packed = try loaded.packed(boundary: try boundary.choice(), policy: geofence.policy)
    let resolved: ResolvedTrace
    do {
      var assumptions = try assumptions.assumptions()
      // A stay is one contact only when its rows are close enough to be joined.
      assumptions.stayInterval = min(max(maxGap.span, .seconds(1)), assumptions.stayInterval)
      resolved = try ResolvedTrace(try traces.map(reading.read), assumptions)
    } catch let error as TraceError {
      throw Failure(
        error.message, code: error.code.rawValue, file: traces.joined(separator: ", "),
        place: error.line.map { "line \($0)" })
    }
    let sink = try makeSink()
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let result = try replay(resolved, packed, sink, folder)
    if let local = sink as? LocalSink, let path = sinkFile { try destination(path).write(local.lines) }
    let names = Dictionary(
      loaded.spaces.map { ($0.id, $0.name.text() ?? "") }.filter { !$0.1.isEmpty },
      uniquingKeysWith: { first, _ in first })
    let outcomes = update ? [] : wanted?.check(result, only: only, spaceNames: names) ?? []
    if let only, wanted != nil, !update, outcomes.isEmpty {
      throw Failure("there is no expectation \(only)", code: "not-found", file: expect)
    }
    let files = try write(result, loaded, packed, outcomes)
    try report(result, outcomes, files)
    try (sink as? ServerSink)?.link.checkThatItTookSomething("--sink")
    if outcomes.contains(where: { !$0.isMet }) || !result.storedOutside.isEmpty {
      throw ExitCode(Failure.Status.findings.rawValue)
    }
  }

  /// A file that is written besides the folder.
  func destination(_ path: String) throws -> Destination {
    try Destination(
      path, force: force,
      inputs: traces + traces.map { $0 + "/run.sqlite" } + [venue, expect, boundary.boundaryPolygon].compactMap(\.self))
  }

  private var sinkFile: String? { sink.hasPrefix("file:") ? String(sink.dropFirst(5)) : nil }

  private func makeSink() throws -> any ReplaySink {
    if sink == "memory" || sinkFile != nil { return LocalSink(keepsLines: sinkFile != nil) }
    guard let url = URL(string: sink), let scheme = url.scheme, ["http", "https"].contains(scheme) else {
      throw Failure("--sink is memory, file:PATH, or the address of a server, not '\(sink)'", code: "usage")
    }
    guard speed.factor == 1 else {
      throw Failure("a running server has its own clock: replay to it with --speed 1x", code: "usage")
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
    settings.maximumGap = maxGap.span
    if sink is ServerSink { settings.afterwards = .seconds(10) }
    let pace = ReplayPace(factor: speed.factor) {
      if Interruption.isRequested { throw Failure("interrupted", code: "interrupted", status: .interrupted) }
    }
    var count = 0
    let usesFiles = store == .sqlite
    let ports = ReplayPorts(
      store: { (_) throws(StoreError) in
        guard usesFiles else { return MemoryStore() }
        count += 1
        return try SQLiteStore(path: folder.path + "/device-\(count).sqlite")
      }, carry: { try sink.carry($0, $1) }, pace: { try pace.wait(until: $0) })
    do {
      return try Replay(resolved, in: packed, settings: settings).run(ports, received: { sink.received })
    } catch let error as StoreError {
      throw Failure("\(error)", code: "store", status: .internal)
    }
  }

  private func readExpectations() throws -> Expectations? {
    guard let expect, !(update && !FileManager.default.fileExists(atPath: expect)) else { return nil }
    let text: String
    do {
      text = try String(contentsOfFile: expect, encoding: .utf8)
    } catch {
      throw Failure("cannot be read: \(Output.reason(of: error))", code: "unreadable", file: expect)
    }
    if update { return nil }
    do {
      return try Expectations(yaml: text)
    } catch {
      throw Failure(error.message, code: "bad-expectations", file: expect, place: error.line.map { "line \($0)" })
    }
  }
}
