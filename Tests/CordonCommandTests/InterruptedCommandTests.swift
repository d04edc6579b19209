import CordonCore
import CordonTestSupport
import Foundation
import Testing

/// Ctrl-C in the long commands: progress before it; afterwards a complete object that is marked as partial.
@Suite("Interrupted commands", .serialized)
struct InterruptedCommandTests {
  private let scenario = """
    venue: {generate: {kind: office, floors: 1, area: 600, seed: 2}}
    time: {start: 2026-01-05T09:00, duration: 2h}
    populations: [{name: all, size: 15, arrival: {window: [09:00, 09:10]}, visit: 90m}]
    """
  private let crowd = """
    {"radius":0.2,"time_gap":1.0,"waypoint_radius":2.0,"exterior":[[0,0],[20,0],[20,10],[0,10]],"holes":[],
    "rooms":[{"rect":[0,0,8,10],"door":[[8,4],[8,6]],"centre":[4,5]},
    {"rect":[12,0,20,10],"door":[[12,4],[12,6]],"centre":[16,5]}],"journeys":[[0,1]],
    "agents":[{"x":2,"y":2,"v0":1.3,"journey":0,"start_stage":1},{"x":15,"y":7,"v0":1.2,"journey":0,"start_stage":0}]}
    """

  enum Command: String, CaseIterable {
    case bench, movement, phones, contacts, compare, sweep, simulate
  }

  @Test(arguments: Command.allCases)
  func anInterruptedRunReportsAPartialResult(_ command: Command) throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.write(scenario, to: "day.yaml")
    let intervals = (10...60).map { "\($0)s" }.joined(separator: ",")
    let arguments =
      switch command {
      case .bench: ["bench", "crowd", try scratch.write(crowd, to: "crowd.json"), "--duration", "1d"]
      case .movement: ["validate", "movement"]
      case .phones: ["validate", "phones"]
      case .contacts: ["validate", "contacts", "--scenario", file, "--replicas", "10000"]
      case .compare: ["compare", file, file, "--replicas", "100000"]
      case .sweep: ["sweep", file, "--interval", intervals]
      case .simulate: ["simulate", Places.office, "--people", "400", "--duration", "10h", "-o", scratch.path("run")]
      }
    let page = scratch.path("page.html")
    let more = command == .simulate || command == .bench ? [] : ["-o", page]
    // In some of them the first signal ends the walk, and the next one the phones' part.
    let signals = command == .sweep || command == .simulate ? 2 : 1
    let result = try CordonProcess.interrupted(arguments + more + ["--json"], signals: signals)
    #expect(result.status == 130, "\(result.errors)")
    // One object, and no line of progress.
    #expect(result.output.split(separator: "\n").count == 1, "\(result.output.prefix(300))")
    let json = try result.json()
    #expect(json["partial"] as? Bool == true, "\(result.output.prefix(300))")
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count >= 2, "progress, and why it ended: \(result.errors)")
    #expect(try #require(lines.last).contains("\"code\":\"interrupted\""), "\(result.errors)")
    switch command {
    case .bench:
      #expect(try #require(json["steps"] as? Int) < 86_400 * 20)
      #expect(json["overlaps"] as? Int == 0)
    case .movement:
      let cases = try #require(json["cases"] as? [[String: Any]])
      #expect(cases.count < 40 && cases.allSatisfy { $0["pass"] as? Bool == true }, "\(cases)")
    case .phones: #expect(try #require(json["cases"] as? [Any]).count < 19)
    case .contacts: #expect(json["failed"] as? Int != nil)
    case .compare: #expect(try #require(json["replicas"] as? Int) < 100_000)
    case .sweep: #expect(try #require(json["kinds"] as? [Any]).count < 4 * 51)
    case .simulate:
      let report = try String(contentsOfFile: scratch.path("run/report.html"), encoding: .utf8)
      #expect(report.localizedCaseInsensitiveContains("interrupted"))
    }
    if !more.isEmpty {
      let html = try String(contentsOfFile: page, encoding: .utf8)
      #expect(html.contains("Interrupted") && html.contains("</html>"), "\(html.suffix(400))")
    }
  }

  /// An interrupted export leaves neither the file nor its temporary folder.
  @Test func anInterruptedExportLeavesNoFiles() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.write(scenario, to: "day.yaml")
    let made = try CordonProcess.run(
      ["simulate", file, "--model", "way", "--interval", "60s", "--quiet", "-o", scratch.path("run")])
    #expect(made.status == 0, "\(made.errors)")
    let temporary = scratch.path("temporary")
    try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: false)
    let result = try CordonProcess.interrupted(
      [
        "run", "export", scratch.path("run"), "--output-format", "csv", "--interval", "1ms", "-o",
        scratch.path("ways.csv"), "--json",
      ],
      environment: ["TMPDIR": temporary])
    #expect(result.status == 130, "\(result.errors)")
    #expect(result.output.isEmpty)
    #expect(try #require(result.errors.split(separator: "\n").last).contains("\"code\":\"interrupted\""))
    #expect(try scratch.contents == ["day.yaml", "run", "temporary"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
  }

  /// The first signal ends a command that keeps no unfinished work, here while it waits for input; it leaves no
  /// partial file.
  @Test(
    arguments: [
      ["contacts", "find", "-", "-o", "out.csv"], ["contacts", "exposures", "-"], ["contacts", "network", "-"],
      ["contacts", "occupancy", "-"], ["trace", "info", "-", "--input-format", "csv"],
      ["trace", "convert", "-", "--input-format", "csv", "-o", "out.gpx"],
      ["replay", "-", "--input-format", "csv", "--venue", Places.office, "-o", "replayed"],
    ], [SIGINT, SIGTERM])
  func theFirstSignalEndsAReadingCommand(_ arguments: [String], signal: Int32) throws {
    let scratch = try TemporaryFolder()
    // More than a pipe holds: when all is written, the command is reading.
    var rows = "device,time,longitude,latitude\n"
    for k in 0..<10_000 { rows += "a,\(Int(Instant.testStart.milliseconds) + k * 1_000),11.58,48.14\n" }
    let temporary = scratch.path("temporary")
    try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: false)
    let result = try #require(
      try CordonProcess.ended(
        by: signal, arguments + ["--json"], in: scratch.url, reading: Data(rows.utf8),
        environment: ["TMPDIR": temporary]), "it did not end")
    #expect(result.status == 130 && result.output.isEmpty, "\(result.errors)")
    #expect(try #require(result.errors.split(separator: "\n").last).contains("\"code\":\"interrupted\""))
    #expect(try scratch.contents == ["temporary"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
  }

  @Test func theTimeGapOfABenchIsReportedAndCanBeChosen() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.write(crowd, to: "crowd.json")
    func bench(_ more: [String]) throws -> CordonProcess.Result {
      try CordonProcess.run(["bench", "crowd", file, "--duration", "20s", "--json"] + more)
    }
    let usual = try bench([]).json()
    #expect(usual["time_gap_s"] as? Double == 0.6, "the file asks for 1 s")
    #expect(usual["partial"] as? Bool == false)
    #expect(try bench(["--time-gap", "600ms"]).json()["digest"] as? String == usual["digest"] as? String)
    let slow = try bench(["--time-gap", "2s"]).json()
    #expect(slow["time_gap_s"] as? Double == 2)
    #expect(slow["digest"] as? String != usual["digest"] as? String)
    #expect(try bench(["--time-gap", "3s"]).status == 2)
    let help = try CordonProcess.run(["bench", "crowd", "--help"]).output
    #expect(help.contains("time_gap of the file is ignored"))
  }

  @Test func thePhonePageDrawsReferenceCurves() throws {
    let scratch = try TemporaryFolder()
    let page = scratch.path("phones.html")
    #expect(try CordonProcess.run(["validate", "phones", "--quiet", "-o", page]).status == 0)
    let html = try String(contentsOfFile: page, encoding: .utf8)
    for preset in [
      "rtt-los", "rtt-nlos", "rtt-walking", "uwb", "ble", "ble-sparse", "wifi", "gps-near", "gps", "network",
    ] {
      #expect(html.contains("<figure id=\"\(preset)\">"), "\(preset)")
    }
    // Each plot has one curve of the model and one of the reference.
    #expect(html.components(separatedBy: "<polyline").count - 1 == 20)
    #expect(html.firstMatch(of: /[ ,"]-?(nan|inf)[ ,"]/) == nil)
  }
}
