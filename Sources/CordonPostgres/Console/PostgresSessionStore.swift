package import CordonCore
internal import CordonIngest
package import CordonOperators

/// Sessions of operators in the database of the positions: an operator who signed in at one server is known to all.
package final class PostgresSessionStore: SessionStore {
  private let link: PostgresLink

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

  /// See ``SessionStore/lastCode(of:)``.
  package func lastCode(of operator: String) throws(SessionStoreFault) -> Int64? {
    let rows = try run("SELECT counter FROM used_code WHERE operator = $1", [.text(`operator`)])
    return rows.count > 0 ? rows.int(0, 0) : nil
  }

  /// See ``SessionStore/setLastCode(_:of:)``.
  package func setLastCode(_ counter: Int64, of operator: String) throws(SessionStoreFault) {
    try run(
      "INSERT INTO used_code (operator, counter) VALUES ($1, $2) ON CONFLICT (operator) DO UPDATE SET counter = $2",
      [.text(`operator`), .int(counter)])
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
