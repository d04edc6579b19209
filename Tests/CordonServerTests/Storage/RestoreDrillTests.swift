import CordonCore
import CordonIngest
import CordonTestSupport
import Foundation
import Testing

/// The restore drill of docs/reference/server.md, with the built program: back up, decide, optionally lose the disk,
/// restore, serve.
@Suite("Restore drill") struct RestoreDrillTests {
  /// Where a restore finds the log of decisions.
  enum Place: CaseIterable {
    /// The folder has its store and its log.
    case sameFolder
    /// The store is gone, the log is there.
    case withoutStore
    /// Another machine: an empty folder, the keys, and a copy of the log.
    case emptyFolder
  }

  /// The events after the backup, and the requests that try to undo them.
  private struct World {
    var bearers: [String: [String: String]] = [:]
    var secrets: [String: String] = [:]
    /// A code with one use left in the backup, which was used since, and one that was revoked since.
    var codes: [String] = []
    var backup: String
    var log: String
  }

  @Test(arguments: Place.allCases)
  func decisionsSinceTheBackupHold(_ place: Place) async throws {
    try await LiveServer.with(endsItself: true) { server in
      let world = try await Self.history(of: server)
      server.program.signal(SIGTERM)
      #expect(await server.program.end() == 0)
      let files = FileManager.default
      var data = server.folder + "/data"
      var arguments: [String] = []
      switch place {
      case .sameFolder: break
      case .withoutStore:
        for suffix in ["", "-wal", "-shm"] { try? files.removeItem(atPath: data + "/cordon.sqlite" + suffix) }
      case .emptyFolder:
        let new = server.folder + "/new"
        try files.createDirectory(
          atPath: new, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // docs/reference/server.md says that a backup holds neither keys nor operators.
        for name in ["keys.json", "operators.sealed", "operators.key"] {
          try files.copyItem(atPath: "\(data)/\(name)", toPath: "\(new)/\(name)")
        }
        let refused = try await Program.run(Program.server, ["restore", "--data", new, world.backup])
        #expect(refused.status == 2 && refused.errors.contains("--decisions"), "\(refused)")
        #expect(!files.fileExists(atPath: new + "/cordon.sqlite"))
        data = new
        arguments = ["--decisions", world.log]
      }
      let restored = try await Program.run(Program.server, ["restore", "--data", data] + arguments + [world.backup])
      #expect(restored.status == 0, "\(restored)")
      #expect(restored.output.contains("erased again 1"), "\(restored.output)")
      let program = try Program(
        Program.server, ["serve", "--data", data, "--venues", server.folder + "/venues", "--port", "0"])
      let line = try await program.line(with: "\"listening\"")
      let port = try #require(Int(try LiveServer.member("port", of: Data(line.utf8))))
      try await Self.check(
        LiveServer(program: program, port: port, admin: server.admin, folder: server.folder, venue: server.venue), world
      )
      program.signal(SIGTERM)
      #expect(await program.end() == 0)
    }
  }

  /// How a database is brought back to an earlier state.
  enum Means: CaseIterable {
    /// `cordon-server restore`.
    case command
    /// `pg_restore`, of which the server knows nothing.
    case dump
  }

  /// With the store in a database: whatever brings an earlier state back, decisions since then hold.
  @Test(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"), arguments: Means.allCases)
  func decisionsSinceTheBackupHoldInADatabase(_ means: Means) async throws {
    let database = try PostgresServer.shared.get()
    let url = try database.database()
    let environment = ["CORDON_STORE": url]
    try await LiveServer.with(environment, endsItself: true) { server in
      let dump = "/tmp/cordon-\(UInt32.random(in: 0 ... .max)).dump"
      defer { unlink(dump) }
      let world = try await Self.history(of: server, environment) {
        let done = try database.run("pg_dump", ["-Fc", "-f", dump, "-d", url])
        #expect(done.status == 0, "\(done.errors)")
      }
      server.program.signal(SIGTERM)
      #expect(await server.program.end() == 0)
      let data = server.folder + "/data"
      var target = url
      switch means {
      case .command:
        let restored = try await Program.run(
          Program.server, ["restore", "--data", data, world.backup], environment: environment)
        #expect(restored.status == 0, "\(restored)")
        #expect(restored.output.contains("erased again 1"), "\(restored.output)")
      case .dump:
        target = try database.database()
        let done = try database.run("pg_restore", ["-d", target, dump])
        #expect(done.status == 0, "\(done.errors)")
        #expect(try database.sql("SELECT count(*) FROM cordon.device WHERE id = 'erased'", at: target) == "1")
      }
      let program = try Program(
        Program.server, ["serve", "--data", data, "--venues", server.folder + "/venues", "--port", "0"],
        environment: ["CORDON_STORE": target])
      let line = try await program.line(with: "\"listening\"")
      let port = try #require(Int(try LiveServer.member("port", of: Data(line.utf8))))
      try await Self.check(
        LiveServer(program: program, port: port, admin: server.admin, folder: server.folder, venue: server.venue), world
      )
      #expect(try database.sql("SELECT count(*) FROM cordon.device WHERE id = 'erased'", at: target) == "0")
      program.signal(SIGTERM)
      #expect(await program.end() == 0)
    }
  }

  private static func history(
    of server: LiveServer, _ environment: [String: String] = [:], onBackup: () throws -> Void = {}
  ) async throws -> World {
    let data = server.folder + "/data"
    var world = World(backup: server.folder + "/backup.sqlite", log: server.folder + "/log.sqlite")
    func order(_ uses: Int) async throws -> String {
      let order = #"{"venue": "\#(server.venue.rawValue)", "maximum_uses": \#(uses)}"#
      return try LiveServer.member(
        "code", of: try await server.send("POST", "/v1/operator/invite-codes", order, server.basic).body)
    }
    func activate(_ device: String, _ code: String) async throws -> String {
      try LiveServer.member(
        "secret",
        of: try await server.send("POST", "/v1/devices/\(device)/activate", #"{"code": "\#(code)"}"#).body)
    }
    func consent(_ device: String, _ purposes: String, _ time: Int) async throws {
      let answer = try await server.send(
        "PUT", "/v1/devices/\(device)/consent", #"{"version": "1", "purposes": [\#(purposes)], "time": \#(time)}"#,
        world.bearers[device] ?? [:])
      #expect(answer.status == 204)
    }
    for name in ["erased", "withdrew", "revoked", "kept"] {
      let secret = try await activate(name, try await order(1))
      let token = try LiveServer.member(
        "token", of: try await server.send("POST", "/v1/devices/\(name)/token", #"{"secret": "\#(secret)"}"#).body)
      world.secrets[name] = secret
      world.bearers[name] = ["authorization": "Bearer \(token)"]
      try await consent(name, #""record", "share""#, 5)
      let posted = try await server.send(
        "POST", "/v1/positions", try server.batch(name, 20), world.bearers[name] ?? [:])
      #expect(posted.status == 207)
    }
    world.codes = [try await order(1), try await order(9)]
    for name in ["erased", "kept"] {
      let made = try await server.send(
        "POST", "/v1/operator/cases",
        #"{"venue": "\#(server.venue.rawValue)", "device": "\#(name)", "label": "case of \#(name)", "reason": "test"}"#,
        server.basic)
      #expect(made.status == 201)
    }
    let made = try await Program.run(
      Program.server, ["backup", "--data", data, "-o", world.backup], environment: environment)
    #expect(made.status == 0, "\(made)")
    try onBackup()
    // Since then:
    let erasure = #"{"secret": "\#(world.secrets["erased"] ?? "")"}"#
    #expect(try await server.send("DELETE", "/v1/devices/erased", erasure).status == 200)
    try await consent("withdrew", "", 6)
    let revocation = try await server.send(
      "POST", "/v1/operator/devices/revoked/revoke", #"{"reason": "case 1"}"#, server.basic)
    #expect(revocation.status == 204)
    _ = try await activate("late", world.codes[0])
    let list = try await server.send(
      "GET", "/v1/operator/invite-codes?venue=\(server.venue.rawValue)", nil, server.basic)
    let entries = try JSONSerialization.jsonObject(with: list.body) as? [String: Any]
    let codes = try #require(entries?["invite_codes"] as? [[String: Any]])
    let number = try #require(codes.first { $0["maximum_uses"] as? Int == 9 }?["number"] as? Int)
    let deletion = try await server.send("DELETE", "/v1/operator/invite-codes/\(number)", nil, server.basic)
    #expect(deletion.status == 204)
    let look = #"{"venue": "\#(server.venue.rawValue)", "device": "kept", "reason": "snooping"}"#
    #expect(try await server.send("POST", "/v1/operator/exposures", look, server.basic).status == 200)
    // The copy that runs after every change, or every minute, of docs/reference/server.md.
    let copied = try await Program.run(
      Program.server, ["backup", "--data", data, "--decisions", "-o", world.log])
    #expect(copied.status == 0, "\(copied)")
    return world
  }

  private static func check(_ server: LiveServer, _ world: World) async throws {
    func post(_ name: String) async throws -> (status: Int, text: String) {
      let answer = try await server.send(
        "POST", "/v1/positions", try server.batch(name, 1), world.bearers[name] ?? [:])
      return (answer.status, String(decoding: answer.body, as: UTF8.self))
    }
    #expect(try await post("erased").status == 410)
    let receipt = try await server.send(
      "DELETE", "/v1/devices/erased", #"{"secret": "\#(world.secrets["erased"] ?? "")"}"#)
    #expect(receipt.status == 200, "the receipt can still be had")
    let withdrew = try await post("withdrew")
    #expect(withdrew.status == 207 && withdrew.text.contains("retry") && !withdrew.text.contains("stored"))
    #expect(try await post("revoked").status == 401)
    let kept = try await post("kept")
    #expect(kept.status == 207 && kept.text.contains("stored"))
    for code in world.codes {
      let answer = try await server.send("POST", "/v1/devices/other/activate", #"{"code": "\#(code)"}"#)
      #expect(answer.status == 403, "a code that was used up or revoked")
    }
    let cases = try await server.send(
      "GET", "/v1/operator/cases?venue=\(server.venue.rawValue)", nil, server.basic)
    let labels = String(decoding: cases.body, as: UTF8.self)
    #expect(labels.contains("case of kept") && !labels.contains("case of erased"), "\(labels)")
    let data = try await server.send("GET", "/v1/devices/kept/data", nil, world.bearers["kept"] ?? [:])
    let text = String(decoding: data.body, as: UTF8.self)
    #expect(text.components(separatedBy: "snooping").count == 2, "the person sees who looked, once")
    let audit = try await server.send("POST", "/v1/operator/audit", "{}", server.basic)
    #expect(String(decoding: audit.body, as: UTF8.self).contains("case 1"))
  }
}
