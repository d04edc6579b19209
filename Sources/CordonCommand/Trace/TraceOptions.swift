import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonContacts
import CordonCore
public import CordonExchange
import CordonGeometry
import CordonOverlays
import CordonRun
import CordonSupport
import CordonVenues
import Foundation

extension TraceFormat: ExpressibleByArgument {}

/// How traces are read.
struct TraceReading: ParsableArguments {
  @Option(help: ArgumentHelp("The input format. (default: by name or contents)", valueName: "format"))
  var inputFormat: TraceFormat?

  @Option(
    name: .customLong("column"),
    help: ArgumentHelp(
      """
      CSV: the column of a field, such as device=badge. Fields: device, time, date, longitude, latitude, x, y, \
      geometry, floor, accuracy, still_until, venue, mocked. Repeat it for more.
      """, valueName: "field=column"))
  var columns: [String] = []

  @Option(help: ArgumentHelp("CSV: the unit of times that are numbers.", valueName: "unit"))
  var timeUnit = ChoiceArgument(PointFileOptions.TimeUnit.auto)

  @Option(
    help: ArgumentHelp("The zone of times without one: a name or an offset. (default: UTC)", valueName: "zone"))
  var timeZone: ZoneArgument?

  @Flag(help: "CSV: read positions as metres, even if they look like degrees.")
  var metres = false

  @Option(
    help: ArgumentHelp("Text trajectories: the frames per second, if the file does not state them.", valueName: "rate"))
  var frameRate: Double?

  @Flag(help: "Text trajectories: read lengths as centimetres.")
  var centimetres = false

  @Option(help: ArgumentHelp("NMEA without a date: the day, as an RFC 3339 time.", valueName: "time"))
  var day: InstantArgument?

  /// - Parameter floors: ordinals by the names of floors in lower case.
  func options(floors: [String: FloorOrdinal]) throws -> TraceReadOptions {
    var options = TraceReadOptions()
    options.columns.timeZone = timeZone?.zone
    options.columns.isMetres = metres
    options.columns.floors = floors
    options.format = inputFormat
    options.columns.timeUnit = timeUnit.value
    options.isCentimetres = centimetres
    options.day = day?.instant
    if let frameRate {
      guard frameRate.isFinite, frameRate > 0 else {
        throw CommandError("--frame-rate must be more than 0", code: "usage")
      }
      options.frameRate = frameRate
    }
    options.columns.columns = try TraceReading.columns(columns)
    return options
  }

  /// Reads the values of `--column`.
  static func columns(_ texts: [String]) throws -> [PointField: String] {
    var columns: [PointField: String] = [:]
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let field = PointField(rawValue: String(parts[0])) else {
        let keys = PointField.allCases.map(\.rawValue).joined(separator: ", ")
        throw CommandError("--column: '\(text)' is not FIELD=COLUMN; the fields are \(keys)", code: "usage")
      }
      columns[field] = String(parts[1])
    }
    return columns
  }

  /// The options again, for a command that repeats this one.
  var words: [String] {
    var words: [String] = []
    if let inputFormat { words += ["--input-format", inputFormat.rawValue] }
    for column in columns { words += ["--column", column] }
    if timeUnit.value != .auto { words += ["--time-unit", timeUnit.value.rawValue] }
    if let timeZone { words += ["--time-zone", timeZone.zone.name] }
    if metres { words.append("--metres") }
    if let frameRate { words += ["--frame-rate", "\(frameRate)"] }
    if centimetres { words.append("--centimetres") }
    if let day { words += ["--day", day.instant.rfc3339] }
    return words
  }

  /// Reads a file, standard input (`-`), or the observed locations of a run.
  /// - Parameter floors: ordinals by the names of floors in lower case.
  func read(_ path: String, floors: [String: FloorOrdinal] = [:]) throws -> Trace {
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if isThere, isFolder.boolValue || path.hasSuffix(".sqlite") { return try TraceReading.run(path) }
    do {
      return try TraceFile.read(path: path, options: try options(floors: floors))
    } catch let error as TraceError {
      throw CommandError(
        error.message, code: error.code.rawValue, file: path, place: error.line.map { "line \($0)" })
    }
  }

  /// Reads the observed locations of a run.
  static func run(_ path: String) throws -> Trace {
    let run = try RunReader(path: path)
    let people = try run.people()
    var trace = Trace(format: .ingest, name: URL(fileURLWithPath: path).lastPathComponent)
    var places: [Int32: Int] = [:]
    for row in try run.locations() {
      let point = TracePoint(
        place: .degrees(row.coordinate), time: Instant(milliseconds: row.time), accuracy: row.accuracy,
        floor: row.floor == Segment.unknownFloor ? nil : FloorOrdinal(thousandths: row.floor),
        stillUntil: row.stillUntil > row.time ? Instant(milliseconds: row.stillUntil) : nil)
      if let place = places[row.person] {
        trace.tracks[place].points.append(point)
      } else {
        places[row.person] = trace.tracks.count
        let number = Int(row.person)
        let device = people.indices.contains(number) ? people[number].device?.rawValue : nil
        trace.tracks.append(TraceTrack(device: device ?? "person-\(number)", points: [point]))
      }
    }
    return trace
  }
}

/// The venue whose floors a recorded file names.
struct TraceVenue: ParsableArguments {
  @Option(
    name: .customLong("venue"),
    help: ArgumentHelp("The venue of floors that the file names instead of giving ordinals.", valueName: "venue"))
  var path: String?

  @OptionGroup var overlay: OverlayOptions

  /// Ordinals by the names of floors in lower case.
  func floors() throws -> [String: FloorOrdinal] {
    try path.map { try overlay.load($0).venue.floorOrdinals } ?? [:]
  }

  /// The options again, for a command that repeats this one.
  var words: [String] { path.map { ["--venue", $0] + overlay.words } ?? [] }
}

/// Values for data that a trace lacks.
struct AssumptionOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The accuracy radius (68 %) of points without one.", valueName: "metres"))
  var assumeAccuracy: DistanceArgument?

  @Option(help: ArgumentHelp("The floor of points without one, by its ordinal.", valueName: "floor"))
  var assumeFloor: FloorArgument?

  @Option(
    help: ArgumentHelp(
      "How devices are distinguished: by name (of the device or track), file or track.", valueName: "source"))
  var deviceFrom: ChoiceArgument<TraceAssumptions.DeviceSource>?

  @Option(
    help: ArgumentHelp("Interpolate fixes on the lines between points, one per this time.", valueName: "duration"))
  var interpolate: DurationArgument?

  @Option(
    help: ArgumentHelp("The time of the first point, RFC 3339; all others move by the same amount.", valueName: "time"))
  var start: InstantArgument?

  @Option(help: ArgumentHelp("The time between two points without times.", valueName: "duration"))
  var interval = DurationArgument(.seconds(1))

  @Option(
    help: ArgumentHelp("The origin of the file's metres.", valueName: "lon,lat"))
  var origin: CoordinateArgument?

  @Option(
    help: ArgumentHelp("The bearing of the y axis of the file's metres, clockwise from north.", valueName: "degrees"))
  var bearing = 0.0

  func assumptions() throws -> TraceAssumptions {
    var assumptions = TraceAssumptions()
    if let assumeAccuracy = assumeAccuracy?.metres {
      guard assumeAccuracy.isFinite, assumeAccuracy >= 0 else {
        throw CommandError("--assume-accuracy must be 0 metres or more", code: "usage")
      }
      assumptions.accuracy = assumeAccuracy
    }
    if let assumeFloor {
      guard let floor = assumeFloor.ordinal else {
        throw CommandError("--assume-floor: '\(assumeFloor.text)' is not an ordinal", code: "usage")
      }
      assumptions.floor = floor
    }
    if let interpolate {
      guard interpolate.span.milliseconds >= 10 else {
        throw CommandError("--interpolate must be 10ms or more", code: "usage")
      }
      assumptions.interpolation = interpolate.span
    }
    guard interval.span.milliseconds > 0 else {
      throw CommandError("--interval must be more than 0s", code: "usage")
    }
    guard bearing.isFinite else { throw CommandError("--bearing must be a number of degrees", code: "usage") }
    assumptions.deviceFrom = deviceFrom?.value
    assumptions.start = start?.instant
    assumptions.step = interval.span
    assumptions.origin = origin?.coordinate
    assumptions.bearing = bearing
    return assumptions
  }

  /// The options again, for a command that repeats this one.
  var words: [String] {
    var words: [String] = []
    if let assumeAccuracy { words += ["--assume-accuracy", "\(assumeAccuracy.metres)"] }
    if let assumeFloor { words += ["--assume-floor", assumeFloor.text] }
    if let deviceFrom { words += ["--device-from", deviceFrom.value.rawValue] }
    if let interpolate { words += ["--interpolate", "\(interpolate.span)"] }
    if let start { words += ["--start", start.instant.rfc3339] }
    if interval.span != .seconds(1) { words += ["--interval", "\(interval.span)"] }
    if let origin { words += ["--origin", origin.defaultValueDescription] }
    if bearing != 0 { words += ["--bearing", "\(bearing)"] }
    return words
  }
}

/// Which of the devices are written.
struct TraceSelection: ParsableArguments {
  @Option(help: ArgumentHelp("Only the tracks of this device. (default: all)", valueName: "device"))
  var device: String?

  /// Returns the trace with only the tracks of the selected device.
  func selected(_ trace: Trace) throws -> Trace {
    guard let device else { return trace }
    var trace = trace
    trace.tracks.removeAll { $0.device != device && $0.name != device }
    guard !trace.tracks.isEmpty else {
      throw CommandError("no device \(device)", code: "not-found", file: trace.name)
    }
    return trace
  }

  /// The options again, for a command that repeats this one.
  var words: [String] { device.map { ["--device", $0] } ?? [] }
}

/// Where a trace goes.
struct TraceOutput: ParsableArguments {
  @OptionGroup(title: "Output") var file: RequiredOutputOptions<TraceTarget>

  func validate() throws {
    if file.output == "-", file.outputFormat == .run {
      throw ValidationError("a run is a folder and needs a name: -o FOLDER")
    }
  }

  /// Checks the output before anything is read.
  /// - Parameter inputs: what the command reads.
  func destination(inputs: [String]) throws -> TraceDestination {
    switch try file.format() {
    case .run: .run(file.output)
    case .file(let format): .file(try file.destination(inputs: inputs), format)
    }
  }

  /// Writes a trace and reports it.
  /// - Parameters:
  ///   - destination: of ``destination(inputs:)``.
  ///   - command: the words that decide what is written, as a run keeps them.
  ///   - schema: of the object that reports it.
  ///   - assumed: what was assumed or left out on the way, in sentences.
  ///   - more: members of that object that this command alone has.
  ///   - lines: the same for people.
  func write(
    _ trace: Trace, to destination: TraceDestination, command: [String], schema: String, assumed: [String]? = nil,
    more: [JSONValue.Member] = [], lines: [String] = []
  ) throws {
    var summary = Summary(schema: schema, leftOut: trace.faultCount, assumed: assumed, more: more, lines: lines)
    switch destination {
    case .run(let folder):
      summary.unheld = TraceRun.unheld(in: trace)
      try writeRun(trace, in: folder, command: command, summary)
    case .file(let destination, let format):
      summary.unheld = TraceWriter.unheld(in: trace, as: format)
      let bytes: [UInt8]
      do {
        bytes = try TraceWriter.bytes(of: trace, as: format)
      } catch {
        throw CommandError(
          error.message, code: error.code.rawValue, file: trace.name, place: error.line.map { "line \($0)" })
      }
      let count = try destination.write(bytes)
      try report(trace, format.rawValue, bytes: count, summary)
    }
  }

  private func writeRun(_ trace: Trace, in path: String, command: [String], _ summary: Summary) throws {
    let folder = try RunFolder.prepare(at: path, replacing: file.force)
    do {
      let contents = try TraceRun(trace, command: command + ["--output-format", "run"]).contents()
      _ = try folder.write(contents) {
        RunTimings(cpuSeconds: ProcessResources.cpuSeconds, peakMebibytes: ProcessResources.peakMebibytes)
      }
    } catch let error as TraceError {
      folder.discard()
      throw CommandError(
        error.message, code: error.code.rawValue, file: trace.name, place: error.line.map { "line \($0)" })
    }
    let size = try FileManager.default.attributesOfItem(atPath: path + "/run.sqlite")[.size] as? Int
    try report(trace, "run", bytes: size ?? 0, summary)
  }

  /// The parts of a report that the trace itself does not give.
  private struct Summary {
    var schema: String
    var leftOut: Int
    var assumed: [String]?
    var more: [JSONValue.Member]
    var lines: [String]
    var unheld: [(name: String, count: Int)] = []
  }

  private func report(_ trace: Trace, _ format: String, bytes: Int, _ summary: Summary) throws {
    var members: [JSONValue.Member] = [
      .init("schema", .string(summary.schema)), .init("output", .string(file.output)),
      .init("format", .string(format)), .init("bytes", .count(bytes)), .init("tracks", .count(trace.tracks.count)),
      .init("points", .count(trace.pointCount)), .init("left_out", .count(summary.leftOut)),
      .init("not_held", .object(summary.unheld.map { .init($0.name, .count($0.count)) })),
    ]
    if let assumed = summary.assumed { members.append(.init("assumed", .array(assumed.map { .string($0) }))) }
    var lines = (summary.assumed ?? []).map { "assumed: \($0)" }
    if summary.assumed == nil, summary.leftOut > 0 {
      lines.append(
        "left out: \(Counted.of(summary.leftOut, "place")) that could not be read (cordon trace info names them)")
    }
    if !summary.unheld.isEmpty {
      let names = summary.unheld.map { "\($0.name) of \(Counted.of($0.count, "point"))" }.joined(separator: ", ")
      lines.append("not held by \(format): \(names)")
    }
    lines += summary.lines
    lines.append(
      "\(file.output): \(Counted.of(trace.pointCount, "point")) of \(Counted.of(trace.tracks.count, "track")), "
        + "\(format), \(Counted.of(bytes, "byte"))")
    try file.report(.object(members + summary.more), lines.joined(separator: "\n") + "\n")
  }
}

/// Where a trace goes, checked.
enum TraceDestination {
  case file(Destination, TraceFormat)
  case run(String)
}

/// The kind of output of a trace.
enum TraceTarget: Hashable, FileFormat {
  /// A file.
  case file(TraceFormat)
  /// A run folder.
  case run

  init?(argument: String) {
    if argument == "run" {
      self = .run
    } else if let format = TraceFormat(rawValue: argument) {
      self = .file(format)
    } else {
      return nil
    }
  }

  static var allValueStrings: [String] { TraceFormat.allCases.map(\.rawValue) + ["run"] }

  static var endings: [(ending: String, format: TraceTarget)] {
    [
      ("gpx", .file(.gpx)), ("nmea", .file(.nmea)), ("nma", .file(.nmea)), ("kml", .file(.kml)), ("csv", .file(.csv)),
      ("geojson", .file(.geojson)), ("mfjson", .file(.mfJSON)), ("txt", .file(.jupedsim)), ("rec", .file(.owntracks)),
    ]
  }
}
