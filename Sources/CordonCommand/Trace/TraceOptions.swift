public import ArgumentParser
import CordonContacts
import CordonCore
public import CordonExchange
import CordonGeometry
import CordonRun
import Foundation

extension TraceFormat: ExpressibleByArgument {}

/// How recorded files are read.
struct TraceReading: ParsableArguments {
  @Option(
    help:
      "The format of the input, when its contents do not tell: \(TraceFormat.allCases.map(\.rawValue).joined(separator: ", "))."
  )
  var format: TraceFormat?

  @Option(
    name: .customLong("column"),
    help: ArgumentHelp(
      """
      For CSV: which column means what, such as device=badge. Keys: device, time, longitude, latitude, x, y, floor, \
      accuracy, still_until, venue. May be repeated.
      """, valueName: "key=column"))
  var columns: [String] = []

  @Option(help: "For CSV: the unit of times that are numbers: auto, s, ms, us.")
  var timeUnit = ChoiceArgument(PointFileOptions.TimeUnit.auto)

  @Option(help: "For text trajectories without that comment: frames in a second.")
  var frameRate: Double?

  @Flag(help: "For text trajectories: lengths are centimetres.")
  var centimetres = false

  @Option(help: "For NMEA without a date: the day, as a time of RFC 3339.")
  var day: InstantArgument?

  func options() throws -> TraceReadOptions {
    var options = TraceReadOptions()
    options.format = format
    options.columns.timeUnit = timeUnit.value
    options.isCentimetres = centimetres
    options.day = day?.instant
    if let frameRate {
      guard frameRate.isFinite, frameRate > 0 else { throw Failure("--frame-rate must be more than 0", code: "usage") }
      options.frameRate = frameRate
    }
    for column in columns {
      let parts = column.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let field = PointField(rawValue: String(parts[0])) else {
        let keys = PointField.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure("--column \(column): write key=column; the keys are \(keys)", code: "usage")
      }
      options.columns.columns[field] = String(parts[1])
    }
    return options
  }

  /// The options again, for a command that repeats this one.
  var words: [String] {
    var words: [String] = []
    if let format { words += ["--format", format.rawValue] }
    for column in columns { words += ["--column", column] }
    if timeUnit.value != .auto { words += ["--time-unit", timeUnit.value.rawValue] }
    if let frameRate { words += ["--frame-rate", "\(frameRate)"] }
    if centimetres { words.append("--centimetres") }
    if let day { words += ["--day", day.instant.rfc3339] }
    return words
  }

  /// Reads a file, standard input (`-`), or the observed locations of a run.
  func read(_ path: String) throws -> Trace {
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if isThere, isFolder.boolValue || path.hasSuffix(".sqlite") { return try TraceReading.run(path) }
    do {
      return try TraceFile.read(path: path, options: try options())
    } catch let error as TraceError {
      throw Failure(
        error.message, code: error.code.rawValue, file: path, place: error.line.map { "line \($0)" })
    }
  }

  private static func run(_ path: String) throws -> Trace {
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

/// What stands in for what a file does not hold.
struct AssumptionOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: "The radius (68 %, metres) of points that give none.")
  var assumeAccuracy: Double?

  @Option(parsing: .unconditional, help: "The floor (an ordinal) of points that give none.")
  var assumeFloor: Double?

  @Option(help: "What tells devices apart: name (of the device or track), file, track.")
  var deviceFrom: ChoiceArgument<TraceAssumptions.DeviceSource>?

  @Option(help: "Make fixes on the straight lines between points, one so often: 1s.")
  var interpolate: DurationArgument?

  @Option(help: "When the first point was measured, RFC 3339; all others move alike.")
  var start: InstantArgument?

  @Option(help: "For points without times: the time between two of them.")
  var step = DurationArgument(.seconds(1))

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where the origin of a file's own metres lies.", valueName: "lon,lat"))
  var origin: CoordinateArgument?

  @Option(parsing: .unconditional, help: "Degrees clockwise from north of the y axis of a file's own metres.")
  var bearing = 0.0

  func assumptions() throws -> TraceAssumptions {
    var assumptions = TraceAssumptions()
    if let assumeAccuracy {
      guard assumeAccuracy.isFinite, assumeAccuracy >= 0 else {
        throw Failure("--assume-accuracy must be a number of metres from 0 up", code: "usage")
      }
      assumptions.accuracy = assumeAccuracy
    }
    if let assumeFloor {
      guard let floor = FloorOrdinal(assumeFloor) else {
        throw Failure("--assume-floor must be an ordinal", code: "usage")
      }
      assumptions.floor = floor
    }
    if let interpolate {
      guard interpolate.span.milliseconds >= 10 else {
        throw Failure("--interpolate must be 10ms or more", code: "usage")
      }
      assumptions.interpolation = interpolate.span
    }
    guard step.span.milliseconds > 0 else { throw Failure("--step must be more than nothing", code: "usage") }
    guard bearing.isFinite else { throw Failure("--bearing must be a number of degrees", code: "usage") }
    assumptions.deviceFrom = deviceFrom?.value
    assumptions.start = start?.instant
    assumptions.step = step.span
    assumptions.origin = origin?.coordinate
    assumptions.bearing = bearing
    return assumptions
  }

  /// The options again, for a command that repeats this one.
  var words: [String] {
    var words: [String] = []
    if let assumeAccuracy { words += ["--assume-accuracy", "\(assumeAccuracy)"] }
    if let assumeFloor { words += ["--assume-floor", "\(assumeFloor)"] }
    if let deviceFrom { words += ["--device-from", deviceFrom.value.rawValue] }
    if let interpolate { words += ["--interpolate", "\(interpolate.span)"] }
    if let start { words += ["--start", start.instant.rfc3339] }
    if step.span != .seconds(1) { words += ["--step", "\(step.span)"] }
    if let origin { words += ["--origin", origin.defaultValueDescription] }
    if bearing != 0 { words += ["--bearing", "\(bearing)"] }
    return words
  }
}

/// Where a trace goes.
struct TraceOutput: ParsableArguments {
  @Option(name: [.short, .long], help: "The file to write, - for standard output; .gz compresses it.")
  var output: String

  @Option(
    help:
      "The format to write; the ending of the file's name tells it otherwise. run is a folder as cordon simulate makes it."
  )
  var to: TraceTarget?

  @Flag(help: "For run: replace a run folder that is there.")
  var force = false

  @Option(help: "Write only the tracks of this device.")
  var device: String?

  @Flag(help: "Print one JSON object about what was written.")
  var json = false

  func validate() throws {
    if output == "-", json { throw ValidationError("--json and -o - both want standard output") }
    if output == "-", to == nil { throw ValidationError("-o - needs --to, the format to write") }
    if output == "-", to == .run { throw ValidationError("a run is a folder and needs a name: -o FOLDER") }
  }

  private func format() throws -> TraceFormat {
    if case .file(let format) = to { return format }
    var name = output.lowercased()
    if name.hasSuffix(".gz") { name.removeLast(3) }
    switch name.split(separator: ".").last.map(String.init) {
    case "gpx": return .gpx
    case "nmea", "nma": return .nmea
    case "kml": return .kml
    case "csv": return .csv
    case "geojson": return .geojson
    case "txt": return .jupedsim
    case "rec": return .owntracks
    default:
      throw Failure("the ending of \(output) names no format; choose one with --to", code: "usage")
    }
  }

  /// Writes a trace and tells of it.
  /// - Parameters:
  ///   - command: the words that decide what is written, as a run keeps them.
  ///   - schema: of the object that tells of it.
  ///   - assumed: what was assumed or left out on the way, in sentences.
  ///   - more: members of that object that this command alone has.
  func write(
    _ trace: Trace, command: [String], schema: String, assumed: [String]? = nil, more: [JSONValue.Member] = []
  ) throws {
    var trace = trace
    if let device {
      trace.tracks.removeAll { $0.device != device && $0.name != device }
      guard !trace.tracks.isEmpty else {
        throw Failure("there is no device \(device)", code: "not-found", file: trace.name)
      }
    }
    var telling = Telling(schema: schema, leftOut: trace.faultCount, assumed: assumed, more: more)
    if to == .run {
      telling.unheld = TraceRun.unheld(in: trace)
      return try writeRun(trace, command: command, telling)
    }
    let format = try format()
    telling.unheld = TraceWriter.unheld(in: trace, as: format)
    var bytes: [UInt8]
    do {
      bytes = try TraceWriter.bytes(of: trace, as: format)
    } catch {
      throw Failure(error.message, code: error.code.rawValue, file: trace.name, place: error.line.map { "line \($0)" })
    }
    if output.lowercased().hasSuffix(".gz") { bytes = TraceWriter.gzipped(bytes) }
    try Output.write(Data(bytes), toFile: output)
    guard output != "-" else { return }
    tell(trace, format.rawValue, bytes: bytes.count, telling)
  }

  private func writeRun(_ trace: Trace, command: [String], _ telling: Telling) throws {
    let folder = try RunFolder.prepare(at: output, replacing: force)
    do {
      let device = device.map { ["--device", $0] } ?? []
      let contents = try TraceRun(trace, command: command + device + ["--to", "run"]).contents()
      _ = try folder.write(contents) {
        RunTimings(cpuSeconds: ProcessResources.cpuSeconds, peakMebibytes: ProcessResources.peakMebibytes)
      }
    } catch let error as TraceError {
      folder.discard()
      throw Failure(error.message, code: error.code.rawValue, file: trace.name, place: error.line.map { "line \($0)" })
    }
    let size = try FileManager.default.attributesOfItem(atPath: output + "/run.sqlite")[.size] as? Int
    tell(trace, "run", bytes: size ?? 0, telling)
  }

  /// What is told besides counts.
  private struct Telling {
    var schema: String
    var leftOut: Int
    var assumed: [String]?
    var more: [JSONValue.Member]
    var unheld: [(name: String, count: Int)] = []
  }

  private func tell(_ trace: Trace, _ format: String, bytes: Int, _ telling: Telling) {
    if json {
      var members: [JSONValue.Member] = [
        .init("schema", .string(telling.schema)), .init("output", .string(output)), .init("format", .string(format)),
        .init("bytes", .count(bytes)), .init("tracks", .count(trace.tracks.count)),
        .init("points", .count(trace.pointCount)), .init("left_out", .count(telling.leftOut)),
        .init("not_held", .object(telling.unheld.map { .init($0.name, .count($0.count)) })),
      ]
      if let assumed = telling.assumed { members.append(.init("assumed", .array(assumed.map { .string($0) }))) }
      Output.print(.object(members + telling.more))
      return
    }
    var lines = (telling.assumed ?? []).map { "assumed: \($0)" }
    if telling.assumed == nil, telling.leftOut > 0 {
      lines.append("left out: \(telling.leftOut) places that could not be read (cordon trace info names them)")
    }
    if !telling.unheld.isEmpty {
      let names = telling.unheld.map { "\($0.name) of \($0.count) points" }.joined(separator: ", ")
      lines.append("not held by \(format): \(names)")
    }
    lines.append("\(output): \(trace.pointCount) points of \(trace.tracks.count) tracks, \(format), \(bytes) bytes")
    Output.print(lines.joined(separator: "\n") + "\n")
  }
}

/// What a trace is written as.
enum TraceTarget: Hashable, ExpressibleByArgument {
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
}
