internal import CordonSupport

/// A payout to be paid. Its key is the same at each attempt, so that providers recognise a repetition.
package struct PaymentOrder: Hashable, Sendable {
  /// The study.
  package var study: StudyCode
  /// The number of the payout in the study.
  package var payout: Int64
  /// The key of idempotency: 64 hexadecimal digits, from study, payout and account.
  package var key: String
  /// The number of approvals before it in the study.
  package var place: Int64
  /// The amount in the smallest unit of the currency.
  package var amount: Int64
  /// The currency.
  package var currency: String
  /// Where the money goes, from the vault: an address or a reference of the provider.
  package var destination: String

  /// Creates an order.
  package init(study: StudyCode, payout: LedgerBook.Payout, currency: String, destination: String) {
    self.study = study
    self.payout = payout.number
    key = SHA256.hexDigest(of: Array("cordon payout \(study) \(payout.number) \(payout.account)".utf8))
    place = payout.place ?? 0
    amount = payout.amount
    self.currency = currency
    self.destination = destination
  }
}

/// The answer of a provider of payments.
package enum PaymentResult: Hashable, Sendable {
  /// The order was paid; the provider's reference.
  case paid(reference: String)
  /// The order was refused for good, and nothing was paid; a short reason.
  case refused(reason: String)
  /// Nobody knows: the order is tried again with the same key.
  case unknown(reason: String)
}

/// A provider of payments. The same order may be sent again and again; it is paid at most once.
package protocol PaymentPort: Sendable {
  /// Sends an order.
  func pay(_ order: PaymentOrder) async -> PaymentResult
}

/// An HTTP request that an adapter builds and another program sends.
package struct OutgoingRequest: Hashable, Sendable {
  /// The method.
  package var method: String
  /// The address.
  package var url: String
  /// Header fields, names in lower case, in order.
  package var headers: [Header]
  /// The body.
  package var body: [UInt8]

  /// A header field.
  package struct Header: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The value.
    package var value: String

    /// Creates a field.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Creates a POST of JSON.
  init(_ url: String, headers: [Header], json: JSONValue) {
    method = "POST"
    self.url = url
    self.headers = [Header("content-type", "application/json")] + headers
    body = Array(json.text().utf8)
  }
}

/// A response to an ``OutgoingRequest``.
package struct IncomingResponse: Hashable, Sendable {
  /// The status.
  package var status: Int
  /// The body.
  package var body: [UInt8]

  /// Creates a response.
  package init(status: Int, body: [UInt8] = []) {
    self.status = status
    self.body = body
  }
}

/// Sends HTTP requests; `nil` when no response came.
package typealias OutgoingClient = @Sendable (OutgoingRequest) async -> IncomingResponse?
