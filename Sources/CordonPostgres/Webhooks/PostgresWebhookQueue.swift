package import CordonCore
package import CordonIngest

/// A queue in the database of the positions, which all servers on it share.
///
/// A server sends to a receiver, or makes events of venues, while it holds the claim on that task. A claim ends by the clock of the
/// database, and is written again when half of its time is over; one that another server holds is not asked for again for
/// ``refusalPause``. Marks keep servers from making the same event twice, also where a server stood still beyond its claim.
package final class PostgresWebhookQueue: WebhookQueue {
  private let link: PostgresLink
  private let server: String
  /// Until when claims are sure to be this server's, or another's.
  private var known: [String: (isHeld: Bool, until: ContinuousClock.Instant)] = [:]

  /// How long a server leaves a task alone that another one has.
  package static let refusalPause = Duration.seconds(5)

  /// A queue; it is connected at its first use.
  /// - Parameters:
  ///   - server: the name of this process among those that share the queue.
  ///   - patience: the maximum time for an answer of the database.
  package init(_ address: PostgresAddress, server: String, patience: Duration = .seconds(15)) {
    link = PostgresLink(address, patience: patience)
    self.server = server
  }

  @discardableResult
  func run(_ sql: String, _ parameters: [PostgresParameter]) throws(WebhookQueueFault) -> PostgresRows {
    do throws(StoreFault) {
      return try link.run(sql, parameters)
    } catch {
      throw WebhookQueueFault(description: error.description)
    }
  }

  private func transaction(
    _ body: (PostgresConnection) throws(StoreFault) -> Void
  ) throws(WebhookQueueFault) {
    do throws(StoreFault) {
      let connection = try link.open()
      try connection.begin()
      do throws(StoreFault) {
        try body(connection)
        try connection.commit()
      } catch {
        connection.rollback()
        throw error
      }
    } catch {
      throw WebhookQueueFault(description: error.description)
    }
  }

  // MARK: Claims

  /// See ``WebhookQueue/claim(_:)``.
  package func claim(_ task: String) throws(WebhookQueueFault) -> Bool {
    let now = ContinuousClock.now
    if let claim = known[task], now < claim.until { return claim.isHeld }
    known[task] = nil
    let length = WebhookLimits.claim.milliseconds
    // Another server's claim is only read: an upsert would lock its row each time.
    let rows = try run(
      """
      INSERT INTO webhook_claim (task, holder, until)
      SELECT $1, $2, clock_timestamp() + $3 * interval '1 millisecond' WHERE NOT EXISTS (
        SELECT 1 FROM webhook_claim WHERE task = $1 AND holder <> $2 AND until > clock_timestamp())
      ON CONFLICT (task) DO UPDATE SET holder = excluded.holder, until = excluded.until
      WHERE webhook_claim.holder = excluded.holder OR webhook_claim.until <= clock_timestamp()
      RETURNING task
      """, [.text(task), .text(server), .int(length)])
    let isHeld = rows.count > 0
    known[task] = (isHeld, now + (isHeld ? .milliseconds(length / 2) : Self.refusalPause))
    return isHeld
  }

  /// See ``WebhookQueue/leave()``. Without a connection the claims end by themselves.
  package func leave() {
    known.removeAll()
    do throws(WebhookQueueFault) { try run("DELETE FROM webhook_claim WHERE holder = $1", [.text(server)]) } catch {}
  }

  /// See ``WebhookQueue/pause(of:)``.
  package func pause(of receiver: String) throws(WebhookQueueFault) -> WebhookPause? {
    let rows = try run(
      "SELECT failures, paused_until FROM webhook_receiver WHERE receiver = $1 AND paused_until IS NOT NULL",
      [.text(receiver)])
    guard rows.count > 0 else { return nil }
    return WebhookPause(failures: Int(clamping: rows.int(0, 0)), until: Instant(milliseconds: rows.int(0, 1)))
  }

  /// See ``WebhookQueue/set(_:of:)``.
  package func set(_ pause: WebhookPause?, of receiver: String) throws(WebhookQueueFault) {
    try run(
      """
      INSERT INTO webhook_receiver (receiver, named, failures, paused_until) VALUES ($1, clock_timestamp(), $2, $3)
      ON CONFLICT (receiver) DO UPDATE SET failures = excluded.failures, paused_until = excluded.paused_until
      """, [.text(receiver), .int(Int64(pause?.failures ?? 0)), .optionalInt(pause?.until.milliseconds)])
  }

  // MARK: Events and marks

  /// See ``WebhookQueue/add(_:to:marks:now:)``. Two servers that set the same mark take turns; the second one finds it changed.
  package func add(
    _ events: [QueuedEvent], to receivers: [String], marks: [WebhookMark], now: Instant
  ) throws(WebhookQueueFault) {
    try transaction { (connection) throws(StoreFault) in
      var names: Set<String> = []
      for mark in marks.sorted(by: { $0.name < $1.name }) {
        var values: [PostgresParameter] = [.text(mark.name), .int(mark.value)]
        if let former = mark.former { values.append(.int(former)) }
        let change =
          mark.former == nil
          ? "INSERT INTO webhook_mark VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING name"
          : "UPDATE webhook_mark SET value = $2 WHERE name = $1 AND value = $3 RETURNING name"
        let rows = try connection.run(change, values)
        if rows.count > 0 { names.insert(mark.name) }
      }
      let kept = events.filter { $0.mark.map(names.contains) ?? true }
      let rows = kept.flatMap { event in receivers.map { (receiver: $0, event: event) } }
      guard !rows.isEmpty else { return }
      try connection.post(
        """
        INSERT INTO webhook_delivery (receiver, id, kind, device, body, created, next)
        SELECT receiver, id, kind, device, body, $6, $6
        FROM unnest($1, $2, $3, $4, $5) WITH ORDINALITY AS u (receiver, id, kind, device, body, place) ORDER BY place
        """,
        [
          .optionalTexts(rows.map { $0.receiver }), .optionalTexts(rows.map { $0.event.id }),
          .optionalTexts(rows.map { $0.event.kind }), .optionalTexts(rows.map { $0.event.device?.rawValue }),
          .optionalBytesList(rows.map { $0.event.body }), .int(now.milliseconds),
        ])
      for receiver in receivers {
        try connection.post(
          """
          UPDATE webhook_delivery SET died = $1, reason = $2 WHERE died IS NULL AND receiver = $3 AND number <= (
            SELECT number FROM webhook_delivery WHERE died IS NULL AND receiver = $3
            ORDER BY number DESC LIMIT 1 OFFSET $4)
          """,
          [
            .int(now.milliseconds), .text(WebhookDelivery.overflow), .text(receiver),
            .int(Int64(WebhookLimits.maximumWaiting)),
          ])
      }
    }
  }

  /// See ``WebhookQueue/mark(_:)``.
  package func mark(_ name: String) throws(WebhookQueueFault) -> Int64? {
    let rows = try run("SELECT value FROM webhook_mark WHERE name = $1", [.text(name)])
    return rows.count > 0 ? rows.int(0, 0) : nil
  }
}
