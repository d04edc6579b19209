import CordonTestSupport
import Foundation
import Testing

/// Runs the recipe for DXF files of docs/reference/venues.md as it stands there.
@Suite("DXF through ogr2ogr")
struct CADRecipeTests {
  static let tool = TestProcess.tool("ogr2ogr")

  /// Two rooms side by side, closed polylines on their own layers.
  private static let drawing: String = {
    func room(_ layer: String, west: Int) -> String {
      let corners = [(west, 0), (west + 10, 0), (west + 10, 8), (west, 8)]
      return "0\nLWPOLYLINE\n8\n\(layer)\n90\n4\n70\n1\n" + corners.map { "10\n\($0.0)\n20\n\($0.1)\n" }.joined()
    }
    return "0\nSECTION\n2\nENTITIES\n" + room("ROOM_A", west: 0) + room("ROOM_B", west: 10) + "0\nENDSEC\n0\nEOF\n"
  }()

  @Test(.enabled(if: tool != nil, "ogr2ogr is not installed (gdal-bin)"))
  func theRecipeGeoreferencesADrawing() throws {
    let scratch = try TemporaryFolder()
    let drawing = try scratch.write(CADRecipeTests.drawing, to: "plan.dxf")
    let arguments = [
      "-f", "GeoJSON", "-dialect", "SQLite", "-sql",
      "SELECT Layer AS name, 'room' AS kind, 0 AS floor, ST_BuildArea(geometry) AS geometry "
        + "FROM entities WHERE Layer LIKE 'ROOM%'", scratch.path("plan.geojson"), drawing,
    ]
    #expect(try TestProcess.run(try #require(CADRecipeTests.tool), arguments).status == 0)
    let result = try CordonProcess.run([
      "venue", "georeference", scratch.path("plan.geojson"), "--control", "0,0=11.58,48.14", "--control",
      "20,0=11.58026882,48.14", "--control", "0,8=11.58,48.14007194", "-o", scratch.path("placed.geojson"),
    ])
    #expect(result.status == 0, "\(result.errors)")
    let info = try CordonProcess.run(["venue", "info", scratch.path("placed.geojson"), "--json"]).json()
    #expect(info["space_count"] as? Int == 2)
    let geofence = try CordonProcess.run(["venue", "geofence", scratch.path("placed.geojson"), "--json"]).json()
    #expect(abs(try #require(geofence["area_m2"] as? Double) - 160) < 0.5)
  }
}
