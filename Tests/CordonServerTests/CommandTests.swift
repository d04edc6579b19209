import CordonCore
import CordonIngest
import CordonServer
import CordonTestSupport
import Foundation
import Testing

@testable import CordonServerCommand

/// A user's first contact with the program.
@Suite("The command", .timeLimit(.minutes(10)))
struct CommandTests {
  @Test func helpExplainsHowToBegin() async throws {
    let help = try await Program.run(Program.server, ["--help"])
    #expect(help.status == 0)
    for word in ["cordon-server demo", "cordon-server serve", "operator add", "SIGHUP"] {
      #expect(help.output.contains(word), "\(word)")
    }
    #expect(try await Program.run(Program.server, ["demo", "--help"]).output.contains("--devices"))
  }

  @Test(arguments: [
    (["dmeo"], "dmeo"), (["demo", "--prot", "1"], "--port"), (["demo", "--port", "99999"], "65535"),
    (["demo", "--devices", "many"], "many"),
    (["serve", "--data", "/tmp/cordon-none"], "--venues"),
    (["serve", "--data", "/tmp/cordon-none", "--venues", "/tmp/cordon-none", "--host", "0.0.0.0"], "TLS"),
    (["operator", "add", "--data", "/tmp/cordon-none", "--name", "x", "--role", "boss"], "viewer"),
    (["serve", "--data", "/tmp/cordon-none", "--venues", "/nowhere", "--config", "/nowhere.conf"], "/nowhere.conf"),
  ])
  func usageErrorsAreOneLineAndStatusTwo(arguments: [String], word: String) async throws {
    let end = try await Program.run(Program.server, arguments)
    #expect(end.status == 2)
    #expect(end.output.isEmpty)
    #expect(end.errors.split(separator: "\n").count == 1, "\(end.errors)")
    #expect(end.errors.hasPrefix("cordon-server: ") && end.errors.contains(word), "\(end.errors)")
  }

  /// A file, and the environment over it; the error for an unknown setting names its line.
  @Test func settingsComeFromAFileAndTheEnvironment() async throws {
    let scratch = try TemporaryFolder()
    let path = scratch.path("settings")
    let bash = try #require(Program.path("bash"))
    func settings(_ text: String, _ environment: String = "") async throws -> (Int32, String, String) {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      let end = try await Program.run(
        bash, ["-c", "\(environment) exec \"$0\" settings --config \"$1\"", Program.server, path])
      return (end.status, end.output, end.errors)
    }
    let (status, output, _) = try await settings("# mine\nport = 9000\nposition-retention = 7d\n")
    #expect(status == 0)
    #expect(output.contains("port = 9000\n") && output.contains("position-retention = 7d\n"), "\(output)")
    let published = "published-accuracy = 12.5\npublished-user = x\npublished-password = 0123456789abcdef\n"
    #expect(try await settings(published).1.contains("published-accuracy = 12.5\n"))
    #expect(try await settings("port = 9000\n", "CORDON_PORT=9001").1.contains("port = 9001\n"))
    for (text, word) in [
      ("port = 9000\nprot = 1\n", ":2: 'prot' is not a known key (did you mean 'port'?)"),
      ("port = 9000\n\n# again\nport = 9001\n", ":4: 'port' is set in line 1 already"), ("port\n", "name = value"),
      ("PORT = 9000\n", "did you mean 'port'?"),
      ("colour = red\n", "the keys are alert-mail-folder"), ("port = many\n", ":1:"),
      ("position-retention = 7\n", "7s is not from 1h"),
      ("published-user = x\n", "published-password"), ("published-password = short\n", "16 characters"),
      ("published-accuracy = 0\n", "from 0.001"), ("data =\n", "name = value"),
    ] {
      let (status, _, errors) = try await settings(text)
      #expect(status == 2 && errors.contains(word), "\(errors)")
    }
    let (code, _, errors) = try await settings("", "CORDON_POSITION_RETENTOIN=7d")
    #expect(code == 2 && errors.contains("did you mean 'CORDON_POSITION_RETENTION'?"), "\(errors)")
    #expect(try await settings("", "CORDON_SOMETHING_ELSE=7d").0 == 0)
    // A secret is not printed, but the output shows whether it is set.
    let secret = try await settings(published).1
    #expect(!secret.contains("0123456789abcdef") && secret.contains("# published-password is set"), "\(secret)")
    #expect(output.contains("# published-password =\n"))
    // Variables that Kubernetes makes for a service are ignored; similar names are still refused.
    let links = "CORDON_PORT=tcp://10.0.0.1:8089 CORDON_PORT_8089_TCP=tcp://10.0.0.1:8089 CORDON_SERVICE_HOST=10.0.0.1"
    let linked = try await settings(
      "", links + " CORDON_SERVICE_PORT=8089 CORDON_HOST=::1 CORDON_DATA_PORT=udp://10.0.0.1:1")
    #expect(linked.0 == 0 && linked.1.contains("port = 8089\n") && linked.1.contains("host = ::1\n"), "\(linked)")
    #expect(try await settings("port = 9000\n", links).1.contains("port = 9000\n"))
    #expect(try await settings("", "CORDON_PORT=tcp:8089").0 == 2)
    // The output is a valid file with the same meaning.
    #expect(try await settings(output).1 == output)
  }

  /// Errors name unusable files, and an address that is in use.
  @Test func theReasonForNotListeningIsReported() async throws {
    try await LiveServer.with { server in
      let folder = server.folder
      func serve(_ more: String...) async throws -> (status: Int32, output: String, errors: String) {
        try await Program.run(
          Program.server, ["serve", "--data", folder + "/other", "--venues", folder + "/venues"] + more)
      }
      try Data("nothing".utf8).write(to: URL(fileURLWithPath: folder + "/empty.pem"))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/empty.pem")
      for (chain, word) in [("/nope.pem", "cannot be read"), ("/empty.pem", "certificate")] {
        let end = try await serve("--certificate", folder + chain, "--key", folder + "/empty.pem", "--port", "0")
        #expect(end.status == 2 && end.errors.contains("\(folder)\(chain): ") && end.errors.contains(word), "\(end)")
      }
      if let openssl = Program.path("openssl") {
        for name in ["one", "two"] {
          let made = try await Program.run(
            openssl,
            [
              "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
              "-subj", "/CN=x", "-keyout", "\(folder)/\(name).key", "-out", "\(folder)/\(name).pem",
            ])
          try #require(made.status == 0)
        }
        for (key, word) in [
          ("empty.pem", "private key"), ("two.key", "is not the key of"), ("nope.key", "cannot be read"),
        ] {
          let end = try await serve("--certificate", folder + "/one.pem", "--key", "\(folder)/\(key)", "--port", "0")
          #expect(end.status == 2 && end.errors.contains("\(folder)/\(key): ") && end.errors.contains(word), "\(end)")
        }
      }
      let taken = try await serve("--port", "\(server.port)")
      #expect(
        taken.status == 2 && taken.errors.contains("port \(server.port): another program listens there"), "\(taken)")
      #expect(
        try await serve("--host", "192.0.2.1", "--behind-proxy", "--port", "0").errors.contains("no address of this"))
      for port in ["99999", "65536"] {
        let refused = try await serve("--port", port)
        #expect(refused.status == 2 && refused.errors.contains("port \(port)"), "\(refused)")
      }
    }
  }

  /// Keys that others can read are refused: the error names the file and the remedy.
  @Test func looseFilePermissionsAreRefused() async throws {
    try await LiveServer.with(endsItself: true) { server in
      server.program.signal(SIGTERM)
      #expect(await server.program.end() == 0)
      let data = server.folder + "/data"
      func mode(_ path: String, _ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      }
      func serve(_ more: [String] = []) async throws -> (status: Int32, output: String, errors: String) {
        try await Program.run(
          Program.server, ["serve", "--data", data, "--venues", server.folder + "/venues", "--port", "0"] + more)
      }
      for (path, loose, strict) in [
        (data, 0o755, 0o700), (data + "/keys.json", 0o644, 0o600), (data + "/operators.key", 0o640, 0o600),
        (data + "/cordon.sqlite", 0o606, 0o600), (data + "/operators.sealed", 0o660, 0o600),
      ] {
        try mode(path, loose)
        let end = try await serve()
        #expect(end.status == 2, "\(path)")
        let words = ["\(path): mode \(String(loose, radix: 8))", "chmod \(String(strict, radix: 8)) \(path)"]
        #expect(words.allSatisfy(end.errors.contains), "\(end.errors)")
        try mode(path, strict)
      }
      // Secrets from other files.
      let config = server.folder + "/server.conf"
      try Data("published-user = x\npublished-password = 0123456789abcdef\n".utf8).write(
        to: URL(fileURLWithPath: config))
      try mode(config, 0o644)
      #expect(try await serve(["--config", config]).errors.contains("\(config): mode 644"))
      #expect(try await serve(["--certificate", config, "--key", config]).errors.contains("\(config): mode 644"))
      try mode(config, 0o640)
      let program = try Program(
        Program.server,
        ["serve", "--data", data, "--venues", server.folder + "/venues", "--port", "0", "--config", config])
      _ = try await program.line(with: "\"listening\"")
      program.signal(SIGTERM)
      #expect(await program.end() == 0)
    }
  }

  /// A backup of a running server, restored after more rows arrived, holds exactly the rows of the backup. A name is
  /// one line without terminal control; a failed write is an error.
  @Test func namesAreEscapedForTerminals() async throws {
    let scratch = try TemporaryFolder()
    let data = scratch.path("data")
    let name = "Eve\u{1b}[2J\u{9b}31m\nroot  admin"
    let added = try await Program.run(
      Program.server, ["operator", "add", "--data", data, "--name", name, "--role", "viewer"])
    #expect(added.status == 0, "\(added.errors)")
    let list = try await Program.run(Program.server, ["operator", "list", "--data", data])
    #expect(list.output.split(separator: "\n").count == 1 && list.output.contains("Eve\\u{1b}[2J\\u{9b}31m\\u{a}root"))
    let wrong = try await Program.run(Program.server, ["settings", "--config", "/no\u{1b}[31mwhere"])
    #expect(wrong.status == 2 && !wrong.errors.contains("\u{1b}") && wrong.errors.contains("\\u{1b}[31m"))
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let bash = try #require(Program.path("bash"))
    for command in ["settings", "--help", "operator list --data \(data)"] {
      let full = try await Program.run(bash, ["-c", "exec \"$0\" \(command) > /dev/full", Program.server])
      #expect(full.status == 2 && full.errors.contains("standard output"), "\(command): \(full.errors)")
    }
  }

  @Test func aBackupCanBeRestored() async throws {
    try await LiveServer.with(endsItself: true) { server in
      let token = try await server.token("phone-1")
      let bearer = ["authorization": "Bearer \(token)"]
      _ = try await server.send("POST", "/v1/positions", try server.batch("phone-1", 30), bearer)
      let (data, copy) = (server.folder + "/data", server.folder + "/copy.sqlite")
      let backup = try await Program.run(Program.server, ["backup", "--data", data, "-o", copy])
      #expect(backup.status == 0, "\(backup.errors)")
      #expect(try await Program.run(Program.server, ["backup", "--data", data, "-o", copy]).status == 2)
      _ = try await server.send("POST", "/v1/positions", try server.batch("phone-1", 60), bearer)
      server.program.signal(SIGTERM)
      #expect(await server.program.end() == 0)
      #expect(try await Program.run(Program.server, ["restore", "--data", data, data + "/keys.json"]).status == 2)
      #expect(try await Program.run(Program.server, ["restore", "--data", data, copy]).status == 0)
      // The former rows are deleted: no job would ever delete them later.
      #expect(try FileManager.default.contentsOfDirectory(atPath: data).filter { $0.contains("before") } == [])
      #expect(try SQLitePositionStore(path: data + "/cordon.sqlite").positionCount() == 30)
      let check = try await Program.run(Program.server, ["check-contacts", "--data", data])
      #expect(check.status == 0 && check.output.contains("different 0"), "\(check)")
      #expect(try await Program.run(Program.server, ["rotate-keys", "--data", data]).output.hasPrefix("key "))
    }
  }

  /// A device that was erased after the backup is in the backup, but not in the restored store.
  @Test func aRestoreDoesNotBringErasedDevicesBack() async throws {
    try await LiveServer.with(endsItself: true) { server in
      var bearers: [[String: String]] = []
      for name in ["phone-1", "phone-2"] {
        bearers.append(["authorization": "Bearer \(try await server.token(name))"])
        _ = try await server.send("POST", "/v1/positions", try server.batch(name, 20), bearers.last ?? [:])
      }
      let (data, copy) = (server.folder + "/data", server.folder + "/copy.sqlite")
      #expect(try await Program.run(Program.server, ["backup", "--data", data, "-o", copy]).status == 0)
      let erasure = try await server.send("DELETE", "/v1/devices/phone-1", #"{"reason": "asked to"}"#, server.basic)
      #expect(erasure.status == 200)
      let early = try await Program.run(Program.server, ["restore", "--data", data, copy])
      #expect(early.status == 2 && early.errors.contains("a server runs"), "\(early)")
      let second = try await Program.run(
        Program.server, ["serve", "--data", data, "--venues", server.folder + "/venues", "--port", "0"])
      #expect(second.status == 2, "\(second)")
      // Only the owner can read the store and a backup elsewhere.
      for path in [copy, data + "/cordon.sqlite", data + "/cordon.sqlite-wal", data + "/lock"] {
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600, "\(path)")
      }
      server.program.signal(SIGTERM)
      #expect(await server.program.end() == 0)
      let restored = try await Program.run(Program.server, ["restore", "--data", data, "--keep", copy])
      #expect(restored.status == 0 && restored.output.contains("erased again 1"), "\(restored)")
      #expect(FileManager.default.fileExists(atPath: data + "/cordon.sqlite.before-restore"))
      #expect(try SQLitePositionStore(path: data + "/cordon.sqlite").positionCount() == 20)
      for file in try FileManager.default.contentsOfDirectory(atPath: data) where !file.contains("before") {
        let bytes = try #require(FileManager.default.contents(atPath: data + "/" + file))
        #expect(bytes.range(of: Data("phone-1".utf8)) == nil, "\(file)")
      }
      // The restored server knows that phone-1 was erased.
      let program = try Program(
        Program.server, ["serve", "--data", data, "--venues", server.folder + "/venues", "--port", "0"])
      let line = try await program.line(with: "\"listening\"")
      let port = try #require(Int(try LiveServer.member("port", of: Data(line.utf8))))
      let client = LoopbackClient(port: port)
      let late = try await client.send("POST", "/v1/positions", Array(#"{"rows":[]}"#.utf8), headers: bearers[0])
      #expect(late.status == 410)
      let other = try await client.send("POST", "/v1/positions", Array(#"{"rows":[]}"#.utf8), headers: bearers[1])
      #expect(other.status == 207)
      program.signal(SIGTERM)
      #expect(await program.end() == 0)
      // The store is damaged; the log holds the later decisions.
      try Data("damaged".utf8).write(to: URL(fileURLWithPath: data + "/cordon.sqlite"))
      #expect(try await Program.run(Program.server, ["restore", "--data", data, copy]).status == 0)
      #expect(try SQLitePositionStore(path: data + "/cordon.sqlite").positionCount() == 20)
    }
  }

  /// A restore needs an explicit option to make a store without its log, its keys or the decisions.
  @Test func aRestoreRefusesWithoutItsSources() async throws {
    try await LiveServer.with(endsItself: true) { server in
      let bearer = ["authorization": "Bearer \(try await server.token("phone-1"))"]
      _ = try await server.send("POST", "/v1/positions", try server.batch("phone-1", 20), bearer)
      let (data, copy) = (server.folder + "/data", server.folder + "/copy.sqlite")
      #expect(try await Program.run(Program.server, ["backup", "--data", data, "-o", copy]).status == 0)
      let erasure = try await server.send("DELETE", "/v1/devices/phone-1", #"{"reason": "asked to"}"#, server.basic)
      #expect(erasure.status == 200)
      let log = server.folder + "/elsewhere.sqlite"
      #expect(try await Program.run(Program.server, ["backup", "--data", data, "--decisions", "-o", log]).status == 0)
      server.program.signal(SIGTERM)
      #expect(await server.program.end() == 0)
      let files = FileManager.default
      func run(_ arguments: String...) async throws -> (status: Int32, output: String, errors: String) {
        try await Program.run(Program.server, arguments)
      }
      func rows(_ folder: String) throws -> Int64 {
        try SQLitePositionStore(path: folder + "/cordon.sqlite").positionCount()
      }
      // A new machine: no keys, then no log, then a copy of the log, then none on purpose.
      let new = server.folder + "/new"
      var answer = try await run("restore", "--data", new, copy)
      #expect(answer.status == 2 && answer.errors.contains("keys.json"), "\(answer)")
      #expect(!files.fileExists(atPath: new + "/keys.json"))
      try files.copyItem(atPath: data + "/keys.json", toPath: new + "/keys.json")
      answer = try await run("restore", "--data", new, copy)
      #expect(answer.status == 2 && answer.errors.contains("--decisions") && answer.errors.contains("--without-log"))
      #expect(!files.fileExists(atPath: new + "/cordon.sqlite"))
      answer = try await run("restore", "--data", new, "--decisions", log, copy)
      #expect(answer.status == 0 && answer.output.contains("erased again 1"), "\(answer)")
      #expect(try rows(new) == 0)
      let blind = server.folder + "/blind"
      try files.createDirectory(atPath: blind, withIntermediateDirectories: true)
      try files.copyItem(atPath: data + "/keys.json", toPath: blind + "/keys.json")
      #expect(try await run("restore", "--data", blind, "--without-log", copy).status == 0)
      #expect(try rows(blind) == 20)
      // A damaged log stops a restore, and the error names the remedy.
      let path = data + "/decisions.sqlite"
      let sound = try #require(files.contents(atPath: path))
      #expect((try? files.attributesOfItem(atPath: path + "-wal")[.size] as? Int) ?? 0 == 0, "the log was not emptied")
      try (sound.prefix(sound.count / 2) + Data("damaged".utf8)).write(to: URL(fileURLWithPath: path))
      answer = try await run("restore", "--data", data, copy)
      #expect(answer.status == 2 && answer.errors.contains("rebuild-log"), "\(answer)")
      #expect(try rows(data) == 0, "the former store is there")
      func serve() async throws -> (status: Int32, output: String, errors: String) {
        try await run("serve", "--data", data, "--venues", server.folder + "/venues", "--port", "0")
      }
      #expect(try await serve().status == 2)
      // So does a lost one; it can be rebuilt from the last store.
      try files.removeItem(atPath: path)
      answer = try await serve()
      #expect(answer.status == 2 && answer.errors.contains("rebuild-log"), "\(answer)")
      #expect(try await run("rebuild-log", "--data", data).status == 0)
      #expect(try await run("restore", "--data", data, copy).output.contains("erased again 1"))
      // Lost keys are not generated anew beside a store.
      try files.moveItem(atPath: data + "/keys.json", toPath: data + "/keys.away")
      answer = try await serve()
      #expect(answer.status == 2 && answer.errors.contains("keys.json"), "\(answer)")
      #expect(!files.fileExists(atPath: data + "/keys.json"))
      try files.moveItem(atPath: data + "/keys.away", toPath: data + "/keys.json")
      // Nor is a store made anew beside its log.
      for suffix in ["", "-wal", "-shm"] { try? files.removeItem(atPath: data + "/cordon.sqlite" + suffix) }
      answer = try await serve()
      #expect(answer.status == 2 && answer.errors.contains("cordon-server restore"), "\(answer)")
    }
  }

  /// A process that dies while it moves the restored files into place leaves the former or the new ones.
  @Test func anInterruptedRestoreIsCompleted() async throws {
    try await LiveServer.with(endsItself: true) { server in
      let bearer = ["authorization": "Bearer \(try await server.token("phone-1"))"]
      _ = try await server.send("POST", "/v1/positions", try server.batch("phone-1", 20), bearer)
      let (data, copy) = (server.folder + "/data", server.folder + "/copy.sqlite")
      #expect(try await Program.run(Program.server, ["backup", "--data", data, "-o", copy]).status == 0)
      _ = try await server.send("POST", "/v1/positions", try server.batch("phone-1", 60), bearer)
      server.program.signal(SIGTERM)
      #expect(await server.program.end() == 0)
      let files = FileManager.default
      let keys = Pseudonyms(signer: HMACSigner(), keys: try DataFolder(data).keys())
      func make() throws {
        var sources = Restoration.Sources()
        sources.log = data + "/decisions.sqlite"
        _ = try Restoration.make(
          store: data + "/cordon.sqlite.new", log: data + "/decisions.sqlite.new", from: copy, sources: sources,
          pseudonyms: keys)
      }
      func rows() throws -> Int64 { try SQLitePositionStore(path: data + "/cordon.sqlite").positionCount() }
      // Before the commit point: the former store stays, with any files beside it.
      try make()
      try DataFolder(data).lock().release()
      #expect(try rows() > 20)
      // After that, at each step.
      for step in 0..<3 {
        try? DataFolder(data).removeUnfinishedRestore()
        try make()
        #expect(files.createFile(atPath: data + "/restore.pending", contents: Data()))
        if step > 0 {
          for suffix in ["-wal", "-shm"] { try? files.removeItem(atPath: data + "/cordon.sqlite" + suffix) }
        }
        if step > 1 { #expect(rename(data + "/cordon.sqlite.new", data + "/cordon.sqlite") == 0) }
        let early = try await Program.run(Program.server, ["backup", "--data", data, "-o", copy + "-\(step)"])
        #expect(early.status == 2 && early.errors.contains("cut short"), "\(early)")
        try DataFolder(data).lock().release()
        #expect(try rows() == 20)
        #expect(!files.fileExists(atPath: data + "/restore.pending"))
        #expect(!files.fileExists(atPath: data + "/decisions.sqlite.new"))
      }
    }
  }

  /// With two bundles of one venue, the server reports both, and serves the former one.
  @Test func twoBundlesOfAVenueAreAnError() async throws {
    try await LiveServer.with(endsItself: true) { server in
      let venues = server.folder + "/venues"
      // A venue without a name is named after its file.
      try FileManager.default.copyItem(atPath: venues + "/hall.geojson", toPath: venues + "/hall.json")
      server.program.signal(SIGHUP)
      let line = try await server.program.line(with: "reload failed")
      #expect(line.contains("hall.geojson") && line.contains("hall.json"), "\(line)")
      #expect(try await server.send("GET", "/v1/venues").status == 200)
      #expect(try await server.token("phone-1").isEmpty == false, "the old venue is served on")
      server.program.signal(SIGTERM)
      #expect(await server.program.end() == 0)
      let start = try await Program.run(
        Program.server, ["serve", "--data", server.folder + "/data", "--venues", venues, "--port", "0"])
      #expect(start.status == 2)
      #expect(start.errors.contains("hall.geojson") && start.errors.contains("hall.json"), "\(start.errors)")
    }
  }

  /// A server with damaged pages reports from the start that it is not ready.
  @Test func aDamagedDatabaseIsNotReady() async throws {
    try await LiveServer.with(endsItself: true) { server in
      let bearer = ["authorization": "Bearer \(try await server.token("phone-1"))"]
      for _ in 0..<4 { _ = try await server.send("POST", "/v1/positions", try server.batch("phone-1", 3_000), bearer) }
      server.program.signal(SIGTERM)
      #expect(await server.program.end() == 0)
      let data = server.folder + "/data"
      let path = data + "/cordon.sqlite"
      var bytes = try #require(FileManager.default.contents(atPath: path))
      let pages = bytes.count / 4_096
      try #require(pages > 20)
      for page in (pages / 2)..<(pages / 2 + 6) {
        bytes.replaceSubrange(page * 4_096..<page * 4_096 + 2_048, with: Data(repeating: 0xa5, count: 2_048))
      }
      try bytes.write(to: URL(fileURLWithPath: path))
      let program = try Program(
        Program.server, ["serve", "--data", data, "--venues", server.folder + "/venues", "--port", "0"])
      _ = try await program.line(with: "the store is damaged")
      let line = try await program.line(with: "\"listening\"")
      let client = LoopbackClient(port: try #require(Int(try LiveServer.member("port", of: Data(line.utf8)))))
      let ready = try await client.send("GET", "/readyz", [], headers: [:])
      #expect(ready.status == 503)
      #expect(String(decoding: ready.body, as: UTF8.self) == "not ready: damaged\n")
      #expect(try await client.send("GET", "/livez", [], headers: [:]).status == 200)
      _ = try await program.line(with: "not ready")
      program.signal(SIGTERM)
      #expect(await program.end() == 0)
    }
  }

  /// A container passes no arguments: the environment is enough.
  @Test func theEnvironmentSufficesForConfiguration() async throws {
    try await LiveServer.with(endsItself: true) { server in
      server.program.signal(SIGTERM)
      #expect(await server.program.end() == 0)
      let settings = [
        "CORDON_DATA": server.folder + "/data", "CORDON_VENUES": server.folder + "/venues", "CORDON_PORT": "0",
        "CORDON_HOST": "0.0.0.0",
      ]
      let bare = try Program(Program.server, ["serve"], environment: settings)
      _ = try await bare.line(with: "TLS")
      #expect(await bare.end() == 2)
      let proxied = settings.merging(["CORDON_BEHIND_PROXY": "yes"]) { $1 }
      let program = try Program(Program.server, ["serve"], environment: proxied)
      _ = try await program.line(with: "\"listening\"")
      program.signal(SIGTERM)
      #expect(await program.end() == 0)
    }
  }

  /// The system generates codes: no two servers make the same.
  @Test func codesOfTwoServersDiffer() async throws {
    var codes: [String] = []
    for _ in 0..<2 {
      try await LiveServer.with { server in
        for _ in 0..<2 {
          let order = #"{"venue": "\#(server.venue.rawValue)"}"#
          let answer = try await server.send("POST", "/v1/operator/invite-codes", order, server.basic)
          codes.append(try LiveServer.member("code", of: answer.body))
        }
      }
    }
    #expect(Set(codes).count == 4)
    #expect(codes.allSatisfy { $0.count == 20 })
  }

  /// The demo prints valid credentials, its crowd appears, and it leaves no files.
  @Test func theDemoWorksAsDocumented() async throws {
    let demo = try Program(Program.server, ["demo", "--port", "0", "--devices", "6"])
    var (text, port) = ("", 0)
    for await line in demo.output {
      text += line + "\n"
      if line.contains("Ctrl-C") { break }
    }
    func after(_ word: String) throws -> String {
      let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
      let index = try #require(words.firstIndex(of: word))
      return words[index + 1]
    }
    let page = try #require(URL(string: try after("console")))
    port = try #require(page.port)
    let basic = "Basic " + Data("\(try after("operator")):\(try after("key"))".utf8).base64EncodedString()
    let watcher = try RawConnection(port: port)
    let venue = try after("venues")
    watcher.send([
      "GET /v1/operator/events?venue=\(venue) HTTP/1.1\r\nhost: x\r\nauthorization: \(basic)\r\n\r\n"
    ])
    let events = await watcher.text(until: "event: counts")
    #expect(events.contains("HTTP/1.1 200") && events.contains("event: counts"))
    demo.signal(SIGINT)
    #expect(await demo.end() == 0)
  }
}
