import CordonCore
import CordonSupport
import CordonTestSupport
import CordonWire
import Foundation
import Testing

/// Cases, notices and rules of a device that was handed on, over HTTP.
@Suite("Holders of a device in cases, over HTTP", .timeLimit(.minutes(5)))
struct CaseHolderServerTests {
  /// After a reset somebody else has the device: they get no notice to the former holder, whose erasure keeps their own.
  @Test func theErasureOfAFormerHolderKeepsTheCasesOfThePresentOne() async throws {
    try await LiveServer.with { server in
      func ask(_ method: String, _ path: String, _ body: String? = nil) async throws -> JSONValue {
        let answer = try await server.send(method, path, body, server.basic)
        #expect((200..<300).contains(answer.status), "\(path): \(answer.status)")
        return answer.body.isEmpty ? .null : try JSONReader.value(of: Array(answer.body))
      }
      func note(_ name: String) async throws {
        let made = try await ask(
          "POST", "/v1/operator/cases",
          #"{"venue":"\#(server.venue.rawValue)","device":"phone-1","label":"\#(name)","reason":"case 9"}"#)
        let number = try #require(made["number"]?.integerValue)
        let sent = try await ask(
          "POST", "/v1/operator/cases/\(number)/notices",
          #"{"reason":"case 9","devices":["phone-1"],"advice":"\#(name)"}"#)
        #expect(sent["made"] == 1)
        _ = try await ask(
          "POST", "/v1/operator/alerts",
          #"{"venue":"\#(server.venue.rawValue)","kind":"device-silent","name":"\#(name)","device":"phone-1","reason":"case 9"}"#
        )
      }
      func names(_ path: String, _ list: String, _ member: String) async throws -> [String] {
        let answer = try await ask("GET", "\(path)?venue=\(server.venue.rawValue)")
        return try #require(answer[list]?.elements).compactMap { $0[member]?.stringValue }.sorted()
      }
      func notices(_ bearer: [String: String]) async throws -> [String] {
        let answer = try await server.send("GET", "/v1/devices/phone-1/notices", nil, bearer)
        try #require(answer.status == 200)
        return try #require(try JSONReader.value(of: Array(answer.body))["notices"]?.elements).compactMap {
          $0["advice"]?.stringValue
        }
      }
      let (secret, former) = try await server.device("phone-1")
      try await note("the former")
      #expect(try await notices(former) == ["the former"])
      _ = try await ask("POST", "/v1/operator/devices/phone-1/reset", #"{"reason":"handed on"}"#)
      let (_, bearer) = try await server.device("phone-1")
      #expect(try await notices(bearer).isEmpty)
      try await note("the present")
      #expect(try await names("/v1/operator/cases", "cases", "label") == ["the former", "the present"])
      let erased = try await server.send("DELETE", "/v1/devices/phone-1", #"{"secret":"\#(secret)"}"#)
      #expect(erased.status == 200)
      #expect(try await notices(bearer) == ["the present"])
      #expect(try await names("/v1/operator/cases", "cases", "label") == ["the present"])
      #expect(try await names("/v1/operator/alerts", "rules", "name") == ["the present"])
    }
  }
}
