import Foundation
import Testing

/// `docs/json.md` against what the commands print.
@Suite("Documented output for scripts")
struct DocumentedKeysTests {
  let documented: [String: [String]]

  init() throws {
    let text = try String(contentsOf: Places.package.appendingPathComponent("docs/json.md"), encoding: .utf8)
    var documented: [String: [String]] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| `cordon.") {
      let words = line.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
      documented[words[0]] = Array(words.dropFirst())
    }
    self.documented = documented
  }

  @Test func everyCommandPrintsItsKeysAndNoOthers() throws {
    let scratch = try ScratchFolder()
    let office = Places.office
    let run = scratch.path("run")
    let commands: [[String]] = [
      ["simulate", office, "--people", "20", "--duration", "20m", "-o", run, "--quiet"],
      ["venue", "info", office], ["venue", "validate", office], ["venue", "geofence", office],
      [
        "venue", "line-of-sight", office, "--floor", "0", "--from", "11.5803,48.1401", "--to", "11.5805,48.1402",
      ],
      ["venue", "render", office, "-o", scratch.path("plans")],
      ["venue", "convert", office, "--to", "geojson", "-o", scratch.path("office.geojson")],
      ["venue", "generate", "office", "--floors", "1", "--area", "500", "--seed", "1", "-o", scratch.path("new.zip")],
      ["venue", "pack", office, "-o", scratch.path("office.pack")], ["contacts", "find", run],
    ]
    var seen: Set<String> = []
    for command in commands {
      let result = try CordonProcess.run(command + ["--json"])
      #expect(result.status == 0, "\(command): \(result.errors)")
      let schema = try #require(try result.json()["schema"] as? String, "\(command)")
      seen.insert(schema)
      let keys = try #require(documented[schema], "\(schema) is not documented")
      #expect(Set(try result.json().keys) == Set(keys + ["schema"]), "\(schema)")
      #expect(result.output.hasPrefix("{\"schema\":\"\(schema)\""))
    }
    #expect(seen == Set(documented.keys))
  }
}
