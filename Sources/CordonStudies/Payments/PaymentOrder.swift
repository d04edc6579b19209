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
  /// The provider without transactions to which it goes, once it may have been sent there: it goes to no other one.
  package var provider: String?
  /// The transaction that pays it, once it was signed: no other one is ever made for this order.
  package var transfer: SignedTransfer?
  /// The amount in the smallest unit of the currency.
  package var amount: Int64
  /// The currency.
  package var currency: String
  /// Where the money goes, from the vault: an address or a reference of the provider. Empty for an order with a transaction, whose
  /// call says it.
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
    provider = payout.provider
    transfer = payout.transfer
  }
}

/// The answer of a provider of payments.
package enum PaymentResult: Hashable, Sendable {
  /// The order was paid; the provider's reference.
  case paid(reference: String)
  /// The order was refused for good, and nothing was paid; a short reason.
  case refused(reason: String)
  /// Nobody knows: the order is tried again with the same key. The ledger keeps the reason.
  case unknown(reason: String)
  /// The order is on its way, and nothing is wrong: it is checked again.
  case pending
}

/// The answer to a request for a signed transaction.
package enum SigningResult: Hashable, Sendable {
  /// The transaction, which was not sent.
  case signed(SignedTransfer)
  /// Nothing was signed, and no nonce was used; a short reason.
  case delayed(reason: String)
}

/// The answer to the question whether the transaction of an order can still be in a block.
package enum TransferProspect: Hashable, Sendable {
  /// It never can, as the chain proves; a short reason.
  case never(reason: String)
  /// It can, or the chain does not prove that it cannot; a short reason.
  case possible(reason: String)
}

/// A provider of payments. The same order may be sent again and again; it is paid at most once.
package protocol PaymentPort: Sendable {
  /// The account whose nonces the ledger gives to orders; `nil` for providers that recognise the keys of orders.
  var account: ChainAccount? { get }
  /// The name of a provider that recognises the keys of orders, as ledgers hold it; `nil` for others.
  var provider: String? { get }
  /// Signs the transaction of an order.
  /// - Parameter last: the highest nonce of the account in all ledgers; `nil` for none.
  func sign(_ order: PaymentOrder, after last: UInt64?) async -> SigningResult
  /// Sends an order. One for a provider with an account has its transaction.
  func pay(_ order: PaymentOrder) async -> PaymentResult
  /// Asks whether the transaction of an order can still be in a block.
  func prospect(of order: PaymentOrder) async -> TransferProspect
}

extension PaymentPort {
  package var account: ChainAccount? { nil }
  package var provider: String? { nil }
  package func prospect(of order: PaymentOrder) async -> TransferProspect {
    .possible(reason: "only the provider knows whether it paid; a chain proves it for payments in tokens")
  }
  package func sign(_ order: PaymentOrder, after last: UInt64?) async -> SigningResult {
    .delayed(reason: "the provider signs no transactions")
  }
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
