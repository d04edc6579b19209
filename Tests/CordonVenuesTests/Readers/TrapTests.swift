import CordonCore
import CordonGeometry
import Testing

@testable import CordonVenues

/// One test for each numbered trap of the venue formats, named after it.
struct TrapTests {
  private func square(_ extra: String = "") -> String {
    Drawing.collection([Drawing.feature(Drawing.box(0, 0, 10, 10), extra)])
  }

  private func polygon(_ coordinates: String) -> String { #"{"type":"Polygon","coordinates":\#(coordinates)}"# }

  @Test func trap1AxisOrderIsReportedAndNeverSwapped() throws {
    // Beyond 90 degrees there is no doubt.
    let swapped = polygon("[[[47,100],[47,100.1],[47.1,100.1],[47,100]]]")
    let error = #expect(throws: VenueError.self) { try Drawing.load(text: swapped) }
    #expect(error?.code == "no-area")
    let beside = Drawing.collection([
      Drawing.feature(Drawing.box(0, 0, 10, 10), ""), Drawing.feature(swapped, #""id":"x""#),
    ])
    let loaded = try Drawing.load(text: beside)
    #expect(loaded.venue.spaces.count == 1)
    #expect(
      loaded.findings("swapped-axes").allSatisfy { $0.severity == .error && $0.action == .refused && $0.object == "x" })
    #expect(loaded.count("swapped-axes") == 4)
    // Within 90 degrees, the venue's own point decides.
    var files = IMDFTests.files
    files["venue.geojson"] = Drawing.collection([
      IMDFTests.feature(
        "venue", "ve", Drawing.box(-5, -5, 30, 15),
        #""name":{"en":"Mall"},"display_point":{"type":"Point","coordinates":[47,8]}"#)
    ])
    let venue = try Drawing.load(files)
    #expect(venue.findings("swapped-axes").map(\.action) == [.ignored])
    #expect(venue.venue.outline?.polygons[0].outer[0].longitude ?? 0 < 9)
    files["venue.geojson"] = files["venue.geojson"]?.replacing("[47,8]", with: "[1,2]")
    #expect(try Drawing.load(files).count("far-from-its-point") == 1)
  }

  @Test func trap2PolygonsAndMultiPolygonsWithHoles() throws {
    let outer = Drawing.ring([(0, 0), (10, 0), (10, 10), (0, 10)])
    let hole = Drawing.ring([(4, 4), (6, 4), (6, 6), (4, 6)])
    let other = Drawing.ring([(20, 0), (30, 0), (30, 10)])
    let text = Drawing.feature(#"{"type":"MultiPolygon","coordinates":[[\#(outer),\#(hole)],[\#(other)]]}"#, "")
    let loaded = try Drawing.load(text: text)
    let outline = loaded.venue.spaces[0].outline
    #expect(outline.polygons.map(\.holes.count) == [1, 0])
    // Holes are clockwise afterwards, in any original order.
    #expect(loaded.findings("ring-winding").map(\.pointer) == ["/geometry/coordinates/0/1"])
    #expect(RingMeasure.signedArea(RingMeasure.project(outline.polygons[0].holes[0])) < 0)
    let walls =
      #"{"type":"MultiLineString","coordinates":[[\#(Drawing.at(0, 0)),\#(Drawing.at(1, 0))],[\#(Drawing.at(2, 0))],[\#(Drawing.at(3, 0)),\#(Drawing.at(4, 0))]]}"#
    var files = MVF3Fixture().files
    files["geometry/f_1.geojson"] = Drawing.collection([Drawing.feature(walls, #""id":"g_m""#)])
    files["kinds/f_1.json"] = #"{"g_m":"wall"}"#
    let venue = try Drawing.load(files)
    #expect(
      venue.venue.walls.first { $0.id == "g_m" }?.shape
        == .lines([
          [Coordinate(longitude: 8, latitude: 47), Coordinate(longitude: 8.00001, latitude: 47)],
          [Coordinate(longitude: 8.00003, latitude: 47), Coordinate(longitude: 8.00004, latitude: 47)],
        ]))
    #expect(venue.count("line-too-short") == 1)
  }

  @Test func trap3RingsAreClosedCleanedAndWound() throws {
    let places = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    let reversed = "[" + Drawing.ring(places.reversed()) + "]"
    #expect(try Drawing.load(text: polygon(reversed)).count("ring-winding") == 1)
    let open = "[[" + places.map { Drawing.at($0.0, $0.1) }.joined(separator: ",") + "]]"
    let loaded = try Drawing.load(text: polygon(open))
    #expect(loaded.count("ring-unclosed") == 1 && loaded.venue.spaces[0].outline.polygons[0].outer.count == 4)
    let doubled = "[" + Drawing.ring([places[0], places[0], places[1], places[2], places[2], places[3]]) + "]"
    let cleaned = try Drawing.load(text: polygon(doubled))
    #expect(cleaned.count("vertex-repeated") == 1 && cleaned.venue.spaces == loaded.venue.spaces)
    let bow = "[" + Drawing.ring([(0, 0), (10, 0), (0, 10), (12, 11)]) + "]"
    #expect(try Drawing.load(text: polygon(bow)).count("ring-crosses-itself") == 1)
    let eight = "[" + Drawing.ring([(0, 0), (5, 5), (10, 0), (10, 10), (5, 5), (0, 10)]) + "]"
    #expect(try Drawing.load(text: polygon(eight)).count("ring-touches-itself") == 1)
    let beside = Drawing.feature(Drawing.box(0, 0, 10, 10), "")
    for (ring, code) in [
      ("[[0,0],[1,1],[0,0]]", "ring-too-short"), ("[[0,0],[1,1],[2,2],[0,0]]", "zero-area"), ("[]", "ring-too-short"),
    ] {
      let text = Drawing.collection([beside, Drawing.feature(polygon("[\(ring)]"), "")])
      let loaded = try Drawing.load(text: text)
      #expect(loaded.count(code) == 1 && loaded.venue.spaces.count == 1, "\(ring)")
    }
  }

  @Test func trap4MissingGeometriesAndCollections() throws {
    let outline = Drawing.box(0, 0, 10, 10)
    let loaded = try Drawing.load(
      text: Drawing.collection([
        Drawing.feature(
          #"{"type":"GeometryCollection","geometries":[\#(Drawing.point(1, 1)),\#(outline)]}"#, #""id":1"#),
        Drawing.feature(
          #"{"type":"GeometryCollection","geometries":[\#(Drawing.line(1, 1, 2, 2)),\#(Drawing.point(1, 1))]}"#,
          #""id":2,"name":"l""#),
        Drawing.feature(
          #"{"type":"GeometryCollection","geometries":[\#(Drawing.point(1, 1))]}"#, #""id":3,"name":"p""#),
        Drawing.feature(#"{"type":"GeometryCollection"}"#, #""id":4"#), Drawing.feature("null", #""id":5"#),
        Drawing.feature(#"{"type":"Polygon","coordinates":[]}"#, #""id":6"#),
        Drawing.feature(#"{"type":"Polygon"}"#, #""id":7"#),
        Drawing.feature(#"{"type":"Sphere","coordinates":[1]}"#, #""id":8"#), Drawing.feature("{}", #""id":9"#),
        #"{"type":"Feature","properties":null}"#,
        Drawing.feature(#"{"type":"Polygon","coordinates":[7]}"#, #""id":10"#),
        Drawing.feature(#"{"type":"MultiPoint","coordinates":[\#(Drawing.at(1, 1))]}"#, #""id":11,"name":"m""#),
        Drawing.feature(#"{"type":"LineString","coordinates":[\#(Drawing.at(1, 1))]}"#, #""id":12,"name":"s""#),
      ]))
    #expect(loaded.venue.spaces.map(\.id.rawValue) == ["1"])
    #expect(loaded.venue.pointsOfInterest.map(\.id) == ["11", "12", "2", "3"])
    #expect(loaded.count("geometry-collection") == 3 && loaded.count("geometry-empty") == 3)
    #expect(loaded.count("geometry-unreadable") == 3)
  }

  @Test func trap5ThirdNumbersBoxesAndTheAntimeridian() throws {
    let text =
      #"{"type":"FeatureCollection","bbox":[179.99,-17,0,-179.99,-16.9,30],"features":[{"type":"Feature","id":1,"unexpected":{"a":[1]},"properties":{},"geometry":{"type":"Polygon","coordinates":[[[179.9999,-17,12.5],[-179.9999,-17,12.5,9],[-179.9999,-16.9999,0],[179.9999,-16.9999,0],[179.9999,-17,12.5]]]}}]}"#
    let loaded = try Drawing.load(text: text)
    #expect(loaded.findings.isEmpty)
    let ring = loaded.venue.spaces[0].outline.polygons[0].outer
    // Some 21 by 11 metres, not around the world.
    let area = RingMeasure.signedArea(RingMeasure.project(ring))
    #expect(area > 200 && area < 260)
    let middle = try #require(ShapeMeasure.interiorPoint(of: loaded.venue.spaces[0].outline))
    #expect(abs(middle.longitude) > 179.9999 && abs(middle.latitude + 16.99995) < 1e-5)
  }

  @Test func trap6JSONNotations() throws {
    var files = MVF3Fixture().files
    files["kinds/f_0.json"] = "\u{FEFF}" + (files["kinds/f_0.json"] ?? "")
    files["locations.json"] = #"[{"id":7,"details":{"name":"A"},"details":{"name":"B"},"geometryAnchors":[],},]"#
    files["location-categories.json"] = "[{"
    files["connections.json"] =
      #"[{"id":"c","type":"door","entrances":[{"geometryId":"g_d","floorId":"f_0"}],"exits":[],"entryCost":NaN}]"#
    let loaded = try Drawing.load(files)
    #expect(loaded.venue.pointsOfInterest.map(\.id) == ["7"] && loaded.venue.pointsOfInterest[0].name.text() == "B")
    #expect(
      loaded.count("byte-order-mark") == 1 && loaded.count("trailing-comma") == 2 && loaded.count("duplicate-key") == 1)
    #expect(loaded.count("truncated-json") == 1 && loaded.count("unusable-number") == 1)
    #expect(loaded.venue.openings.map(\.id) == ["c"])
    // An array at the top of a .geojson file.
    #expect(try Drawing.load(MVF2Tests.arrays).venue.floors.count == 2)
    let bad = polygon("[[[0,0],[1e400,0],[NaN,1],[1,\"2\"],[1,0],[1,1],[0,0]]]")
    #expect(try Drawing.load(text: bad).count("position-unreadable") == 3)
  }

  @Test func trap7ArchiveVariants() throws {
    // Tests of the archive cover wrapping folders, traces, backslashes, case, zip64, traversal, bombs and duplicate
    // names; this test combines all harmless ones.
    var zip = ZipBuilder()
    for (name, text) in MVF3Fixture().files.sorted(by: { $0.key < $1.key }) {
      zip.entries.append(
        .init(
          name: "Export 1\\" + name.replacing("/", with: "\\"), bytes: Array(text.utf8),
          isDeflated: name.count % 2 == 0, isWide: true, hasDescriptor: true))
    }
    zip.add("__MACOSX/Export 1/._manifest.geojson", "x")
    zip.hasWideEnd = true
    let plain = try Drawing.load(MVF3Fixture().files)
    let packed = try VenueLoader.load(bytes: zip.bytes(), name: "x.zip")
    #expect(packed.venue == plain.venue)
    // Without its folders, the files of one floor overwrite each other: losses are reported, and the rest is read.
    var flat: [String: String] = [:]
    for (name, text) in MVF3Fixture().files.sorted(by: { $0.key < $1.key }) {
      flat[String(name.split(separator: "/").last ?? "")] = text
    }
    let flattened = try Drawing.load(flat)
    #expect(flattened.venue.format == .mvf3 && flattened.venue.floors.count == 2 && flattened.venue.spaces.isEmpty)
    #expect(
      Set(flattened.findings("missing-file").map(\.file)) == ["geometry/f_0.geojson", "geometry/f_1.geojson"])
  }

  @Test func trap8LevelWords() throws {
    #expect(try Drawing.load(MVF3Fixture().files).venue.floors[0].shortName.text() == "G")
    #expect(try Drawing.load(MVF2Tests.renamed).venue.floors[0].shortName.text() == "G")
    #expect(try Drawing.load(IMDFTests.files).venue.floors[0].shortName.text() == "G")
    var files = MVF3Fixture().files
    files["floors.geojson"] = files["floors.geojson"]?.replacing(#""elevation":1"#, with: #""elevation":0.5"#)
    #expect(try Drawing.load(files).venue.floors[1].ordinal == FloorOrdinal(0.5))
  }

  @Test func trap9SeveralFloorsOfOneElevation() throws {
    var files = MVF3Fixture().files
    files["floors.geojson"] = files["floors.geojson"]?.replacing(#""elevation":1"#, with: #""elevation":0"#)
    files["floor-stacks.json"] = #"[{"id":"fs_1","floors":["f_0"]},{"id":"fs_2","floors":["f_1"]}]"#
    let venue = try Drawing.load(files).venue
    #expect(
      venue.floors.map(\.building) == ["fs_1", "fs_2"] && venue.floors.allSatisfy { $0.ordinal == FloorOrdinal(0) })
    #expect(Set(venue.spaces.map(\.floor)).count == 2)
  }

  @Test func trap10ReferencesThatLeadNowhere() throws {
    for files in [MVF3Fixture().files, MVF2Tests.renamed, IMDFTests.files] {
      let loaded = try Drawing.load(files)
      #expect(loaded.count("dangling-reference") > 2)
      let spaces = Set(loaded.venue.spaces.map(\.id))
      let floors = Set(loaded.venue.floors.map(\.id))
      #expect(loaded.venue.pointsOfInterest.allSatisfy { spaces.isSuperset(of: $0.spaces) })
      #expect(loaded.venue.openings.allSatisfy { spaces.isSuperset(of: $0.spaces) && floors.contains($0.floor) })
      #expect(loaded.venue.connections.flatMap(\.landings).allSatisfy { floors.contains($0.floor) })
    }
  }

  @Test func trap11FurnitureIsNotASpace() throws {
    #expect(try Drawing.load(MVF3Fixture().files).venue.spaces.allSatisfy { $0.id.rawValue != "g_desk" })
    #expect(try Drawing.load(MVF2Tests.renamed).venue.furniture.map(\.id) == ["s_4"])
    #expect(try Drawing.load(IMDFTests.files).venue.furniture.count == 2)
  }

  @Test func trap12NodesAndDoorsBesideTheFloor() throws {
    let loaded = try Drawing.load(MVF3Fixture().files)
    #expect(loaded.findings("node-outside-floor").map(\.object) == ["n_4"])
    // The node is kept; its use decides.
    #expect(loaded.venue.graph?.nodes.contains { $0.id == "n_4" } == true)
    // A door line a step outside the wall still joins its room.
    var files = MVF3Fixture().files
    files["geometry/f_0.geojson"] = files["geometry/f_0.geojson"]?.replacing(
      Drawing.line(0, 4, 0, 5), with: Drawing.line(-0.4, 4, -0.4, 5))
    #expect(try Drawing.load(files).venue.openings.first { $0.id == "c_o" }?.spaces == [SpaceID("g_a")])
  }
}
