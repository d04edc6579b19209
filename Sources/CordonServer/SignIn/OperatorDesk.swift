internal import CordonCore
internal import CordonIngest
internal import CordonOperators
internal import Dispatch
internal import Foundation
internal import NIOConcurrencyHelpers

/// Signing in, with a clock and threads: an actor over ``OperatorSessions``, and a queue for hashes of passwords.
actor OperatorDesk {
  private let sessions: OperatorSessions
  private let clock: @Sendable () -> Instant
  private let hashing: HashingQueue
  /// Called after a change of accounts, so that the core uses their keys.
  private let onChange: @Sendable () -> Void
  nonisolated let cookie: SessionCookie
  nonisolated let settings: SessionSettings
  /// The OpenID provider; `nil` for none.
  nonisolated let provider: OpenIDClient?

  init(
    sessions: sending OperatorSessions, provider: OpenIDClient? = nil, clock: @escaping @Sendable () -> Instant,
    onChange: @escaping @Sendable () -> Void = {}
  ) {
    settings = sessions.settings
    cookie = SessionCookie(isSecure: sessions.settings.isSecure)
    self.sessions = sessions
    self.clock = clock
    self.onChange = onChange
    self.provider = provider
    hashing = HashingQueue()
  }

  /// The name of the provider on pages; `nil` without one.
  nonisolated var providerLabel: String? {
    provider.map { $0.settings.label ?? URL(string: $0.settings.issuer)?.host ?? "OpenID" }
  }

  /// Runs work of the state machine.
  func run<T: Sendable>(_ body: @Sendable (OperatorSessions, Instant) throws(Problem) -> T) throws(Problem) -> T {
    let now = clock()
    sessions.tick(now: now)
    try sessions.refresh()
    return try body(sessions, now)
  }

  /// Runs work that changes accounts.
  func change<T: Sendable>(_ body: @Sendable (OperatorSessions, Instant) throws(Problem) -> T) throws(Problem) -> T {
    let value = try run(body)
    onChange()
    return value
  }

  /// Returns a new token for somebody who is about to sign in.
  func newToken() -> SessionToken { sessions.newToken() }

  /// Reads the accounts again.
  func reload() throws { try sessions.reload() }

  /// Checks a password and ends the attempt with the result.
  func finish(_ attempt: PasswordAttempt) async throws(Problem) -> SessionToken {
    guard let isRight = await hashing.run({ attempt.check() }) else { throw Self.busy }
    try sessions.refresh()
    return try sessions.finish(attempt, isRight: isRight, now: clock())
  }

  /// Returns the hash of a new password.
  func hash(_ password: String) async throws(Problem) -> String {
    let (salt, cost) = (sessions.newSalt(), settings.cost)
    let made = await hashing.run { PasswordHash(of: password, cost: cost, salt: salt)?.text }
    guard let text = made ?? nil else { throw Self.busy }
    return text
  }

  static let busy = Problem(429, .busy, "too many passwords are checked already; come again", retryAfter: 2)
}

/// A thread that hashes one password after the other. A hash takes tens of megabytes of memory and some hundred milliseconds, so
/// only few may wait.
private final class HashingQueue: Sendable {
  private let queue = DispatchQueue(label: "cordon.passwords")
  private let waiting = NIOLockedValueBox(0)

  static let maximumWaiting = 8

  /// Returns the result of work; `nil` when too much waits already.
  func run<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T? {
    let isTaken = waiting.withLockedValue { count in
      guard count < Self.maximumWaiting else { return false }
      count += 1
      return true
    }
    guard isTaken else { return nil }
    return await withCheckedContinuation { continuation in
      queue.async {
        let value = work()
        self.waiting.withLockedValue { $0 -= 1 }
        continuation.resume(returning: value)
      }
    }
  }
}
