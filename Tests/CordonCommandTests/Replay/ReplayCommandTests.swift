import CordonExchange
import Foundation
import Testing

@Suite("cordon replay")
struct ReplayCommandTests {
  static let isRecording = ProcessInfo.processInfo.environment["CORDON_RECORD"] != nil
  private func trace(_ name: String) -> String { TraceLibrary.folder.appendingPathComponent(name).path }

  private func replay(_ arguments: [String]) throws -> CordonProcess.Result {
    try CordonProcess.run(["replay"] + arguments + ["--venue", Places.office])
  }

  /// CORDON_RECORD=1 writes the library and its expectations anew.
  @Test func theLibraryIsWhatTheProjectMakes() throws {
    for file in try TraceLibrary.files() {
      let url = TraceLibrary.folder.appendingPathComponent(file.name)
      if Self.isRecording { try Data(file.bytes).write(to: url) }
      #expect(try Array(Data(contentsOf: url)) == file.bytes, "\(file.name)")
    }
    if Self.isRecording {
      for name in ["in-and-out.gpx", "two-who-meet.gpx", "spoilt.csv"] {
        #expect(try replay([trace(name), "--expect", trace(name + ".yaml"), "--update"]).status == 0)
      }
    }
  }

  @Test(arguments: ["in-and-out.gpx", "two-who-meet.gpx", "spoilt.csv"])
  func reviewedExpectationsHold(_ name: String) throws {
    let scratch = try ScratchFolder()
    let junit = scratch.path("junit.xml")
    let result = try replay([trace(name), "--expect", trace(name + ".yaml"), "--junit", junit, "--json"])
    #expect(result.status == 0, "\(result.output) \(result.errors)")
    let expectations = try #require(try result.json()["expectations"] as? [String: Int])
    #expect(expectations["failed"] == 0)
    #expect((expectations["passed"] ?? 0) >= 9)
    #expect(try String(contentsOfFile: junit, encoding: .utf8).contains("failures=\"0\""))
  }

  @Test(arguments: ["nmea", "geojson", "kml", "csv", "owntracks.jsonl"])
  func everyFormatGivesTheSameDecisions(_ suffix: String) throws {
    // NMEA knows no floors: they are told in its place, for both.
    func verdicts(_ name: String) throws -> [String] {
      let scratch = try ScratchFolder()
      let result = try replay([
        trace(name), "-o", scratch.path("out"), "--assume-floor", "0", "--device-from", "file", "--thinning", "0s",
      ])
      #expect(result.status == 0, "\(result.errors)")
      let text = try String(contentsOfFile: scratch.path("out/decisions.jsonl"), encoding: .utf8)
      return try text.split(separator: "\n").compactMap { line in
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        guard object["event"] as? String == "fix" else { return nil }
        return "\(object["index"] ?? "") \(object["verdict"] ?? "") \(object["reason"] ?? "")"
      }
    }
    #expect(try verdicts("in-and-out.\(suffix)") == verdicts("in-and-out.gpx"))
  }

  @Test func failuresNameTheFixTheLineAndACommandThatRepeatsThem() throws {
    let scratch = try ScratchFolder()
    let yaml = try scratch.write("devices:\n  walker:\n    stored: 1\n    refused: {outside: 1}\n", to: "e.yaml")
    let result = try replay([trace("in-and-out.gpx"), "--expect", yaml])
    #expect(result.status == 1)
    #expect(result.output.contains("e.yaml:3: devices.walker.stored"))
    #expect(result.output.contains("fix "))
    #expect(result.output.contains("(in-and-out.gpx:"))
    let repeated = try #require(result.output.split(separator: "\n").first { $0.contains("repeat: cordon replay") })
    let words = repeated.split(separator: "repeat: cordon ")[1].split(separator: " ").map(String.init)
    let again = try CordonProcess.run(words)
    #expect(again.status == 1)
    #expect(again.output.contains("0 expectations hold, 1 do not"))
  }

  @Test func whatIsAssumedIsSaid() throws {
    let result = try replay([
      trace("way-points.gpx"), "--assume-accuracy", "5", "--assume-floor", "0", "--interpolate", "1s", "--start",
      "2026-02-01T09:00:00Z", "--json",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let json = try result.json()
    #expect((json["assumed"] as? [String])?.count == 4)
    #expect((json["stored"] as? Int ?? 0) > 50)
  }

  @Test func withoutAccuracyNothingIsKept() throws {
    let json = try replay([trace("way-points.gpx"), "--json"]).json()
    #expect(json["stored"] as? Int == 0)
    #expect((json["refused"] as? [String: Int])?["unknown_accuracy"] ?? 0 > 0)
  }

  @Test func refusedPlacesAreShownOnlyWhenAskedFor() throws {
    let scratch = try ScratchFolder()
    let (quiet, loud) = (scratch.path("quiet"), scratch.path("loud"))
    #expect(try replay([trace("in-and-out.gpx"), "-o", quiet]).status == 0)
    #expect(try replay([trace("in-and-out.gpx"), "-o", loud, "--show-refused"]).status == 0)
    let gpx = try String(contentsOfFile: trace("in-and-out.gpx"), encoding: .utf8)
    let first = try #require(gpx.split(separator: "lon=\"").dropFirst().first?.split(separator: "\"").first)
    for name in ["decisions.txt", "decisions.jsonl", "replay.html"] {
      #expect(try !String(contentsOfFile: quiet + "/" + name, encoding: .utf8).contains(first))
    }
    #expect(try String(contentsOfFile: loud + "/decisions.txt", encoding: .utf8).contains(first))
    let page = try String(contentsOfFile: loud + "/replay.html", encoding: .utf8)
    #expect(page.contains("shows where refused fixes were"))
    // The two logs differ, and the first difference is named.
    let difference = try CordonProcess.run(["replay", "diff", quiet, loud, "--json"])
    #expect(difference.status == 1)
    #expect(try difference.json()["line"] as? Int == 1)
    #expect(try CordonProcess.run(["replay", "diff", quiet, quiet]).status == 0)
  }

  @Test func replaysAreTheSameInMemoryAndInFiles() throws {
    let scratch = try ScratchFolder()
    let (memory, files) = (scratch.path("memory"), scratch.path("files"))
    #expect(try replay([trace("two-who-meet.gpx"), "-o", memory]).status == 0)
    #expect(try replay([trace("two-who-meet.gpx"), "-o", files, "--store", "sqlite"]).status == 0)
    let difference = try CordonProcess.run(["replay", "diff", memory, files])
    #expect(difference.status == 0, "\(difference.output)")
  }

  @Test func aRecordIsNotOverwritten() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("new.yaml")
    #expect(try replay([trace("in-and-out.gpx"), "--record", path]).status == 0)
    #expect(try replay([trace("in-and-out.gpx"), "--expect", path]).status == 0)
    #expect(try replay([trace("in-and-out.gpx"), "--record", path]).status == 2)
  }

  @Test func rowsGoToAFile() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("rows.jsonl")
    #expect(try replay([trace("in-and-out.gpx"), "--sink", "file:\(path)"]).status == 0)
    let again = try TraceFile.read(path: path)
    #expect(again.format == .ingest)
    #expect(again.pointCount > 10)
  }

  @Test(arguments: [
    (["--speed", "fast"], "speed"), (["--sink", "ftp://x"], "--sink is memory"),
    (["--only", "x"], "--only needs --expect"),
    (["--assume-accuracy", "-1"], "--assume-accuracy"), (["--interpolate", "1ms"], "--interpolate"),
    (["--expect", "/nowhere.yaml"], "nowhere.yaml"),
  ]) func wrongUsageIsOneLine(_ arguments: [String], _ expected: String) throws {
    let result = try replay([trace("in-and-out.gpx")] + arguments)
    #expect(result.status == 2)
    #expect(result.errors.contains(expected))
    #expect(result.errors.split(separator: "\n").count == 1)
  }
}
