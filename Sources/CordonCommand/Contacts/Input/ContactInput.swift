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
  case auto, run, csv, jsonl, arrow, workload
}

/// How the devices of files of points are distinguished.
enum PointDeviceSource: String, ExpressibleByArgument, CaseIterable {
  case name, file
}

/// Which tracks of a run are read.
enum TrackSource: String, ExpressibleByArgument, CaseIterable {
  /// The positions that devices reported.
  case observed
  /// The true positions of people.
  case truth
}

/// Which tracks, and how to read them.
struct ContactInput: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A run, files of points (several are read as one), or - for standard input.", valueName: "input"))
  var paths: [String]

  @Option(help: ArgumentHelp("The input format; auto decides by name or contents.", valueName: "format"))
  var inputFormat: ContactInputFormat = .auto

  @Option(
    name: .customLong("column"),
    help: ArgumentHelp(
      """
      The column of a field, such as device=badge. Fields: device, time, date, longitude, latitude, x, y, geometry, \
      floor, accuracy, still_until, venue. Repeat it for more.
      """, valueName: "field=column"))
  var columns: [String] = []

  @Option(help: ArgumentHelp("The unit of times that are numbers.", valueName: "unit"))
  var timeUnit = ChoiceArgument(PointFileOptions.TimeUnit.auto)

  @Option(
    help: ArgumentHelp(
      "The zone of times without one, and of calendar days: a name or an offset. (default: UTC)", valueName: "zone"))
  var timeZone: ZoneArgument?

  @Flag(help: "Read positions as metres, even if they look like degrees.")
  var metres = false

  @Option(help: ArgumentHelp("How devices are distinguished: by a column, or by file.", valueName: "source"))
  var deviceFrom = PointDeviceSource.name

  @Option(
    help: ArgumentHelp(
      "The origin of the plane that distances are computed in. (default: the middle of the points)",
      valueName: "lon,lat"))
  var origin: CoordinateArgument?

  @Flag(help: "Fail at a row that cannot be read, instead of counting such rows.")
  var strict = false

  @Option(help: ArgumentHelp("The tracks of a run: what devices reported, or the truth.", valueName: "source"))
  var source = TrackSource.observed

  @Option(
    help: ArgumentHelp(
      """
      The maximum time between two fixes that are joined; auto: three times the typical interval. (default: 30s, or \
      that of the run)
      """, valueName: "duration|auto"))
  var maximumGap: GapArgument?

  @Option(
    name: .customLong("venue"),
    help: ArgumentHelp("The map, for spaces and walls. (default: that of the run)", valueName: "venue"))
  var venuePath: String?

  @OptionGroup var overlay: OverlayOptions

  /// Whether the true positions of a run are read.
  var truth: Bool { source == .truth }

  func validate() throws {
    if case .span(let gap) = maximumGap, gap.milliseconds <= 0 {
      throw ValidationError("--maximum-gap must be more than 0s")
    }
    if let origin, abs(origin.coordinate.latitude) > PointFileOptions.largestLatitude {
      throw ValidationError("--origin: the latitude must be at most \(PointFileOptions.largestLatitude) degrees")
    }
    if paths.count(where: { $0 == "-" }) > 1 { throw ValidationError("standard input can be read only once") }
    if paths.count > 1, paths.contains(where: { !isFileOfPoints($0) }) {
      throw ValidationError("a run or a workload is read alone; several inputs must be files of points")
    }
    for column in columns {
      let parts = column.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, PointField(rawValue: String(parts[0])) != nil else {
        let keys = PointField.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--column: '\(column)' is not FIELD=COLUMN; the fields are \(keys)")
      }
    }
  }

  /// The inputs, for messages.
  var name: String { paths.joined(separator: ", ") }

  /// The format of the first input: several have one.
  var format: ContactInputFormat { paths.first.map { format(of: $0) } ?? inputFormat }

  private func isFileOfPoints(_ path: String) -> Bool {
    switch format(of: path) {
    case .auto, .csv, .jsonl, .arrow: true
    case .run, .workload: false
    }
  }

  /// The files of points.
  var pointFiles: [PointFile] {
    paths.map { path in
      switch format(of: path) {
      case .jsonl: PointFile(path: path, format: .jsonLines)
      case .arrow: PointFile(path: path, format: .arrow)
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
    case "arrow", "arrows", "feather": return .arrow
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
    CommandError(message, code: code.rawValue, file: file, place: place ?? line.map { "line \($0)" })
  }
}

extension WorkloadFile.Failure: CommandErrorConvertible {
  var commandError: CommandError {
    switch self {
    case .unreadable(let path, let reason): CommandError(reason, code: "unreadable", file: path)
    case .truncated(let path, let bytes):
      CommandError("\(bytes) bytes are not a multiple of the 32 bytes of a record", code: "truncated", file: path)
    }
  }
}
