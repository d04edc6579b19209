package import CordonCore

/// How operators sign in with a browser, and for how long.
package struct SessionSettings: Hashable, Sendable {
  /// A session ends after this time without a page or a change.
  package var idle = TimeSpan.minutes(30)
  /// A session ends so long after signing in, whatever happens.
  package var lifetime = TimeSpan.hours(12)
  /// For how long a password that was entered permits erasures and changes of accounts.
  package var confirmation = TimeSpan.minutes(5)
  /// Whether operators may sign in with a password of this server.
  package var allowsPasswords = true
  /// The work of a password hash.
  package var cost = PasswordHash.Cost.standard
  /// Whether browsers reach the server by TLS only, its own or that of a proxy: cookies are then marked `Secure`.
  package var isSecure = false
  /// For how long events of accounts are kept.
  package var eventRetention = TimeSpan.days(365)

  /// The defaults.
  package init() {}
}
