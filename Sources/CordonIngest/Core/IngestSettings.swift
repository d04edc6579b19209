public import CordonCore

/// Every limit and choice of a server, with its default.
public struct IngestSettings: Hashable, Sendable {
  /// The most rows of one batch; more are answered with 413. At most 10 000.
  public var maximumRows = 5_000
  /// The most bytes of a body as it comes; more are answered with 413.
  public var maximumBytes = 2 << 20
  /// The most bytes of a body when unpacked; more are answered with 413 before they are made.
  public var maximumUnpackedBytes = 8 << 20
  /// How long a device token lasts.
  public var tokenLifetime = TimeSpan.hours(1)
  /// How far a device's clock may be ahead.
  public var futureTolerance = TimeSpan.minutes(2)
  /// How long positions are kept. Older ones are refused.
  public var positionRetention = TimeSpan.days(14)
  /// How long contacts are kept.
  public var contactRetention = TimeSpan.days(30)
  /// How long a device is known that is not heard of, once no positions and contacts of it are left.
  public var deviceRetention = TimeSpan.days(90)
  /// The retention time of audit entries, which name the operator and the device that was viewed.
  public var auditRetention = TimeSpan.days(365)
  /// How long a case is kept after it was closed, and a notice after it ended.
  public var caseRetention = TimeSpan.days(30)
  /// How long an erased device is remembered by its hash, so that nothing late brings it back.
  public var tombstoneRetention = TimeSpan.days(90)
  /// The most rows of one device in an hour; more are answered with 429.
  public var rowsPerHour = 40_000
  /// Failed attempts (codes, secrets, passwords) of one address for one name in a minute before 429; for all names together it is
  /// ten times as many. Right credentials are never refused.
  public var failuresPerMinute = 30
  /// The most positions that one query looks through; more are answered with 413.
  public var maximumQueryRows = 5_000_000
  /// The most live invite codes of a venue.
  public var maximumInviteCodes = 10_000
  /// Whether contacts are found as positions arrive.
  public var findsContacts = true
  /// The contact distance, metres.
  public var contactDistance = 2.0
  /// The longest time between two positions that are joined.
  public var contactGap = TimeSpan.seconds(30)
  /// Positions with a larger radius (68 %, metres) are kept, but no contacts are found from them.
  public var contactAccuracy = 30.0
  /// For how long positions stay in memory to find contacts; later ones take the slower way over the file.
  public var contactHorizon = TimeSpan.hours(1)
  /// Whether the charge of the battery, which Overland and OwnTracks report, is kept with a position.
  public var keepsBattery = false
  /// Counts below it are not shown to viewers, all others are multiples of it, and they change only when so many devices
  /// came or went.
  public var smallestCell = 5
  /// Spaces that are smaller are not shown to viewers, square metres.
  public var smallestSpace = 50.0
  /// The published ingest API beside /v1; `nil` for off. It is weaker: see docs/reference/server.md.
  public var published: Published?

  /// How the published ingest API is served.
  public struct Published: Hashable, Sendable {
    /// The name of the user that may make invite codes.
    public var user: String
    /// The password of the user.
    public var password: String
    /// The largest accuracy radius that is stored, metres.
    public var accuracyThreshold = 50.0

    /// Settings.
    public init(user: String, password: String, accuracyThreshold: Double = 50) {
      self.user = user
      self.password = password
      self.accuracyThreshold = accuracyThreshold
    }
  }

  /// The defaults.
  public init() {}
}
