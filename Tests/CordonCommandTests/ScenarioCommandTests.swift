import Foundation
import Testing

@Suite("Scenarios on the command line")
struct ScenarioCommandTests {
  private let scenario = """
    venue: {generate: {kind: office, floors: 1, area: 600, seed: 2}}
    time: {start: 2026-01-05T09:00, duration: 30m, zone: Europe/Berlin}
    populations: [{name: all, size: 15, arrival: {window: [09:00, 09:10]}, visit: 15m}]
    phones: {interval: 10s}
    seed: 5
    """

  @Test func aScenarioRunsAndOptionsWin() throws {
    let scratch = try ScratchFolder()
    let file = try scratch.write(scenario, to: "day.yaml")
    let json = try CordonProcess.run(
      ["simulate", file, "--json", "--quiet", "-o", scratch.path("run"), "--seed", "6", "--phones", "perfect"]
    ).json()
    #expect(json["people"] as? Int == 15)
    #expect(try #require(json["agent_steps"] as? Int) > 0)
    let data = try Data(contentsOf: URL(fileURLWithPath: scratch.path("run/manifest.json")))
    let manifest = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(manifest["seed"] as? Int == 6)
    let arguments = try #require(manifest["arguments"] as? [String])
    #expect(arguments.contains("perfect") && arguments.contains("day.yaml"))
    let inputs = try #require(manifest["inputs"] as? [[String: String]])
    #expect(inputs.contains { $0["role"] == "scenario" && $0["name"] == "day.yaml" })
    let report = try String(contentsOfFile: scratch.path("run/report.html"), encoding: .utf8)
    #expect(report.contains("What it comes to"))
  }

  @Test(arguments: [
    ("size: 15", "sise: 15", ["line 3", "did you mean 'size'"]),
    ("size: 15", "size: 0", ["line 3", "populations[0].size"]),
    ("kind: office", "kind: ofice", ["line 1", "did you mean 'office'"]),
    ("populations:", "people:", ["unknown key"]),
    ("visit: 15m}", "visit: 15m, activities: [x]}", ["line 3", "no activity 'x'"]),
    ("seed: 5", "policies: {close: {spaces: [Nowhere]}}", ["line 5", "no space 'Nowhere'"]),
  ])
  func aFaultIsOneLineWithItsPlace(from: String, to: String, says: [String]) throws {
    let scratch = try ScratchFolder()
    let file = try scratch.write(scenario.replacingOccurrences(of: from, with: to), to: "day.yaml")
    let result = try CordonProcess.run(["simulate", file, "-o", scratch.path("run"), "--quiet"])
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    #expect(result.errors.contains("day.yaml"))
    for word in says { #expect(result.errors.contains(word), "\(result.errors)") }
    #expect(try scratch.contents == ["day.yaml"])
  }

  @Test func waysAndContactsAreExported() throws {
    let scratch = try ScratchFolder()
    let run = scratch.path("run")
    let file = try scratch.write(scenario, to: "day.yaml")
    #expect(try CordonProcess.run(["simulate", file, "--quiet", "-o", run]).status == 0)
    for (format, ending) in [
      ("csv", "csv"), ("geojson", "geojson"), ("gpx", "gpx"), ("jupedsim", "txt"), ("jupedsim-sqlite", "sqlite"),
      ("tij", "tij"), ("graphml", "graphml"),
    ] {
      let path = scratch.path("ways.\(ending)")
      let arguments = ["run", "export", run, "--as", format, "-o", path]
      let result = try CordonProcess.run(arguments + ["--json"])
      #expect(result.status == 0, "\(format): \(result.errors)")
      #expect(try #require(try result.json()["bytes"] as? Int) > 100, "\(format)")
      #expect(try CordonProcess.run(arguments).status == 2, "\(format) is not overwritten unasked")
    }
    // What was written can be read again.
    let trace = try CordonProcess.run(["trace", "info", scratch.path("ways.gpx"), "--json"])
    #expect(trace.status == 0, "\(trace.errors)")
  }

  @Test func comparingTellsInWords() throws {
    let scratch = try ScratchFolder()
    let many = try scratch.write(scenario, to: "many.yaml")
    let few = try scratch.write(scenario.replacingOccurrences(of: "size: 15", with: "size: 5"), to: "few.yaml")
    let result = try CordonProcess.run(
      ["compare", many, few, "--replicas", "3", "--quiet", "-o", scratch.path("page.html")])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("people who came: 15 in A, 5 in B. B has 10 less"), "\(result.output)")
    #expect(try String(contentsOfFile: scratch.path("page.html"), encoding: .utf8).contains("<svg"))
    #expect(try CordonProcess.run(["compare", many]).status == 2)
  }
}
