import CordonCore
import CordonTestSupport
import Foundation
import Testing

/// Traces of a server in its own process, exported to a receiver of the test.
@Suite("Traces of a server", .timeLimit(.minutes(5)))
struct TraceServerTests {
  private static let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

  /// The spans of a request to the receiver.
  private func spans(_ request: HTTPReceiver.Request) throws -> [[String: Any]] {
    let object = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
    let resources = try #require(object?["resourceSpans"] as? [[String: Any]])
    let scopes = try #require(resources.first?["scopeSpans"] as? [[String: Any]])
    return try #require(scopes.first?["spans"] as? [[String: Any]])
  }

  @Test func requestsBecomeSpansWithoutDataOfPersons() async throws {
    let receiver = try HTTPReceiver { _, _ in "200 OK\r\ncontent-type: application/json\r\n\r\n{}" }
    let settings = [
      "CORDON_TRACE_URL": "http://127.0.0.1:\(receiver.port)", "CORDON_TRACE_HEADER": "x-key: abc",
      "CORDON_BEHIND_PROXY": "yes",
    ]
    var bodies: [HTTPReceiver.Request] = []
    try await LiveServer.with(settings) { server in
      let device = "phone-of-somebody"
      let token = try await server.token(device)
      let posted = try await server.send(
        "POST", "/v1/positions", try server.batch(device, 3),
        ["authorization": "Bearer \(token)", "traceparent": Self.parent])
      #expect(posted.status == 207)
      #expect(try await server.send("GET", "/nothing/\(device)?q=1").status == 404)
      var names: Set<String> = []
      while !names.isSuperset(of: ["POST /v1/positions", "GET"]) {
        let request = try #require(await receiver.next())
        bodies.append(request)
        names.formUnion(try spans(request).compactMap { $0["name"] as? String })
      }
      #expect(names.isSuperset(of: ["POST /v1/devices/{device}/activate", "store"]), "\(names)")
      for body in bodies {
        #expect(body.line == "POST /v1/traces HTTP/1.1" && body.headers["x-key"] == "abc")
        let text = String(decoding: body.body, as: UTF8.self)
        for word in [device, token, "8.54", "47.37", "127.0.0.1", server.venue.rawValue, "q=1", "/nothing"] {
          #expect(!text.contains(word), "\(word) in \(text)")
        }
      }
    }
    let all = try bodies.flatMap { try spans($0) }
    let post = try #require(all.first { $0["name"] as? String == "POST /v1/positions" })
    #expect(post["traceId"] as? String == "0af7651916cd43dd8448eb211c80319c")
    #expect(post["parentSpanId"] as? String == "b7ad6b7169203331")
    let child = try #require(all.first { $0["parentSpanId"] as? String == post["spanId"] as? String })
    #expect(child["name"] as? String == "store" && child["traceId"] as? String == post["traceId"] as? String)
  }

  /// A receiver that is away costs nothing but the spans.
  @Test func aMissingReceiverDoesNotDisturbTheServer() async throws {
    let port = try Loopback.freePort()
    try await LiveServer.with(["CORDON_TRACE_URL": "http://127.0.0.1:\(port)"]) { server in
      for _ in 0..<20 {
        let answer = try await server.send("GET", "/livez")
        #expect(answer.status == 200)
      }
    }
  }

  @Test(arguments: [
    ("trace-url = http://example.org\n", "needs TLS"), ("trace-ratio = 2\n", "from 0 to 1"),
    ("trace-header = x\n", "'NAME: VALUE' is required"),
  ])
  func faultsOfSettingsAreNamed(text: String, word: String) async throws {
    let scratch = try TemporaryFolder()
    try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path("settings")))
    let end = try await Program.run(Program.server, ["settings", "--config", scratch.path("settings")])
    #expect(end.status == 2 && end.errors.contains(word), "\(end)")
  }
}
