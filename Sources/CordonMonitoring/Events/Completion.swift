package import CordonCore

/// The result of an effect. Only the runtime reports it, to the monitor that requested the effect.
package enum Completion: Sendable {
  /// A fix was to be written, and had been before.
  case known(FixID, purpose: Consent.Purposes = .record)
  /// A confirmed location was written again to lengthen its stay.
  case reopened
  /// A confirmed visit outside of venues, which began at a time, was written again with its end.
  case reopenedVisit(Instant)
  /// The stay of a location that waits for some of several sinks became longer; `queues` are those of all its sinks.
  case lengthened(queues: [QueueSummary])
  /// All rows from outside of venues were removed; `queues` are those of the sinks that receive them.
  case purged(waiting: Int, quarantined: Int, queues: [QueueSummary])
  /// A limit removed rows.
  case expired(ExpiryRule, DeletionCount, queues: [QueueSummary])
  /// All rows were removed.
  case wiped(waiting: Int, quarantined: Int)
  /// Rows were leased to a request; `rows` is 0 if there was nothing to send.
  case leased(sink: SinkID, rows: Int, queue: QueueSummary)
  /// A request with rows was answered, or timed out. `removed` locations are gone because no sink needs them any
  /// more.
  case delivered(sink: SinkID, DeliveryOutcome, removed: Int, queue: QueueSummary, jitter: Double)
  /// The queue of a sink was removed. `removed` locations are gone because no other sink needs them.
  case discarded(sink: SinkID, removed: Int, queue: QueueSummary)
  /// A request for a token was answered.
  case token(CredentialOutcome, jitter: Double)
  /// A request for activation was answered; `venue` is the venue of the code, if the server named it.
  case activation(CredentialOutcome, jitter: Double, venue: VenueID? = nil)
  /// The credentials of another venue are in use; `isActivated` is whether there is an activation for it.
  case venueTaken(VenueID, isActivated: Bool, tokenEnd: Instant?, queues: [QueueSummary])
  /// A report of the consent to the server was answered, or timed out.
  case consentTold(CredentialOutcome, jitter: Double)
  /// A request for erasure was answered.
  case erasure(device: DeviceID, sink: SinkID, isDone: Bool, retryAfter: TimeSpan?, jitter: Double)
}

extension Completion {
  /// Whether the monitor handles the completion before due timers: its row counts are those of the time it was made.
  var comesFirst: Bool {
    switch self {
    case .known, .leased, .lengthened, .delivered, .discarded, .expired, .venueTaken, .purged: true
    default: false
    }
  }
}
