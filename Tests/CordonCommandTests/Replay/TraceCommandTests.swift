import CordonTestSupport
import Foundation
import Testing

@Suite("cordon trace")
struct TraceCommandTests {
  private func trace(_ name: String) -> String { TraceLibrary.folder.appendingPathComponent(name).path }

  @Test func infoCountsTheContents() throws {
    let json = try CordonProcess.run(["trace", "info", trace("in-and-out.gpx"), "--json"]).json()
    #expect(json["format"] as? String == "gpx")
    #expect(json["points"] as? Int == json["with_time"] as? Int)
    #expect(json["points"] as? Int == json["with_floor"] as? Int)
    #expect(json["left_out"] as? Int == 0)
  }

  @Test func conversionsRoundTrip() throws {
    let scratch = try TemporaryFolder()
    let (kml, gpx) = (scratch.path("a.kml.gz"), scratch.path("b.gpx"))
    #expect(try CordonProcess.run(["trace", "convert", trace("in-and-out.gpx"), "-o", kml]).status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: kml)).prefix(2) == Data([0x1f, 0x8b]))
    #expect(try CordonProcess.run(["trace", "convert", kml, "-o", gpx]).status == 0)
    let text = try String(contentsOfFile: gpx, encoding: .utf8)
    let original = try String(contentsOfFile: trace("in-and-out.gpx"), encoding: .utf8)
    #expect(text.replacingOccurrences(of: "<ele>0</ele>", with: "") == original)
  }

  /// A run folder is one of the formats: a written run reads back unchanged.
  @Test func aRunConvertsToTheWrittenTraces() throws {
    let scratch = try TemporaryFolder()
    let run = scratch.path("run")
    let written = try CordonProcess.run([
      "trace", "convert", trace("two-who-meet.gpx"), "--output-format", "run", "-o", run, "--json",
    ])
    #expect(written.status == 0, "\(written.errors)")
    #expect(try written.json()["format"] as? String == "run")
    for name in ["run.sqlite", "report.html", "contacts.csv"] {
      #expect(FileManager.default.fileExists(atPath: run + "/" + name), "\(name)")
    }
    // The folder, and its database alone.
    for source in [run, run + "/run.sqlite"] {
      let (one, two) = (scratch.path("1.csv"), scratch.path("2.csv"))
      #expect(try CordonProcess.run(["trace", "convert", trace("two-who-meet.gpx"), "-o", one, "--force"]).status == 0)
      #expect(try CordonProcess.run(["trace", "convert", source, "-o", two, "--force"]).status == 0)
      #expect(try String(contentsOfFile: one, encoding: .utf8) == String(contentsOfFile: two, encoding: .utf8))
    }
    // The second time the folder exists; a point without accuracy is not a location.
    #expect(
      try CordonProcess.run(["trace", "convert", trace("two-who-meet.gpx"), "--output-format", "run", "-o", run]).status
        == 2)
    let bare = try CordonProcess.run([
      "trace", "convert", trace("way-points.gpx"), "--output-format", "run", "-o", scratch.path("b"),
    ])
    #expect(bare.status == 2)
    #expect(bare.errors.contains("--assume-accuracy"))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("b")))
  }

  @Test func fuzzingAndPseudonymisingAreRepeatable() throws {
    let scratch = try TemporaryFolder()
    for command in ["fuzz", "pseudonymise"] {
      let (one, two) = (scratch.path("1.csv"), scratch.path("2.csv"))
      for path in [one, two] {
        let options = ["--seed", "3"] + (command == "fuzz" ? [] : ["--time-shift", "1h", "--jitter", "5"])
        #expect(
          try CordonProcess.run(["trace", command, trace("two-who-meet.gpx"), "-o", path, "--force"] + options).status
            == 0)
      }
      #expect(try String(contentsOfFile: one, encoding: .utf8) == String(contentsOfFile: two, encoding: .utf8))
      #expect(try !String(contentsOfFile: one, encoding: .utf8).contains("walker") || command == "fuzz")
    }
  }

  /// Without a seed two results differ, and neither records its seed, so that nobody can reverse it.
  @Test func withoutASeedResultsDiffer() throws {
    let scratch = try TemporaryFolder()
    var texts: Set<String> = []
    for name in ["1.csv", "2.csv"] {
      let result = try CordonProcess.run([
        "trace", "pseudonymise", trace("two-who-meet.gpx"), "--time-shift", "1h", "-o", scratch.path(name), "--json",
      ])
      #expect(result.status == 0 && !result.output.contains("seed"))
      texts.insert(try String(contentsOfFile: scratch.path(name), encoding: .utf8))
    }
    #expect(texts.count == 2)
  }

  /// The figure before and after; removed points are counted.
  @Test func uniquenessIsReported() throws {
    let scratch = try TemporaryFolder()
    let arguments = ["trace", "pseudonymise", trace("two-who-meet.gpx"), "--cell", "500", "--bin", "2h"]
    let out = ["-o", scratch.path("out.csv"), "--force"]
    let fine = ["--sighting-cell", "1", "--sighting-bin", "1s", "--k-anonymity", "2", "--json"]
    let json = try CordonProcess.run(arguments + out + fine).json()
    let uniqueness = try #require(json["uniqueness"] as? [String: Any])
    let before = try #require(uniqueness["before"] as? [String: Double])
    let after = try #require(uniqueness["after"] as? [String: Double])
    #expect(before.keys.sorted() == ["sightings_2", "sightings_4"] && after == ["sightings_2": 0, "sightings_4": 0])
    #expect(before["sightings_4"] ?? 0 > 0)
    #expect(json["devices"] as? Int == 2)
    #expect((json["removed"] as? [String: Int])?["merged"] ?? 0 > 100)
    let printed = try CordonProcess.run(arguments + out).output
    #expect(printed.contains("unique by 2 sightings of 50m and 10m: "))
    #expect(printed.contains("0.0 % after"))
    #expect(try CordonProcess.run(arguments + out + ["--quiet"]).output.isEmpty)
    // Every cell holds several people, so nothing is left: no file.
    let none = try CordonProcess.run(arguments + ["-o", scratch.path("none.csv"), "--k-anonymity", "3"])
    #expect(none.status == 2 && none.errors.contains("nothing is left"))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("none.csv")))
    // Counting cells at another precision than the written one would promise too much.
    let bare = ["trace", "pseudonymise", trace("two-who-meet.gpx"), "--k-anonymity", "2"] + out
    #expect(try CordonProcess.run(bare).errors.contains("needs --cell and --bin"))
  }

  /// A run records the command that made it.
  @Test func aRunNamesItsCommand() throws {
    let scratch = try TemporaryFolder()
    let commands = [
      ["fuzz", trace("two-who-meet.gpx"), "--seed", "9", "--rate", "0.01"],
      ["pseudonymise", trace("two-who-meet.gpx")],
      ["convert", trace("two-who-meet.gpx"), "--assume-floor", "2.5"],
    ]
    for command in commands {
      let run = scratch.path(command[0])
      let result = try CordonProcess.run(
        ["trace"] + command + ["--output-format", "run", "-o", run]
          + (command[0] == "fuzz" ? ["--device", "walker"] : []))
      guard result.status == 0 else {
        // A fuzzed trace may have lost an accuracy, which a run needs.
        Issue.record("\(command): \(result.errors)")
        continue
      }
      let report = try String(contentsOfFile: run + "/report.html", encoding: .utf8)
      let line = try #require(report.components(separatedBy: "<pre><code>").dropFirst().first)
      let words = line.components(separatedBy: "</code>")[0].components(separatedBy: "<span>").dropFirst().map {
        $0.components(separatedBy: "</span>")[0]
      }
      #expect(Array(words.prefix(3)) == ["cordon", "trace", command[0]])
      for option in command.dropFirst(2) { #expect(words.contains(option), "\(words)") }
      #expect(words.contains("two-who-meet.gpx") == (command[0] != "pseudonymise"))
    }
    let help = try CordonProcess.run(["trace", "--help"]).output
    #expect(help.contains("--output-format run") && !help.contains("but runs"))
  }

  @Test func conversionsReportAssumptionsAndLosses() throws {
    let scratch = try TemporaryFolder()
    let (one, two) = (scratch.path("one.txt"), scratch.path("two.csv"))
    let json = try CordonProcess.run([
      "trace", "convert", trace("spoilt.csv"), "--assume-accuracy", "5", "--assume-floor", "0", "-o", one, "--json",
    ]).json()
    #expect((json["assumed"] as? [String])?.count == 2)
    let lost = try #require(json["not_held"] as? [String: Int])
    let info = try CordonProcess.run(["trace", "info", trace("spoilt.csv"), "--json"]).json()
    #expect(lost["mocked"] ?? 0 > 0)
    #expect(lost["mocked"] == info["mocked"] as? Int)
    #expect(lost["accuracy"] == info["points"] as? Int)
    let told = try CordonProcess.run([
      "trace", "convert", trace("spoilt.csv"), "--assume-floor", "0", "-o", one, "--force",
    ]).output
    #expect(told.contains("assumed: ") && told.contains("not held by jupedsim: accuracy of "))
    // Two recordings without names are two devices.
    let copy = scratch.path("in-and-out.nmea")
    try FileManager.default.copyItem(atPath: trace("in-and-out.nmea"), toPath: copy)
    for source in [[], ["--device-from", "file"], ["--device-from", "track"]] {
      #expect(
        try CordonProcess.run(["trace", "convert", copy, trace("in-and-out.nmea"), "-o", two, "--force"] + source)
          .status == 0)
      #expect(try CordonProcess.run(["trace", "info", two, "--json"]).json()["devices"] as? Int == 2, "\(source)")
    }
    #expect(
      try CordonProcess.run([
        "trace", "convert", trace("two-who-meet.gpx"), "--device-from", "file", "-o", two, "--force",
      ]).status == 0)
    #expect(try CordonProcess.run(["trace", "info", two, "--json"]).json()["devices"] as? Int == 1)
  }

  /// Fixes that fuzzing marks as generated are marked in the file.
  @Test func fuzzedFilesContainTheirFaults() throws {
    let scratch = try TemporaryFolder()
    for name in ["a.csv", "a.gpx", "a.json"] {
      let format = name.hasSuffix("json") ? ["--output-format", "ingest"] : []
      let json = try CordonProcess.run(
        ["trace", "fuzz", trace("in-and-out.gpx"), "--rate", "0.9", "-o", scratch.path(name), "--json"] + format
      ).json()
      let marked = try #require((json["faults"] as? [String: Int])?["mocked"])
      #expect(marked > 0)
      let info = try CordonProcess.run(["trace", "info", scratch.path(name), "--json"]).json()
      #expect(info["mocked"] as? Int == marked, "\(name)")
    }
  }

  @Test func columnsAreMapped() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("badge;when;we;sn;r\na;10;8.5;47.25;4\nb;11;8.5;47.25;\n", to: "x.csv")
    let names = ["device=badge", "time=when", "longitude=we", "latitude=sn", "accuracy=r"]
    let columns = names.flatMap { ["--column", $0] }
    #expect(try CordonProcess.run(["trace", "info", path, "--json"]).status == 2, "nobody knows these names")
    let json = try CordonProcess.run(["trace", "info", path, "--time-unit", "s", "--json"] + columns).json()
    #expect(json["devices"] as? Int == 2)
    #expect(json["with_accuracy"] as? Int == 1)
    #expect(json["last"] as? String == "1970-01-01T00:00:11.000Z")
    let wrong = try CordonProcess.run(["trace", "info", path, "--column", "colour=r"])
    #expect(wrong.status == 2 && wrong.errors.contains("the fields are"))
  }

  /// 30 m along x and 40 m along y, with y to the east: 40 m east and 30 m south.
  @Test func metresArePlacedAndRotated() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("#framerate: 1\n1 0 30 40 0\n", to: "t.txt")
    let out = scratch.path("t.csv")
    let arguments = ["trace", "convert", path, "--origin", "-8.54,47.37", "--bearing", "90", "-o", out]
    #expect(try CordonProcess.run(arguments).status == 0)
    let row = try #require(try String(contentsOfFile: out, encoding: .utf8).split(separator: "\n").last)
    let fields = row.split(separator: ",")
    let east = try #require(Double(fields[2])) + 8.54
    let north = try #require(Double(fields[3])) - 47.37
    #expect(abs(east * 111_195 * 0.677_3 - 40) < 0.3)
    #expect(abs(north * 111_195 + 30) < 0.3)
    #expect(try CordonProcess.run(["trace", "convert", path, "-o", scratch.path("t.gpx")]).status == 2)
  }

  @Test func aFileThatIsNotATraceIsRefusedWithTheReason() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("<html></html>", to: "x.gpx")
    let result = try CordonProcess.run(["trace", "info", path, "--json"])
    #expect(result.status == 2)
    #expect(result.errors.contains("\"code\":\"unknown-format\""))
  }

  @Test func faultsAreFindings() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("device,time_ms,longitude,latitude\na,0,999,0\na,1,8,47\n", to: "x.csv")
    let result = try CordonProcess.run(["trace", "info", path])
    #expect(result.status == 1)
    #expect(result.output.contains("line 2: longitude or latitude out of range"))
  }
}
