import CordonTestSupport
import Foundation
import Testing

@Suite("cordon replay --suite")
struct ReplaySuiteTests {
  private let library = TraceLibrary.folder.path

  private func copy(_ name: String, to scratch: TemporaryFolder, as path: String) throws {
    let target = URL(fileURLWithPath: scratch.path(path))
    try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: library + "/" + name, toPath: target.path)
  }

  @Test func theTraceLibraryRunsAsASuite() throws {
    let scratch = try TemporaryFolder()
    let junit = scratch.path("all.xml")
    let result = try CordonProcess.run([
      "replay", "--suite", library, "--venue", Places.office, "--junit", junit, "--json",
    ])
    #expect(result.status == 0, "\(result.output) \(result.errors)")
    let json = try result.json()
    #expect(json["schema"] as? String == "cordon.replay-suite/1")
    #expect(json["passed"] as? Int == 3 && json["failed"] as? Int == 0 && json["errors"] as? Int == 0)
    let traces = try #require(json["traces"] as? [[String: Any]])
    #expect(traces.compactMap { $0["trace"] as? String } == ["in-and-out.gpx", "spoilt.csv", "two-who-meet.gpx"])
    #expect((json["without_expectations"] as? [String])?.contains("in-and-out.kml") == true)
    let xml = try String(contentsOfFile: junit, encoding: .utf8)
    #expect(xml.contains("<testsuite name=\"spoilt.csv\" ") && xml.contains("classname=\"Sample Office\""))
    // Any number of workers, in any order of completion, gives the same result.
    let one = try CordonProcess.run([
      "replay", "--suite", library + "/", "--venue", Places.office, "--threads", "1", "--json",
    ]).json()
    #expect(try #require(one["traces"] as? [[String: Any]]) as NSArray == traces as NSArray)
  }

  /// A single trace gives the same with the printed command.
  @Test func failuresAndErrorsShareOneSummary() throws {
    let scratch = try TemporaryFolder()
    try copy("in-and-out.gpx", to: scratch, as: "suite/a/walk.gpx")
    try copy("two-who-meet.gpx", to: scratch, as: "suite/meet.gpx")
    try FileManager.default.copyItem(atPath: Places.office, toPath: scratch.path("office.mvf.zip"))
    _ = try scratch.write(
      "venue: ../../office.mvf.zip\ncontact_count: 7\ndevices: {walker: {fixes: 210}}\n", to: "suite/a/walk.gpx.yaml")
    _ = try scratch.write("venue: ../office.mvf.zip\ncontact_count: 3\n", to: "suite/meet.gpx.yml")
    _ = try scratch.write("no trace", to: "suite/broken.gpx")
    _ = try scratch.write("venue: ../office.mvf.zip\ncontact_count: 1\n", to: "suite/broken.gpx.yaml")
    let suite = scratch.path("suite")
    let junit = scratch.path("all.xml")
    let result = try CordonProcess.run(["replay", "--suite", suite, "--junit", junit])
    #expect(result.status == 2)
    #expect(result.output.contains("failed  a/walk.gpx: 1 of 2 do not hold"))
    #expect(result.output.contains("error   broken.gpx: "))
    #expect(result.output.contains("passed  meet.gpx: 1 expectation"))
    #expect(result.output.contains("3 traces: 1 passed, 1 failed, 1 error; 2 expectations hold, 1 do not"))
    let xml = try String(contentsOfFile: junit, encoding: .utf8)
    #expect(xml.contains("tests=\"4\" failures=\"1\" errors=\"1\""))
    let repeated = try #require(result.output.split(separator: "\n").first { $0.contains("repeat: cordon replay") })
    let words = repeated.split(separator: "repeat: cordon ")[1].split(separator: " ").map(String.init)
    let again = try CordonProcess.run(words)
    #expect(again.status == 1 && again.output.contains("contact_count: 0 contacts, not 7"))
    // Quiet output omits passed traces.
    let quiet = try CordonProcess.run(["replay", "--suite", suite, "--quiet"])
    #expect(quiet.status == 2 && !quiet.output.contains("meet.gpx") && quiet.output.contains("broken.gpx"))
    // An update rewrites every file; every trace gets its folder.
    try FileManager.default.removeItem(atPath: suite + "/broken.gpx")
    try FileManager.default.removeItem(atPath: suite + "/broken.gpx.yaml")
    #expect(try CordonProcess.run(["replay", "--suite", suite]).status == 1)
    #expect(try CordonProcess.run(["replay", "--suite", suite, "--update"]).status == 0)
    #expect(try CordonProcess.run(["replay", "--suite", suite, "-o", scratch.path("out")]).status == 0)
    #expect(FileManager.default.fileExists(atPath: scratch.path("out/a/walk.gpx/decisions.jsonl")))
  }

  /// The expectations of one trace can also name their venue.
  @Test func aSingleTraceFindsItsVenue() throws {
    let scratch = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: Places.office, toPath: scratch.path("office.mvf.zip"))
    let yaml = try scratch.write("venue: office.mvf.zip\ncontact_count: 0\n", to: "e.yaml")
    let arguments = ["replay", library + "/in-and-out.gpx", "--expect"]
    #expect(try CordonProcess.run(arguments + [yaml]).status == 0)
    #expect(try CordonProcess.run(arguments + ["e.yaml"], in: scratch.url).status == 0)
    let none = try CordonProcess.run(arguments + [library + "/in-and-out.gpx.yaml"])
    #expect(none.status == 2 && none.errors.contains("--venue"))
  }

  @Test func foldersThatAreNotSuitesAreRefused() throws {
    let scratch = try TemporaryFolder()
    func run(_ arguments: [String]) throws -> CordonProcess.Result {
      try CordonProcess.run(["replay", "--venue", Places.office] + arguments)
    }
    #expect(try run(["--suite", scratch.url.path]).errors.contains("holds no trace with expectations"))
    #expect(try run(["--suite", scratch.path("nothing")]).status == 2)
    _ = try scratch.write("contact_count: 0\n", to: "walk.gpx.yaml")
    #expect(try run(["--suite", scratch.url.path]).errors.contains("no trace walk.gpx beside it"))
    #expect(try run([]).errors.contains("--suite"))
    for option in [["--expect", "e.yaml"], ["--record", "r.yaml"], ["--sink", "cordon=https://x"], ["--coverage"]] {
      let result = try run(["--suite", library] + option)
      #expect(result.status == 2 && result.errors.contains("exclude each other"), "\(option)")
    }
  }
}
