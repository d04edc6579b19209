package import CordonCore
package import CordonIngest
package import CordonOperators

/// Sessions of operators in the database of the positions: an operator who signed in at one server is known to all.
package final class PostgresSessionStore: SessionStore {
  private let link: PostgresLink
  private var failureCounts = PostgresFailures()

  /// A store; it is connected at its first use.
  /// - Parameter patience: the maximum time for an answer of the database. Requests of pages wait for it.
  package init(_ address: PostgresAddress, patience: Duration = .seconds(5)) {
    link = PostgresLink(address, patience: patience)
  }

  @discardableResult
  private func run(_ sql: String, _ parameters: [PostgresParameter]) throws(SessionStoreFault) -> PostgresRows {
    do throws(StoreFault) {
      return try link.run(sql, parameters)
    } catch {
      throw SessionStoreFault(description: error.description)
    }
  }

  private static let columns =
    "number, token_hash, operator, method, created, last_seen, confirmed, sealed_token"

  private static func sessions(_ rows: PostgresRows) -> [OperatorSession] {
    rows.indices.compactMap { row in
      // A method of a later version is none of this one.
      guard let method = OperatorSession.Method(rawValue: rows.text(row, 3)) else { return nil }
      var session = OperatorSession(
        tokenHash: rows.blob(row, 1), operator: rows.text(row, 2), method: method,
        now: Instant(milliseconds: rows.int(row, 4)), sealedToken: rows.optionalBlob(row, 7))
      session.number = rows.int(row, 0)
      session.lastSeen = Instant(milliseconds: rows.int(row, 5))
      session.confirmed = Instant(milliseconds: rows.int(row, 6))
      return session
    }
  }

  /// See ``SessionStore/session(_:)``.
  package func session(_ tokenHash: [UInt8]) throws(SessionStoreFault) -> OperatorSession? {
    Self.sessions(
      try run("SELECT \(Self.columns) FROM operator_session WHERE token_hash = $1", [.bytes(tokenHash)])
    ).first
  }

  /// See ``SessionStore/sessions(of:)``.
  package func sessions(of operator: String) throws(SessionStoreFault) -> [OperatorSession] {
    Self.sessions(
      try run(
        "SELECT \(Self.columns) FROM operator_session WHERE operator = $1 ORDER BY number DESC", [.text(`operator`)]))
  }

  /// See ``SessionStore/save(_:)-(OperatorSession)``.
  package func save(_ session: OperatorSession) throws(SessionStoreFault) -> Int64 {
    let values: [PostgresParameter] = [
      .bytes(session.tokenHash), .text(session.operator), .text(session.method.rawValue),
      .int(session.created.milliseconds), .int(session.lastSeen.milliseconds), .int(session.confirmed.milliseconds),
      .optionalBytes(session.sealedToken),
    ]
    guard session.number == 0 else {
      // A session that was ended at another server meanwhile stays ended.
      try run(
        """
        UPDATE operator_session SET token_hash = $1, operator = $2, method = $3, created = $4, last_seen = $5,
          confirmed = $6, sealed_token = $7 WHERE number = $8
        """, values + [.int(session.number)])
      return session.number
    }
    return try run(
      """
      \(PostgresConsole.number("session")) INSERT INTO operator_session (\(Self.columns))
      SELECT last, $1, $2, $3, $4, $5, $6, $7::bytea FROM n RETURNING number
      """, values
    ).int(0, 0)
  }

  /// See ``SessionStore/removeSession(_:)``.
  package func removeSession(_ number: Int64) throws(SessionStoreFault) -> Bool {
    try run("DELETE FROM operator_session WHERE number = $1", [.int(number)]).changes > 0
  }

  /// See ``SessionStore/removeSessions(createdBefore:lastSeenBefore:)``.
  package func removeSessions(createdBefore: Instant, lastSeenBefore: Instant) throws(SessionStoreFault) {
    try run(
      "DELETE FROM operator_session WHERE created < $1 OR last_seen < $2",
      [.int(createdBefore.milliseconds), .int(lastSeenBefore.milliseconds)])
  }

  /// See ``SessionStore/useCode(_:of:)``. The row of the operator is changed by one server after the other.
  package func useCode(_ counter: Int64, of operator: String) throws(SessionStoreFault) -> Bool {
    try run(
      """
      INSERT INTO used_code (operator, counter) VALUES ($1, $2)
      ON CONFLICT (operator) DO UPDATE SET counter = $2 WHERE used_code.counter < $2 RETURNING counter
      """, [.text(`operator`), .int(counter)]
    ).count > 0
  }

  /// See ``SessionStore/save(_:maximum:)``. What other servers keep at the same moment is not counted.
  package func save(_ attempt: PendingSignIn, maximum: Int) throws(SessionStoreFault) -> Bool {
    try run(
      """
      INSERT INTO sign_in_attempt (key, value, created)
      SELECT $1, $2, $3 WHERE (SELECT count(*) FROM sign_in_attempt) < $4 RETURNING created
      """, [.bytes(attempt.key), .bytes(attempt.value), .int(attempt.created.milliseconds), .int(Int64(maximum))]
    ).count > 0
  }

  /// See ``SessionStore/takeAttempt(_:)``.
  package func takeAttempt(_ key: [UInt8]) throws(SessionStoreFault) -> PendingSignIn? {
    let rows = try run("DELETE FROM sign_in_attempt WHERE key = $1 RETURNING key, value, created", [.bytes(key)])
    guard rows.count > 0 else { return nil }
    return PendingSignIn(
      key: rows.blob(0, 0), value: rows.blob(0, 1), created: Instant(milliseconds: rows.int(0, 2)))
  }

  /// See ``SessionStore/removeAttempts(createdBefore:)``.
  package func removeAttempts(createdBefore: Instant) throws(SessionStoreFault) {
    try run("DELETE FROM sign_in_attempt WHERE created < $1", [.int(createdBefore.milliseconds)])
  }

  /// See ``SessionStore/forget(_:)``.
  package func forget(_ operator: String) throws(SessionStoreFault) {
    try run(
      "WITH codes AS (DELETE FROM used_code WHERE operator = $1) DELETE FROM operator_session WHERE operator = $1",
      [.text(`operator`)])
  }

  /// See ``SessionStore/save(_:)-(AccountEvent)``.
  package func save(_ event: AccountEvent) throws(SessionStoreFault) {
    try run(
      """
      \(PostgresConsole.number("account_event")) INSERT INTO account_event (number, time, operator, action, subject)
      SELECT last, $1, $2, $3, $4::text FROM n
      """,
      [
        .int(event.time.milliseconds), .text(event.operator), .text(event.action.rawValue),
        .optionalText(event.subject),
      ])
  }

  /// See ``SessionStore/events(before:limit:)``.
  package func events(before: Int64?, limit: Int) throws(SessionStoreFault) -> [AccountEvent] {
    let rows = try run(
      """
      SELECT number, time, operator, action, subject FROM account_event WHERE number < $1
      ORDER BY number DESC LIMIT $2
      """, [.int(before ?? .max), .int(Int64(limit))])
    return rows.indices.compactMap { row in
      guard let action = AccountEvent.Action(rawValue: rows.text(row, 3)) else { return nil }
      var event = AccountEvent(
        time: Instant(milliseconds: rows.int(row, 1)), operator: rows.text(row, 2), action: action,
        subject: rows.optionalText(row, 4))
      event.number = rows.int(row, 0)
      return event
    }
  }

  /// See ``SessionStore/removeEvents(before:)``.
  package func removeEvents(before: Instant) throws(SessionStoreFault) {
    try run("DELETE FROM account_event WHERE time < $1", [.int(before.milliseconds)])
  }
}

extension PostgresSessionStore: FailureStore {
  /// See ``SessionStore/failures``.
  package var failures: (any FailureStore)? { self }

  /// See ``FailureStore/counts(of:)``.
  package func counts(of subjects: [FailureSubject]) throws(StoreFault) -> [FailureCount] {
    try failureCounts.counts(of: subjects, try link.open())
  }

  /// See ``FailureStore/update(_:_:)``.
  package func update<T>(
    _ subjects: [FailureSubject], _ body: (inout [FailureCount]) -> T
  ) throws(StoreFault) -> T {
    try failureCounts.update(subjects, try link.open(), body)
  }

  /// See ``FailureStore/expire(failuresAt:)``.
  package func expire(failuresAt now: Instant) throws(StoreFault) {
    let connection = try link.open()
    try failureCounts.expire(now, connection)
  }
}
