package import CordonCore

/// How an effect ended. Only the runtime says so, to the monitor that asked for the effect.
package enum Completion: Sendable {
  /// A fix was to be written, and had been before.
  case known(FixID)
  /// A confirmed location was written again to lengthen its stay.
  case reopened
  /// A limit removed rows.
  case expired(ExpiryRule, DeletionCount, queues: [QueueSummary])
  /// All rows were removed.
  case wiped(waiting: Int, quarantined: Int)
  /// Rows were taken for a request; none if there was nothing to send.
  case leased(sink: SinkID, rows: Int, queue: QueueSummary)
  /// A request with rows was answered, or given up; `removed` locations are gone because no sink wants them any more.
  case delivered(sink: SinkID, DeliveryOutcome, removed: Int, queue: QueueSummary, jitter: Double)
  /// A request for a token was answered.
  case token(CredentialOutcome, jitter: Double)
  /// A request for activation was answered; `venue` is the one that the code was for, if the server said.
  case activation(CredentialOutcome, jitter: Double, venue: VenueID? = nil)
  /// The credentials of another venue were taken up; there is an activation for it, or not.
  case venueTaken(VenueID, isActivated: Bool, tokenEnd: Instant?, queues: [QueueSummary])
  /// The server was told of the consent, or not.
  case consentTold(CredentialOutcome, jitter: Double)
  /// A request for erasure was answered.
  case erasure(device: DeviceID, sink: SinkID, isDone: Bool, retryAfter: TimeSpan?, jitter: Double)
}

extension Completion {
  /// Whether it is taken before what is due at its time: it says how many rows wait, as counted when it was made.
  var comesFirst: Bool {
    switch self {
    case .known, .leased, .delivered, .expired, .venueTaken: true
    default: false
    }
  }
}
