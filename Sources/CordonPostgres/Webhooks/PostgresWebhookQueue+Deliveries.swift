package import CordonCore
package import CordonIngest

extension PostgresWebhookQueue {
  private static let columns = "number, receiver, id, kind, created, attempts, reason, body"

  private static func deliveries(_ rows: PostgresRows) -> [WebhookDelivery] {
    rows.indices.map { row in
      WebhookDelivery(
        number: rows.int(row, 0), receiver: rows.text(row, 1), id: rows.text(row, 2), kind: rows.text(row, 3),
        created: Instant(milliseconds: rows.int(row, 4)), attempts: Int(clamping: rows.int(row, 5)),
        reason: rows.optionalText(row, 6), body: rows.blob(row, 7))
    }
  }

  // MARK: Deliveries

  /// See ``WebhookQueue/due(for:now:limit:)``.
  package func due(for receiver: String, now: Instant, limit: Int) throws(WebhookQueueFault) -> [WebhookDelivery] {
    Self.deliveries(
      try run(
        """
        SELECT \(Self.columns) FROM webhook_delivery WHERE died IS NULL AND receiver = $1 AND next <= $2
        ORDER BY number LIMIT $3
        """, [.text(receiver), .int(now.milliseconds), .int(Int64(limit))]))
  }

  /// See ``WebhookQueue/complete(_:)``.
  package func complete(_ number: Int64) throws(WebhookQueueFault) {
    try run("DELETE FROM webhook_delivery WHERE number = $1", [.int(number)])
  }

  /// See ``WebhookQueue/delay(_:until:reason:)``.
  package func delay(_ number: Int64, until: Instant, reason: String) throws(WebhookQueueFault) {
    try run(
      "UPDATE webhook_delivery SET attempts = attempts + 1, next = $1, reason = $2 WHERE number = $3",
      [.int(until.milliseconds), .text(reason), .int(number)])
  }

  /// See ``WebhookQueue/bury(_:reason:now:)``.
  package func bury(_ number: Int64, reason: String, now: Instant) throws(WebhookQueueFault) {
    try run(
      "UPDATE webhook_delivery SET attempts = attempts + 1, died = $1, reason = $2 WHERE number = $3",
      [.int(now.milliseconds), .text(reason), .int(number)])
  }

  /// See ``WebhookQueue/buryOthers(than:now:)``. Notes that this server names the receivers.
  package func buryOthers(than receivers: [String], now: Instant) throws(WebhookQueueFault) {
    if !receivers.isEmpty {
      try run(
        """
        INSERT INTO webhook_receiver (receiver, named) SELECT u, clock_timestamp() FROM unnest($1) AS u
        ON CONFLICT (receiver) DO UPDATE SET named = excluded.named
        """, [.optionalTexts(receivers.sorted())])
    }
    try run(
      """
      UPDATE webhook_delivery SET died = $1, reason = $2 WHERE died IS NULL AND receiver NOT IN (
        SELECT receiver FROM webhook_receiver WHERE named > clock_timestamp() - $3 * interval '1 millisecond')
      """,
      [
        .int(now.milliseconds), .text(WebhookDelivery.noReceiver), .int(WebhookLimits.unnamed.milliseconds),
      ])
  }

  // MARK: Dead letters

  /// See ``WebhookQueue/deadLetters(after:limit:)``.
  package func deadLetters(after number: Int64, limit: Int) throws(WebhookQueueFault) -> [WebhookDelivery] {
    Self.deliveries(
      try run(
        """
        SELECT \(Self.columns) FROM webhook_delivery WHERE died IS NOT NULL AND number > $1 ORDER BY number LIMIT $2
        """, [.int(number), .int(Int64(limit))]))
  }

  /// See ``WebhookQueue/resend(_:now:)``.
  package func resend(_ numbers: [Int64]?, now: Instant) throws(WebhookQueueFault) -> Int {
    let change = "UPDATE webhook_delivery SET died = NULL, next = $1, created = $1, attempts = 0 WHERE died IS NOT NULL"
    guard let numbers else { return try run(change, [.int(now.milliseconds)]).changes }
    return try run(change + " AND number = ANY ($2)", [.int(now.milliseconds), .ints(numbers)]).changes
  }

  /// See ``WebhookQueue/expire(before:)``.
  package func expire(before: Instant) throws(WebhookQueueFault) {
    try run("DELETE FROM webhook_delivery WHERE died < $1", [.int(before.milliseconds)])
    try run(
      """
      DELETE FROM webhook_delivery WHERE died IS NOT NULL AND number <= (
        SELECT number FROM webhook_delivery WHERE died IS NOT NULL ORDER BY number DESC LIMIT 1 OFFSET $1)
      """, [.int(Int64(WebhookLimits.maximumDead))])
    try run(
      "DELETE FROM webhook_mark WHERE starts_with(name, $1) AND value < $2",
      [.text(WebhookLimits.alertMarks), .int(before.milliseconds)])
    try run(
      "DELETE FROM webhook_receiver WHERE named < clock_timestamp() - interval '30 days' AND paused_until IS NULL", [])
  }

  /// See ``WebhookQueue/forget(_:before:)``. Vacuum reclaims the rows, as it does those of positions.
  package func forget(_ device: DeviceID, before: Instant?) throws(WebhookQueueFault) {
    try run(
      "DELETE FROM webhook_delivery WHERE device = $1 AND ($2::bigint IS NULL OR created < $2)",
      [.text(device.rawValue), .optionalInt(before?.milliseconds)])
  }

  /// See ``WebhookQueue/counts()``.
  package func counts() throws(WebhookQueueFault) -> (waiting: Int, dead: Int) {
    let rows = try run("SELECT count(*), count(died) FROM webhook_delivery", [])
    let dead = Int(clamping: rows.int(0, 1))
    return (Int(clamping: rows.int(0, 0)) - dead, dead)
  }
}
