import CordonSupport
import CordonTestSupport
import Foundation
import Testing

/// The page of `cordon venue edit`: its data, and the texts of maps in it. Tests/Browser tests what it does.
@Suite("The page on which a map is corrected")
struct EditorPageTests {
  /// A corridor with an entrance, a room with a door, and an island of two rooms behind a thick wall.
  private static func map(name: String = "Corridor") throws -> String {
    func feature(_ id: String, _ tags: [String: String], _ type: String, _ coordinates: Any) -> [String: Any] {
      [
        "type": "Feature", "id": id, "properties": tags.merging(["level": "0"]) { own, _ in own },
        "geometry": ["type": type, "coordinates": coordinates],
      ]
    }
    func place(_ x: Double, _ y: Double) -> [Double] { [11.58 + x / 74_520, 48.14 + y / 111_200] }
    func space(_ id: String, _ kind: String, _ name: String, _ x: Double, _ y: Double, _ w: Double, _ h: Double)
      -> [String: Any]
    {
      feature(
        id, ["indoor": kind, "name": name], "Polygon",
        [[place(x, y), place(x + w, y), place(x + w, y + h), place(x, y + h), place(x, y)]])
    }
    let features = [
      space("corridor", "corridor", name, 0, 0, 40, 4), space("lab", "room", "Lab", 0, 4, 10, 8),
      space("court", "room", "Food Court", 0, -7, 10, 6), space("kitchen", "room", "Kitchen", 10, -7, 8, 6),
      feature("lab-door", ["door": "yes"], "Point", place(5, 4)),
      feature("kitchen-door", ["door": "yes"], "Point", place(10, -4)),
      feature("main", ["entrance": "main", "door": "yes"], "Point", place(0, 2)),
    ]
    let data = try JSONSerialization.data(
      withJSONObject: ["type": "FeatureCollection", "features": features], options: .sortedKeys)
    return String(decoding: data, as: UTF8.self)
  }

  /// Writes a map and its overlay, and returns the page.
  private func page(map: String, overlay: String? = nil) throws -> String {
    let scratch = try TemporaryFolder()
    _ = try scratch.write(map, to: "plan.geojson")
    if let overlay { _ = try scratch.write(overlay, to: "plan.overlay.yaml") }
    let result = try CordonProcess.run(["venue", "edit", scratch.path("plan.geojson"), "-o", "-"])
    #expect(result.status == 0, "\(result.errors)")
    return result.output
  }

  /// The text between two others.
  private func part(of page: String, from start: String, to end: String) throws -> String {
    let first = try #require(page.firstRange(of: start))
    let last = try #require(page[first.upperBound...].firstRange(of: end))
    return String(page[first.upperBound..<last.lowerBound])
  }

  private func data(_ page: String) throws -> [String: Any] {
    let text = try part(of: page, from: "<script type=\"application/json\" id=\"data\">", to: "</script>")
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func rows(_ key: String, in data: [String: Any]) throws -> [[String: Any]] {
    try #require(data[key] as? [[String: Any]], "\(key)")
  }

  @Test func theDataHaveSpacesDoorsPartsAndFindings() throws {
    let data = try data(page(map: Self.map()))
    let spaces = try rows("spaces", in: data)
    let ids = spaces.compactMap { $0["id"] as? String }
    #expect(ids == ["corridor", "court", "kitchen", "lab"])
    let parts = spaces.map { $0["part"] as? Int }
    #expect(parts[0] == parts[3] && parts[1] == parts[2] && parts[0] != parts[1])
    #expect(spaces.map { $0["reason"] as? String } == [nil, "behind-unreachable", "behind-unreachable", nil])
    let outline = try #require(spaces[0]["outline"] as? [[[Double]]])
    let xs = stride(from: 0, to: outline[0][0].count, by: 2).map { outline[0][0][$0] }
    #expect(outline[0][0].count == 8)
    #expect(abs((xs.max() ?? 0) - (xs.min() ?? 0) - 40) < 0.3, "metres")

    let openings = try rows("openings", in: data)
    let door = try #require(openings.first { $0["id"] as? String == "lab-door" })
    #expect(Set(try #require(door["spaces"] as? [Int])) == [0, 3])
    #expect((door["line"] as? [Double])?.count == 4 || (door["line"] as? [Double])?.count == 2)
    let entrance = try #require(openings.first { $0["id"] as? String == "main" })
    #expect(entrance["entrance"] as? Bool == true && entrance["number"] as? Int == 0)

    let findings = try rows("findings", in: data)
    let island = try #require(findings.first { $0["code"] as? String == "disconnected-part" })
    #expect([1, 2].contains(island["space"] as? Int) && ["court", "kitchen"].contains(island["object"] as? String))
    #expect(
      Set(findings.filter { $0["code"] as? String == "space-unreachable" }.map { $0["space"] as? Int }) == [1, 2])
    #expect(data["file"] as? String == "plan.overlay.yaml")
    #expect(data["command"] as? String == "cordon venue validate plan.geojson")
  }

  @Test func theEntriesOfAnOverlayKeepTheirLinesAndTargets() throws {
    let overlay = """
      # ours
      overlay: 1
      entrances:
        - remove: main
      spaces:
        - kind: lobby
          space: "*t*"
          closed: true
        - {space: Lab, name: Laboratory, group: G, capacity: 4, ceiling: 320cm, air_changes: 6, record: floor}
      doors:
        - between: [court, Corridor]
          width: 1.2m
          name: Gate
        - rename: lab-door
          name: North door
      floors:
        - floor: "0"
          move: [100m, 0m]
      """
    let changed = try data(page(map: Self.map(), overlay: overlay))
    let plain = try data(page(map: Self.map()))
    let stored = try #require(changed["overlay"] as? [String: Any])
    #expect(stored["text"] as? String == overlay)
    let entries = try rows("entries", in: stored)
    #expect(entries.map { $0["section"] as? String } == ["entrances", "spaces", "spaces", "doors", "doors", "floors"])
    #expect(entries.map { $0["line"] as? Int } == [4, 7, 9, 11, 14, 17])
    #expect(entries[0]["remove"] as? String == "main")
    #expect(entries[1]["targets"] as? [Int] == [1, 2], "court and kitchen")
    #expect(entries[1]["closed"] as? Bool == true && entries[1]["kind"] as? String == "lobby")
    let lab = entries[2]
    #expect(lab["name"] as? String == "Laboratory" && lab["group"] as? String == "G" && lab["capacity"] as? Int == 4)
    #expect(lab["air_changes"] as? Double == 6)
    #expect(lab["ceiling"] as? Double == 3.2 && lab["record"] as? String == "floor")
    #expect(entries[3]["targets"] as? [[Int]] == [[1], [0]] && entries[3]["width"] as? Double == 1.2)
    #expect(entries[4]["rename"] as? String == "lab-door" && entries[4]["name"] as? String == "North door")
    #expect(entries[5]["move"] as? [Double] == [100, 0])
    // The properties are those of the map; shapes lie where the floor was moved to.
    let spaces = try rows("spaces", in: changed)
    #expect(spaces[3]["name"] as? String == "Lab" && spaces[1]["kind"] as? String == "restaurant")
    let frames = try [plain, changed].map { try #require($0["frame"] as? [String: Double])["longitude"] ?? 0 }
    #expect(abs((frames[1] - frames[0]) * 74_520 - 100) < 0.5)
    #expect(try rows("openings", in: changed).contains { $0["id"] as? String == "main" }, "it can be restored")
    #expect(try !rows("openings", in: changed).contains { $0["id"] as? String == "Gate" }, "the page draws it")
  }

  @Test func namesCannotInjectCode() throws {
    let attack = "</script><script>alert(1)</script><img src=x onerror='x()'>\" onload=\"y() {{data}} \u{2028}"
    let page = try page(map: Self.map(name: attack))
    #expect(!page.contains("<script>alert"))
    #expect(!page.contains("<img"))
    #expect(page.components(separatedBy: "<script").count == 3, "the data and the program")
    #expect(try rows("spaces", in: data(page))[0]["name"] as? String == attack)
  }

  @Test func thePageRunsItsOwnScriptOnly() throws {
    let page = try page(map: Self.map())
    let policy = try part(of: page, from: "Content-Security-Policy\" content=\"", to: "\"")
    for (start, end, directive) in [("<style>", "</style>", "style-src"), ("<script>", "</script>", "script-src")] {
      var digest = SHA256()
      digest.update(try part(of: page, from: start, to: end))
      let hash = Data(digest.finalize()).base64EncodedString()
      #expect(policy.contains("\(directive) 'sha256-\(hash)'"), "\(directive)")
    }
    #expect(policy.hasPrefix("default-src 'none';") && !policy.contains("unsafe"))
    for forbidden in [
      "innerHTML", "insertAdjacentHTML", "document.write", "eval(", "fetch(", "XMLHttpRequest", "http://", "https://",
    ] {
      #expect(!page.replacing("http://www.w3.org/2000/svg", with: "").contains(forbidden), "\(forbidden)")
    }
    #expect(try page == self.page(map: Self.map()), "the same map gives the same bytes")
  }

  @Test func thePageIsWrittenBesideNothingElse() throws {
    let scratch = try TemporaryFolder()
    let map = try scratch.write(Self.map(), to: "plan.geojson")
    let first = try CordonProcess.run(["venue", "edit", map], in: scratch.url)
    #expect(first.status == 0)
    #expect(first.output.hasPrefix("plan.edit.html: 4 spaces, 3 problems. "), "\(first.output)")
    #expect(try scratch.contents == ["plan.edit.html", "plan.geojson"])
    let again = try CordonProcess.run(["venue", "edit", map], in: scratch.url)
    #expect(again.status == 2 && again.errors.contains("--force"), "\(again.errors)")
    #expect(try CordonProcess.run(["venue", "edit", map, "-f", "-q"], in: scratch.url).output.isEmpty)
    #expect(try CordonProcess.run(["venue", "edit", map, "-o", "plan.txt"], in: scratch.url).status == 2)
    _ = try scratch.write("overlay: 1\nspaces:\n  - space: Labb\n    kind: office\n", to: "plan.overlay.yaml")
    let wrong = try CordonProcess.run(["venue", "edit", map, "-f"], in: scratch.url)
    #expect(wrong.status == 2 && wrong.errors.contains("line 3"), "\(wrong.errors)")
  }
}
