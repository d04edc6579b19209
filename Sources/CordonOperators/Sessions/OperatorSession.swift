package import CordonCore

/// A browser that an operator signed in with.
package struct OperatorSession: Hashable, Sendable {
  /// How the operator signed in.
  package enum Method: String, Hashable, Sendable {
    /// With a password of this server.
    case password
    /// At an OpenID provider.
    case openID = "openid"
  }

  /// The number that stands for it in lists; 0 before it is saved.
  package var number: Int64 = 0
  /// SHA-256 of the cookie's value, which is not kept.
  package var tokenHash: [UInt8]
  /// The operator's pseudonym.
  package var `operator`: String
  /// How they signed in.
  package var method: Method
  /// When they signed in.
  package var created: Instant
  /// When they last did something, to the minute.
  package var lastSeen: Instant
  /// When they last entered their password, or signed in.
  package var confirmed: Instant
  /// The provider's ID token, sealed under a key of the cookie's value; `nil` without a provider. Signing out needs it.
  package var sealedToken: [UInt8]?

  /// A session that is not saved yet.
  package init(tokenHash: [UInt8], operator: String, method: Method, now: Instant, sealedToken: [UInt8]? = nil) {
    self.tokenHash = tokenHash
    self.operator = `operator`
    self.method = method
    created = now
    lastSeen = now
    confirmed = now
    self.sealedToken = sealedToken
  }

  /// When the session ends if nothing happens.
  package func end(_ settings: SessionSettings) -> Instant {
    min(created + settings.lifetime, lastSeen + settings.idle)
  }
}

/// Something that happened to an account: signing in and out, and changes by administrators.
package struct AccountEvent: Hashable, Sendable {
  /// What happened. The raw value is what pages and the API show.
  package enum Action: String, Hashable, Sendable, CaseIterable {
    case signIn = "sign in"
    case refusedSignIn = "refused sign-in"
    case signOut = "sign out"
    case confirmPassword = "confirm password"
    case changePassword = "change password"
    case addCode = "add one-time codes"
    case removeCode = "remove one-time codes"
    case endSession = "end session"
    case addAccount = "add account"
    case changeAccount = "change account"
    case removeAccount = "remove account"
    case resetPassword = "reset password"
  }

  /// Counts on; 0 before it is saved.
  package var number: Int64 = 0
  /// When.
  package var time: Instant
  /// The operator who did it, by pseudonym.
  package var `operator`: String
  /// What happened.
  package var action: Action
  /// The account that it concerns, where that is another one.
  package var subject: String?

  /// An event that is not saved yet.
  package init(time: Instant, operator: String, action: Action, subject: String? = nil) {
    self.time = time
    self.operator = `operator`
    self.action = action
    self.subject = subject
  }
}
