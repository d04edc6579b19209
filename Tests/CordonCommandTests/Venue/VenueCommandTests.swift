import CordonTestSupport
import Foundation
import Testing

@Suite("cordon venue")
struct VenueCommandTests {
  /// The keys that a command prints with --json, and its documented keys, in order.
  struct Keys: CustomTestStringConvertible, Sendable {
    var arguments: [String]
    var keys: [String]
    var testDescription: String { arguments.prefix(2).joined(separator: " ") }
  }

  static let promised = [
    Keys(
      arguments: ["info", Places.office, "--json"],
      keys: [
        "schema", "id", "name", "format", "version", "content_sha256", "time_zone", "boundaries", "buildings", "floors",
        "space_kinds", "floor_count", "space_count", "wall_count", "obstruction_count", "furniture_count",
        "opening_count", "entrance_count", "connection_count", "point_of_interest_count", "node_count", "edge_count",
        "walking", "parts", "unreachable_spaces", "assumed_doors", "usable_area_m2", "unreachable_area_m2", "findings",
        "recording",
      ]),
    Keys(
      arguments: ["validate", Places.office, "--json"],
      keys: [
        "schema", "format", "version", "findings", "summary", "floor_count", "space_count", "opening_count",
        "connection_count", "node_count", "parts", "unreachable_spaces", "recording",
      ]),
    Keys(
      arguments: ["geofence", Places.office, "--json"],
      keys: ["schema", "circle", "geofence", "boundary", "fallback", "area_m2", "floor_count", "space_count"]),
    Keys(
      arguments: [
        "line-of-sight", Places.office, "--floor", "0", "--from", "11.5802,48.14003", "--to", "11.5805,48.14003",
        "--json",
      ], keys: ["schema", "visible", "walls", "distance_m", "walking_distance_m"]),
    Keys(arguments: ["distances", Places.office, "--json"], keys: ["schema", "from", "places"]),
    Keys(
      arguments: ["render", Places.office, "-o", "{folder}/plans", "--json"], keys: ["schema", "boundary", "files"]),
    Keys(
      arguments: ["convert", Places.office, "--output-format", "imdf", "-o", "{folder}/out.zip", "--json"],
      keys: ["schema", "venue", "format", "output", "file_count", "bytes", "sha256", "floor_count", "space_count"]),
    Keys(
      arguments: ["generate", "office", "--area", "500", "-o", "{folder}/out.zip", "--json"],
      keys: ["schema", "venue", "format", "output", "file_count", "bytes", "sha256", "floor_count", "space_count"]),
    Keys(
      arguments: ["pack", Places.office, "-o", "{folder}/out.cvp", "--json"],
      keys: [
        "schema", "venue", "content_sha256", "output", "bytes", "sha256", "floor_count", "space_count",
        "unrecorded_count", "floor_only_count", "wall_count", "recording", "findings",
      ]),
  ]

  @Test(arguments: promised)
  func jsonHasTheDocumentedKeysInOrder(_ promised: Keys) throws {
    let scratch = try TemporaryFolder()
    let arguments = promised.arguments.map { $0.replacingOccurrences(of: "{folder}", with: scratch.url.path) }
    let result = try CordonProcess.run(["venue"] + arguments)
    #expect(result.status == 0, "\(result.errors)")
    let json = try result.json()
    #expect(Set(json.keys) == Set(promised.keys))
    #expect(json["schema"] as? String == "cordon.venue-\(promised.arguments[0])/1")
    #expect(result.output.hasPrefix("{\"schema\":"))
    #expect(result.output.split(separator: "\n").count == 1)
    var position = result.output.startIndex
    for key in promised.keys {
      let found = try #require(
        result.output.range(of: "\"\(key)\":", range: position..<result.output.endIndex), "\(key)")
      position = found.upperBound
    }
  }

  @Test func aLongListOfFindingsIsCut() throws {
    let scratch = try TemporaryFolder()
    let map = try String(
      contentsOfFile: Places.package.appendingPathComponent("venues/station.geojson").path, encoding: .utf8)
    let strange = (0..<30).map { number in
      """
      {"type":"Feature","properties":{"id":"x\(number)"},"geometry":{"type":"Point","coordinates":[200,\(number)]}},
      """
    }
    let broken = try scratch.write(
      map.replacing(#""features":["#, with: #""features":["# + strange.joined(), maxReplacements: 1), to: "map.geojson")
    let short = try CordonProcess.run(["venue", "validate", broken])
    let long = try CordonProcess.run(["venue", "validate", broken, "--all"])
    #expect(short.output.contains("10 more; --all lists them"), "\(short.output)")
    #expect(!long.output.contains("--all lists them"))
    func listed(_ text: String) -> Int { text.split(separator: "\n").count { $0.contains("map.geojson#") } }
    #expect(listed(long.output) - listed(short.output) == 10)
    let json = try CordonProcess.run(["venue", "validate", broken, "--json"]).json()
    #expect((json["findings"] as? [Any])?.count == listed(long.output))
  }

  @Test func geofencePrintsTheBareAndThePaddedCircle() throws {
    let json = try CordonProcess.run(["venue", "geofence", Places.office, "--padding", "500", "--json"]).json()
    let circle = try #require(json["circle"] as? [String: Any])
    let geofence = try #require(json["geofence"] as? [String: Any])
    let radius = try #require(circle["radius_m"] as? Double)
    // Half of the diagonal of 60 by 40 metres.
    #expect(abs(radius - 36.06) < 0.05)
    #expect(abs(try #require(geofence["radius_m"] as? Double) - radius - 500) < 1e-9)
    #expect(abs(try #require(geofence["exit_radius_m"] as? Double) - radius - 600) < 1e-9)
    #expect((circle["center"] as? [Double])?.count == 2)
    #expect(json["boundary"] as? String == "buildings")
  }

  /// Points may come through a named pipe, as of the shell's `<(...)`.
  @Test func locateReadsAPipe() throws {
    let scratch = try TemporaryFolder()
    let points = try scratch.write("11.58040,48.14018,0\n0,0\n", to: "points.csv")
    let file = try CordonProcess.run([
      "venue", "locate", Places.office, "--points", points, "-o", "-", "--output-format", "jsonl",
    ])
    let pipe = try CordonProcess.run(
      [
        "-c", #""$0" venue locate "$1" --points <(cat "$2") -o - --output-format jsonl"#, CordonProcess.executable.path,
        Places.office,
        points,
      ], program: URL(fileURLWithPath: "/bin/bash"))
    #expect(pipe.status == 0 && pipe.errors == file.errors, "\(pipe.errors)")
    #expect(pipe.output == file.output && !file.output.isEmpty)
  }

  @Test func locateAnswersInOrderAndSeparatesNoFloorFromFloorZero() throws {
    let scratch = try TemporaryFolder()
    let points = try scratch.write(
      "lon,lat,floor,accuracy_m\n11.5802,48.14003,0,5\n\n# nowhere\n-79.38,43.64\n11.5802,48.14003\n", to: "points.csv")
    let result = try CordonProcess.run([
      "venue", "locate", Places.office, "--points", points, "-o", "-", "--output-format", "jsonl",
    ])
    let lines = try result.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(lines.count == 3)
    for line in lines {
      #expect(Set(line.keys) == ["inside", "signed_distance_m", "building", "floor", "space", "p_inside"])
    }
    #expect(lines.map { $0["inside"] as? Bool } == [true, false, true])
    #expect(lines[0]["floor"] as? String == "f_0" && lines[0]["space"] is String)
    #expect(lines[2]["floor"] is NSNull && lines[2]["space"] is NSNull && lines[2]["p_inside"] is NSNull)
    #expect(try #require(lines[0]["signed_distance_m"] as? Double) < 0)
    #expect(try #require(lines[1]["signed_distance_m"] as? Double) > 1_000_000)
    let bad = try scratch.write("11.58,48.14\n11.58,98\n", to: "bad.csv")
    let refused = try CordonProcess.run(["venue", "locate", Places.office, "--points", bad])
    #expect(refused.status == 2 && refused.errors.contains("bad.csv") && refused.errors.contains("line 2"))
  }

  @Test func negativeCoordinatesAndFloorsAreValues() throws {
    let scratch = try TemporaryFolder()
    let file = scratch.path("station.zip")
    let made = try CordonProcess.run([
      "venue", "generate", "station", "--floors", "2", "--area", "2000", "--origin", "-79.38,-43.64", "-o", file,
    ])
    #expect(made.status == 0, "\(made.errors)")
    let sight = try CordonProcess.run([
      "venue", "line-of-sight", file, "--floor", "-1", "--from", "-79.3798,-43.63985", "--to", "-79.3797,-43.63985",
      "--json",
    ])
    #expect(sight.status == 0, "\(sight.errors)")
    #expect(try sight.json()["visible"] as? Bool == true)
    #expect(try #require(try sight.json()["distance_m"] as? Double) > 7)
    let far = try CordonProcess.run([
      "venue", "line-of-sight", file, "--floor", "-1", "--from", "79.3798,43.63985", "--to", "-79.3797,-43.63985",
    ])
    #expect(far.status == 2 && far.errors.contains("--from"))
  }

  @Test func findingsStatePlaceProblemAndRepair() throws {
    let scratch = try TemporaryFolder()
    let ring = "[[11.58,48.14],[11.5801,48.14],[11.5801,48.1401],[11.58,48.1401]]"
    let map = try scratch.write(
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"r1","properties":{"indoor":"room","level":"0"},"#
        + #""geometry":{"type":"Polygon","coordinates":[\#(ring)]}},"#
        + #"{"type":"Feature","id":"r2","properties":{"indoor":"room"},"geometry":{"type":"Polygon","#
        + #""coordinates":[[[48.14,111.58],[48.15,111.58],[48.15,111.59],[48.14,111.58]]]}}]}"#, to: "map.geojson")
    let result = try CordonProcess.run(["venue", "validate", map, "--json"])
    // Exchanged latitude and longitude are an error.
    #expect(result.status == 1)
    let json = try result.json()
    let findings = try #require(json["findings"] as? [[String: Any]])
    #expect(findings.count >= 2)
    for finding in findings {
      #expect(Set(finding.keys) == ["severity", "code", "file", "pointer", "object", "action", "message"])
      #expect(["error", "warning", "info"].contains(finding["severity"] as? String))
      #expect(["repaired", "ignored", "refused"].contains(finding["action"] as? String))
      #expect(finding["file"] as? String == "map.geojson")
    }
    let unclosed = try #require(findings.first { $0["code"] as? String == "ring-unclosed" })
    #expect(unclosed["pointer"] as? String == "/features/0/geometry/coordinates/0")
    #expect(unclosed["object"] as? String == "r1" && unclosed["action"] as? String == "repaired")
    #expect(json["format"] as? String == "osm-indoor" && json["version"] is NSNull)
    #expect(json["floor_count"] as? Int == 1 && json["space_count"] as? Int == 1)
    #expect(try CordonProcess.run(["venue", "validate", map]).status == 1)
  }

  @Test func unreachableAreaFailsTheValidation() throws {
    let scratch = try TemporaryFolder()
    func room(_ id: String, _ x: Double, kind: String) -> String {
      let (west, east) = (11.58 + x * 1e-4, 11.58 + (x + 1) * 1e-4)
      return #"{"type":"Feature","id":"\#(id)","properties":{"indoor":"\#(kind)","level":"0","name":"\#(id)"},"#
        + #""geometry":{"type":"Polygon","coordinates":[[[\#(west),48.14],[\#(east),48.14],[\#(east),48.1401],"#
        + #"[\#(west),48.1401],[\#(west),48.14]]]}}"#
    }
    let door =
      #"{"type":"Feature","id":"main","properties":{"door":"yes","entrance":"yes","level":"0"},"#
      + #""geometry":{"type":"Point","coordinates":[11.58,48.14005]}}"#
    let features = [
      room("hall", 0, kind: "area"), room("far", 5, kind: "area"), room("farther", 8, kind: "area"), door,
    ]
    let map = try scratch.write(
      #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#, to: "map.geojson")
    let result = try CordonProcess.run(["venue", "validate", map])
    #expect(result.status == 1, "\(result.output)")
    // The hall is a third of the spaces.
    #expect(
      result.output.hasPrefix("1 x warning: disconnected-part\n2 x warning: space-unreachable\n"), "\(result.output)")
    #expect(result.output.contains("Connectivity: 3 spaces in 3 parts: 1 from entrance 0 (hall), 2 from no entrance"))
    let json = try CordonProcess.run(["venue", "validate", map, "--json"]).json()
    let summary = try #require(json["summary"] as? [[String: Any]])
    #expect(summary.last?["code"] as? String == "space-unreachable" && summary.last?["count"] as? Int == 2)
    let info = try CordonProcess.run(["venue", "info", map, "--json"]).json()
    let parts = try #require(info["parts"] as? [[String: Any]])
    #expect(parts.count == 3)
    for part in parts { #expect(Set(part.keys) == ["spaces", "area_m2", "floors", "entrances", "example"]) }
    let entrances = try #require(parts.first { $0["example"] as? String == "hall" }?["entrances"] as? [[String: Any]])
    #expect(entrances.count == 1 && Set(entrances[0].keys) == ["number", "id", "name", "space"])
    #expect(entrances[0]["number"] as? Int == 0 && entrances[0]["id"] as? String == "main")
    #expect(entrances[0]["space"] as? String == "hall" && entrances[0]["name"] as? String == "hall")
    #expect(
      try CordonProcess.run(["venue", "info", map]).output.contains("\nEntrances\n  0  hall, 0 (main)\n"))
    let unreachable = try #require(info["unreachable_spaces"] as? [[String: Any]])
    #expect(unreachable.compactMap { $0["id"] as? String } == ["far", "farther"])
    #expect(unreachable.allSatisfy { $0["reason"] as? String == "no-door" })
  }

  @Test func entrancesThatNobodyCanUseAreCountedApart() throws {
    let scratch = try TemporaryFolder()
    let hall =
      #"{"type":"Feature","id":"hall","properties":{"indoor":"area","level":"0","name":"hall"},"#
      + #""geometry":{"type":"Polygon","coordinates":[[[11.58,48.14],[11.5801,48.14],[11.5801,48.1401],"#
      + #"[11.58,48.1401],[11.58,48.14]]]}}"#
    func door(_ id: String, _ longitude: Double) -> String {
      #"{"type":"Feature","id":"\#(id)","properties":{"door":"yes","entrance":"yes","level":"0"},"#
        + #""geometry":{"type":"Point","coordinates":[\#(longitude),48.14005]}}"#
    }
    /// The line of `venue info` with the counts.
    func counts(_ features: [String]) throws -> String {
      let map = try scratch.write(
        #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#, to: "map.geojson")
      return try CordonProcess.run(["venue", "info", map]).output
    }
    #expect(try counts([hall, door("west", 11.58), door("east", 11.5801)]).contains(" 2 entrances, "))
    // The gate stands 75 m from the hall.
    #expect(try counts([hall, door("west", 11.58), door("gate", 11.5811)]).contains(" 1 entrance (2 drawn), "))
  }

  @Test func drawingsAreCalledAfterFloorsAndIndexed() throws {
    let scratch = try TemporaryFolder()
    let folder = scratch.path("plans")
    let result = try CordonProcess.run(["venue", "render", Places.office, "-o", folder])
    #expect(result.status == 0, "\(result.errors)")
    let files = ["ground-floor.svg", "floor-1.svg", "floor-2.svg", "index.html"]
    #expect(result.output == files.map { "\(folder)/\($0)\n" }.joined())
    let page = try String(contentsOfFile: "\(folder)/index.html", encoding: .utf8)
    let ground = try String(contentsOfFile: "\(folder)/ground-floor.svg", encoding: .utf8)
    let info = try CordonProcess.run(["venue", "info", Places.office, "--json"]).json()
    let parts = try #require(info["parts"] as? [[String: Any]])
    let entrances = parts.flatMap { $0["entrances"] as? [[String: Any]] ?? [] }
    #expect(entrances.count >= 2)
    for entrance in entrances {
      let (number, name) = (try #require(entrance["number"] as? Int), try #require(entrance["name"] as? String))
      #expect(page.contains("<tr><td>\(number)</td><td>\(name)</td>"))
      #expect(ground.contains("aria-label=\"entrance \(number) (\(name))"))
    }
    #expect(!ground.contains("class=\"node\""))
    let graph = try CordonProcess.run(["venue", "render", Places.office, "--map-graph", "--floor", "0", "-o", "-"])
    #expect(graph.output.contains("class=\"node\""))
  }

  @Test func theTableOfDistancesAgreesWithSingleQueries() throws {
    let all = try CordonProcess.run(["venue", "distances", Places.office, "--json"]).json()
    #expect((all["from"] as? [String: Any])?["type"] as? String == "entrance")
    let places = try #require(all["places"] as? [[String: Any]])
    for place in places {
      #expect(Set(place.keys) == ["id", "type", "name", "kind", "floor", "walking_distance_m"])
    }
    #expect(places.count { $0["type"] as? String == "space" } == 145)
    // Everything in the sample that can be entered at all can be reached from outside.
    let rooms = places.filter { $0["type"] as? String == "space" && $0["kind"] as? String != "inaccessible" }
    #expect(rooms.count > 100 && rooms.allSatisfy { ($0["walking_distance_m"] as? Double ?? -1) >= 0 })
    let lobby = try #require(places.first { $0["kind"] as? String == "lobby" }?["id"] as? String)
    let room = try #require(places.last { $0["kind"] as? String == "office" })
    let id = try #require(room["id"] as? String)
    let there = try CordonProcess.run(["venue", "distances", Places.office, "--from", lobby, "--to", id, "--json"])
      .json()
    let back = try CordonProcess.run(["venue", "distances", Places.office, "--from", id, "--to", lobby, "--json"])
      .json()
    let metres = [there, back].compactMap {
      (($0["places"] as? [[String: Any]])?.first)?["walking_distance_m"] as? Double
    }
    #expect(metres.count == 2 && abs(metres[0] - metres[1]) < 1 && metres[0] > 3)
    let table = try CordonProcess.run(["venue", "distances", Places.office, "--from", lobby, "-o", "-"]).output
    let lines = table.split(separator: "\n")
    #expect(lines[0] == "id,type,name,kind,floor,walking_distance_m" && lines.count == places.count + 1)
    #expect(lines.contains { $0.hasPrefix("\(lobby),") && $0.hasSuffix(",0") })
    #expect(
      try CordonProcess.run(["venue", "distances", Places.office, "--to", id]).output.hasPrefix("from the nearest"))
  }

  @Test func routesGoAroundWalls() throws {
    let json = try CordonProcess.run([
      "venue", "line-of-sight", Places.office, "--floor", "0", "--from", "11.5802,48.14003", "--to",
      "11.5805,48.14003", "--json",
    ]).json()
    #expect(json["visible"] as? Bool == false)
    #expect(try #require(json["walls"] as? Int) >= 1)
    #expect(
      try #require(json["walking_distance_m"] as? Double) > (try #require(json["distance_m"] as? Double)))
  }

  @Test func convertedMapsAreEqualAndFoldersReadLikeZipFiles() throws {
    let scratch = try TemporaryFolder()
    let area = try CordonProcess.run(["venue", "geofence", Places.office, "--json"]).json()["area_m2"] as? Double
    for (format, more, name) in [
      ("mvf-3", ["--folder"], "bundle"), ("imdf", [], "map.zip"), ("geojson", [], "map.geojson"),
    ] {
      let result = try CordonProcess.run(
        ["venue", "convert", Places.office, "--output-format", format, "-o", scratch.path(name)] + more)
      #expect(result.status == 0, "\(result.errors)")
      let info = try CordonProcess.run(["venue", "info", scratch.path(name), "--json"]).json()
      #expect(info["format"] as? String == format)
      #expect(info["space_count"] as? Int == 145)
      let again =
        try CordonProcess.run(["venue", "geofence", scratch.path(name), "--json"]).json()["area_m2"] as? Double
      #expect(abs(try #require(again) - (try #require(area))) < 0.05)
    }
    #expect(try scratch.contents == ["bundle", "map.geojson", "map.zip"])
    let refused = try CordonProcess.run([
      "venue", "convert", Places.office, "--output-format", "geojson", "-o", scratch.path("map.geojson"),
    ])
    #expect(refused.status == 2 && refused.errors.contains("--force"))
  }

  @Test func sampleVenuesMatchTheirCommands() throws {
    let scratch = try TemporaryFolder()
    for (file, arguments) in [
      ("office.mvf.zip", ["office", "--floors", "3", "--area", "2400", "--seed", "7", "--output-format", "mvf-3"]),
      ("museum.imdf.zip", ["museum", "--floors", "2", "--area", "2800", "--seed", "3", "--output-format", "imdf"]),
      ("station.geojson", ["station", "--floors", "2", "--area", "4000", "--seed", "5", "--output-format", "geojson"]),
    ] {
      let sample = Places.package.appendingPathComponent("venues/\(file)")
      let result = try CordonProcess.run(["venue", "generate"] + arguments + ["-o", scratch.path(file)])
      #expect(result.status == 0, "\(result.errors)")
      // Zip files differ between versions of zlib; their contents do not.
      let made = try CordonProcess.run(["venue", "info", scratch.path(file), "--json"]).json()
      let kept = try CordonProcess.run(["venue", "info", sample.path, "--json"]).json()
      #expect(made["content_sha256"] as? String == kept["content_sha256"] as? String, "\(file)")
      #expect(try CordonProcess.run(["venue", "validate", sample.path]).status == 0)
    }
  }

  @Test(arguments: [
    (["venue", "render", Places.office, "--bondary", "floors", "-o", "x"], "--bondary"),
    (["venue", "render", Places.office, "--size", "3", "-o", "x"], "--size"),
    (["venue", "generate", "castle", "-o", "x"], "castle"),
    (["venue", "generate", "office", "--area", "10", "-o", "x"], "--area"),
    (["venue", "generate", "office", "--floors", "0", "-o", "x"], "--floors"),
    (["venue", "geofence", Places.office, "--padding", "-5"], "--padding"),
    (["venue", "geofence", Places.office, "--maximum-radius", "20"], "20"),
    (["venue", "geofence", "no-such.zip"], "no-such.zip"),
    (["venue", "pack", Places.office, "--unrecorded", "moon", "-o", "x"], "moon"),
    (["venue", "pack", Places.office, "--unrecorded-space", "nowhere", "-o", "x"], "nowhere"),
    (["venue", "line-of-sight", Places.office, "--floor", "12", "--from", "1,2", "--to", "1,2"], "12"),
    (["venue", "line-of-sight", Places.office, "--floor", "0", "--from", "200,2", "--to", "1,2"], "200,2"),
    (["venue", "distances", Places.office, "--from", "Loby"], "Loby"),
    (["venue", "distances", Places.office, "--to", "nowhere"], "nowhere"),
    (["venue", "distances", Places.office, "--from", "Stairs A"], "use an identifier"),
    (["venue", "distance", Places.office], "distance"),
    (["venue", "locate", Places.office, "--points", "no-such.csv"], "no-such.csv"),
    (["venue", "locate", Places.office, "--points", "-", "--tolerance", "-1"], "--tolerance"),
    (["venue", "locate", Places.office], "--points"),
    (["venue", "convert", Places.office, "--output-format", "dwg", "-o", "x"], "dwg"),
    (["venue", "validate", Places.office, "extra"], "extra"),
    (["venue", "georeference", Places.office, "--control", "0,0=1,1", "-o", "x"], "control"),
    (["venue", "info", Places.office, "--map", "colour=x"], "colour"),
  ])
  func usageErrorsAreOneLineWithStatusTwo(arguments: [String], says: String) throws {
    let scratch = try TemporaryFolder()
    let result = try CordonProcess.run(arguments, in: scratch.url)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("cordon: "))
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    #expect(result.errors.contains(says), "\(result.errors)")
    #expect(try scratch.contents == [])
  }

  @Test func georeferencedPlansMatchTheirControlPoints() throws {
    let scratch = try TemporaryFolder()
    let plan = try scratch.write(
      """
      {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"kind":"office","name":"A","floor":0},
      "geometry":{"type":"Polygon","coordinates":[[[0,0],[60,0],[60,40],[0,40],[0,0]]]}}]}
      """, to: "plan.geojson")
    let result = try CordonProcess.run([
      "venue", "georeference", plan, "--control", "0,0=-79.38,43.64", "--control", "60,0=-79.379256456,43.64",
      "--control", "0,40=-79.38,43.640360054", "-o", scratch.path("placed.geojson"),
    ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.hasPrefix("residual"))
    let json = try CordonProcess.run(["venue", "geofence", scratch.path("placed.geojson"), "--json"]).json()
    #expect(abs(try #require(json["area_m2"] as? Double) - 2_400) < 5)
    let circle = try #require(json["circle"] as? [String: Any])
    let center = try #require(circle["center"] as? [Double])
    #expect(abs(center[0] + 79.379628228) < 1e-6 && abs(center[1] - 43.640180027) < 1e-6)
  }
}
