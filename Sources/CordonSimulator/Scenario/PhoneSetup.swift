public import CordonCore
import CordonYAML

/// The phones of a run, and the conditions under which they work.
public struct PhoneSetup: Hashable, Sendable {
  /// The preset of the positioning error.
  public var preset = PhonePreset.rtt
  /// An error model in place of that of the preset; `nil` for that of the preset.
  package var errorModel: PositionErrorModel?
  /// Time between two fixes while positioning is on.
  public var interval = TimeSpan.seconds(5)
  /// The rule for the times of fixes.
  public var sampling = Sampling.library
  /// The interval of which one fix is kept; `nil` for the smaller of the SDK's 5 s and ``interval``.
  public var thinning: TimeSpan?
  /// The maximum age of the oldest row before rows are sent; `nil` for the SDK's default.
  public var flushAfter: TimeSpan?
  /// Mean delay with which the operating system reports a crossing of the geofence. The delay is exponential, and at
  /// most three times this value.
  public var geofenceDelay = TimeSpan.zero
  /// The network conditions.
  public var network = Network()
  /// The actions of people and of the operating system.
  public var habits = Habits()
  /// The energy use of sensing and sending.
  public var energy = EnergyModel()
  /// Power of positioning in milliwatts, while it is on; `nil` for that of the preset.
  public var positioningMilliwatts: Double?
  /// Time from the start of the run at which the server makes an exposure notice for every phone; `nil` for none.
  public var noticeAfter: TimeSpan?
  /// Standard deviation of the clock error over phones.
  public var clockSkew = TimeSpan.zero

  /// The energy model, with the positioning power of the preset if the scenario does not set it.
  public var energyInUse: EnergyModel {
    var model = energy
    model.positioningMilliwatts = positioningMilliwatts ?? preset.positioningMilliwatts
    return model
  }

  /// The rule for the times at which a phone takes a fix.
  public enum Sampling: Hashable, Sendable, CustomStringConvertible {
    /// Every interval until the library detects rest by its own settings, which is five minutes after the phone stood
    /// still.
    case library
    /// Every interval; the library never detects rest.
    case continuous
    /// Only after the phone moved by a number of metres since the last fix.
    case distance(Double)
    /// Every interval while the sensors report movement, and for a time after it.
    case motion(TimeSpan)

    /// Reads `library`, `continuous`, `motion`, `motion:2m` or `distance:5` (metres).
    ///
    /// Returns `nil` for other texts, and for a distance or time out of range.
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

    /// The rule as written on the command line: `library`, `continuous`, `motion:5m`, `distance:5`.
    public var description: String {
      switch self {
      case .library: "library"
      case .continuous: "continuous"
      case .motion(let span): "motion:\(span)"
      case .distance(let metres): "distance:\(YAMLValue.plain(metres))"
      }
    }

    /// Default time for which positioning stays on after the last movement.
    static let defaultMotion = TimeSpan.minutes(5)
    /// Range of the time for which positioning stays on after the last movement.
    static let motions = TimeSpan.zero...TimeSpan.hours(2)
    /// Range of the distance between two fixes, in metres.
    package static let distances = 0.1...1_000.0
  }

  /// The network between a phone and its server.
  public struct Network: Hashable, Sendable {
    /// Median time from request to response (log-normal, with a standard deviation of the logarithm of 0.5).
    public var latency = TimeSpan.milliseconds(250)
    /// Share of requests that are lost, 0 ... 1; half of the losses concern the response.
    public var loss = 0.0
    /// Share of requests that fail at the server with status 503, 0 ... 1.
    public var serverErrors = 0.0
    /// Number of offline periods of a phone per day.
    public var offlinePerDay = 0.0
    /// Mean length of an offline period.
    public var offlineMean = TimeSpan.minutes(20)

    /// Creates a network without faults.
    public init() {}
  }

  /// The actions of people and operating systems that affect an app.
  public struct Habits: Hashable, Sendable {
    /// Number of times per day that the system ends the app. The app starts again at the next motion or after
    /// ``restartAfter``.
    public var killsPerDay = 0.0
    /// Mean time until the app is started again.
    public var restartAfter = TimeSpan.minutes(10)
    /// Share of people who revoke the location permission once during their visit and grant it again within the hour.
    public var permissionLossShare = 0.0
    /// Share of people who pause monitoring for an hour.
    public var pauseShare = 0.0
    /// Share of people who withdraw their consent.
    public var withdrawalShare = 0.0

    /// Creates habits without any such action.
    public init() {}
  }

  /// Creates a setup with the SDK's defaults: ranging with access points in sight, and a fix every 5 s.
  public init() {}
}
