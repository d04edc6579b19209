public import CordonCore

/// A limit that removes locations.
public enum ExpiryRule: String, Hashable, Sendable, CaseIterable {
  /// It grew too old.
  case age
  /// There were too many.
  case rows
  /// They took too much room.
  case bytes
  /// It cannot be read any more: the key that sealed it is lost, or its bytes are damaged.
  case key
}

/// What waits for one sink.
public struct QueueSummary: Hashable, Sendable {
  /// The sink.
  public var sink: SinkID
  /// Rows that may be sent now.
  public var pending: Int
  /// Rows that belong to a request; they come back when it ends, or its lease.
  public var leased: Int
  /// The time of the oldest row that may be sent.
  public var oldest: Instant?

  /// A summary.
  public init(sink: SinkID, pending: Int, leased: Int = 0, oldest: Instant?) {
    self.sink = sink
    self.pending = pending
    self.leased = leased
    self.oldest = oldest
  }
}

/// How a request with rows ended.
public enum DeliveryOutcome: Hashable, Sendable {
  /// The sink judged the rows one by one; `acknowledged` of them are done and gone, `kept` are to be sent again.
  case judged(acknowledged: Int, quarantined: Int, kept: Int, retryAfter: TimeSpan?)
  /// The sink refused the request as a whole for its size or contents; so many rows were in it.
  case unreadable(rows: Int)
  /// The token was not accepted.
  case unauthorized
  /// The device may no longer send.
  case forbidden
  /// The device was erased.
  case gone
  /// No answer, or a fault of the server.
  case failed(retryAfter: TimeSpan?)
}

/// How a request for a secret or a token ended.
public enum CredentialOutcome: Hashable, Sendable {
  /// Granted, and usable until then.
  case granted(until: Instant)
  /// The sink knows the device or the code no longer.
  case refused
  /// The device was erased.
  case gone
  /// No answer, or a fault of the server.
  case failed(retryAfter: TimeSpan?)
}
