package import CordonCore

/// Options for reading files of points.
package struct PointFileOptions: Hashable, Sendable {
  /// The unit of times.
  package enum TimeUnit: String, Hashable, Sendable, CaseIterable {
    /// By the column's name (`_s`, `_ms`, `_us`, `_ns`), else by the size of the first number, which must be a time since
    /// 1970 then; dates are recognised.
    case auto
    /// Seconds, which may have a fraction.
    case seconds = "s"
    /// Milliseconds.
    case milliseconds = "ms"
    /// Microseconds.
    case microseconds = "us"
    /// Nanoseconds.
    case nanoseconds = "ns"
  }

  /// Names of columns by their meaning; other columns are found by the names of ``PointField``.
  package var columns: [PointField: String] = [:]
  /// The unit of times.
  package var timeUnit = TimeUnit.auto
  /// The zone of times that give none; `nil` for UTC, which is then reported as an assumption.
  package var timeZone: LocalZone?
  /// Whether places are metres even if they look like degrees.
  package var isMetres = false
  /// Whether each file is one device, named by the file.
  package var isDevicePerFile = false
  /// Floors by name or identifier in lower case, for files that do not give ordinals.
  package var floors: [String: FloorOrdinal] = [:]
  /// Whether one row that cannot be read refuses the file.
  package var isStrict = false
  /// How many bad rows are listed.
  package var badRowLimit = 20
  /// The origin of the metres that longitudes and latitudes become; `nil` for the middle of each venue's points.
  package var origin: Coordinate?

  /// Degrees north or south: points nearer to a pole are refused, because no plane fits there.
  package static let largestLatitude = 89.9

  /// Creates the default options.
  package init() {}
}
