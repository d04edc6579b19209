import CordonTestSupport
import Foundation
import Testing

/// Webhooks of a server in its own process.
@Suite("Webhooks of a server", .timeLimit(.minutes(5)))
struct WebhookServerTests {
  private static let secret = "whsec_" + Data("0123456789abcdef01234567".utf8).base64EncodedString()

  private func event(_ request: HTTPReceiver.Request?) throws -> [String: Any] {
    let body = try #require(request).body
    return try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
  }

  /// The server reports its start; a message for a receiver that is down survives the death of the process.
  @Test func aMessageSurvivesTheDeathOfTheServer() async throws {
    let port = try Loopback.freePort()
    let settings = ["CORDON_WEBHOOK_URLS": "http://127.0.0.1:\(port)/hook", "CORDON_WEBHOOK_SECRET": Self.secret]
    try await LiveServer.with(settings, endsItself: true, status: SIGKILL) { server in
      let (data, venues) = (server.folder + "/data", server.folder + "/venues")
      // Nobody receives. The event was queued before the server counts as killed.
      try await wait {
        let list = try await Program.run(Program.server, ["webhook", "list", "--data", data, "--json"])
        return list.output.contains("\"waiting\":1")
      }
      server.program.signal(SIGKILL)
      _ = await server.program.end()
      let receiver = try HTTPReceiver(port: port)
      let again = try Program(
        Program.server, ["serve", "--data", data, "--venues", venues, "--port", "0"], environment: settings)
      _ = try await again.line(with: "listening")
      let events = [try event(await receiver.next()), try event(await receiver.next())]
      #expect(events.map { $0["type"] as? String } == ["cordon.server.started", "cordon.server.started"])
      #expect(events[0]["id"] as? String != events[1]["id"] as? String)
      again.signal(SIGTERM)
      #expect(await again.end() == 0)
    }
  }

  /// Dead letters are listed without the path of the receiver, and sent again by a command.
  @Test func deadLettersAreSentAgain() async throws {
    let receiver = try HTTPReceiver { number, _ in number == 0 ? "410 Gone\r\n\r\n" : "200 OK\r\n\r\n" }
    let settings = [
      "CORDON_WEBHOOK_URLS": "http://127.0.0.1:\(receiver.port)/secret-path", "CORDON_WEBHOOK_SECRET": Self.secret,
    ]
    try await LiveServer.with(settings) { server in
      let data = server.folder + "/data"
      func run(_ arguments: String...) async throws -> (status: Int32, output: String, errors: String) {
        try await Program.run(Program.server, ["webhook"] + arguments + ["--data", data])
      }
      let first = try event(await receiver.next())
      var list = ""
      try await wait {
        list = try await run("list").output
        return list.contains("dead 1")
      }
      #expect(list.contains("cordon.server.started") && list.contains("status 410"), "\(list)")
      #expect(list.contains("http://127.0.0.1:\(receiver.port)") && !list.contains("secret-path"), "\(list)")
      #expect(try await run("resend", "99").status == 2)
      #expect(try await run("resend").status == 2)
      let resent = try await run("resend", "--all")
      #expect(resent.status == 0 && resent.output == "1 due again\n", "\(resent)")
      let again = try event(await receiver.next())
      #expect(again["id"] as? String == first["id"] as? String)
      let config = server.folder + "/webhooks.conf"
      let lines = "webhook-urls = http://127.0.0.1:\(receiver.port)/x\nwebhook-secret = \(Self.secret)\n"
      try Data(lines.utf8).write(to: URL(fileURLWithPath: config))
      let test = try await run("test", "--config", config)
      #expect(test.status == 0 && test.output.contains("for 1 receiver\n"), "\(test)")
    }
  }

  @Test(arguments: [
    ("webhook-urls = https://example.org/\n", "webhook-secret"),
    ("webhook-urls = http://example.org/\n", "needs TLS"),
    ("webhook-urls = https://a.example/ https://a.example/\n", "receiver 2 is listed twice"),
    ("webhook-secret = short\n", "whsec_"), ("webhook-events = nothing\n", "the kinds are cordon.alert.ended"),
    ("webhook-source = a b\n", "without spaces"), ("webhook-silence = 1m\n", "is not from 1h"),
  ])
  func faultsOfSettingsAreNamed(text: String, word: String) async throws {
    let scratch = try TemporaryFolder()
    try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path("settings")))
    let end = try await Program.run(Program.server, ["settings", "--config", scratch.path("settings")])
    #expect(end.status == 2 && end.errors.contains(word), "\(end)")
    #expect(!end.errors.contains("example.org/"), "an address may contain a secret")
  }
}
