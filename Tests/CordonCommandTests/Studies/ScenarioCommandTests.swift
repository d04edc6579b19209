import CordonTestSupport
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

  @Test func optionsOverrideTheScenario() throws {
    let scratch = try TemporaryFolder()
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
    #expect(report.contains("Queues, doors and other results"))
  }

  @Test(arguments: ["simulate", "compare", "sweep"])
  func aMapOutOfReachNeedsAnOption(command: String) throws {
    let scratch = try TemporaryFolder()
    func hall(_ name: String, _ west: Double, _ east: Double) -> String {
      "{\"type\":\"Feature\",\"properties\":{\"indoor\":\"area\",\"level\":\"0\",\"name\":\"\(name)\"},"
        + "\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[\(west),47],[\(east),47],[\(east),47.0002],[\(west),"
        + "47.0002],[\(west),47]]]}}"
    }
    let halls = [hall("Hall", 8, 8.0003), hall("Annex", 8.001, 8.0012)].joined(separator: ",")
    _ = try scratch.write("{\"type\":\"FeatureCollection\",\"features\":[\(halls)]}", to: "map.geojson")
    let text = scenario.replacingOccurrences(
      of: "{generate: {kind: office, floors: 1, area: 600, seed: 2}}", with: "map.geojson")
    let files = try (command == "compare" ? ["a.yaml", "b.yaml"] : ["a.yaml"]).map { try scratch.write(text, to: $0) }
    let more = [
      "simulate": ["-o", scratch.path("run")], "compare": ["--replicas", "2"], "sweep": ["--phones", "rtt"],
    ]
    let arguments = [command] + files + ["--quiet"] + (more[command] ?? [])
    let refused = try CordonProcess.run(arguments)
    #expect(refused.status == 2 && refused.output.isEmpty)
    #expect(refused.errors.contains("Annex") && refused.errors.contains("--accept-unreachable"), "\(refused.errors)")
    let accepted = try CordonProcess.run(arguments + ["--accept-unreachable"])
    #expect(accepted.status == 0, "\(accepted.errors)")
  }

  @Test(arguments: [
    ("size: 15", "sise: 15", ["line 3", "did you mean 'size'"]),
    ("size: 15", "size: 0", ["line 3", "populations[0].size"]),
    ("kind: office", "kind: ofice", ["line 1", "did you mean 'office'"]),
    ("populations:", "people:", ["unknown key"]),
    ("visit: 15m}", "visit: 15m, activities: [x]}", ["line 3", "no activity 'x'"]),
    ("seed: 5", "policies: {close: {spaces: [Nowhere]}}", ["line 5", "no space 'Nowhere'"]),
    (
      "venue: {generate: {kind: office, floors: 1, area: 600, seed: 2}}", "venue: nowhere.zip",
      ["line 1, venue", "no file or folder 'nowhere.zip'"]
    ),
    (
      "window: [09:00, 09:10]", "window: [10:00, 10:10]",
      ["line 3", "between 2026-01-05 09:00 and 2026-01-05 09:30 (Europe/Berlin)", "they arrive from 10:00 to 10:10"]
    ),
  ])
  func aScenarioErrorIsOneLineWithItsPlace(from: String, to: String, says: [String]) throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.write(scenario.replacingOccurrences(of: from, with: to), to: "day.yaml")
    let result = try CordonProcess.run(["simulate", file, "-o", scratch.path("run"), "--quiet"])
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    #expect(result.errors.contains("day.yaml"))
    for word in says { #expect(result.errors.contains(word), "\(result.errors)") }
    #expect(try scratch.contents == ["day.yaml"])
  }

  /// The message is the project's own, not the library's.
  @Test func unusableInputIsReportedInOneLine() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.write(scenario, to: "day.yaml")
    try FileManager.default.createDirectory(atPath: scratch.path("folder.yaml"), withIntermediateDirectories: false)
    let run = scratch.path("run")
    #expect(try CordonProcess.run(["simulate", file, "--model", "way", "--quiet", "-o", run]).status == 0)
    let cases: [([String], String)] = [
      (["simulate", scratch.path("folder.yaml")], "is a folder, not a file"),
      (["simulate", file, "-o", file + "/run"], "cannot be made: "),
      (["simulate", file, "--threads", "0"], "--threads must be 1 to 1024, not 0"),
      (["sweep", file, "--phones", "best"], "'best' is not one of perfect, uwb, rtt"),
      (["sweep", file, "--interval", "5x"], "'5x' is not a duration from 100ms"),
      (["compare", file, run], "is a run; give scenarios only"),
      (["compare", run], "give another run to compare it with"),
      (["compare", file, file, "--replicas", "-1"], "--replicas must be 1 to"),
      (["compare", run, "--measured", scratch.path("none.csv")], "no such file"),
      (["compare", run, "--measured", scratch.path("folder.yaml")], "is a folder, not a file"),
    ]
    for (arguments, words) in cases {
      let result = try CordonProcess.run(arguments + ["--quiet"])
      #expect(result.status == 2, "\(arguments)")
      #expect(result.errors.split(separator: "\n").count == 1 && result.errors.contains(words), "\(result.errors)")
      #expect(!result.errors.contains("could not be completed"))
    }
    #expect(try scratch.contents == ["day.yaml", "folder.yaml", "run"])
  }

  @Test func everyScenarioKeyHasItsOption() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.write(scenario, to: "day.yaml")
    let run = scratch.path("run")
    let arguments = [
      "simulate", file, "--time-zone", "UTC", "--replicas", "2", "--set", "populations[all].size=4", "--sampling",
      "distance:5", "--flush-after", "1m", "--warning", "5m", "--bin", "5m", "--model", "meso",
    ]
    let result = try CordonProcess.run(arguments + ["--json", "--quiet", "-o", run])
    #expect(result.status == 0, "\(result.errors)")
    let json = try result.json()
    #expect(json["people"] as? Int == 4)
    #expect(json["partial"] as? Bool == false)
    let data = try Data(contentsOf: URL(fileURLWithPath: run + "/manifest.json"))
    let manifest = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    // The command in the manifest gives the same run again.
    let command = try #require(manifest["arguments"] as? [String])
    for word in ["--time-zone", "--replicas", "populations[all].size=4", "distance:5", "--flush-after", "5m"] {
      #expect(command.contains(word), "\(word): \(command)")
    }
    // Nine o'clock in another zone, and bins of five minutes.
    let rows = try String(contentsOfFile: run + "/occupancy.csv", encoding: .utf8).split(separator: "\n").dropFirst()
    #expect(!rows.isEmpty)
    #expect(rows.contains { $0.contains("2026-01-05T09:") } && !rows.contains { $0.contains("2026-01-05T08:") })
    let again = Array(command.drop { $0 != "simulate" }.dropFirst(2))
    let second = try CordonProcess.run(
      ["simulate", file] + again + ["--quiet", "-o", scratch.path("again")])
    #expect(second.status == 0, "\(second.errors)")
    #expect(
      try String(contentsOfFile: scratch.path("again/occupancy.csv"), encoding: .utf8)
        == String(contentsOfFile: run + "/occupancy.csv", encoding: .utf8))
    let report = try String(contentsOfFile: run + "/report.html", encoding: .utf8)
    #expect(report.contains("repetition"), "what occupancy varies by")
  }

  @Test(arguments: [
    (["--set", "policies.stager=30m"], ["day.yaml", "policies.stager", "did you mean 'stagger'"]),
    (["--set", "stagger"], ["--set", "KEY=VALUE"]), (["--time-zone", "Mars"], ["time.zone", "is not a time zone"]),
    (["--replicas", "0"], ["replicas", "between 1 and 10000"]), (["--flush-after", "0s"], ["--flush-after"]),
    (["--warning", "0s"], ["--warning"]), (["--bin", "2d"], ["--bin"]),
    (["--sampling", "distance"], ["--sampling"]),
  ])
  func impossibleOptionsAreReportedByName(options: [String], says: [String]) throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.write(scenario, to: "day.yaml")
    let result = try CordonProcess.run(["simulate", file, "--quiet", "-o", scratch.path("run")] + options)
    #expect(result.status == 2)
    for word in says { #expect(result.errors.contains(word), "\(result.errors)") }
    #expect(try scratch.contents == ["day.yaml"])
  }

  @Test(arguments: [["--time-zone", "UTC"], ["--replicas", "3"], ["--set", "seed=2"]])
  func optionsOfScenariosAreRefusedForVenues(options: [String]) throws {
    let result = try CordonProcess.run(["simulate", Places.office] + options)
    #expect(result.status == 2 && result.errors.contains("\(options[0]) needs a scenario"), "\(result.errors)")
  }

  @Test func waysAndContactsAreExported() throws {
    let scratch = try TemporaryFolder()
    let run = scratch.path("run")
    let file = try scratch.write(scenario, to: "day.yaml")
    #expect(try CordonProcess.run(["simulate", file, "--quiet", "-o", run]).status == 0)
    for (format, ending) in [
      ("csv", "csv"), ("geojson", "geojson"), ("gpx", "gpx"), ("jupedsim", "txt"), ("jupedsim-sqlite", "sqlite"),
      ("tij", "tij"), ("graphml", "graphml"),
    ] {
      let path = scratch.path("ways.\(ending)")
      let arguments = ["run", "export", run, "--output-format", format, "-o", path]
      let result = try CordonProcess.run(arguments + ["--json"])
      #expect(result.status == 0, "\(format): \(result.errors)")
      #expect(try #require(try result.json()["bytes"] as? Int) > 100, "\(format)")
      #expect(try CordonProcess.run(arguments).status == 2, "\(format) is not overwritten unasked")
    }
    for (more, word) in [
      (["--output-format", "csv", "--source", "observed"], "--source observed needs tij or graphml"),
      (["--output-format", "tij", "--device", "3"], "--device needs a format of trajectories"),
      (["--output-format", "graphml", "--floor", "0"], "--floor needs"),
      (["--output-format", "csv", "--device", "9999"], "no device or person"),
    ] {
      let result = try CordonProcess.run(["run", "export", run, "-o", scratch.path("none")] + more)
      #expect(result.status != 0 && result.errors.contains(word), "\(more): \(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: scratch.path("none")))
    }
    for share in ["2", "-1", "nan"] {
      let result = try CordonProcess.run(["sweep", file, "--recall=\(share)"])
      #expect(result.status != 0 && result.errors.contains("--recall is a share"), "\(result.errors)")
    }
    // The written file can be read again.
    let trace = try CordonProcess.run(["trace", "info", scratch.path("ways.gpx"), "--json"])
    #expect(trace.status == 0, "\(trace.errors)")
  }

  @Test func comparisonsAreReportedInWords() throws {
    let scratch = try TemporaryFolder()
    let many = try scratch.write(scenario, to: "many.yaml")
    let few = try scratch.write(scenario.replacingOccurrences(of: "size: 15", with: "size: 5"), to: "few.yaml")
    let result = try CordonProcess.run(
      ["compare", many, few, "--replicas", "3", "--quiet", "-o", scratch.path("page.html")])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("people who arrived: 15 in A, 5 in B. B has 10 fewer"), "\(result.output)")
    #expect(try String(contentsOfFile: scratch.path("page.html"), encoding: .utf8).contains("<svg"))
    #expect(try CordonProcess.run(["compare", many]).status == 2)
  }

  /// People without phones are inside, and meet, as others do.
  @Test func comparisonsWorkWithoutPhones() throws {
    let scratch = try TemporaryFolder()
    let none = scenario.replacingOccurrences(of: "phones: {interval: 10s}", with: "policies: {devices: 0}")
    let many = try scratch.write(none, to: "many.yaml")
    let few = try scratch.write(none.replacingOccurrences(of: "size: 15", with: "size: 5"), to: "few.yaml")
    let json = try CordonProcess.run(["compare", many, few, "--replicas", "2", "--quiet", "--json"]).json()
    let differences = try #require(json["differences"] as? [[String: Any]])
    func figure(_ name: String) throws -> (Double, Double) {
      let item = try #require(differences.first { $0["name"] as? String == name })
      return (try #require(item["first"] as? Double), try #require(item["second"] as? Double))
    }
    for name in ["peak_people", "person_hours", "pairs", "contact_minutes_per_person"] {
      let (first, second) = try figure(name)
      #expect(first > second && first > 0, "\(name): \(first), \(second)")
    }
    #expect(try figure("long_pairs_with_phones") == (0, 0))
    // So does a run that is compared with head counts.
    let run = scratch.path("run")
    #expect(try CordonProcess.run(["simulate", many, "--quiet", "-o", run]).status == 0)
    let counts = try scratch.write("time,count\n2026-01-05T08:12:00Z,15\n", to: "counts.csv")
    let measured = try CordonProcess.run(["compare", run, "--measured", counts, "--time-zone", "UTC", "--json"])
    #expect(measured.status == 0, "\(measured.errors)")
    let times = try #require(try measured.json()["times"] as? [[String: Any]])
    #expect(times.count == 1)
    #expect(try #require(times[0]["run"] as? Double) > 5)
  }

  /// Every command that moves people reports what a map leaves open.
  @Test func mapAssumptionsAreReported() throws {
    let scratch = try TemporaryFolder()
    let map = URL(fileURLWithPath: scratch.path("hall.geojson"))
    try Data(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"id":"l0","indoor":"level","level":"0"},"geometry":{"type":"Polygon",
       "coordinates":[[[8,47],[8.0004,47],[8.0004,47.0003],[8,47.0003],[8,47]]]}},
      {"type":"Feature","properties":{"id":"r","indoor":"room","level":"0","name":"Hall"},"geometry":{"type":"Polygon",
       "coordinates":[[[8,47],[8.0004,47],[8.0004,47.0003],[8,47.0003],[8,47]]]}}]}
      """.utf8
    ).write(to: map)
    let words = scenario.replacingOccurrences(
      of: "{generate: {kind: office, floors: 1, area: 600, seed: 2}}", with: "hall.geojson")
    let file = try scratch.write(words, to: "day.yaml")
    let simulated = try CordonProcess.run(["simulate", file, "--json", "--quiet", "-o", scratch.path("run")])
    let notes = try #require(try simulated.json()["notes"] as? [String], "\(simulated.errors)")
    #expect(notes.contains { $0.contains("no entrance") }, "\(notes)")
    for arguments in [
      ["compare", file, file, "--replicas", "2"], ["sweep", file, "--phones", "perfect", "--interval", "10s"],
    ] {
      #expect(try CordonProcess.run(arguments + ["--json", "--quiet"]).json()["notes"] as? [String] == notes)
      let plain = try CordonProcess.run(arguments + ["--quiet", "--force", "-o", scratch.path("page.html")])
      #expect(plain.errors == notes.map { "note: \($0)\n" }.joined(), "\(arguments[0]) printed \(plain.errors)")
      #expect(try String(contentsOfFile: scratch.path("page.html"), encoding: .utf8).contains("Assumptions"))
    }
  }

  @Test func sweepsReportTheSampling() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.write(scenario, to: "day.yaml")
    let arguments = [
      "sweep", file, "--phones", "perfect", "--interval", "10s", "--sampling", "continuous,motion:1m,distance:5",
      "--quiet",
    ]
    let kinds = try #require(try CordonProcess.run(arguments + ["--json"]).json()["kinds"] as? [[String: Any]])
    #expect(kinds.map { $0["sampling"] as? String } == ["continuous", "motion:1m", "distance:5"])
    #expect(try CordonProcess.run(arguments).output.contains("motion:1m"))
    let wrong = try CordonProcess.run(["sweep", file, "--sampling", "sometimes"])
    #expect(wrong.status == 2 && wrong.errors.contains("--sampling: 'sometimes'"), "\(wrong.errors)")
  }
}
