import Cordon
import CordonCore
import CordonMonitoring
import Foundation
import Testing

@Suite("Receipts of erasures")
struct ErasureReceiptTests {
  let endpoint = SinkEndpoint(.cordon, url: URL(fileURLWithPath: "/"))
  let device = DeviceID("a-device")

  private func body(_ status: Int, _ body: String) throws -> SinkResponse.Body {
    let device = try #require(device)
    let request = SinkRequest(number: 1, device: device, sink: .cordon, body: .erase(secret: "s"))
    return endpoint.response(to: request, from: HTTPResponse(status: status, body: Array(body.utf8))).body
  }

  @Test func aReceiptEndsAnErasure() throws {
    #expect(try body(200, #"{"device": "a-device", "erased": 1767254400000, "locations": 7}"#) == .erased)
  }

  /// A receipt has a body: anything on the way can answer with a status.
  @Test func aStatusAloneIsNotAReceipt() throws {
    for status in [201, 204, 404, 410] {
      #expect(try body(status, "") == .none)
      #expect(try body(status, #"{"device": "a-device", "erased": 1767254400000}"#) == .none)
    }
  }

  /// A captive portal answers every request with 200.
  @Test(arguments: [
    "", "{}", "<html></html>", #"{"device": "another", "erased": 1767254400000}"#, #"{"device": "a-dev"#,
  ])
  func otherAnswersDoNotEndAnErasure(text: String) throws {
    #expect(try body(200, text) == .none)
  }
}
