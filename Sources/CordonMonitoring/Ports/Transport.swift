public import CordonCore

/// A message of one device to one sink. The runtime gives it out; whoever carries it brings a ``SinkResponse`` back, late,
/// twice or never.
public struct SinkRequest: Hashable, Sendable {
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
  /// What the answer has to prove that it comes from the sink; `nil` for sinks whose answers prove nothing.
  public var challenge: Challenge?

  /// A message.
  public init(number: UInt64, device: DeviceID, sink: SinkID, body: Body, challenge: Challenge? = nil) {
    self.number = number
    self.device = device
    self.sink = sink
    self.body = body
    self.challenge = challenge
  }
}

/// What a request asks its answer to prove: that it comes from who knows the secret, and answers this request.
public struct Challenge: Hashable, Sendable {
  /// 128 random bits that no other request carries, as 32 hexadecimal digits.
  public var nonce: String
  /// What device and sink share: the device's secret, or the invite code of an activation.
  public var secret: String

  /// A challenge.
  public init(nonce: String, secret: String) {
    self.nonce = nonce
    self.secret = secret
  }
}

/// What came back for a ``SinkRequest``.
public struct SinkResponse: Hashable, Sendable {
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
    /// The sink erased the device: a receipt that names it.
    case erased
    /// The sink's own words that it does not know the device or the code, from a sink whose answers prove nothing.
    case refused
  }

  /// The request that this answers.
  public var number: UInt64
  /// The HTTP status; 0 when there was no answer (offline, timed out, cut short).
  public var status: Int
  /// How long the sink asks to wait.
  public var retryAfter: TimeSpan?
  /// What it said.
  public var body: Body
  /// Whether the answer met the ``SinkRequest/challenge``. Anything between device and sink can answer, so only such an answer settles
  /// rows, deactivates or wipes, where the sink can prove its answers.
  public var isProved: Bool
  /// What went wrong on the way, for people; without personal data.
  public var fault: String?

  /// An answer.
  public init(
    number: UInt64, status: Int, retryAfter: TimeSpan? = nil, body: Body = .none, isProved: Bool = false
  ) {
    self.number = number
    self.status = status
    self.retryAfter = retryAfter
    self.body = body
    self.isProved = isProved
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
