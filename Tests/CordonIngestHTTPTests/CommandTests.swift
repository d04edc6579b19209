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
