public import CordonCore

/// A request of one device to one sink. The runtime emits it. The transport returns a ``SinkResponse``, which may be
/// late, repeated or missing.
public struct SinkRequest: Hashable, Sendable {
  /// The operation that the request asks for.
  public enum Body: Hashable, Sendable {
    /// Exchange an invite code for a secret.
    case activate(code: String, type: String)
    /// Exchange the secret for a token.
    case token(secret: String)
    /// Store these locations, oldest first. `token` is `nil` for sinks that need none.
    case positions([Location], token: String?)
    /// Record the person's current consent. `token` is `nil` for sinks that need none.
    case consent(Consent, token: String?)
    /// Return the exposure notices to the device. `token` is `nil` for sinks that need none.
    case notices(token: String?)
    /// Record that the person acknowledged an exposure notice. `token` is `nil` for sinks that need none.
    case acknowledge(notice: ExposureNotice.ID, token: String?)
    /// Erase the device and everything it sent.
    case erase(secret: String?)
  }

  /// Rises with every request of a runtime; a response names it.
  public var number: UInt64
  /// The device that sends the request.
  public var device: DeviceID
  /// The sink that receives the request.
  public var sink: SinkID
  /// The operation.
  public var body: Body
  /// The challenge that the response must meet; `nil` for sinks that cannot prove their responses.
  public var challenge: Challenge?
  /// The number of locations that wait for the sink besides those of the request.
  public var waiting = 0
  /// The most recent location that was stored; `nil` when none was since the process began.
  public var latest: Location?
  /// Whether the policy outside of venues records visits. Otherwise rests of its rows are pauses of positioning.
  package var recordsVisits = true

  /// Makes a request.
  public init(number: UInt64, device: DeviceID, sink: SinkID, body: Body, challenge: Challenge? = nil) {
    self.number = number
    self.device = device
    self.sink = sink
    self.body = body
    self.challenge = challenge
  }
}

/// A challenge that proves that a response comes from a holder of the secret and answers this request.
public struct Challenge: Hashable, Sendable {
  /// 128 random bits that no other request carries, as 32 hexadecimal digits.
  public var nonce: String
  /// The secret shared by device and sink: the device's secret, or the invite code of an activation.
  public var secret: String

  /// A challenge.
  public init(nonce: String, secret: String) {
    self.nonce = nonce
    self.secret = secret
  }
}

/// The response to a ``SinkRequest``.
public struct SinkResponse: Hashable, Sendable {
  /// The content of the response.
  public enum Body: Hashable, Sendable {
    /// No response, or one that could not be parsed.
    case none
    /// The device is activated.
    case activated(secret: String, venue: VenueID?)
    /// A token and its expiry.
    case token(String, expires: Instant)
    /// One answer for each row, in the order of the request.
    case rows([RowAnswer])
    /// The exposure notices to the device.
    case notices([ExposureNotice])
    /// The sink erased the device: a receipt that names it.
    case erased
    /// The sink reports that it does not know the device or the code; only for sinks that cannot prove their responses.
    case refused
  }

  /// The request that this answers.
  public var number: UInt64
  /// The HTTP status; 0 without an answer (offline, timed out, cut short).
  public var status: Int
  /// The wait that the sink asks for.
  public var retryAfter: TimeSpan?
  /// The content.
  public var body: Body
  /// Whether the answer met the ``SinkRequest/challenge``. Anything between device and sink can answer. Where the
  /// sink can prove its answers, only a proved one completes rows, deactivates or wipes.
  public var isProved: Bool
  /// A description of the failure, without personal data.
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
  /// The row's identifier.
  public var id: FixID
  /// The row's status.
  public var status: RowStatus

  /// An answer.
  public init(id: FixID, status: RowStatus) {
    self.id = id
    self.status = status
  }
}
