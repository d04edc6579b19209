package import CordonCore

/// A fault of the store of sessions. The text is for logs.
package struct SessionStoreFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// What SQLite or PostgreSQL reports.
  package var description: String

  /// A fault.
  package init(description: String) { self.description = description }
}

/// Where sessions, used one-time codes and events of accounts are kept. It belongs to one thread at a time.
package protocol SessionStore: AnyObject {
  /// Returns the session of a token's hash.
  func session(_ tokenHash: [UInt8]) throws(SessionStoreFault) -> OperatorSession?
  /// Returns the sessions of an operator, latest first.
  func sessions(of operator: String) throws(SessionStoreFault) -> [OperatorSession]
  /// Writes a session, new when its number is 0; returns its number.
  @discardableResult
  func save(_ session: OperatorSession) throws(SessionStoreFault) -> Int64
  /// Deletes a session; returns whether it was there.
  @discardableResult
  func removeSession(_ number: Int64) throws(SessionStoreFault) -> Bool
  /// Deletes sessions that began, or were last used, before given times.
  func removeSessions(createdBefore: Instant, lastSeenBefore: Instant) throws(SessionStoreFault)

  /// The last step of which an operator used a one-time code.
  func lastCode(of operator: String) throws(SessionStoreFault) -> Int64?
  /// Notes that the code of a step was used.
  func setLastCode(_ counter: Int64, of operator: String) throws(SessionStoreFault)
  /// Forgets everything of an operator but the events.
  func forget(_ operator: String) throws(SessionStoreFault)

  /// Notes an event.
  func save(_ event: AccountEvent) throws(SessionStoreFault)
  /// Returns events, latest first, with numbers below `before`.
  func events(before: Int64?, limit: Int) throws(SessionStoreFault) -> [AccountEvent]
  /// Deletes events before a time.
  func removeEvents(before: Instant) throws(SessionStoreFault)
}

/// Sessions in memory, for tests.
package final class MemorySessionStore: SessionStore {
  private var sessions: [OperatorSession] = []
  private var events: [AccountEvent] = []
  private var codes: [String: Int64] = [:]
  private var next: Int64 = 1

  /// An empty store.
  package init() {}

  package func session(_ tokenHash: [UInt8]) -> OperatorSession? { sessions.first { $0.tokenHash == tokenHash } }

  package func sessions(of operator: String) -> [OperatorSession] {
    sessions.filter { $0.operator == `operator` }.sorted { $0.number > $1.number }
  }

  package func save(_ session: OperatorSession) -> Int64 {
    var session = session
    if session.number == 0 {
      session.number = next
      next += 1
    }
    sessions.removeAll { $0.number == session.number }
    sessions.append(session)
    return session.number
  }

  package func removeSession(_ number: Int64) -> Bool {
    let count = sessions.count
    sessions.removeAll { $0.number == number }
    return sessions.count < count
  }

  package func removeSessions(createdBefore: Instant, lastSeenBefore: Instant) {
    sessions.removeAll { $0.created < createdBefore || $0.lastSeen < lastSeenBefore }
  }

  package func lastCode(of operator: String) -> Int64? { codes[`operator`] }

  package func setLastCode(_ counter: Int64, of operator: String) { codes[`operator`] = counter }

  package func forget(_ operator: String) {
    codes[`operator`] = nil
    sessions.removeAll { $0.operator == `operator` }
  }

  package func save(_ event: AccountEvent) {
    var event = event
    event.number = (events.last?.number ?? 0) + 1
    events.append(event)
  }

  package func events(before: Int64?, limit: Int) -> [AccountEvent] {
    Array(events.reversed().filter { $0.number < before ?? .max }.prefix(limit))
  }

  package func removeEvents(before: Instant) { events.removeAll { $0.time < before } }
}
