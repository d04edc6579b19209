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
      let rule = #"{"venue": "\#(server.venue.rawValue)", "kind": "no-data", "name": "nobody", "reason": "test"}"#
      #expect(try await server.send("POST", "/v1/operator/alerts", rule, server.basic).status == 201)
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
      #expect(there.contains("position 20 ") && there.contains("alertRule 1 "))
      for name in ["cordon", "cases", "alerts"] {
        #expect(!FileManager.default.fileExists(atPath: "\(data)/\(name).sqlite"), "\(name)")
      }
      #expect(try database.sql("SELECT count(*) FROM cordon.position", at: url) == "20")
      #expect(try await migrate("to-file") == there)
      let listed = try await Program.run(Program.server, ["operator", "list", "--data", data])
      #expect(listed.status == 0 && listed.output.contains("Test Person"), "\(listed)")
      let again = try Program(
        Program.server, ["serve", "--data", data, "--venues", server.folder + "/venues", "--port", "0"])
      let port = try LiveServer.member("port", of: Data(try await again.line(with: "\"listening\"").utf8))
      let moved = LiveServer(
        program: again, port: try #require(Int(port)), admin: server.admin, folder: server.folder, venue: server.venue)
      let token = try await moved.send("POST", "/v1/devices/phone/token", #"{"secret": "\#(phone.secret)"}"#)
      #expect(token.status == 200)
      let rules = try await moved.send("GET", "/v1/operator/alerts?venue=\(server.venue.rawValue)", nil, server.basic)
      #expect(String(decoding: rules.body, as: UTF8.self).contains("nobody"))
      again.signal(SIGTERM)
      #expect(await again.end() == 0)
    }
  }

  /// Forms are files of one server: another one with forms does not start, and the check reports it.
  @Test func anotherServerWithFormsIsRefused() async throws {
    let database = try PostgresServer.shared.get()
    let environment = ["CORDON_STORE": try database.database(), "CORDON_FORMS": "yes"]
    try await LiveServer.with(environment) { server in
      let other = try server.folderBeside()
      let places = ["--data", other, "--venues", server.folder + "/venues"]
      let check = try await Program.run(Program.server, ["check"] + places, environment: environment)
      #expect(check.status == 1 && check.output.contains("The files of forms are in another data folder"), "\(check)")
      let end = try await Program.run(
        Program.server, ["serve", "--port", "0"] + places, environment: environment)
      #expect(end.status != 0 && end.errors.contains("forms = no"), "\(end)")
    }
  }

  /// Cases, rules and contacts are those of all servers, and one that stops gives its venues to the other.
  @Test func serversOfADatabaseAgree() async throws {
    let database = try PostgresServer.shared.get()
    let url = try database.database()
    try await LiveServer.with(["CORDON_STORE": url], endsItself: true) { server in
      let (one, two) = (try await server.device("one"), try await server.device("two"))
      // The first server has the lease of the venue.
      try await wait { try database.sql("SELECT count(*) FROM cordon.lease", at: url) == "1" }
      let other = try await server.neighbour(["CORDON_STORE": url])
      _ = try await other.send("POST", "/v1/positions", try server.batch("one", 30), one.bearer)
      _ = try await server.send("POST", "/v1/positions", try server.batch("two", 30), two.bearer)
      try await wait { try database.sql("SELECT count(*) FROM cordon.contact", at: url) == "1" }
      let rule = #"{"venue": "\#(server.venue.rawValue)", "kind": "no-data", "name": "nobody", "reason": "test"}"#
      #expect(try await server.send("POST", "/v1/operator/alerts", rule, server.basic).status == 201)
      let listed = try await other.send(
        "GET", "/v1/operator/alerts?venue=\(server.venue.rawValue)", nil, server.basic)
      #expect(String(decoding: listed.body, as: UTF8.self).contains("nobody"))
      let before = try database.sql("SELECT owner, epoch FROM cordon.lease", at: url)
      server.program.signal(SIGTERM)
      #expect(await server.program.end() == 0)
      try await wait { try database.sql("SELECT owner, epoch FROM cordon.lease", at: url) != before }
      #expect(try await other.send("GET", "/readyz").status == 200)
      other.program.signal(SIGTERM)
      #expect(await other.program.end() == 0)
      #expect(try database.sql("SELECT count(*) FROM cordon.server", at: url) == "0")
    }
  }

  /// Operators, codes of persons' pages and failed attempts are those of all servers: a request may go to any of them.
  @Test func aProxyMaySendRequestsToAnyServer() async throws {
    let database = try PostgresServer.shared.get()
    let url = try database.database()
    let environment = ["CORDON_STORE": url]
    try await LiveServer.with(environment) { server in
      let phone = try await server.device("phone")
      let other = try await server.neighbour(environment)
      func command(_ words: String...) async throws -> (status: Int32, output: String, errors: String) {
        try await Program.run(
          Program.server, ["operator", words[0], "--data", server.folder + "/data"] + words.dropFirst(),
          environment: environment)
      }
      // A code of one server opens the page at another, once; its key erases at the first one.
      let made = try await server.send("POST", "/v1/devices/phone/page-code", "", phone.bearer)
      let use = #"{"code": "\#(try LiveServer.member("code", of: made.body))"}"#
      let opened = try await other.send("POST", "/v1/page-code", use)
      #expect(opened.status == 200)
      #expect(try await server.send("POST", "/v1/page-code", use).status == 403)
      // Thirty wrong secrets of a name at one server are those of all. A minute may end between.
      func guess(at place: LiveServer) async throws -> Int {
        try await place.send("POST", "/v1/devices/phone/token", #"{"secret": "guess"}"#).status
      }
      var isCounted = false
      for _ in 0..<3 where !isCounted {
        for _ in 0..<31 { _ = try await guess(at: server) }
        isCounted = try await guess(at: other) == 429
      }
      #expect(isCounted)
      let erasure = #"{"page_key": "\#(try LiveServer.member("key", of: opened.body))"}"#
      #expect(try await server.send("DELETE", "/v1/devices/phone", erasure).status == 200)
      #expect(try database.sql("SELECT count(*) FROM cordon.page_key", at: url) == "0")
      // A command changes the accounts for all servers, without a signal.
      let words = try await command("add", "--name", "Desk", "--role", "operator").output.split(
        whereSeparator: \.isWhitespace)
      try #require(words.count == 4)
      let basic = ["authorization": "Basic " + Data("\(words[1]):\(words[3])".utf8).base64EncodedString()]
      for place in [server, other] {
        try await wait { try await place.send("GET", "/v1/operator/me", nil, basic).status == 200 }
      }
      #expect(try await command("list").output.contains("Desk"))
      #expect(try await command("remove", String(words[1])).status == 0)
      for place in [server, other] {
        try await wait { try await place.send("GET", "/v1/operator/me", nil, basic).status != 200 }
      }
      // Without the settings the command would change a file that no server reads.
      let astray = try await Program.run(
        Program.server, ["operator", "list", "--data", server.folder + "/data"])
      #expect(astray.status != 0 && astray.errors.contains("CORDON_STORE"), "\(astray)")
      other.program.signal(SIGTERM)
      #expect(await other.program.end() == 0)
    }
  }

  /// With sealed columns people and operators see the same as without, and the database holds no place.
  @Test func sealedColumnsAreReadByTheServerAlone() async throws {
    let database = try PostgresServer.shared.get()
    let url = try database.database()
    let environment = ["CORDON_STORE": url, "CORDON_SEALED_COLUMNS": "yes"]
    try await LiveServer.with(environment) { server in
      let (one, two) = (try await server.device("one"), try await server.device("two"))
      _ = try await server.send("POST", "/v1/positions", try server.batch("one", 30), one.bearer)
      _ = try await server.send("POST", "/v1/positions", try server.batch("two", 30), two.bearer)
      try await wait {
        try database.sql("SELECT count(*) FROM cordon.contact WHERE sealed IS NOT NULL", at: url) == "1"
      }
      #expect(try database.sql("SELECT count(*) FROM cordon.position WHERE longitude IS NOT NULL", at: url) == "0")
      let own = try await server.send("GET", "/v1/devices/one/data", nil, one.bearer)
      #expect(String(decoding: own.body, as: UTF8.self).contains("\(LiveServer.corner.longitude)".prefix(5)))
      let check = try await Program.run(
        Program.server, ["check-contacts", "--data", server.folder + "/data"], environment: environment)
      #expect(check.status == 0 && check.output.contains("different 0"), "\(check)")
      // A backup would not be encrypted.
      let path = server.folder + "/backup.sqlite"
      let refused = try await Program.run(
        Program.server, ["backup", "--data", server.folder + "/data", "-o", path], environment: environment)
      #expect(refused.status == 2 && refused.errors.contains("--unsealed"), "\(refused)")
      // A server without the key does not start.
      let stranger = server.folder + "/stranger"
      try FileManager.default.createDirectory(
        atPath: stranger, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      for name in ["keys.json", "operators.key"] {
        try FileManager.default.copyItem(atPath: "\(server.folder)/data/\(name)", toPath: "\(stranger)/\(name)")
      }
      let end = try await Program.run(
        Program.server, ["serve", "--data", stranger, "--venues", server.folder + "/venues", "--port", "0"],
        environment: environment)
      #expect(end.status != 0 && end.errors.contains("sealing.json"), "\(end)")
    }
  }

  /// The check reads the database, and says when it cannot; a database of a later version is refused by check and server.
  @Test func theCheckExaminesTheDatabase() async throws {
    let database = try PostgresServer.shared.get()
    let url = try database.database()
    try await LiveServer.with(["CORDON_STORE": url], endsItself: true) { server in
      _ = try await server.device("one")
      let arguments = ["--data", server.folder + "/data", "--venues", server.folder + "/venues"]
      func check(_ store: String) async throws -> (status: Int32, output: String, errors: String) {
        try await Program.run(Program.server, ["check"] + arguments, environment: ["CORDON_STORE": store])
      }
      let sound = try await check(url)
      #expect(sound.output.contains("The database answers, and has rows of 1 venues."), "\(sound)")
      #expect(sound.output.contains("The log of decisions is whole."), "\(sound)")
      let missing = try await check("postgresql:///x?host=/nowhere")
      #expect(missing.status == 1 && missing.output.contains("The database cannot be read"), "\(missing)")
      server.program.signal(SIGTERM)
      #expect(await server.program.end() == 0)
      try database.sql("INSERT INTO cordon.schema_version (number) VALUES (1000)", at: url)
      let later = try await check(url)
      #expect(later.status == 1 && later.output.contains("newer version"), "\(later)")
      let end = try await Program.run(
        Program.server, ["serve", "--port", "0"] + arguments, environment: ["CORDON_STORE": url])
      #expect(end.status != 0 && end.errors.contains("newer version"), "\(end)")
      // A log that is lost is not made anew in silence.
      try database.sql("DELETE FROM cordon.schema_version WHERE number = 1000", at: url)
      try FileManager.default.removeItem(atPath: server.folder + "/data/decisions.sqlite")
      let lost = try await Program.run(
        Program.server, ["serve", "--port", "0"] + arguments, environment: ["CORDON_STORE": url])
      #expect(lost.status != 0 && lost.errors.contains("rebuild-log"), "\(lost)")
      let rebuilt = try await Program.run(
        Program.server, ["rebuild-log", "--data", server.folder + "/data"], environment: ["CORDON_STORE": url])
      #expect(rebuilt.status == 0, "\(rebuilt)")
      #expect(try await check(url).output.contains("The log of decisions is whole."))
    }
  }
}
