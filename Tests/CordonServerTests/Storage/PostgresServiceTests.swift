import CordonCore
import CordonTestSupport
import Foundation
import Testing

/// The server with its store in a database.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct PostgresServiceTests {
  private func statuses(_ body: Data) throws -> [String] {
    let object = try JSONSerialization.jsonObject(with: body) as? [String: Any]
    return (object?["results"] as? [[String: Any]] ?? []).compactMap { $0["status"] as? String }
  }

  @Test func rowsContactsAndErasuresAreInTheDatabase() async throws {
    let database = try PostgresServer.shared.get()
    let url = try database.database()
    try await LiveServer.with(["CORDON_STORE": url]) { server in
      let (one, two) = (try await server.device("one"), try await server.device("two"))
      let first = try await server.send("POST", "/v1/positions", try server.batch("one", 30), one.bearer)
      #expect(try statuses(first.body) == [String](repeating: "stored", count: 30))
      _ = try await server.send("POST", "/v1/positions", try server.batch("two", 30), two.bearer)
      #expect(try database.sql("SELECT count(*) FROM cordon.position", at: url) == "60")
      // The first rows of a venue come before its lease: their contacts are found within a second or two.
      try await wait { try database.sql("SELECT count(*) FROM cordon.contact", at: url) == "1" }
      let listed = try await server.send(
        "POST", "/v1/operator/contacts", #"{"venue": "\#(server.venue.rawValue)", "reason": "test"}"#, server.basic)
      #expect(listed.status == 200)
      let erased = try await server.send("DELETE", "/v1/devices/one", #"{"secret": "\#(one.secret)"}"#)
      #expect(erased.status == 200)
      #expect(try database.sql("SELECT count(*) FROM cordon.position", at: url) == "30")
      #expect(!FileManager.default.fileExists(atPath: server.folder + "/data/cordon.sqlite"))
    }
  }

  /// Without a database rows wait on the phones; the server starts all the same, and works as soon as there is one.
  @Test func aDatabaseMayBeDownAtTheStartAndInTheMiddle() async throws {
    let database = try PostgresServer()
    let url = try database.database()
    database.kill()
    try await LiveServer.with(["CORDON_STORE": url], warning: "no connection to the database") { server in
      #expect(try await server.send("GET", "/readyz").status == 503)
      try database.start()
      try await wait { try await server.send("GET", "/readyz").status == 200 }
      let phone = try await server.device("phone")
      let batch = try server.batch("phone", 10)
      #expect(try await server.send("POST", "/v1/positions", batch, phone.bearer).status == 207)
      database.kill()
      let refused = try await server.send("POST", "/v1/positions", batch, phone.bearer)
      #expect(refused.status == 503)
      #expect(refused.headers["retry-after"] != nil)
      #expect(try LiveServer.member("code", of: refused.body) == "store-unavailable")
      try database.start()
      try await wait { try await server.send("GET", "/readyz").status == 200 }
      let again = try await server.send("POST", "/v1/positions", batch, phone.bearer)
      #expect(try statuses(again.body) == [String](repeating: "known", count: 10))
    }
  }

  /// The rows of a folder with a store of its own would be out of reach.
  @Test func aFolderWithAStoreIsNotServedFromADatabase() async throws {
    let scratch = try TemporaryFolder()
    let data = scratch.path("data")
    try FileManager.default.createDirectory(
      atPath: data, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    _ = FileManager.default.createFile(
      atPath: data + "/cordon.sqlite", contents: nil, attributes: [.posixPermissions: 0o600])
    let end = try await Program.run(
      Program.server, ["serve", "--data", data, "--venues", scratch.path, "--port", "0"],
      environment: ["CORDON_STORE": "postgresql:///nowhere"])
    #expect(end.status == 2)
    #expect(end.errors.contains("migrate-store"), "\(end.errors)")
  }

  /// There and back: the server goes on with the same rows, tokens and receipts.
  @Test func aStoreMovesToADatabaseAndBack() async throws {
    let database = try PostgresServer.shared.get()
    let url = try database.database()
    try await LiveServer.with(endsItself: true) { server in
      let phone = try await server.device("phone")
      #expect(try await server.send("POST", "/v1/positions", try server.batch("phone", 20), phone.bearer).status == 207)
      server.program.signal(SIGTERM)
      #expect(await server.program.end() == 0)
      let data = server.folder + "/data"
      func migrate(_ direction: String) async throws -> String {
        let done = try await Program.run(
          Program.server, ["migrate-store", direction, "--data", data], environment: ["CORDON_STORE": url])
        #expect(done.status == 0, "\(done.errors)")
        return done.output
      }
      let there = try await migrate("to-database")
      #expect(there.contains("position 20 "))
      #expect(!FileManager.default.fileExists(atPath: data + "/cordon.sqlite"))
      #expect(try database.sql("SELECT count(*) FROM cordon.position", at: url) == "20")
      #expect(try await migrate("to-file") == there)
      let again = try Program(
        Program.server, ["serve", "--data", data, "--venues", server.folder + "/venues", "--port", "0"])
      let port = try LiveServer.member("port", of: Data(try await again.line(with: "\"listening\"").utf8))
      let moved = LiveServer(
        program: again, port: try #require(Int(port)), admin: server.admin, folder: server.folder, venue: server.venue)
      let token = try await moved.send("POST", "/v1/devices/phone/token", #"{"secret": "\#(phone.secret)"}"#)
      #expect(token.status == 200)
      again.signal(SIGTERM)
      #expect(await again.end() == 0)
    }
  }
}
