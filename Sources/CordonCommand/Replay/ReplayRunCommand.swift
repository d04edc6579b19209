import ArgumentParser
import CordonCommandLine
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

        cordon replay walk.gpx --venue venues/office.mvf.zip --assume-accuracy 5 \\
          --interpolate 1s -o out
        cordon replay walk.gpx --venue venues/office.mvf.zip --expect walk.yaml \\
          --junit result.xml
        cordon replay --suite Tests/Traces --venue venues/office.mvf.zip \\
          --junit result.xml

      Every fix goes through the real runtime of its device, under a clock that the replay owns, to a sink: in this process, a \
      file, or a running server. The folder then holds decisions.txt and decisions.jsonl (every fix with its verdict, phases, rows, \
      batches, answers, contacts) and replay.html, the tracks on the floor plan. Refused fixes appear by index, reason and distance \
      to the boundary; where they were only with --show-refused. Consent is given for the test, and logged.

      A file of expectations is short YAML: per device stored, thinned, fixes, acknowledged, refused by reason, enter and exit \
      times within a tolerance, spaces in order; contacts, contact_count, stored_outside. --record writes one from this replay.

      A suite is a folder with folders in it: walk.gpx.yaml holds the expectations of walk.gpx beside it, and may name its \
      venue (venue: office.mvf.zip, from its own folder). Traces without such a file are not replayed. All options apply to \
      every trace. Exit status 2 when one could not be replayed, 1 when an expectation failed.
      """)

  @Argument(help: "Recorded files (see cordon trace), runs of cordon simulate, or - for standard input.")
  var traces: [String] = []

  @Option(
    help: ArgumentHelp("The map of the venue; by default the one that the expectations name.", valueName: "venue"))
  var venue: String?

  @Option(help: ArgumentHelp("Replay every trace of a folder that has expectations.", valueName: "folder"))
  var suite: String?

  @OptionGroup var workers: WorkerThreads

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
  var thinning = DurationArgument(MonitorConfiguration().thinning)

  @Option(help: ArgumentHelp("The largest radius (68 %) of a fix that is kept.", valueName: "metres"))
  var maximumAccuracy = DistanceArgument(MonitorConfiguration().maximumAccuracy)

  @Flag(
    help: "Deliver fixes in the order of the file, not of their times: as a phone that gets some of them late.")
  var fileOrder = false

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

  @Flag(help: "Change the expectations that do not hold to what this replay shows.")
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

  @Flag(name: .shortAndLong, help: "Print only what failed.")
  var quiet = false
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
    if suite == nil {
      guard !traces.isEmpty else { throw ValidationError("name a trace, or a folder of them with --suite") }
      if update, expect == nil { throw ValidationError("--update needs --expect, the file to renew") }
      if only != nil, expect == nil { throw ValidationError("--only needs --expect") }
      if junit != nil, expect == nil { throw ValidationError("--junit needs --expect") }
    } else {
      guard traces.isEmpty else { throw ValidationError("--suite finds its traces: name none") }
      for (option, isGiven) in [
        ("--expect", expect != nil), ("--only", only != nil), ("--record", record != nil), ("--coverage", coverage),
        ("--sink", sink != "memory"), ("--speed", speed.factor != nil),
      ] where isGiven { throw ValidationError("--suite and \(option) exclude each other") }
    }
    if junit != nil, update { throw ValidationError("--update holds nothing to expectations: it has no --junit") }
    if output == "-" { throw ValidationError("a replay makes a folder, which needs a name: -o FOLDER") }
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
    let venue = try VenueLoader.load(path: path).venue
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

  /// Replays the traces and writes what is asked for, but the report.
  func outcome(
    in place: ReplayPlace, to sink: any ReplaySink, _ wanted: (text: String, expectations: Expectations)?
  ) throws -> ReplayOutcome {
    let resolved: ResolvedTrace
    do {
      var assumptions = try assumptions.assumptions()
      // A stay is one contact only when its rows are close enough to be joined.
      assumptions.stayInterval = min(max(maxGap.span, .seconds(1)), assumptions.stayInterval)
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
        throw CommandError("there is no expectation \(only)", code: "not-found", file: expect)
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

  private var sinkFile: String? { sink.hasPrefix("file:") ? String(sink.dropFirst(5)) : nil }

  private func makeSink() throws -> any ReplaySink {
    if sink == "memory" || sinkFile != nil { return LocalSink(keepsLines: sinkFile != nil) }
    guard let url = URL(string: sink), let scheme = url.scheme, ["http", "https"].contains(scheme) else {
      throw CommandError("--sink is memory, file:PATH, or the address of a server, not '\(sink)'", code: "usage")
    }
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
    settings.maximumGap = maxGap.span
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
    let text: String
    do {
      text = try String(contentsOfFile: expect, encoding: .utf8)
    } catch {
      throw CommandError("cannot be read: \(Output.reason(of: error))", code: "unreadable", file: expect)
    }
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
