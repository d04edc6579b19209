import CordonCore
import CordonSupport
import CordonWire
import Foundation
import Testing

@testable import CordonStudies

@Suite("Payments over HTTP") struct PaymentTests {
  private func order(_ destination: String = "acct-1", amount: Int64 = 120, place: Int64 = 4) -> PaymentOrder {
    var payout = LedgerBook.Payout(
      number: 7, account: "a-1", credits: 12, amount: amount, state: .approved, time: start, reference: "")
    payout.place = place
    return PaymentOrder(study: StudyCode("abc")!, payout: payout, currency: "EUR", destination: destination)
  }

  @Test func anHTTPProviderGetsTheKeyAndNoPseudonym() async throws {
    let payment = HTTPPayment(url: "https://pay.example/v1/payouts", token: "secret") { request in
      #expect(request.headers.contains(.init("authorization", "Bearer secret")))
      let key = request.headers.first { $0.name == "idempotency-key" }?.value
      let body = try? JSONReader.value(of: request.body)
      #expect(key?.utf8.count == 64 && body?["idempotency_key"]?.stringValue == key)
      #expect(body?["amount"] == 120 && body?["destination"] == "acct-1")
      #expect(!String(decoding: request.body, as: UTF8.self).contains("a-1\""))
      return IncomingResponse(status: 201, body: Array(#"{"id":"po_9"}"#.utf8))
    }
    #expect(await payment.pay(order()) == .paid(reference: "po_9"))
    #expect(order().key == order().key && order().key != order(place: 4).key + "x")
  }

  @Test(arguments: [
    (200, #"{"id":"x"}"#, PaymentResult.paid(reference: "x")),
    (200, "{}", .unknown(reason: "a response without an id")),
    (402, "", .refused(reason: "status 402")), (409, "", .unknown(reason: "status 409")),
    (429, "", .unknown(reason: "status 429")), (503, "", .unknown(reason: "status 503")),
  ])
  func onlyADefiniteAnswerDecides(_ status: Int, _ body: String, _ result: PaymentResult) {
    #expect(HTTPPayment.result(IncomingResponse(status: status, body: Array(body.utf8))) == result)
    #expect(HTTPPayment.result(nil) == .unknown(reason: "no response"))
  }

  /// Counts the orders that a provider gets; it answers none of them.
  private actor Silence {
    private(set) var orders = 0
    func take() -> IncomingResponse? {
      orders += 1
      return nil
    }
  }

  /// An order that a provider may have paid goes to no other one, over HTTP or in tokens; it goes to the same one again.
  @Test func anOrderInDoubtGoesToNoOtherProvider() async throws {
    let fixture = try Fixture.withOrders(receivers: [Fixture.receivers[0]])
    let (service, code) = (fixture.service, fixture.code)
    let (first, second) = (Silence(), Silence())
    func pay(_ url: String, _ silence: Silence) async throws -> [PaymentResult] {
      try await service.payAll(code, HTTPPayment(url: url, token: nil) { _ in await silence.take() })
    }
    #expect(try await pay("https://Pay.example:8443/v1?x=1", first) == [.unknown(reason: "no response")])
    let sent = try service.store.ledger(of: code).first { $0.kind == .sent }
    #expect(sent?.reference == "https://pay.example:8443")
    let doubt = PaymentResult.unknown(
      reason: "https://pay.example:8443 may have paid it, and the settings name another provider")
    #expect(try await pay("https://pay.example/v1", second) == [doubt])
    let chain = FakeChain()
    #expect(try await service.payAll(code, chain.payment()) == [doubt])
    #expect(await chain.sends.isEmpty)
    // A new path of the same provider.
    #expect(try await pay("https://pay.example:8443/v2", first) == [.unknown(reason: "no response")])
    #expect(await first.orders == 2)
    #expect(await second.orders == 0)
    #expect(try service.store.ledger(of: code).count { $0.kind == .sent } == 1)
    let paid = HTTPPayment(url: "https://pay.example:8443", token: nil) { _ in
      IncomingResponse(status: 200, body: Array(#"{"id": "1"}"#.utf8))
    }
    #expect(try await service.payAll(code, paid) == [.paid(reference: "1")])
    #expect(try service.book(code).payouts.map(\.state) == [.settled])
  }

  /// Two runs with different settings: the one that writes its provider down is the order's.
  @Test func anOrderHasOneProvider() async throws {
    let fixture = try Fixture.withOrders(receivers: [Fixture.receivers[0]])
    let (service, code, now) = (fixture.service, fixture.code, start + .days(4))
    let order = try #require(try service.orders(code).first)
    #expect(try service.begin(order, with: "https://a.example", now: now))
    #expect(try service.begin(order, with: "https://a.example", now: now))
    #expect(try !service.begin(order, with: "https://b.example", now: now))
    let chain = FakeChain()
    guard case .signed(let transfer) = await chain.payment().sign(order, after: nil) else {
      Issue.record("not signed")
      return
    }
    #expect(try !service.claim(transfer, of: order, now: now))
    // The other way round.
    let other = try Fixture.withOrders(receivers: [Fixture.receivers[0]])
    let second = try #require(try other.service.orders(other.code).first)
    #expect(try other.service.claim(transfer, of: second, now: now))
    #expect(try !other.service.begin(second, with: "https://a.example", now: now))
  }
}
