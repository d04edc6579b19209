import ArgumentParser
import CordonCommandLine
import CordonContacts
import CordonCore
import CordonExchange
import CordonGeometry
import CordonRun
import CordonVenues
import Foundation

/// The kinds of file that tracks are read from.
enum ContactInputFormat: String, ExpressibleByArgument, CaseIterable {
  case auto, run, csv, jsonl, workload
}

/// What tells the devices of files of points apart.
enum PointDeviceSource: String, ExpressibleByArgument, CaseIterable {
  case name, file
}

/// Which tracks, and how to read them.
struct ContactInput: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A run, files of points (several are read as one), or - for standard input.", valueName: "input"))
  var paths: [String]

  @Option(
    help: ArgumentHelp("The format of the input; by default its ending or contents decide.", valueName: "format"))
  var inputFormat: ContactInputFormat = .auto

  @Option(
    name: .customLong("column"),
    help: ArgumentHelp(
      """
      Which column means what, such as device=badge. Keys: device, time, date, longitude, latitude, x, y, geometry, \
      floor, accuracy, still_until, venue. May be repeated.
      """, valueName: "key=column"))
  var columns: [String] = []

  @Option(help: "The unit of times that are numbers: auto, s, ms, us, ns.")
  var timeUnit = ChoiceArgument(PointFileOptions.TimeUnit.auto)

  @Option(
    help: ArgumentHelp(
      "The zone of times that give none, and of calendar days; UTC by default. A name or an offset: Europe/Berlin.",
      valueName: "zone"))
  var timeZone: ZoneArgument?

  @Flag(help: "Places are metres, even if they look like degrees.")
  var metres = false

  @Option(help: "How devices are distinguished: name (a column), file (each file is one device).")
  var deviceFrom = PointDeviceSource.name

  @Option(
    help: ArgumentHelp("Where the plane touches the earth; the middle of the points by default.", valueName: "lon,lat"))
  var origin: CoordinateArgument?

  @Flag(help: "Refuse a file with a row that cannot be read, instead of counting such rows.")
  var strict = false

  @Flag(help: "For a run: where people really were, instead of what their devices reported.")
  var truth = false

  @Option(
    help: ArgumentHelp(
      """
      The longest time between two fixes of a device that are joined to a way; auto: three times the usual time \
      between two fixes, which is said. 30s by default, for a run what it was made with.
      """, valueName: "duration"))
  var maxGap: GapArgument?

  @Option(
    name: .customLong("venue"),
    help: ArgumentHelp("The map of the venue, for spaces and walls. A run brings its own.", valueName: "venue"))
  var venuePath: String?

  func validate() throws {
    if case .span(let gap) = maxGap, gap.milliseconds <= 0 {
      throw ValidationError("--max-gap must be more than nothing")
    }
    if let origin, abs(origin.coordinate.latitude) > PointFileOptions.largestLatitude {
      throw ValidationError("--origin: latitudes go to \(PointFileOptions.largestLatitude) degrees")
    }
    if paths.count(where: { $0 == "-" }) > 1 { throw ValidationError("standard input can be read only once") }
    if paths.count > 1, paths.contains(where: { !isFileOfPoints($0) }) {
      throw ValidationError("a run or a workload is read alone; several inputs must be files of points")
    }
    for column in columns {
      let parts = column.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, PointField(rawValue: String(parts[0])) != nil else {
        let keys = PointField.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--column \(column): write key=column; the keys are \(keys)")
      }
    }
  }

  /// The inputs, for messages.
  var name: String { paths.joined(separator: ", ") }

  /// The format of the first input: several have one.
  var format: ContactInputFormat { paths.first.map { format(of: $0) } ?? inputFormat }

  private func isFileOfPoints(_ path: String) -> Bool {
    switch format(of: path) {
    case .auto, .csv, .jsonl: true
    case .run, .workload: false
    }
  }

  /// The files of points.
  var pointFiles: [PointFile] {
    paths.map { path in
      switch format(of: path) {
      case .jsonl: PointFile(path: path, format: .jsonLines)
      case .csv where inputFormat == .csv: PointFile(path: path, format: .csv)
      default: PointFile(path: path)
      }
    }
  }

  /// The format of an input, by the option or the name; `auto` when its contents decide.
  func format(of path: String) -> ContactInputFormat {
    if inputFormat != .auto { return inputFormat }
    var name = path.lowercased()
    if name.hasSuffix(".gz") { name.removeLast(3) }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue { return .run }
    switch (name as NSString).pathExtension {
    case "sqlite", "db": return .run
    case "jsonl", "ndjson": return .jsonl
    case "bin": return .workload
    default: return .auto
    }
  }

  var pointOptions: PointFileOptions {
    var options = PointFileOptions()
    for column in columns {
      let parts = column.split(separator: "=", maxSplits: 1)
      if parts.count == 2, let field = PointField(rawValue: String(parts[0])) {
        options.columns[field] = String(parts[1])
      }
    }
    options.timeUnit = timeUnit.value
    options.timeZone = timeZone?.zone
    options.isMetres = metres
    options.isDevicePerFile = deviceFrom == .file
    options.isStrict = strict
    options.origin = origin?.coordinate
    return options
  }
}

extension PointFileError: CommandErrorConvertible {
  var commandError: CommandError {
    CommandError(message, code: code.rawValue, file: file, place: line.map { "line \($0)" })
  }
}

extension WorkloadFile.Failure: CommandErrorConvertible {
  var commandError: CommandError {
    switch self {
    case .unreadable(let path, let reason): CommandError(reason, code: "unreadable", file: path)
    case .truncated(let path, let bytes):
      CommandError("\(bytes) bytes are no whole number of 32-byte records", code: "truncated", file: path)
    }
  }
}
