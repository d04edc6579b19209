public import CordonContacts
public import CordonCore
public import CordonGeometry

/// Observed points as a file gives them: devices and venues by name.
///
/// The points of a venue do not say when a device was in another one meanwhile; ``PointWindows`` do.
public struct PointTable: Sendable {
  /// The points of one venue.
  public struct Group: Sendable {
    /// The venue's name; empty when the file has no such column.
    public var venue: String
    /// In the order of the file; `device` is an index into ``PointTable/devices``.
    public var points: [TrackPoint]
    /// Radius at 68 % of each point, metres, NaN when unknown; empty when the file has none.
    public var accuracies: [Float]
    /// Until when each device rested, milliseconds since 1970; empty when the file has none.
    public var stillUntil: [Int64]
    /// The frame of the points; `nil` when the file gives metres.
    public var frame: LocalFrame?
  }

  /// The names of the devices, sorted; a device's index is its place.
  public var devices: [String]
  /// The venues, by name.
  public var groups: [Group]
  /// Rows that could not be read, the first few.
  public var badRows: [BadRow]
  /// How many rows could not be read.
  public var badRowCount: Int
  /// How many rows there were, without a header.
  public var rows: Int

  /// A row that could not be read.
  public struct BadRow: Hashable, Sendable {
    /// Counted from 1.
    public var line: Int
    /// What is wrong with it.
    public var reason: String

    /// A row that could not be read.
    public init(line: Int, reason: String) {
      self.line = line
      self.reason = reason
    }
  }

  /// How many points there are.
  public var pointCount: Int { groups.reduce(0) { $0 + $1.points.count } }
}

/// Why a file of points could not be read at all.
public struct PointFileError: Error, Hashable, Sendable {
  /// What kind of mistake it is.
  public enum Code: String, Hashable, Sendable {
    /// The file cannot be opened or read.
    case unreadable
    /// Its end is missing.
    case truncated
    /// A column that is needed is not there.
    case missingColumn = "missing-column"
    /// Some times are in seconds and some in milliseconds, or such.
    case mixedUnits = "mixed-units"
    /// Nothing says the unit of times.
    case unknownUnit = "unknown-unit"
    /// A row cannot be read, and every row must be.
    case badRow = "bad-row"
    /// Nothing in it is a point.
    case empty
    /// It would not fit into memory.
    case tooLarge = "too-large"
  }

  /// What kind of mistake it is.
  public var code: Code
  /// One sentence.
  public var message: String
  /// The line, counted from 1, when it is about one.
  public var line: Int?

  /// An error.
  public init(_ code: Code, _ message: String, line: Int? = nil) {
    self.code = code
    self.message = message
    self.line = line
  }
}

/// How to read a file of points.
public struct PointFileOptions: Hashable, Sendable {
  /// The unit of times.
  public enum TimeUnit: String, Hashable, Sendable, CaseIterable {
    /// By the column's name (`_ms`, `_s`, `_us`), else by the size of the first number, which must be a time since
    /// 1970 then; dates are recognised.
    case auto
    /// Seconds, which may have a fraction.
    case seconds = "s"
    /// Milliseconds.
    case milliseconds = "ms"
    /// Microseconds.
    case microseconds = "us"
  }

  /// Names of columns, by what they mean; what is not named is looked for under the usual names.
  public var columns: [PointField: String] = [:]
  /// The unit of times.
  public var timeUnit = TimeUnit.auto
  /// Whether one row that cannot be read refuses the file.
  public var isStrict = false
  /// How many bad rows are listed.
  public var badRowLimit = 20
  /// The origin of the metres that longitudes and latitudes become; `nil` for the middle of each venue's points.
  public var origin: Coordinate?

  /// Degrees north or south: nearer to a pole a plane whose east has one scale is none, and points are refused.
  public static let largestLatitude = 89.9

  /// The usual.
  public init() {}
}

/// What a column of a file of points means.
public enum PointField: String, Hashable, Sendable, CaseIterable {
  /// The device's name or number.
  case device
  /// When.
  case time
  /// Degrees.
  case longitude
  /// Degrees.
  case latitude
  /// Metres east, instead of a longitude.
  case x
  /// Metres north, instead of a latitude.
  case y
  /// The floor's ordinal; empty when not known.
  case floor
  /// Radius at 68 %, metres; empty, 0 or less when not known.
  case accuracy
  /// Until when the device rested there.
  case stillUntil = "still_until"
  /// The venue's name.
  case venue

  /// The names that are looked for, in lower case.
  var usualNames: [String] {
    switch self {
    case .device: ["device", "device_id", "deviceid", "dev", "id", "person", "user", "agent"]
    case .time:
      [
        "time", "t", "t_ms", "time_ms", "timestamp", "timestamp_ms", "t_s", "time_s", "timestamp_s",
        "time_us", "datetime",
      ]
    case .longitude: ["lon", "lng", "longitude", "long"]
    case .latitude: ["lat", "latitude"]
    case .x: ["x", "x_m"]
    case .y: ["y", "y_m"]
    case .floor: ["floor", "level", "ordinal", "floor_ordinal"]
    case .accuracy: ["acc", "accuracy", "accuracy_m", "horizontal_accuracy", "acc_m"]
    case .stillUntil: ["still_until", "still_until_ms", "stilluntil"]
    case .venue: ["venue", "venue_id", "venueid"]
    }
  }
}
