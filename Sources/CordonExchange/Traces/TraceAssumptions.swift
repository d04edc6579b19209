public import CordonCore

/// What whoever replays a trace says in its place, where the file is silent.
public struct TraceAssumptions: Hashable, Sendable {
  /// What tells devices apart.
  public enum DeviceSource: String, Hashable, Sendable, CaseIterable {
    /// The name of the device in the file, or of the track.
    case name
    /// The file: all of its tracks are one device.
    case file
    /// The track: every one is a device of its own.
    case track
  }

  /// The radius at 68 % of points without one, metres.
  public var accuracy: Double?
  /// The floor of points without one.
  public var floor: FloorOrdinal?
  /// What tells devices apart; `nil`: the names in the file where it has any, else the file.
  public var deviceFrom: DeviceSource?
  /// Makes a fix so often on the straight line between two points, as Xcode does between way-points.
  public var interpolation: TimeSpan?
  /// A stay is replayed as a fix at its place so often. Rows farther apart than the gap of contacts are not joined.
  public var stayInterval = TimeSpan.seconds(30)
  /// When the first point was measured; all are moved alike.
  public var start: Instant?
  /// Time between two points of a file without times; they begin at ``start``.
  public var step = TimeSpan.seconds(1)
  /// Where the origin of a file's own metres lies.
  public var origin: Coordinate?
  /// Degrees clockwise from north of the file's y axis.
  public var bearing = 0.0

  /// Nothing is assumed.
  public init() {}
}

/// Traces made into fixes of devices, with a list of what was assumed.
public struct ResolvedTrace: Sendable {
  /// The fixes of one device, in the order of its file.
  public struct Device: Sendable {
    /// Its name; unique among the devices.
    public var name: String
    /// Its fixes.
    public var fixes: [TracedFix]
  }

  /// Sorted by name.
  public var devices: [Device]
  /// What was assumed or left aside, in sentences.
  public var assumed: [String]
  /// How many fixes there are.
  public var fixCount: Int { devices.reduce(0) { $0 + $1.fixes.count } }
}

/// A fix, and where it comes from.
public struct TracedFix: Hashable, Sendable {
  /// The fix.
  public var fix: Fix
  /// The name of the file.
  public var file: String
  /// The line in it; 0 for files without lines.
  public var line: Int
  /// Whether it lies between two points of the file.
  public var isInterpolated: Bool
}
