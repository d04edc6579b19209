public import CordonCore

/// A message of one device to one sink. The runtime gives it out; whoever carries it brings a ``Response`` back, late,
/// twice or never.
public struct Request: Hashable, Sendable {
  /// What is asked.
  public enum Body: Hashable, Sendable {
    /// Exchange an invite code for a secret.
    case activate(code: String, type: String)
    /// Exchange the secret for a token.
    case token(secret: String)
    /// Take these locations, oldest first. `token` is `nil` for sinks that need none.
    case positions([Location], token: String?)
    /// Note what the person agrees to now. `token` is `nil` for sinks that need none.
    case consent(Consent, token: String?)
    /// Forget the device and everything it sent.
    case erase(secret: String?)
  }

  /// Rises with every request of a runtime; a response names it.
  public var number: UInt64
  /// Who asks.
  public var device: DeviceID
  /// Whom.
  public var sink: SinkID
  /// What.
  public var body: Body

  /// A message.
  public init(number: UInt64, device: DeviceID, sink: SinkID, body: Body) {
    self.number = number
    self.device = device
    self.sink = sink
    self.body = body
  }
}

/// What came back for a ``Request``.
public struct Response: Hashable, Sendable {
  /// What the sink said.
  public enum Body: Hashable, Sendable {
    /// Nothing that could be understood, or nothing at all.
    case none
    /// The device is activated.
    case activated(secret: String, venue: VenueID?)
    /// A token, and when it ends.
    case token(String, expires: Instant)
    /// One answer for each row, in the order of the request.
    case rows([RowAnswer])
  }

  /// The request that this answers.
  public var number: UInt64
  /// The HTTP status; 0 when there was no answer (offline, timed out, cut short).
  public var status: Int
  /// How long the sink asks to wait.
  public var retryAfter: TimeSpan?
  /// What it said.
  public var body: Body

  /// An answer.
  public init(number: UInt64, status: Int, retryAfter: TimeSpan? = nil, body: Body = .none) {
    self.number = number
    self.status = status
    self.retryAfter = retryAfter
    self.body = body
  }
}

/// A sink's answer about one row.
public struct RowAnswer: Hashable, Sendable {
  /// Which row.
  public var id: FixID
  /// What became of it.
  public var status: RowStatus

  /// An answer.
  public init(id: FixID, status: RowStatus) {
    self.id = id
    self.status = status
  }
}
