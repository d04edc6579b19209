package import CordonSupport

/// The session of a browser to which a request belongs, as the shell found it by the request's cookie.
///
/// Only the core decides what it permits: a browser sends cookies with requests of any origin, so a request that changes
/// something also needs the session's CSRF token.
package struct PresentedSession: Hashable, Sendable {
  /// Whose session it is, with their present roles.
  package var `operator`: Operator
  /// Whether the request carries the session's CSRF token.
  package var isProved: Bool
  /// Whether the operator confirmed the password, or signed in, a short time ago.
  package var isFresh: Bool
  /// What `GET /v1/operator/me` says of the session: its CSRF token, the name, its end.
  package var members: [JSONValue.Member]

  /// A session.
  package init(operator: Operator, isProved: Bool, isFresh: Bool, members: [JSONValue.Member] = []) {
    self.operator = `operator`
    self.isProved = isProved
    self.isFresh = isFresh
    self.members = members
  }

  /// The operator, for a request that reads, or that carries the CSRF token.
  func `operator`(for request: IngestRequest) throws(Problem) -> Operator {
    try checkProof(method: request.method)
    return `operator`
  }

  /// Fails for a request that may change something and carries no CSRF token.
  package func checkProof(method: String) throws(Problem) {
    guard isProved || ["GET", "HEAD"].contains(method) else {
      throw Problem(403, .csrf, "x-csrf-token: the token of the session is missing or wrong", field: "x-csrf-token")
    }
  }

  /// Fails when the operator has to confirm the password first.
  package func checkFreshness() throws(Problem) {
    guard isFresh else {
      throw Problem(403, .signInAgain, "confirm your password first: it was entered too long ago for this")
    }
  }
}

extension IngestRequest {
  /// Whether it carries the credentials of an operator, right or wrong.
  var isOfOperator: Bool { session != nil || RequestPreprocessor.basicCredentials(of: self) != nil }
}
