import Cordon
import CordonCore
import CordonMonitoring
import Foundation
import Testing

@Suite("Receipts of erasures")
struct ErasureReceiptTests {
  let endpoint = SinkEndpoint(.cordon, url: URL(fileURLWithPath: "/"))
  let device = DeviceID("a-device")

  private func status(_ status: Int, _ body: String) throws -> Int {
    let device = try #require(device)
    let request = Request(number: 1, device: device, sink: .cordon, body: .erase(secret: "s"))
    return endpoint.response(to: request, from: HTTPAnswer(status: status, body: Array(body.utf8))).status
  }

  @Test func aReceiptEndsAnErasure() throws {
    #expect(try status(200, #"{"device": "a-device", "erased": 1767254400000, "locations": 7}"#) == 200)
    #expect(try status(204, "") == 204)
  }

  /// A captive portal answers everything with 200.
  @Test(arguments: [
    "", "{}", "<html></html>", #"{"device": "another", "erased": 1767254400000}"#, #"{"device": "a-dev"#,
  ])
  func whatIsNoReceiptEndsNone(body: String) throws {
    #expect(try status(200, body) == 0)
  }
}
