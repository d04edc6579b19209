public import CordonCore
public import CordonSupport

/// The settings of a run and the constants behind its results.
public struct RunParameters: Hashable, Sendable {
  /// The command of the run as words, for example `["cordon", "simulate", "mall.zip", "--people", "300"]`.
  ///
  /// It contains only options that determine the contents. The output path and the number of threads are left out
  /// because runs that differ in them are identical byte by byte.
  public var command: [String]
  /// The version of Cordon.
  public var version: String
  /// The seed of all random numbers.
  public var seed: UInt64
  /// The start of the run.
  public var start: Instant
  /// The duration of the run.
  public var duration: TimeSpan
  /// The coordinate of the plane point (0, 0): the origin of the venue's `CordonGeometry.LocalFrame`.
  public var frameOrigin: Coordinate
  /// The maximum distance of a contact in metres.
  public var contactDistance: Double
  /// The maximum time between two fixes of one device that are joined into a segment.
  public var maximumGap: TimeSpan
  /// The total contact time of a pair that triggers a warning.
  public var warningThreshold: TimeSpan
  /// The width of an occupancy bin.
  public var occupancyBin: TimeSpan
  /// Further parameters in the order of their display.
  ///
  /// Names contain their unit (`fix_interval_s`) and use `a-z 0-9 _` only.
  public var others: [Other]

  /// A further parameter.
  public struct Other: Hashable, Sendable {
    /// The name, for example `fix_interval_s` or `position_error_m`.
    public var name: String
    /// The value. Lists and objects are stored as their JSON text.
    public var value: JSONValue

    /// Creates a parameter from its parts.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// Creates parameters from their parts.
  public init(
    command: [String], version: String, seed: UInt64, start: Instant, duration: TimeSpan, frameOrigin: Coordinate,
    contactDistance: Double = 2, maximumGap: TimeSpan = .seconds(30), warningThreshold: TimeSpan = .minutes(15),
    occupancyBin: TimeSpan = .minutes(5), others: [Other] = []
  ) {
    self.command = command
    self.version = version
    self.seed = seed
    self.start = start
    self.duration = duration
    self.frameOrigin = frameOrigin
    self.contactDistance = contactDistance
    self.maximumGap = maximumGap
    self.warningThreshold = warningThreshold
    self.occupancyBin = occupancyBin
    self.others = others
  }

  /// The end of the run.
  public var end: Instant { start + duration }
}
