public import CordonCore

/// What the phones of a run are like, and the world that they work in.
public struct PhoneSetup: Hashable, Sendable {
  /// How wrong positions are.
  public var preset = PhonePreset.rtt
  /// Time between two fixes while positioning is on.
  public var interval = TimeSpan.seconds(5)
  /// When a phone makes a fix.
  public var sampling = Sampling.library
  /// One fix of each such interval is kept; `nil` for the smaller of the SDK's 5 s and ``interval``.
  public var thinning: TimeSpan?
  /// Rows are sent once the oldest waits this long; `nil` for the SDK's default.
  public var flushAfter: TimeSpan?
  /// The operating system tells of a crossed geofence so late: an exponential mean, at most three times it.
  public var geofenceDelay = TimeSpan.zero
  /// The network.
  public var network = Network()
  /// The person and the operating system.
  public var habits = Habits()
  /// What sensing and sending cost.
  public var energy = EnergyModel()
  /// Milliwatts while positioning is on; `nil` for those of the preset.
  public var positioningMilliwatts: Double?
  /// Standard deviation over phones of how far their clocks are off.
  public var clockSkew = TimeSpan.zero

  /// The energy model with the sensors of the preset, where the scenario names no others.
  public var energyInUse: EnergyModel {
    var model = energy
    model.positioningMilliwatts = positioningMilliwatts ?? preset.positioningMilliwatts
    return model
  }

  /// When a phone makes a fix.
  public enum Sampling: Hashable, Sendable, CustomStringConvertible {
    /// Every interval until the library takes the phone for resting, with the library's own settings: five minutes after it
    /// stood still.
    case library
    /// Every interval; the library never takes the phone for resting.
    case continuous
    /// Only after moving so many metres since the last fix.
    case distance(Double)
    /// Every interval while the sensors say that the phone moves, and for so long after.
    case motion(TimeSpan)

    /// Reads `library`, `continuous`, `motion`, `motion:2m` or `distance:5` (metres); `nil` for anything else, and for a distance or
    /// time out of its range.
    public init?(_ text: String) {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      switch (parts[0], parts.count > 1 ? String(parts[1]) : nil) {
      case ("library", nil): self = .library
      case ("continuous", nil): self = .continuous
      case ("motion", nil): self = .motion(Sampling.defaultMotion)
      case ("motion", let text?):
        guard let span = TimeSpan(parsing: text), Sampling.motions.contains(span) else { return nil }
        self = .motion(span)
      case ("distance", let text?):
        guard let metres = Double(text), Sampling.distances.contains(metres) else { return nil }
        self = .distance(metres)
      default: return nil
      }
    }

    /// How it is written on the command line: `library`, `continuous`, `motion:5m`, `distance:5`.
    public var description: String {
      switch self {
      case .library: "library"
      case .continuous: "continuous"
      case .motion(let span): "motion:\(span)"
      case .distance(let metres): "distance:\(ScenarioValue.plain(metres))"
      }
    }

    /// How long positioning stays on after the last movement, unless something else is said.
    static let defaultMotion = TimeSpan.minutes(5)
    /// How long it may stay on.
    static let motions = TimeSpan.zero...TimeSpan.hours(2)
    /// Metres that may lie between two fixes.
    static let distances = 0.1...1_000.0
  }

  /// What stands between a phone and its server.
  public struct Network: Hashable, Sendable {
    /// Time from asking to the answer, the median (log-normal, spread 0.5).
    public var latency = TimeSpan.milliseconds(250)
    /// Share of requests that get lost, half of them on the way back.
    public var loss = 0.0
    /// Share of requests that the server fails on (status 503).
    public var serverErrors = 0.0
    /// Offline periods of a phone in a day.
    public var offlinePerDay = 0.0
    /// Mean length of one.
    public var offlineMean = TimeSpan.minutes(20)

    /// A network that is always there.
    public init() {}
  }

  /// What people and systems do to an app.
  public struct Habits: Hashable, Sendable {
    /// Times a day that the system ends the app; it comes back with the next motion or after ``restartAfter``.
    public var killsPerDay = 0.0
    /// Mean time until it is started again.
    public var restartAfter = TimeSpan.minutes(10)
    /// Share of people who take the permission away at some time of their visit, and give it back within the hour.
    public var permissionLossShare = 0.0
    /// Share of people who pause monitoring for an hour.
    public var pauseShare = 0.0
    /// Share of people who withdraw their consent at some time.
    public var withdrawalShare = 0.0

    /// Nobody touches anything.
    public init() {}
  }

  /// The SDK's defaults, ranging with access points in sight, a fix every 5 s.
  public init() {}
}
