import Foundation
import Testing

@Suite("cordon trace")
struct TraceCommandTests {
  private func trace(_ name: String) -> String { TraceLibrary.folder.appendingPathComponent(name).path }

  @Test func infoCountsWhatIsThere() throws {
    let json = try CordonProcess.run(["trace", "info", trace("in-and-out.gpx"), "--json"]).json()
    #expect(json["format"] as? String == "gpx")
    #expect(json["points"] as? Int == json["with_time"] as? Int)
    #expect(json["points"] as? Int == json["with_floor"] as? Int)
    #expect(json["left_out"] as? Int == 0)
  }

  @Test func convertsThereAndBack() throws {
    let scratch = try ScratchFolder()
    let (kml, gpx) = (scratch.path("a.kml.gz"), scratch.path("b.gpx"))
    #expect(try CordonProcess.run(["trace", "convert", trace("in-and-out.gpx"), "-o", kml]).status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: kml)).prefix(2) == Data([0x1f, 0x8b]))
    #expect(try CordonProcess.run(["trace", "convert", kml, "-o", gpx]).status == 0)
    let text = try String(contentsOfFile: gpx, encoding: .utf8)
    let original = try String(contentsOfFile: trace("in-and-out.gpx"), encoding: .utf8)
    #expect(text.replacingOccurrences(of: "<ele>0</ele>", with: "") == original)
  }

  /// A run folder is one of the formats: what is written as a run is read back as it was.
  @Test func aRunHoldsWhatWasWritten() throws {
    let scratch = try ScratchFolder()
    let run = scratch.path("run")
    let written = try CordonProcess.run([
      "trace", "convert", trace("two-who-meet.gpx"), "--to", "run", "-o", run, "--json",
    ])
    #expect(written.status == 0, "\(written.errors)")
    #expect(try written.json()["format"] as? String == "run")
    for name in ["run.sqlite", "report.html", "contacts.csv"] {
      #expect(FileManager.default.fileExists(atPath: run + "/" + name), "\(name)")
    }
    // The folder, and the file in it alone.
    for source in [run, run + "/run.sqlite"] {
      let (one, two) = (scratch.path("1.csv"), scratch.path("2.csv"))
      #expect(try CordonProcess.run(["trace", "convert", trace("two-who-meet.gpx"), "-o", one]).status == 0)
      #expect(try CordonProcess.run(["trace", "convert", source, "-o", two]).status == 0)
      #expect(try String(contentsOfFile: one, encoding: .utf8) == String(contentsOfFile: two, encoding: .utf8))
    }
    // A second time the folder is there; a point without accuracy is no location.
    #expect(
      try CordonProcess.run(["trace", "convert", trace("two-who-meet.gpx"), "--to", "run", "-o", run]).status == 2)
    let bare = try CordonProcess.run([
      "trace", "convert", trace("way-points.gpx"), "--to", "run", "-o", scratch.path("b"),
    ])
    #expect(bare.status == 2)
    #expect(bare.errors.contains("--assume-accuracy"))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("b")))
  }

  @Test func spoilingAndAnonymisingAreRepeatable() throws {
    let scratch = try ScratchFolder()
    for command in ["fuzz", "anonymise"] {
      let (one, two) = (scratch.path("1.csv"), scratch.path("2.csv"))
      for path in [one, two] {
        #expect(try CordonProcess.run(["trace", command, trace("two-who-meet.gpx"), "-o", path]).status == 0)
      }
      #expect(try String(contentsOfFile: one, encoding: .utf8) == String(contentsOfFile: two, encoding: .utf8))
      #expect(try !String(contentsOfFile: one, encoding: .utf8).contains("walker") || command == "fuzz")
    }
  }

  @Test func aFileThatIsNoTraceIsRefusedWithTheReason() throws {
    let scratch = try ScratchFolder()
    let path = try scratch.write("<html></html>", to: "x.gpx")
    let result = try CordonProcess.run(["trace", "info", path, "--json"])
    #expect(result.status == 2)
    #expect(result.errors.contains("\"code\":\"unknown-format\""))
  }

  @Test func faultsAreFindings() throws {
    let scratch = try ScratchFolder()
    let path = try scratch.write("device,time_ms,longitude,latitude\na,0,999,0\na,1,8,47\n", to: "x.csv")
    let result = try CordonProcess.run(["trace", "info", path])
    #expect(result.status == 1)
    #expect(result.output.contains("line 2: longitude or latitude out of range"))
  }
}
