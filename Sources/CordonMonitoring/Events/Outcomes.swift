public import CordonCore

/// A limit that removes locations.
public enum ExpiryRule: String, Hashable, Sendable, CaseIterable {
  /// The location was too old.
  case age
  /// There were too many locations.
  case rows
  /// The locations took too many bytes.
  case bytes
  /// The location is unreadable: the key that sealed it is lost, or its bytes are damaged.
  case key
}

/// The rows that wait for one sink.
public struct QueueSummary: Hashable, Sendable {
  /// The sink.
  public var sink: SinkID
  /// Rows that may be sent now.
  public var pending: Int
  /// Rows that are leased to a request; they become available when it, or its lease, ends.
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

/// The result of a request with rows.
public enum DeliveryOutcome: Hashable, Sendable {
  /// The sink judged the rows one by one: `acknowledged` are delivered, `kept` are to be sent again.
  case judged(acknowledged: Int, quarantined: Int, kept: Int, retryAfter: TimeSpan?)
  /// The sink refused the whole request of `rows` rows for its size or contents.
  case unreadable(rows: Int)
  /// The sink refused the token.
  case unauthorized
  /// The sink refused the device.
  case forbidden
  /// The device was erased.
  case gone
  /// There was no answer, or the server failed.
  case failed(retryAfter: TimeSpan?)
}

/// The result of a request for a secret or a token.
package enum CredentialOutcome: Hashable, Sendable {
  /// Granted, and valid until this time.
  case granted(until: Instant)
  /// The sink does not know the device or the code.
  case refused
  /// The device was erased.
  case gone
  /// There was no answer, or the server failed.
  case failed(retryAfter: TimeSpan?)
}
