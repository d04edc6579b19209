import CordonCore
import CordonSupport

/// The final state of every fix and of every stored location.
///
/// fixes = refused + thinned + stored, and stored = acknowledged + on phone + quarantined + expired + erased.
package struct RunAccounting: Hashable, Sendable {
  /// The number of fixes from the providers.
  package var fixes: Int
  /// The number of fixes that the monitor rejected, by reason (`outside`, `no-consent`, `inaccurate` ...).
  package var refused: [String: Int]
  /// The number of fixes without new information that the sampling policy dropped.
  package var thinned: Int
  /// The number of fixes that became locations.
  package var stored: Int
  /// The number of locations that the server acknowledged.
  package var acknowledged: Int
  /// The number of locations that still waited on a device at the end.
  package var onPhone: Int
  /// The number of locations that the server rejected permanently and the device quarantined.
  package var quarantined: Int
  /// The number of locations that a limit removed before they were sent, by rule (`age`, `count` ...).
  package var expired: [String: Int]
  /// The number of locations that were erased when consent was withdrawn.
  package var erased: Int

  /// Creates an accounting from its counts; see ``isBalanced``.
  package init(
    fixes: Int, refused: [String: Int] = [:], thinned: Int = 0, stored: Int, acknowledged: Int, onPhone: Int = 0,
    quarantined: Int = 0, expired: [String: Int] = [:], erased: Int = 0
  ) {
    self.fixes = fixes
    self.refused = refused
    self.thinned = thinned
    self.stored = stored
    self.acknowledged = acknowledged
    self.onPhone = onPhone
    self.quarantined = quarantined
    self.expired = expired
    self.erased = erased
  }

  /// The number of all refused fixes.
  package var refusedTotal: Int { refused.values.reduce(0, +) }

  /// The number of all expired locations.
  package var expiredTotal: Int { expired.values.reduce(0, +) }

  /// Whether both sums are correct.
  package var isBalanced: Bool {
    fixes == refusedTotal + thinned + stored
      && stored == acknowledged + onPhone + quarantined + expiredTotal + erased
  }

  /// Returns reasons in descending order of their counts.
  package static func ranked(_ counts: [String: Int]) -> [(name: String, count: Int)] {
    counts.map { (name: $0.key, count: $0.value) }
      .sorted { $0.count != $1.count ? $0.count > $1.count : $0.name < $1.name }
  }
}

extension RunDelivery {
  /// The requests and rows of the delivery; `null` for figures that were not measured.
  var jsonMembers: [JSONValue.Member] {
    [
      .init("requests", JSONValue(requests)),
      .init("failed_requests", JSONValue(failedRequests)),
      .init("bytes_sent", JSONValue(bytesSent)),
      .init("rows_received", JSONValue(rowsReceived)),
      .init("duplicate_rows", JSONValue(duplicateRows)),
    ]
  }
}

/// The delivery of the locations. Figures that a run does not measure are `nil` and left out of the report.
package struct RunDelivery: Hashable, Sendable {
  /// The number of requests from devices.
  package var requests: Int?
  /// The number of requests without an answer, or with an answer that rejected all their rows.
  package var failedRequests: Int?
  /// The number of bytes in the bodies of requests.
  package var bytesSent: Int?
  /// The number of rows that arrived, including duplicates.
  package var rowsReceived: Int?
  /// The number of rows that the sink already had.
  package var duplicateRows: Int?
  /// The median time in seconds from a fix to its acknowledgement.
  package var medianDelaySeconds: Double?
  /// The 95 % quantile of that time in seconds.
  package var p95DelaySeconds: Double?

  /// The number of phones for which the sink had an exposure notice.
  package var notices: Int?
  /// The number of phones that received it.
  package var noticesReceived: Int?
  /// The median time in seconds from a notice at the sink to its arrival on the phone.
  package var medianNoticeSeconds: Double?
  /// The 95 % quantile of that time in seconds.
  package var p95NoticeSeconds: Double?

  /// Creates a delivery from its figures.
  package init(
    requests: Int? = nil, failedRequests: Int? = nil, bytesSent: Int? = nil, rowsReceived: Int? = nil,
    duplicateRows: Int? = nil, medianDelaySeconds: Double? = nil, p95DelaySeconds: Double? = nil
  ) {
    self.requests = requests
    self.failedRequests = failedRequests
    self.bytesSent = bytesSent
    self.rowsReceived = rowsReceived
    self.duplicateRows = duplicateRows
    self.medianDelaySeconds = medianDelaySeconds
    self.p95DelaySeconds = p95DelaySeconds
  }
}
