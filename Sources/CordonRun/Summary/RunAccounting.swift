import CordonCore

/// Where every fix and every stored location ended.
///
/// fixes = refused + thinned + stored, and stored = acknowledged + on phone + quarantined + expired + erased.
public struct RunAccounting: Hashable, Sendable {
  /// Fixes that providers delivered.
  public var fixes: Int
  /// Fixes that the monitor refused, by reason (`outside`, `no-consent`, `inaccurate` ...).
  public var refused: [String: Int]
  /// Fixes that said nothing new and were left out by the sampling policy.
  public var thinned: Int
  /// Fixes that became locations.
  public var stored: Int
  /// Locations that the server said it has.
  public var acknowledged: Int
  /// Locations that still waited on a device at the end.
  public var onPhone: Int
  /// Locations that the server will never take, kept apart.
  public var quarantined: Int
  /// Locations that a limit removed before they were sent, by rule (`age`, `count` ...).
  public var expired: [String: Int]
  /// Locations that were wiped when consent was withdrawn.
  public var erased: Int

  /// Takes the counts as they are; see ``isBalanced``.
  public init(
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

  /// All refused fixes.
  public var refusedTotal: Int { refused.values.reduce(0, +) }

  /// All expired locations.
  public var expiredTotal: Int { expired.values.reduce(0, +) }

  /// Whether both sums hold.
  public var isBalanced: Bool {
    fixes == refusedTotal + thinned + stored
      && stored == acknowledged + onPhone + quarantined + expiredTotal + erased
  }

  /// Reasons, the most frequent first.
  package static func ranked(_ counts: [String: Int]) -> [(name: String, count: Int)] {
    counts.map { (name: $0.key, count: $0.value) }
      .sorted { $0.count != $1.count ? $0.count > $1.count : $0.name < $1.name }
  }
}

extension RunDelivery {
  /// Requests and rows as they travelled; `null` for what was not measured.
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

/// How the locations travelled. What a run does not measure is `nil`, and left out of the report.
public struct RunDelivery: Hashable, Sendable {
  /// Requests that devices sent.
  public var requests: Int?
  /// Requests that got no answer, or one that refused all of their rows.
  public var failedRequests: Int?
  /// Bytes of the bodies of requests.
  public var bytesSent: Int?
  /// Rows that arrived, copies included.
  public var rowsReceived: Int?
  /// Rows among them that the sink had already.
  public var duplicateRows: Int?
  /// Half of the locations were acknowledged within this many seconds of their fix.
  public var medianDelaySeconds: Double?
  /// 95 of 100 locations were.
  public var p95DelaySeconds: Double?

  /// Takes the figures as they are.
  public init(
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
