/// A request to a provider.
package struct ProviderRequest: Hashable, Sendable {
  /// The address.
  package var address: String
  /// The form of a POST request; `nil` for a GET request.
  package var form: String?
  /// The value of `Authorization`; `nil` for none.
  package var authorization: String?

  /// A request.
  package init(_ address: String, form: String? = nil, authorization: String? = nil) {
    self.address = address
    self.form = form
    self.authorization = authorization
  }
}

/// A provider's answer.
package struct ProviderResponse: Hashable, Sendable {
  /// The status; 0 without an answer.
  package var status: Int
  /// The body.
  package var body: [UInt8]

  /// An answer.
  package init(status: Int, body: [UInt8]) {
    self.status = status
    self.body = body
  }
}

/// The port to providers. An implementation follows no redirects, and limits the size of answers and the time.
package protocol ProviderClient: Sendable {
  /// Sends a request and returns its answer; status 0 without one.
  func send(_ request: ProviderRequest) async -> ProviderResponse
}
