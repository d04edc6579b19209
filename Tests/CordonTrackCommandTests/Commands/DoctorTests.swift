import Cordon
import CordonConsole
import CordonCore
import CordonMonitoring
import CordonTestSupport
import CordonTracking
import Foundation
import Testing

@Suite("The doctor", .timeLimit(.minutes(15)))
struct DoctorTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The codes of findings other than "ok".
  func examine(_ text: String, answers: [String: HTTPResponse] = [:], asks: Bool = true) async throws -> [String] {
    let file = try folder.write(text, to: "tracker.json")
    var doctor = Doctor(
      try TrackerConfiguration(file: file), transport: Answers(table: answers), patience: .milliseconds(300))
    doctor.asksServers = asks
    let findings = await doctor.examine()
    for finding in findings {
      #expect(finding.sentence.hasSuffix("."), "\(finding.sentence)")
      if finding.level != .ok { #expect(finding.remedy?.hasSuffix(".") == true, "\(finding.sentence)") }
    }
    return findings.filter { $0.level != .ok }.map(\.code)
  }

  /// Servers that answer by path.
  struct Answers: HTTPTransport {
    var table: [String: HTTPResponse]
    func send(_ message: HTTPRequest) async -> HTTPResponse { table["\(message.method) \(message.url.path)"] ?? .none }
  }

  @Test func everyMistakeOfAConfigurationIsReported() async throws {
    let gpsd = try Loopback.freePort()
    let codes = try await examine(#"{"gpsd": "127.0.0.1:\#(gpsd)"}"#)
    #expect(codes == ["no-sinks", "no-venue", "no-gpsd", "no-store"])
  }

  /// The mode everywhere needs no venue, but a sink and a consent of its own.
  @Test func theModeEverywhereNeedsNoVenue() async throws {
    let gpsd = try Loopback.freePort()
    func text(_ purposes: String) -> String {
      #"{"gpsd": "127.0.0.1:\#(gpsd)", "mode": "everywhere", "store": "s.sqlite", "sealed": false, "sinks": [{"kind": "file", "path": "rows.jsonl", "purposes": "\#(purposes)"}]}"#
    }
    #expect(try await examine(text("record")) == ["bad-configuration", "no-gpsd", "no-consent"])
    let file = folder.path("tracker.json")
    let refused = try Tracker.run(["consent", "1", "-c", file], in: folder.url)
    #expect(refused.status == 2 && refused.errors.contains("a required sink"), "\(refused.errors)")
    #expect(try await examine(text("everywhere")) == ["no-gpsd", "no-consent"])
    #expect(try Tracker.run(["consent", "1", "-c", file], in: folder.url).status == 0)
    #expect(try await examine(text("everywhere")) == ["no-gpsd", "no-consent-everywhere"])
    #expect(try Tracker.run(["consent", "1", "--everywhere", "-c", file], in: folder.url).status == 0)
    #expect(try await examine(text("everywhere")) == ["no-gpsd"])
  }

  /// A code without a server for it, and a number without a notice, are errors.
  @Test func commandsWithoutAnEffectFail() throws {
    let file = try folder.write(
      #"{"venue": "\#(Places.office)", "store": "s.sqlite", "sinks": [{"kind": "file", "path": "rows.jsonl"}]}"#,
      to: "tracker.json")
    #expect(try Tracker.run(["consent", "1", "-c", file], in: folder.url).status == 0)
    let code = try Tracker.run(["activate", "CODE", "-c", file], in: folder.url)
    #expect(code.status == 2 && code.errors.contains("invite code"), "\(code.errors)")
    let notice = try Tracker.run(["acknowledge", "7", "-c", file], in: folder.url)
    #expect(notice.status == 2 && notice.errors.contains("no notice 7"), "\(notice.errors)")
    let trip = try Tracker.run(["trip", "start", "-c", file], in: folder.url)
    #expect(trip.status == 0 && trip.errors.contains("does not run"), "\(trip.errors)")
  }

  @Test func aVenueNamedTwiceIsFound() async throws {
    let gpsd = try Loopback.freePort()
    let text =
      #"{"gpsd": "127.0.0.1:\#(gpsd)", "venue": "\#(Places.office)", "venues": ["\#(Places.office)"], "sinks": [{"kind": "file", "path": "rows.jsonl"}]}"#
    #expect(try await examine(text) == ["two-venues", "no-gpsd", "no-store"])
  }

  /// `export` writes everything about the person; only the owner can read the file.
  @Test func exportWritesAllLocalData() throws {
    let file = try folder.write(
      #"{"venue": "\#(Places.office)", "store": "s.sqlite", "sinks": [{"kind": "file", "path": "rows.jsonl"}]}"#,
      to: "tracker.json")
    let early = try Tracker.run(["export", "-c", file], in: folder.url)
    #expect(early.status == 2 && early.errors.contains("no store yet"))
    #expect(try Tracker.run(["consent", "2026-01", "-c", file], in: folder.url).status == 0)
    let result = try Tracker.run(["export", "-c", file], in: folder.url)
    let json = try Tracker.json(result.text)
    #expect(json["schema"] as? String == "cordon.my-data/1", "\(result.errors)")
    #expect(((json["consent"] as? [String: Any])?["record"] as? [String: Any])?["version"] as? String == "2026-01")
    #expect(try Tracker.run(["export", "-o", "mine.json", "-c", file], in: folder.url).status == 0)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("mine.json"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let nowhere = try Tracker.run(["export", "-o", "/nonexistent/x.json", "-c", file], in: folder.url)
    #expect(nowhere.status == 2 && nowhere.errors.contains("/nonexistent/x.json"))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!left.contains { $0.contains(".export-") || $0.hasSuffix(".part") }, "\(left)")
  }

  @Test func serversAreProbed() async throws {
    let gpsd = try Loopback.freePort()
    let text =
      #"{"gpsd": "127.0.0.1:\#(gpsd)", "venue": "\#(Places.office)", "sinks": [{"kind": "cordon", "url": "http://c.example"}]}"#
    let common = ["no-tls", "no-gpsd", "no-store"]
    #expect(try await examine(text) == common + ["no-answer"])
    #expect(try await examine(text, asks: false) == common)
    #expect(try await examine(text, answers: ["GET /health": HTTPResponse(status: 200)]) == common)
    #expect(try await examine(text, answers: ["GET /health": HTTPResponse(status: 502)]) == common + ["server-fault"])
    #expect(try await examine(text, answers: ["GET /health": HTTPResponse(status: 404)]) == common + ["not-cordon"])
    let old = HTTPResponse(status: 200, headers: ["date": "Sun, 06 Nov 1994 08:49:37 GMT"])
    #expect(try await examine(text, answers: ["GET /health": old]) == common + ["clock"])
  }

  @Test func theStoreIsInspected() async throws {
    let gpsd = try Loopback.freePort()
    let server = try LoopbackServer()
    let text =
      #"{"gpsd": "127.0.0.1:\#(gpsd)", "venue": "\#(Places.office)", "store": "s.sqlite", "sealed": false, "sinks": [{"kind": "cordon", "url": "\#(server.address)"}]}"#
    #expect(try await examine(text, asks: false) == ["no-gpsd", "no-consent"])
    let file = folder.path("tracker.json")
    #expect(try Tracker.run(["consent", "1", "-c", file], in: folder.url).status == 0)
    #expect(try await examine(text, asks: false) == ["no-gpsd", "not-activated"])
    #expect(try Tracker.run(["activate", "CODE", "-c", file], in: folder.url).status == 0)
    #expect(try await examine(text, asks: false) == ["no-gpsd"])
  }

  @Test func aTokenIsTestedWithAnEmptyBatch() async throws {
    let sink = try TrackerSink(.cordon, "https://c.example")
    for (status, code) in [(200, "token"), (401, "token-refused"), (403, "forbidden"), (410, "erased")] {
      let table = ["GET /health": HTTPResponse(status: 200), "POST /v1/positions": HTTPResponse(status: status)]
      let doctor = Doctor(TrackerConfiguration(), transport: Answers(table: table))
      #expect(await doctor.serverFindings(sink, token: "t").map(\.code) == ["server", code])
      #expect(await doctor.serverFindings(sink, token: nil).map(\.code) == ["server"])
    }
  }

  @Test func theExitStatusReportsProblems() throws {
    let gpsd = try Loopback.freePort()
    let file = try folder.write(
      #"{"gpsd": "127.0.0.1:\#(gpsd)", "venue": "nowhere.cvp", "store": "s.sqlite", "sinks": [{"kind": "file", "path": "rows.jsonl"}]}"#,
      to: "tracker.json")
    let result = try Tracker.run(["doctor", "-c", file, "--json", "--wait", "1s"], in: folder.url)
    #expect(result.status == 1)
    let json = try Tracker.json(result.text)
    #expect(json["schema"] as? String == "cordon.doctor/1")
    let findings = try #require(json["findings"] as? [[String: Any]])
    #expect(findings.map { $0["subject"] as? String } == ["configuration", "venue", "receiver", "store", "server"])
    #expect(json["failures"] as? Int == 3)
    for (arguments, status) in [
      (["doctor", "-c", "/nonexistent.json"], Int32(2)), (["-c", file, "--duration", "5"], 2), (["--store", "x"], 2),
      (["--venue", Places.office, "--sink", "post=x"], 2), (["consent", "-c", file], 2), (["status", "-c", file], 2),
      (["pause", "--duration", "soon", "-c", file], 2), (["--help"], 0), (["--version"], 0),
    ] {
      let result = try Tracker.run(arguments, in: folder.url)
      #expect(result.status == status, "\(arguments): \(result.errors)")
      #expect(status == 0 || result.errors.split(separator: "\n").count == 1, "\(result.errors)")
      #expect(status == 0 || result.errors.hasPrefix("cordon-track: "))
    }
  }

  /// The printed keys are those of docs/reference/tracker.md.
  @Test func theKeysAreDocumented() throws {
    let guide = try String(
      contentsOf: Places.package.appendingPathComponent("docs/reference/tracker.md"), encoding: .utf8)
    func documented(_ schema: String) throws -> Set<String> {
      let line = try #require(guide.components(separatedBy: "\n").first { $0.hasPrefix("| `cordon.\(schema)/1`") })
      let cell = line.components(separatedBy: " | ")[1]
      return Set(cell.split(separator: "`").enumerated().filter { $0.offset % 2 == 0 }.map { String($0.element) })
    }
    let file = try folder.write(
      #"{"venue": "\#(Places.office)", "store": "s.sqlite", "sinks": [{"kind": "file", "path": "rows.jsonl"}]}"#,
      to: "tracker.json")
    let result = try Tracker.run(["consent", "1", "-c", file, "--json"], in: folder.url)
    let json = try Tracker.json(result.text)
    #expect(json["schema"] as? String == "cordon.track-consent/1", "\(result.errors)")
    #expect(Set(json.keys) == (try documented("track")).union(["schema", "is_running"]))
    #expect((json["consent"] as? [String: Any])?["purposes"] as? [String] == ["record", "share"])
  }
}
