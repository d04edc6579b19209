import CordonExchange
import CordonTestSupport
import Foundation
import Testing

@Suite("cordon replay")
struct ReplayCommandTests {
  static let isRecording = ProcessInfo.processInfo.environment["CORDON_RECORD"] != nil
  private func trace(_ name: String) -> String { TraceLibrary.folder.appendingPathComponent(name).path }

  private func replay(_ arguments: [String]) throws -> CordonProcess.Result {
    try CordonProcess.run(["replay"] + arguments + ["--venue", Places.office])
  }

  /// CORDON_RECORD=1 rewrites the library and its expectations.
  @Test func theTraceLibraryMatchesItsGenerator() throws {
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

  /// Expectations and decision logs may come through a pipe.
  @Test func expectationsAndLogsAreReadFromPipes() throws {
    let scratch = try TemporaryFolder()
    let walk = trace("in-and-out.gpx")
    let bash = URL(fileURLWithPath: "/bin/bash")
    let words = "exec \"$0\" replay \"$1\" --venue \"$2\" -o \"$3\" --expect <(cat \"$1.yaml\")"
    let met = try CordonProcess.run(
      ["-c", words, CordonProcess.executable.path, walk, Places.office, scratch.path("log")], program: bash)
    #expect(met.status == 0, "\(met.errors)")
    let log = scratch.path("log/decisions.jsonl")
    let same = try CordonProcess.run(
      ["-c", "exec \"$0\" replay diff <(cat \"$1\") \"$1\"", CordonProcess.executable.path, log], program: bash)
    #expect(same.status == 0 && same.output.contains("the same decisions"), "\(same.errors)")
  }

  /// In the order of the file, a fix from the future makes most of the later ones stale.
  @Test func fixesThatComeLateAreStale() throws {
    let json = try replay([trace("spoilt.csv"), "--file-order", "--json"]).json()
    #expect(json["refused"] as? [String: Int] == ["stale": 163, "duplicate": 3, "mocked": 7, "outside": 34])
    #expect(json["stored"] as? Int == 3)
  }

  @Test(arguments: ["in-and-out.gpx", "two-who-meet.gpx", "spoilt.csv"])
  func reviewedExpectationsPass(_ name: String) throws {
    let scratch = try TemporaryFolder()
    let junit = scratch.path("junit.xml")
    let result = try replay([trace(name), "--expect", trace(name + ".yaml"), "--junit", junit, "--json"])
    #expect(result.status == 0, "\(result.output) \(result.errors)")
    let expectations = try #require(try result.json()["expectations"] as? [String: Int])
    #expect(expectations["failed"] == 0)
    #expect((expectations["passed"] ?? 0) >= 9)
    #expect(try String(contentsOfFile: junit, encoding: .utf8).contains("failures=\"0\""))
  }

  @Test(arguments: ["nmea", "geojson", "kml", "csv", "owntracks.jsonl"])
  func everyTraceFormatGivesTheSameDecisions(_ suffix: String) throws {
    // NMEA has no floors: an option sets them for both.
    func verdicts(_ name: String) throws -> [String] {
      let scratch = try TemporaryFolder()
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

  @Test func failuresNameTheFixTheLineAndARepeatingCommand() throws {
    let scratch = try TemporaryFolder()
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

  /// The command that repeats an expectation has every option that affects the decisions.
  @Test func theRepeatingCommandFindsTheSameFailure() throws {
    let scratch = try TemporaryFolder()
    let yaml = try scratch.write("devices: {walker: {stored: 1}}\ncontact_count: 77\n", to: "e.yaml")
    let frames = (0..<40).map { "1 \($0) \(500 + 10 * $0) 300 0" }
    let steps = try scratch.write(frames.joined(separator: "\n"), to: "t.txt")
    let badges = try scratch.write(
      "badge,when,we,sn\nwalker,1767600000,11.5804031,48.1401798\nwalker,1767600001,11.5804031,48.1401798\n",
      to: "badges.csv")
    let one = try scratch.write("devices: {\"1\": {stored: 1}}\n", to: "one.yaml")
    let commands: [[String]] = [
      [
        trace("two-who-meet.gpx"), "--boundary", "spaces", "--distance", "5", "--maximum-gap", "10s", "--padding", "20",
        "--minimum-radius", "150", "--exit-hysteresis", "50", "--maximum-radius", "9000", "--store", "sqlite",
        "--thinning", "7s", "--maximum-accuracy", "30", "--accept-mocked", "--assume-floor", "-1", "--expect", yaml,
      ],
      [
        steps, "--frame-rate", "5", "--centimetres", "--origin", "11.5804031,48.1401798", "--bearing", "-30", "--start",
        "2026-01-05T09:00:00Z", "--assume-accuracy", "3", "--expect", one,
      ],
      [
        badges, "--column", "device=badge", "--column", "time=when", "--column", "longitude=we", "--column",
        "latitude=sn", "--time-unit", "s", "--assume-accuracy", "3", "--thinning", "0s", "--expect", yaml,
      ],
    ]
    for command in commands {
      let first = try replay(command + ["--json"])
      #expect(first.status == 1, "\(first.errors)")
      for failure in try #require(try first.json()["failures"] as? [[String: Any]]) {
        let repeated = try #require(failure["repeat"] as? String)
        for option in command where option.hasPrefix("--") { #expect(repeated.contains(option), "\(repeated)") }
        let words = repeated.split(separator: " ").dropFirst().map(String.init)
        let again = try CordonProcess.run(words + ["--json"])
        #expect(again.status == 1, "\(repeated): \(again.errors)")
        let same = try #require(try again.json()["failures"] as? [[String: Any]])
        #expect(same.map { $0["message"] as? String } == [failure["message"] as? String])
        #expect(same.map { $0["fix"] as? Int } == [failure["fix"] as? Int])
      }
    }
  }

  /// Standard input cannot be read again: the command names a place for a file.
  @Test func replaysOfStandardInputRepeatFromAFile() throws {
    let scratch = try TemporaryFolder()
    let yaml = try scratch.write("contact_count: 77\n", to: "e.yaml")
    let arguments = ["replay", "-", "--venue", Places.office, "--expect", yaml]
    let result = try CordonProcess.run(arguments, input: trace("in-and-out.gpx"))
    #expect(result.status == 1)
    #expect(result.output.contains("--only contact_count < SAVED-INPUT"))
    #expect(result.output.contains("save standard input as SAVED-INPUT"))
    #expect(result.output.contains("standard input:"), "fixes name where they are from")
  }

  /// A resting person of a run is one row with an end: the replay places them at the same table for the hour.
  @Test func aRunReplaysWithItsStays() throws {
    let scratch = try TemporaryFolder()
    let rows = try scratch.write(
      "device,time_ms,longitude,latitude,accuracy,floor,still_until\n"
        + "ann,1767600000000,11.5804031,48.1401798,4,0,1767603600000\n"
        + "bob,1767600000000,11.5804131,48.1401798,4,0,1767603600000\n", to: "rows.csv")
    let run = scratch.path("run")
    #expect(try CordonProcess.run(["trace", "convert", rows, "--output-format", "run", "-o", run]).status == 0)
    for gap in ["30s", "10s"] {
      let recorded = scratch.path("\(gap).yaml")
      let result = try replay([run, "--maximum-gap", gap, "--record", recorded, "--json"])
      #expect(result.status == 0, "\(result.errors)")
      let json = try result.json()
      #expect(json["contacts"] as? Int == 1)
      #expect((json["assumed"] as? [String])?.contains { $0.hasPrefix("2 stays are replayed as") } == true)
      let text = try String(contentsOfFile: recorded, encoding: .utf8)
      let seconds = text.split(separator: "seconds: ").dropFirst().first.flatMap { Double($0.prefix { $0 != "," }) }
      #expect(abs((seconds ?? 0) - 3_600) < 60, "\(text)")
    }
  }

  /// A half-broken recording is reported as such.
  @Test func unreadableRecordsAreReported() throws {
    let scratch = try TemporaryFolder()
    let lines = try String(contentsOfFile: trace("in-and-out.nmea"), encoding: .utf8).split(whereSeparator: \.isNewline)
    var broken = lines.map(String.init)
    let fine = broken[7]
    broken[7] = String(fine.dropLast(2)) + (fine.hasSuffix("00") ? "01" : "00")
    let path = try scratch.write(broken.joined(separator: "\r\n"), to: "broken.nmea")
    let assumed = try #require(try replay([path, "--assume-floor", "0", "--json"]).json()["assumed"] as? [String])
    let sentence = "broken.nmea: 1 place could not be read, the first in line 8: the checksum"
    #expect(assumed.contains { $0.hasPrefix(sentence) })
    let out = scratch.path("out")
    #expect(try replay([path, "--assume-floor", "0", "-o", out]).status == 0)
    for name in ["decisions.txt", "decisions.jsonl", "replay.html"] {
      #expect(try String(contentsOfFile: out + "/" + name, encoding: .utf8).contains("1 place could not be read"))
    }
  }

  /// Differing expectations are updated; a person's text stays, and nothing is added.
  @Test func updateChangesOnlyDifferingExpectations() throws {
    let scratch = try TemporaryFolder()
    let text = "# by hand\ncontact_count: 77 # none\ndevices: {walker: {fixes: 210}}\n"
    let yaml = try scratch.write(text, to: "e.yaml")
    #expect(try replay([trace("in-and-out.gpx"), "--expect", yaml]).status == 1)
    let updated = try replay([trace("in-and-out.gpx"), "--expect", yaml, "--update"])
    #expect(updated.status == 0)
    #expect(updated.output.contains("changed: \(yaml):2: contact_count: 0 contacts, not 77"))
    #expect(
      try String(contentsOfFile: yaml, encoding: .utf8) == text.replacingOccurrences(of: "77", with: "0"))
    let result = try replay([trace("in-and-out.gpx"), "--expect", yaml, "--update", "--json"])
    #expect(result.status == 0)
    let json = try result.json()
    #expect((json["expectations"] as? [String: Int]) == ["passed": 2, "failed": 0])
    #expect((json["changed"] as? [Any])?.isEmpty == true && (json["outputs"] as? [String: String])?.isEmpty == true)
    // A missing file is recorded: the result equals the library's own.
    let new = scratch.path("new.yaml")
    #expect(try replay([trace("in-and-out.gpx"), "--expect", new, "--update"]).status == 0)
    let reviewed = try String(contentsOfFile: trace("in-and-out.gpx.yaml"), encoding: .utf8)
    #expect(try String(contentsOfFile: new, encoding: .utf8) == reviewed)
    // A value that must be changed by hand is an error.
    let other = try scratch.write("devices: {nobody: {fixes: 1}}\n", to: "other.yaml")
    let left = try replay([trace("in-and-out.gpx"), "--expect", other, "--update"])
    #expect(left.status == 1 && left.output.contains("change it by hand"))
    let junit = scratch.path("j.xml")
    let both = try replay([trace("in-and-out.gpx"), "--expect", yaml, "--update", "--junit", junit])
    #expect(both.status == 2)
    #expect(!FileManager.default.fileExists(atPath: junit))
  }

  @Test func quietPrintsOnlyFailures() throws {
    let scratch = try TemporaryFolder()
    let good = trace("in-and-out.gpx.yaml")
    let result = try replay([trace("in-and-out.gpx"), "--expect", good, "--quiet"])
    #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty)
    let yaml = try scratch.write("contact_count: 77\n", to: "e.yaml")
    let failed = try replay([trace("in-and-out.gpx"), "--expect", yaml, "-q"])
    #expect(failed.status == 1)
    #expect(
      failed.output.split(separator: "\n").count == 2 && failed.output.contains("contact_count: 0 contacts, not 77"))
  }

  /// Every format that has a mark for software keeps it, and apps do not record such fixes.
  @Test func syntheticFixesAreRefusedByDefault() throws {
    let scratch = try TemporaryFolder()
    let rows = (0..<5).map { number in
      "walker,\(1_767_600_000_000 + 5_000 * number),11.5804031,48.1401798,4,0,,\(number == 2 ? "true" : "")"
    }
    let head = "device,time_ms,longitude,latitude,accuracy,floor,still_until,mocked\n"
    let csv = try scratch.write(head + rows.joined(separator: "\n") + "\n", to: "mocked.csv")
    for name in ["mocked.csv", "again.nmea", "rows.json"] {
      let path = scratch.path(name)
      if name != "mocked.csv" {
        let format = name.hasSuffix("json") ? ["--output-format", "ingest"] : []
        #expect(try CordonProcess.run(["trace", "convert", csv, "-o", path] + format).status == 0)
      }
      let options = [path, "--assume-floor", "0", "--json"]
      let refused = try replay(options).json()["refused"] as? [String: Int]
      #expect(refused?["mocked"] == 1, "\(name)")
      #expect((try replay(options + ["--accept-mocked"]).json()["refused"] as? [String: Int])?["mocked"] == nil)
    }
  }

  /// The pace changes only the duration.
  @Test func everyReplaySpeedGivesTheSameDecisions() throws {
    let scratch = try TemporaryFolder()
    for speed in ["max", "200000x"] {
      let result = try replay([trace("two-who-meet.gpx"), "--speed", speed, "-o", scratch.path(speed)])
      #expect(result.status == 0, "\(result.errors)")
    }
    #expect(try CordonProcess.run(["replay", "diff", scratch.path("max"), scratch.path("200000x")]).status == 0)
  }

  @Test func coverageIsPrinted() throws {
    let result = try replay([trace("in-and-out.gpx"), "--coverage"])
    #expect(result.output.contains("pairs of phase and event were reached:"))
    #expect(result.output.contains("| fix_kept | "))
    #expect(result.output.contains("| region_entered | "))
    let coverage = try #require(
      try replay([trace("in-and-out.gpx"), "--json"]).json()["coverage"] as? [String: Any])
    let counts = try #require(coverage["counts"] as? [String: [String: Int]])
    #expect(counts["tracking"]?["fix_kept"] ?? 0 > 50)
    #expect(counts.values.reduce(0) { $0 + $1.count } == coverage["reached"] as? Int)
  }

  @Test func assumptionsAreReported() throws {
    let result = try replay([
      trace("way-points.gpx"), "--assume-accuracy", "5", "--assume-floor", "0", "--interpolate", "1s", "--start",
      "2026-02-01T09:00:00Z", "--json",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let json = try result.json()
    #expect((json["assumed"] as? [String])?.count == 4)
    #expect((json["stored"] as? Int ?? 0) > 50)
  }

  @Test func fixesWithoutAccuracyAreNotRecorded() throws {
    let json = try replay([trace("way-points.gpx"), "--json"]).json()
    #expect(json["stored"] as? Int == 0)
    #expect((json["refused"] as? [String: Int])?["unknown_accuracy"] ?? 0 > 0)
  }

  @Test func refusedPlacesAreShownOnlyOnRequest() throws {
    let scratch = try TemporaryFolder()
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
    // The two logs differ, and the output names the first difference.
    let difference = try CordonProcess.run(["replay", "diff", quiet, loud, "--json"])
    #expect(difference.status == 1)
    let json = try difference.json()
    #expect(json["head_differs"] as? Bool == true && json["same"] as? Bool == false)
    #expect(json["line"] as? Int ?? 0 > 1)
    #expect(json["device"] as? String == "walker")
    #expect(json["event"] as? String == "fix" && json["index"] as? Int == 0)
    let told = try CordonProcess.run(["replay", "diff", quiet, loud]).output
    #expect(told.contains("differs: fix 0 of walker"))
    #expect(try CordonProcess.run(["replay", "diff", quiet, quiet]).status == 0)
  }

  @Test func replaysInMemoryAndInFilesAreEqual() throws {
    let scratch = try TemporaryFolder()
    let (memory, files) = (scratch.path("memory"), scratch.path("files"))
    #expect(try replay([trace("two-who-meet.gpx"), "-o", memory]).status == 0)
    #expect(try replay([trace("two-who-meet.gpx"), "-o", files, "--store", "sqlite"]).status == 0)
    let difference = try CordonProcess.run(["replay", "diff", memory, files])
    #expect(difference.status == 0, "\(difference.output)")
  }

  @Test func anExistingRecordIsNotOverwritten() throws {
    let scratch = try TemporaryFolder()
    let path = scratch.path("new.yaml")
    #expect(try replay([trace("in-and-out.gpx"), "--record", path]).status == 0)
    #expect(try replay([trace("in-and-out.gpx"), "--expect", path]).status == 0)
    #expect(try replay([trace("in-and-out.gpx"), "--record", path]).status == 2)
  }

  @Test func rowsAreWrittenToAFile() throws {
    let scratch = try TemporaryFolder()
    let path = scratch.path("rows.jsonl")
    #expect(try replay([trace("in-and-out.gpx"), "--sink", "file=\(path)"]).status == 0)
    let again = try TraceFile.read(path: path)
    #expect(again.format == .ingest)
    #expect(again.pointCount > 10)
  }

  @Test(arguments: [
    (["--speed", "fast"], "speed"), (["--speed", "0x"], "speed"), (["--sink", "ftp://x"], "is not memory, file=PATH"),
    (["--only", "x"], "--only needs --expect"),
    (["--assume-accuracy", "-1"], "--assume-accuracy"), (["--interpolate", "1ms"], "--interpolate"),
    (["--expect", "/nowhere.yaml"], "nowhere.yaml"),
  ]) func usageErrorsAreOneLine(_ arguments: [String], _ expected: String) throws {
    let result = try replay([trace("in-and-out.gpx")] + arguments)
    #expect(result.status == 2)
    #expect(result.errors.contains(expected))
    #expect(result.errors.split(separator: "\n").count == 1)
  }
}
