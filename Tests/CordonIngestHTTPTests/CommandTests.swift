import CordonIngest
import Foundation
import Testing

/// What somebody meets who runs the program for the first time.
@Suite("The command", .timeLimit(.minutes(10)))
struct CommandTests {
  @Test func helpTellsHowToBegin() async throws {
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
  func mistakesAreOneLineAndTheStatusIsTwo(arguments: [String], word: String) async throws {
    let end = try await Program.run(Program.server, arguments)
    #expect(end.status == 2)
    #expect(end.output.isEmpty)
    #expect(end.errors.split(separator: "\n").count == 1, "\(end.errors)")
    #expect(end.errors.hasPrefix("cordon-server: ") && end.errors.contains(word), "\(end.errors)")
  }

  /// A file, and the environment over it; what is no setting is told with its line.
  @Test func settingsComeFromAFileAndTheEnvironment() async throws {
    let path = NSTemporaryDirectory() + "cordon-settings-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
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
    #expect(try await settings("port = 9000\n", "CORDON_PORT=9001").1.contains("port = 9001\n"))
    for (text, word) in [
      ("port = 9000\nprot = 1\n", ":2: no setting \"prot\"; did you mean port?"),
      ("port = 9000\n\n# again\nport = 9001\n", ":4: port is set in line 1 already"), ("port\n", "name = value"),
      ("colour = red\n", "`cordon-server settings` lists them"), ("port = many\n", ":1:"),
      ("position-retention = 7\n", "unit"),
      ("published-user = x\n", "published-password"),
    ] {
      let (status, _, errors) = try await settings(text)
      #expect(status == 2 && errors.contains(word), "\(errors)")
    }
    let (code, _, errors) = try await settings("", "CORDON_POSITION_RETENTOIN=7d")
    #expect(code == 2 && errors.contains("did you mean CORDON_POSITION_RETENTION?"), "\(errors)")
    #expect(try await settings("", "CORDON_SOMETHING_ELSE=7d").0 == 0)
    // What is printed can be used as a file, and means the same.
    #expect(try await settings(output).1 == output)
  }

  /// A backup of a server that runs, put back after more came: what the backup had is there, and nothing else.
  @Test func aBackupCanBePutBack() async throws {
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
      #expect(try SQLitePositionStore(path: data + "/cordon.sqlite").positionCount() == 30)
      let check = try await Program.run(Program.server, ["check-contacts", "--data", data])
      #expect(check.status == 0 && check.output.contains("different 0"), "\(check)")
      #expect(try await Program.run(Program.server, ["rotate-keys", "--data", data]).output.hasPrefix("key "))
    }
  }

  /// The demo prints credentials that work, and a crowd that is seen; nothing is left of it.
  @Test func theDemoWorksAsItSays() async throws {
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
    let page = try #require(URL(string: try after("page")))
    port = try #require(page.port)
    let basic = "Basic " + Data("\(try after("operator")):\(try after("key"))".utf8).base64EncodedString()
    let watcher = try RawConnection(port: port)
    let venue = try after("venue").dropLast()
    watcher.send([
      "GET /v1/operator/events?venue=\(venue) HTTP/1.1\r\nhost: x\r\nauthorization: \(basic)\r\n\r\n"
    ])
    let events = await watcher.text(until: "event: counts")
    #expect(events.contains("HTTP/1.1 200") && events.contains("event: counts"))
    demo.signal(SIGINT)
    #expect(await demo.end() == 0)
  }
}
