public import CordonCore

/// What a run was asked to do, and the constants that its results depend on.
public struct RunParameters: Hashable, Sendable {
  /// The command that made the run, word by word, as in `["cordon", "simulate", "mall.zip", "--people", "300"]`.
  ///
  /// It names what decides the contents, and nothing else: the output path and the number of
  /// threads are left out, because two runs that differ in them are equal to the byte.
  public var command: [String]
  /// The version of Cordon.
  public var version: String
  /// Everything random follows from it.
  public var seed: UInt64
  /// When the run begins.
  public var start: Instant
  /// How long it lasts.
  public var duration: TimeSpan
  /// The place that plane coordinates (0, 0) stand for: the origin of the venue's `CordonGeometry.LocalFrame`.
  public var frameOrigin: Coordinate
  /// Two are in contact within this distance, metres.
  public var contactDistance: Double
  /// Fixes of one device farther apart in time than this are not joined.
  public var maximumGap: TimeSpan
  /// How long a pair must be in contact in all for a warning.
  public var warningThreshold: TimeSpan
  /// The width of an occupancy bin.
  public var occupancyBin: TimeSpan
  /// Anything else worth keeping, in the order in which it is shown; names carry their units
  /// (`fix_interval_s`) and use `a-z 0-9 _` only.
  public var others: [Other]

  /// A further parameter.
  public struct Other: Hashable, Sendable {
    /// `fix_interval_s`, `position_error_m`.
    public var name: String
    /// A scalar; lists and objects are kept as their JSON text.
    public var value: JSONValue

    /// A name and a value.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// Takes the values as they are.
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

  /// When the run ends.
  public var end: Instant { start + duration }
}
