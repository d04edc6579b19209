public import CordonCore

/// Everything about a monitor's behaviour that an integrator can choose. The defaults are meant for phones indoors.
public struct MonitorConfiguration: Hashable, Sendable {
  /// The largest radius (68 %, metres) of a fix that is kept. Indoors the median is about 14 m.
  public var maximumAccuracy = 50.0
  /// One fix of each such interval is kept, the most accurate; zero keeps all.
  public var thinning = TimeSpan.seconds(5)
  /// A fix nearer than this to the last stored one (metres) is thinned; zero keeps all.
  public var minimumDistance = 0.0
  /// Clocks may differ by this much before a fix counts as coming from the future.
  public var futureTolerance = TimeSpan.seconds(5)
  /// Metres per second; a fix that would need more, beyond both radii of uncertainty, is refused.
  public var maximumSpeed = 15.0
  /// Whether fixes made up by software are kept, and flagged as such. By default only in simulators and in builds for
  /// debugging: in what people use they are refused.
  public var acceptsMocked = MonitorConfiguration.isDevelopmentBuild
  /// So many consecutive fixes beyond the exit radius end a tracking session.
  public var exitFixes = 3
  /// How many consecutive fixes must agree on another floor before it is believed.
  public var floorFixes = 2
  /// A device that did not move for this long rests: positioning goes off.
  public var stillAfter = TimeSpan.minutes(5)
  /// While resting, the last location is confirmed this often.
  public var heartbeat = TimeSpan.seconds(60)
  /// Metres; within this (or the fix's own uncertainty, if larger) of one place counts as not moving.
  public var stillRadius = 10.0
  /// Rows are sent once the oldest waits this long; `nil` leaves it to the other rules.
  public var flushAfter: TimeSpan? = .minutes(5)
  /// Rows are sent once there are so many.
  public var flushRows = 500
  /// The most rows in one request.
  public var batchRows = 500
  /// First step of the exponential back-off.
  public var backoffBase = TimeSpan.seconds(2)
  /// Longest wait between two attempts.
  public var backoffCap = TimeSpan.minutes(15)
  /// A request without an answer for this long has failed.
  public var requestTimeout = TimeSpan.seconds(60)
  /// Rows in flight belong to their request for this long, even if the process dies.
  public var leaseDuration = TimeSpan.minutes(5)
  /// Whether rows may be sent over a network that costs money.
  public var sendsOnMetered = true
  /// The most locations kept on the device; beyond it the oldest go.
  public var maximumRows = 200_000
  /// The most bytes of locations kept on the device (about 160 a row); beyond it the oldest go.
  public var maximumBytes = 64 << 20
  /// Locations older than this go.
  public var maximumAge = TimeSpan.days(14)
  /// What a server is told the device is. The model is not sent unless the integrator puts it here.
  public var deviceType = "phone"
  /// Whether entering and leaving spaces is reported as ``MonitorNotice/space(_:)``. Off by default; it changes nothing that is
  /// stored or sent.
  public var reportsSpaces = false
  /// How many consecutive fixes must agree on another space before it is reported.
  public var spaceFixes = 2
  /// A stay in a space of this length is reported once; `nil` for never.
  public var dwellAfter: TimeSpan? = .minutes(5)
  /// Where locations go.
  public var sinks = [Sink(.cordon)]

  /// The defaults.
  public init() {}

  /// Whether this is a simulator's build, or one for debugging.
  public static var isDevelopmentBuild: Bool {
    #if DEBUG || targetEnvironment(simulator)
      true
    #else
      false
    #endif
  }

  /// The sink that hands out secrets and tokens.
  var credentialSink: SinkID { sinks.first(where: \.needsActivation)?.id ?? .cordon }

  /// The sink that is told what the person agrees to: the one that activates devices, if it wants to know.
  var consentSink: Sink? {
    let all = sinks.filter { $0.abilities.contains(.consent) }
    return all.first(where: \.needsActivation) ?? all.first
  }

  /// What a stored location counts against ``maximumBytes``: a round figure above what a row and its deliveries take.
  public static let bytesPerRow = 160
  /// The same for a sealed row.
  package static let bytesPerSealedRow = 256
}

/// One destination of locations.
public struct Sink: Hashable, Sendable {
  /// What a sink can do besides taking locations.
  public struct Abilities: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// A set of its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It activates devices with an invite code, and hands out tokens.
    public static let activation = Abilities(rawValue: 1)
    /// It records what the person agrees to.
    public static let consent = Abilities(rawValue: 2)
    /// It erases what a device sent, and answers with a receipt.
    public static let erasure = Abilities(rawValue: 4)
    /// It can prove to a device that it activated that an answer is its own.
    public static let proofs = Abilities(rawValue: 8)
  }

  /// Which one.
  public var id: SinkID
  /// Whether a location stays on the device until this sink has confirmed it.
  public var isRequired: Bool
  /// Whether the device must be activated with an invite code, and carry a token.
  public var needsActivation: Bool
  /// What it can do besides taking locations.
  public var abilities: Abilities

  /// A destination.
  /// - Parameters:
  ///   - id: which one.
  ///   - isRequired: see ``isRequired``.
  ///   - needsActivation: see ``needsActivation``; `nil` for sinks that can activate.
  ///   - abilities: see ``abilities``; `nil` as the built-in sinks have them, and none for others.
  public init(_ id: SinkID, isRequired: Bool = true, needsActivation: Bool? = nil, abilities: Abilities? = nil) {
    self.id = id
    self.isRequired = isRequired
    self.abilities = abilities ?? id.abilities
    self.needsActivation = needsActivation ?? self.abilities.contains(.activation)
  }

  /// Whether the sink proves that its answers are its own. It needs a secret for that, so only after an activation.
  var provesAnswers: Bool { needsActivation && abilities.contains(.proofs) }
}

/// The stable number of a sink; it is written into the store.
public struct SinkID: Hashable, Comparable, Sendable {
  /// 0 ... 255.
  public let number: UInt8

  /// Takes the number as it is; sinks of your own are numbered from 16.
  public init(number: UInt8) { self.number = number }

  /// A Cordon server, /v1.
  public static let cordon = SinkID(number: 0)
  /// A server of the published ingest API.
  public static let ingest = SinkID(number: 1)
  /// An Overland receiver.
  public static let overland = SinkID(number: 2)
  /// A file of JSON Lines.
  public static let file = SinkID(number: 3)
  /// An OwnTracks receiver, in HTTP mode.
  public static let ownTracks = SinkID(number: 4)

  /// What a built-in sink can do.
  var abilities: Sink.Abilities {
    switch self {
    case .cordon: [.activation, .consent, .erasure, .proofs]
    case .ingest: .activation
    default: []
    }
  }

  /// By number.
  public static func < (lhs: SinkID, rhs: SinkID) -> Bool { lhs.number < rhs.number }
}

/// A name for a choice of settings.
public enum Preset: String, CaseIterable, Hashable, Sendable {
  /// See ``MonitorConfiguration/highResolution``.
  case highResolution = "high-resolution"
  /// See ``MonitorConfiguration/balanced``.
  case balanced
  /// See ``MonitorConfiguration/saver``.
  case saver
}

extension MonitorConfiguration {
  /// The settings that a name stands for.
  public init(preset: Preset) {
    switch preset {
    case .highResolution: self = .highResolution
    case .balanced: self = .balanced
    case .saver: self = .saver
    }
  }

  /// A fix every second, and rest only after half an hour: for surveys and short studies.
  public static var highResolution: MonitorConfiguration {
    var configuration = MonitorConfiguration()
    configuration.thinning = .seconds(1)
    configuration.stillAfter = .minutes(30)
    configuration.flushAfter = .minutes(1)
    return configuration
  }

  /// The defaults.
  public static var balanced: MonitorConfiguration { MonitorConfiguration() }

  /// Fewer fixes and uploads; rests early.
  public static var saver: MonitorConfiguration {
    var configuration = MonitorConfiguration()
    configuration.thinning = .seconds(15)
    configuration.minimumDistance = 5
    configuration.stillAfter = .minutes(2)
    configuration.flushAfter = .minutes(15)
    return configuration
  }
}
