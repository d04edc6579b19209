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
}
