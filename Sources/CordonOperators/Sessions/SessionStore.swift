package import CordonCore
package import CordonIngest

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

  /// Uses the one-time code of a step, once: returns whether no code of this or a later step was used before. Of several servers
  /// that use one at the same moment one gets `true`.
  func useCode(_ counter: Int64, of operator: String) throws(SessionStoreFault) -> Bool
  /// Keeps somebody who was sent to a provider; returns `false`, and keeps nothing, when as many wait as the maximum.
  func save(_ attempt: PendingSignIn, maximum: Int) throws(SessionStoreFault) -> Bool
  /// Deletes somebody who was sent to a provider and returns them. Of several servers one gets them.
  func takeAttempt(_ key: [UInt8]) throws(SessionStoreFault) -> PendingSignIn?
  /// Deletes attempts that began before a time.
  func removeAttempts(createdBefore: Instant) throws(SessionStoreFault)
  /// Forgets everything of an operator but the events.
  func forget(_ operator: String) throws(SessionStoreFault)

  /// Notes an event.
  func save(_ event: AccountEvent) throws(SessionStoreFault)
  /// Returns events, latest first, with numbers below `before`.
  func events(before: Int64?, limit: Int) throws(SessionStoreFault) -> [AccountEvent]
  /// Deletes events before a time.
  func removeEvents(before: Instant) throws(SessionStoreFault)

  /// The counts of failed attempts of all servers on the store; `nil` for a store of one server.
  var failures: (any FailureStore)? { get }
}

extension SessionStore {
  /// None: one server counts in its memory.
  package var failures: (any FailureStore)? { nil }
}

/// Somebody who was sent to a provider, as stores keep them.
package struct PendingSignIn: Hashable, Sendable {
  /// The hash of the text that comes back with the provider's answer.
  package var key: [UInt8]
  /// The rest of the attempt.
  package var value: [UInt8]
  /// When it began.
  package var created: Instant

  /// Takes the values as they are.
  package init(key: [UInt8], value: [UInt8], created: Instant) {
    self.key = key
    self.value = value
    self.created = created
  }
}

/// Sessions in memory, for tests.
package final class MemorySessionStore: SessionStore {
  private var sessions: [OperatorSession] = []
  private var events: [AccountEvent] = []
  private var codes: [String: Int64] = [:]
  private var attempts: [PendingSignIn] = []
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

  package func useCode(_ counter: Int64, of operator: String) -> Bool {
    guard counter > codes[`operator`] ?? .min else { return false }
    codes[`operator`] = counter
    return true
  }

  package func save(_ attempt: PendingSignIn, maximum: Int) -> Bool {
    guard attempts.count < maximum else { return false }
    attempts.append(attempt)
    return true
  }

  package func takeAttempt(_ key: [UInt8]) -> PendingSignIn? {
    guard let index = attempts.firstIndex(where: { $0.key == key }) else { return nil }
    return attempts.remove(at: index)
  }

  package func removeAttempts(createdBefore: Instant) { attempts.removeAll { $0.created < createdBefore } }

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
