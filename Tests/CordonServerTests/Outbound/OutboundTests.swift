import CordonCore
import CordonTestSupport
import Foundation
import NIOCore
import Testing

@testable import CordonServer

/// Addresses, requests and waits of outgoing connections.
@Suite("Outgoing requests", .timeLimit(.minutes(5)))
struct OutboundTests {
  @Test func addressesAreReadStrictly() throws {
    let address = try OutboundAddress("https://example.org/hook/x?y=1")
    #expect(address.usesTLS && address.host == "example.org" && address.port == 443)
    #expect(address.target == "/hook/x?y=1" && address.origin == "https://example.org")
    let local = try OutboundAddress("http://[::1]:8080")
    #expect(!local.usesTLS && local.host == "::1" && local.port == 8_080 && local.target == "/")
    #expect(local.authority == "[::1]:8080" && local.isHostAnAddress)
  }

  @Test(arguments: [
    "", "example.org", "http://example.org/", "ftp://example.org", "https://", "https://u:p@example.org/",
    "https://example.org/#x", "https://example.org:0/", "https://example.org:70000/", "https://exa mple.org/",
    "https://example.org/\u{7f}",
  ])
  func otherAddressesAreRefused(text: String) {
    #expect(throws: OutboundAddress.Fault.self) { try OutboundAddress(text) }
  }

  private func request(_ receiver: HTTPReceiver, path: String = "/hook") throws -> OutboundRequest {
    OutboundRequest(
      address: try OutboundAddress("http://127.0.0.1:\(receiver.port)\(path)"),
      fields: [.init(name: "x-test", value: "yes")], body: Array("{}".utf8))
  }

  @Test func aRequestIsSentAndItsStatusRead() async throws {
    let receiver = try HTTPReceiver { number, _ in
      number == 0 ? "202 Accepted\r\n\r\n" : "503 Busy\r\nretry-after: 7\r\ncontent-length: 2\r\n\r\nno"
    }
    let client = NIOOutboundClient(tls: OutboundTLS(authorities: nil))
    let first = try await client.send(try request(receiver))
    #expect(first == OutboundAnswer(status: 202) && first.isSuccess)
    let second = try await client.send(try request(receiver, path: "/other?a=b"))
    #expect(second == OutboundAnswer(status: 503, retryAfter: 7) && !second.isSuccess)
    let got = try #require(await receiver.next())
    #expect(got.line == "POST /hook HTTP/1.1" && got.headers["x-test"] == "yes" && got.body == Array("{}".utf8))
    #expect(got.headers["host"] == "127.0.0.1:\(receiver.port)" && got.headers["content-length"] == "2")
    #expect(await receiver.next()?.line == "POST /other?a=b HTTP/1.1")
  }

  @Test func aMissingReceiverAndOneWithoutAnAnswerAreFaults() async throws {
    let client = NIOOutboundClient(tls: OutboundTLS(authorities: nil))
    let closing = try HTTPReceiver { _, _ in "" }
    await #expect(throws: OutboundFault.self) { try await client.send(try request(closing)) }
    // A redirect is an answer, and is not followed.
    let redirecting = try HTTPReceiver { _, _ in "302 Found\r\nlocation: /x\r\ncontent-length: 0\r\n\r\n" }
    #expect(try await client.send(try request(redirecting)).status == 302)
    let port = try Loopback.freePort()
    let none = OutboundRequest(address: try OutboundAddress("http://127.0.0.1:\(port)/"), fields: [], body: [])
    await #expect(throws: OutboundFault(description: "no connection")) { try await client.send(none) }
  }

  /// A receiver that accepts and stays silent costs the limit of time, not more.
  @Test func aSilentReceiverIsLeftAtTheLimit() async throws {
    let (listener, port) = try Loopback.listen()
    defer { close(listener) }
    let client = NIOOutboundClient(tls: OutboundTLS(authorities: nil), limit: .milliseconds(50))
    let request = OutboundRequest(address: try OutboundAddress("http://127.0.0.1:\(port)/"), fields: [], body: [])
    await #expect(throws: OutboundFault(description: "no answer in time")) { try await client.send(request) }
  }

  @Test func waitsDoubleWithJitterUpToTheLongest() {
    let schedule = RetrySchedule()
    #expect(schedule.wait(after: 1, jitter: 0) == .milliseconds(2_500))
    #expect(schedule.wait(after: 1, jitter: 1) == .seconds(5))
    #expect(schedule.wait(after: 4, jitter: 1) == .seconds(40))
    #expect(schedule.wait(after: 500, jitter: 1) == .hours(1))
    #expect(schedule.wait(after: 500, jitter: 0) == .minutes(30))
    #expect(schedule.wait(after: 0, jitter: 9) == .seconds(5))
  }
}
