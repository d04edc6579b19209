import CordonTestSupport
import Foundation
import Testing

/// The commands print the keys of `docs/reference/json.md`.
@Suite("Documented output for scripts")
struct DocumentedKeysTests {
  let documented: [String: [String]]

  init() throws {
    let text = try String(contentsOf: Places.package.appendingPathComponent("docs/reference/json.md"), encoding: .utf8)
    var documented: [String: [String]] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| `cordon.") {
      let words = line.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
      documented[words[0]] = Array(words.dropFirst())
    }
    self.documented = documented
  }

  @Test func everyCommandPrintsExactlyItsDocumentedKeys() throws {
    let scratch = try TemporaryFolder()
    let office = Places.office
    let trace = Places.package.appendingPathComponent("Tests/Traces/in-and-out.gpx").path
    let log = try scratch.write(#"{"schema":"cordon.decisions/1","assumed":[]}"# + "\n", to: "log.jsonl")
    let run = scratch.path("run")
    let simulate = ["simulate", office, "--people", "20", "--duration", "20m", "-o", run, "--quiet"]
    #expect(try CordonProcess.run(simulate).status == 0)
    let breathed = scratch.path("breathed")
    let airy = [
      "simulate", try scratch.write(scenario, to: "air.yaml"), "--set", "air.bin=5m", "-o", breathed, "--quiet",
    ]
    #expect(try CordonProcess.run(airy).status == 0)
    let space = try #require(
      try String(contentsOfFile: breathed + "/air.csv", encoding: .utf8).split(separator: "\n")[1].split(separator: ",")
        .first)
    let commands: [[String]] = [
      [
        "compare", breathed, "--measured",
        try scratch.write("space,time,co2\n\(space),2026-01-05T09:05:00Z,500\n", to: "co2.csv"),
      ],
      simulate + ["--force"],
      ["evacuate", office, "--load", "10", "-o", scratch.path("evacuation")],
      ["validate", "evacuation", "--only", "affiliation"],
      ["compare", try scratch.write(scenario, to: "a.yaml"), scratch.path("a.yaml"), "--replicas", "2"],
      ["compare", run, "--measured", try scratch.write("time,count\n2026-01-05T09:05:00Z,4\n", to: "counts.csv")],
      [
        "air",
        try scratch.write("space,time,people\nA,2026-01-05T09:00:00Z,4\nA,2026-01-05T10:00:00Z,0\n", to: "o.csv"),
        "--spaces", try scratch.write("space,volume,air_changes\nA,50,3\n", to: "s.csv"),
      ],
      [
        "fit", scratch.path("a.yaml"), "--measured", scratch.path("counts.csv"), "--hold-out", "none", "--corrections",
        "1",
        "-o", scratch.path("fitted.yaml"),
      ],
      ["everyday", "--days", "1"],
      ["sweep", scratch.path("a.yaml"), "--phones", "rtt", "--interval", "15s"],
      ["validate", "movement", "--only", "rimea-1", "--replicas", "1"], ["validate", "phones"],
      ["validate", "contacts", "--scenario", scratch.path("a.yaml"), "--replicas", "1"],
      ["run", "export", run, "--output-format", "csv", "--interval", "10s", "-o", scratch.path("ways.csv")],
      ["venue", "info", office], ["venue", "validate", office], ["venue", "geofence", office],
      ["venue", "locate", office, "--points", try scratch.write("11.5803,48.1401,0,5", to: "points.csv")],
      [
        "venue", "line-of-sight", office, "--floor", "0", "--from", "11.5803,48.1401", "--to", "11.5805,48.1402",
      ],
      ["venue", "distances", office],
      ["venue", "render", office, "-o", scratch.path("plans")],
      ["venue", "edit", office, "-o", scratch.path("office.html")],
      ["venue", "convert", office, "--output-format", "geojson", "-o", scratch.path("office.geojson")],
      ["venue", "generate", "office", "--floors", "1", "--area", "500", "--seed", "1", "-o", scratch.path("new.zip")],
      ["venue", "pack", office, "-o", scratch.path("office.cvp")], ["venue", "info", scratch.path("office.cvp")],
      ["contacts", "find", run],
      ["contacts", "exposures", run], ["contacts", "network", run], ["contacts", "occupancy", run],
      ["contacts", "gatherings", run],
      ["contacts", "backtrace", run, "--index", try device(of: run), "--onset", "2026-01-05"],
      [
        "venue", "georeference", try scratch.write(plan, to: "plan.geojson"), "--control", "0,0=11.58,48.14",
        "--control", "60,0=11.5808,48.14", "-o", scratch.path("placed.geojson"),
      ],
      ["form", "check", try scratch.write(form, to: "form.json")],
      ["form", "changes", scratch.path("form.json"), try scratch.write(laterForm, to: "later.json")],
      ["form", "summary", scratch.path("form.json"), "--answers", try scratch.write(#"{"a": "x"}"#, to: "a.jsonl")],
      ["form", "page", scratch.path("form.json"), "-o", scratch.path("form.html")],
      ["form", "swift", scratch.path("form.json"), "-o", scratch.path("Form.swift")],
      [
        "form", "records", scratch.path("form.json"), "--answers", scratch.path("a.jsonl"), "--device", "tablet", "-o",
        scratch.path("records.jsonl"),
      ],
      ["presence", trace, "--home", "11.58,48.14,100"], ["trace", "info", trace],
      ["trace", "convert", trace, "-o", scratch.path("walk.csv")],
      ["trace", "pseudonymise", trace, "-o", scratch.path("walk.kml")],
      ["trace", "fuzz", trace, "-o", scratch.path("walk.geojson")], ["replay", trace, "--venue", office],
      ["replay", "--suite", Places.package.appendingPathComponent("Tests/Traces").path, "--venue", office],
      ["replay", "diff", log, log],
      ["bench", "crowd", try scratch.write(crowd, to: "crowd.json"), "--duration", "1s", "--step", "50ms"],
    ]
    var seen: Set<String> = []
    for command in commands {
      let result = try CordonProcess.run(command + ["--json"])
      // A small scenario may fail the validation, which compares it with a museum.
      let mayFail = command.starts(with: ["validate", "contacts"])
      #expect(result.status == 0 || mayFail && result.status == 1, "\(command): \(result.errors)")
      let schema = try #require(try result.json()["schema"] as? String, "\(command)")
      seen.insert(schema)
      let keys = try #require(documented[schema], "\(schema) is not documented")
      #expect(Set(try result.json().keys) == Set(keys + ["schema"]), "\(schema)")
      #expect(result.output.hasPrefix("{\"schema\":\"\(schema)\""))
    }
    // The server's commands have tests of their own.
    let others = ["cordon.server-", "cordon.webhook-", "cordon.study-", "cordon.form-share/", "cordon.form-receive/"]
    let ours = documented.keys.filter { key in !others.contains { key.hasPrefix($0) } }
    #expect(seen == Set(ours))
  }

  private let form = #"{"form": "f", "version": 1, "title": "T", "items": [{"name": "a", "type": "text"}]}"#
  private var laterForm: String { form.replacingOccurrences(of: "\"version\": 1", with: "\"version\": 2") }

  /// A device of the run, from the second line of its table of contacts.
  private func device(of run: String) throws -> String {
    let text = try String(contentsOfFile: run + "/contacts.csv", encoding: .utf8)
    let header = try #require(text.split(separator: "\n").first).split(separator: ",")
    let column = try #require(header.firstIndex(of: "first_device"))
    let row = try #require(text.split(separator: "\n").dropFirst().first).split(
      separator: ",", omittingEmptySubsequences: false)
    return String(row[column])
  }

  private let scenario = """
    venue: {generate: {kind: office, floors: 1, area: 500, seed: 2}}
    time: {start: 2026-01-05T09:00, duration: 30m}
    populations: [{name: all, size: 12, arrival: {window: [09:00, 09:10]}, visit: 15m}]
    """

  private let plan = """
    {"type":"FeatureCollection","features":[{"type":"Feature","id":"r","properties":{"indoor":"room","level":"0"},
    "geometry":{"type":"Polygon","coordinates":[[[0,0],[60,0],[60,40],[0,40],[0,0]]]}}]}
    """

  private let crowd = """
    {"radius":0.2,"time_gap":1.0,"waypoint_radius":2.0,"exterior":[[0,0],[20,0],[20,10],[0,10]],"holes":[],
    "rooms":[{"rect":[0,0,8,10],"door":[[8,4],[8,6]],"centre":[4,5]},
    {"rect":[12,0,20,10],"door":[[12,4],[12,6]],"centre":[16,5]}],"journeys":[[0,1]],
    "agents":[{"x":2,"y":2,"v0":1.3,"journey":0,"start_stage":1},{"x":15,"y":7,"v0":1.2,"journey":0,"start_stage":0}]}
    """
}
