internal import HTTPTypes

extension HTTPField {
  // The names are of the characters that names may have; `date` stands in for what cannot happen.
  /// The name of a request.
  static let requestID = Name("x-request-id") ?? .date
  /// Whom a proxy speaks for.
  static let forwardedFor = Name("x-forwarded-for") ?? .date
  /// What makes a batch the same one when it comes again.
  static let idempotencyKey = Name("idempotency-key") ?? .date
  /// What a device asks the answer to prove itself with.
  static let cordonNonce = Name("cordon-nonce") ?? .date
}
