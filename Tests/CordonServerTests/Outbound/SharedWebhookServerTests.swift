import CordonCore
import CordonTestSupport
import Foundation
import Testing

/// Webhooks of servers on one database.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"), .timeLimit(.minutes(5)))
struct SharedWebhookServerTests {
  private static let secret = "whsec_" + Data("0123456789abcdef01234567".utf8).base64EncodedString()

  /// A server dies while it has the receiver: the other one sends its messages, and makes none of them again.
  @Test func anotherServerTakesTheMessagesOver() async throws {
    let database = try PostgresServer.shared.get()
    let (url, port) = (try database.database(), try Loopback.freePort())
    let environment = [
      "CORDON_STORE": url, "CORDON_WEBHOOK_URLS": "http://127.0.0.1:\(port)/hook",
      "CORDON_WEBHOOK_SECRET": Self.secret, "CORDON_WEBHOOK_EVENTS": "cordon.alert.raised",
    ]
    try await LiveServer.with(environment, endsItself: true, status: SIGKILL) { server in
      func count(_ rows: String) throws -> String { try database.sql("SELECT count(*) FROM cordon.\(rows)", at: url) }
      let rule =
        #"{"venue": "\#(server.venue.rawValue)", "kind": "no-data", "name": "nobody", "lasting_s": 0, "reason": "test"}"#
      #expect(try await server.send("POST", "/v1/operator/alerts", rule, server.basic).status == 201)
      // Nobody receives: the message waits in the database after its first attempt.
      try await wait { try count("webhook_delivery WHERE attempts > 0 AND kind = 'cordon.alert.raised'") == "1" }
      #expect(try count("webhook_claim WHERE task LIKE 'send to %'") == "1")
      let other = try await server.neighbour(environment)
      await server.stop(SIGKILL)
      let listed = try await Program.run(
        Program.server, ["webhook", "list", "--data", server.folder + "/other", "--json"], environment: environment)
      #expect(listed.output.contains("\"waiting\":1"), "\(listed)")
      let receiver = try HTTPReceiver(port: port)
      // The claim and the pause end.
      try database.sql("UPDATE cordon.webhook_claim SET until = clock_timestamp()", at: url)
      try database.sql("UPDATE cordon.webhook_delivery SET next = 0", at: url)
      try database.sql("UPDATE cordon.webhook_receiver SET paused_until = 0", at: url)
      let body = try #require(await receiver.next()).body
      let event = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
      #expect(event["type"] as? String == "cordon.alert.raised")
      try await wait { try count("webhook_delivery") == "0" }
      #expect(try count("webhook_mark WHERE name LIKE 'alert/%'") == "1")
      #expect(try count("alert WHERE sent IS NOT NULL") == "1")
      await other.stop()
      // A server that stops leaves its tasks to others at once.
      #expect(try count("webhook_claim WHERE until > clock_timestamp()") == "0")
    }
  }

  /// The messages of a server with a database are in two places; a command without the settings would see one of them only.
  @Test func commandsNeedTheDatabase() async throws {
    let url = try PostgresServer.shared.get().database()
    let environment = [
      "CORDON_STORE": url, "CORDON_WEBHOOK_URLS": "http://127.0.0.1:\(try Loopback.freePort())/hook",
      "CORDON_WEBHOOK_SECRET": Self.secret,
    ]
    try await LiveServer.with(environment) { server in
      let words = ["webhook", "list", "--data", server.folder + "/data"]
      let astray = try await Program.run(Program.server, words)
      #expect(astray.status != 0 && astray.errors.contains("CORDON_STORE"), "\(astray)")
      // The event of the start is that of this server alone.
      try await wait {
        try await Program.run(Program.server, words + ["--json"], environment: environment).output
          .contains("\"waiting\":1")
      }
      #expect(FileManager.default.fileExists(atPath: server.folder + "/data/webhooks.sqlite"))
    }
  }
}
