internal import HTTPTypes

extension HTTPField {
  // All names consist of allowed characters; the fallback `date` is unreachable.
  /// The identifier of a request.
  static let requestID = Name("x-request-id") ?? .date
  /// The client addresses that proxies forward.
  static let forwardedFor = Name("x-forwarded-for") ?? .date
  /// The trace that a request belongs to.
  static let traceparent = Name("traceparent") ?? .date
  /// The key that identifies repeated sends of one batch.
  static let idempotencyKey = Name("idempotency-key") ?? .date
  /// The nonce with which a device asks the server to authenticate its response.
  static let cordonNonce = Name("cordon-nonce") ?? .date
  /// The CSRF token of a session.
  static let csrfToken = Name("x-csrf-token") ?? .date
  /// Where a browser's request began, as the browser says.
  static let fetchSite = Name("sec-fetch-site") ?? .date
  /// The proof that a response comes from this server.
  static let cordonProof = Name("cordon-proof") ?? .date
}
