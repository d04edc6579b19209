import CordonTestSupport
import Testing

/// `cordon venue pack` on a map with a floor whose walls cannot be built.
@Suite struct PackedWallsTests {
  /// A room on the ground floor, and above it a wall with nothing to walk on.
  private static let map = """
    {"type":"FeatureCollection","cordon":{"schema":"cordon.venue/1","id":"two-floors","name":"Two floors"},"features":[
    {"type":"Feature","geometry":null,"properties":{"cordon":{"feature":"floor","id":"g","ordinal":0}}},
    {"type":"Feature","geometry":null,"properties":{"cordon":{"feature":"floor","id":"roof","ordinal":1}}},
    {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[8.5,47],[8.5003,47],[8.5003,47.0002],[8.5,47.0002],[8.5,47]]]},
     "properties":{"cordon":{"feature":"space","id":"hall","floor":"g","kind":"lobby"}}},
    {"type":"Feature","geometry":{"type":"LineString","coordinates":[[8.5,47],[8.5003,47]]},
     "properties":{"cordon":{"feature":"wall","id":"w","floor":"roof"}}}]}
    """

  @Test func areReported() throws {
    let scratch = try TemporaryFolder()
    let map = try scratch.write(Self.map, to: "two.geojson")
    let arguments = ["venue", "pack", map, "--boundary", "spaces", "-o"]
    let text = try CordonProcess.run(arguments + [scratch.path("a.cvp")])
    #expect(text.status == 0, "\(text.errors)")
    #expect(text.output.contains("\n  warning: walls-not-built: floor roof: the walls are left out"), "\(text.output)")
    let json = try CordonProcess.run(arguments + [scratch.path("b.cvp"), "--json"]).json()
    let findings = try #require(json["findings"] as? [[String: Any]])
    #expect(findings.compactMap { $0["code"] as? String } == ["walls-not-built"])
    #expect(findings.compactMap { $0["object"] as? String } == ["roof"])
  }
}
