import CordonCore
import CordonGeometry
import CordonVenues
import Testing

/// Parts of MVF 1 that the public sample lacks.
struct MVF1Tests {
  private var files: [String: String] {
    [
      "manifest.geojson": Drawing.collection([
        Drawing.feature(
          Drawing.point(5, 5),
          #""name":"Old House","version":"1.0.0","folder_struct":[{"type":"file","name":"gone.geojson"}]"#)
      ]),
      "building.geojson": Drawing.collection([Drawing.feature(Drawing.box(0, 0, 20, 10), #""id":"b1","name":"House""#)]
      ),
      "level/l1.geojson": Drawing.collection([
        Drawing.feature(
          Drawing.box(0, 0, 20, 10), #""id":"l1","building":"b1","name":"Main","abbreviation":"M","elevation":0"#)
      ]),
      "level/l2.geojson": Drawing.collection([
        Drawing.feature(Drawing.box(0, 0, 20, 10), #""id":"l2","building":"b2","name":"Annex""#),
        Drawing.feature("null", ""),
      ]),
      "space/l1.geojson": Drawing.collection([
        Drawing.feature(
          Drawing.box(0, 0, 10, 10), #""id":"s1","level":"l1","layer":"Polygon","entrances":[{"id":"e1"},{"id":"e9"}]"#),
        Drawing.feature(
          Drawing.box(10, 0, 20, 10), #""id":"s2","level":"l1","layer":"Hallway","entrances":[{"id":"e1"}]"#),
        Drawing.feature(Drawing.box(1, 1, 2, 2), #""id":"c1","level":"l1","layer":"Chairs""#),
        Drawing.feature(Drawing.box(30, 1, 32, 2), #""id":"s3","level":"l9","layer":"Non Public""#),
        Drawing.feature(Drawing.box(40, 1, 42, 2), #""id":"s4","level":"l1""#),
        Drawing.feature(Drawing.box(1, 1, 2, 2), #""level":"l1""#),
      ]),
      "obstruction/l1.geojson": Drawing.collection([
        Drawing.feature(Drawing.line(5, 0, 5, 10), #""id":"o1","level":"l1","layer":"Inner Wall""#),
        Drawing.feature(Drawing.box(3, 3, 4, 4), #""id":"o2","level":"l1","layer":"rock""#),
        Drawing.feature(Drawing.box(3, 5, 4, 6), #""id":"o3","level":"l1","layer":"Desks""#),
        Drawing.feature("null", #""id":"o4","level":"l1""#),
      ]),
      "node/l1.geojson": Drawing.collection([
        Drawing.feature(
          Drawing.point(10, 5), #""id":"n_e1","level":"l1","neighbors":["n_a","n_out","n_gone"],"weight":100"#),
        Drawing.feature(Drawing.point(5, 5), #""id":"n_a","level":"l1","neighbors":["n_e1"],"weight":0"#),
        Drawing.feature(Drawing.point(25, 5), #""id":"n_out","level":"l1","neighbors":["n_e1"],"weight":0"#),
        Drawing.feature(Drawing.point(25, 5), #""id":"n_out","level":"l1","neighbors":[]"#),
      ]),
      "category.geojson": Drawing.collection([Drawing.feature("null", #""id":"k1","name":"Team""#)]),
      "location.geojson": Drawing.collection([
        Drawing.feature(
          "null",
          #""id":"p1","name":"Washroom (Mens)","type":"amenity","spaces":[{"id":"s1","map":"l1"}],"categories":["k1","k9"],"hours":null"#
        ),
        Drawing.feature(
          "null",
          #""id":"p2","name":"Printer","type":"amenity","spaces":[{"node":"a","map":"l1"},{"id":"c1"},{"id":"s9"}],"hours":"Mo-Fr""#
        ),
        Drawing.feature("null", #""name":"nobody""#),
      ]),
    ]
  }

  @Test func everythingIsReadAndErrorsAreReported() throws {
    let loaded = try Drawing.load(files)
    let venue = loaded.venue
    #expect(venue.format == .mvf1 && venue.id.rawValue == "old-house")
    #expect(venue.floors.map(\.id.rawValue).sorted() == ["l1", "l2", "l9"])
    #expect(venue.floors.first { $0.id.rawValue == "l1" }?.ordinal == FloorOrdinal(0))
    #expect(venue.buildings.map(\.id) == ["b1", "b2"] && venue.buildings[1].outline == nil)
    let kinds = Dictionary(uniqueKeysWithValues: venue.spaces.map { ($0.id.rawValue, $0.kind) })
    #expect(kinds == ["s1": .restroom, "s2": .corridor, "s3": .service, "s4": .room])
    #expect(
      venue.furniture.map(\.id) == ["c1", "o3"] && venue.walls.map(\.id) == ["o1"]
        && venue.obstructions.map(\.id) == ["o2"])
    #expect(loaded.count("space-outside-floor") == 1 && loaded.count("node-outside-floor") == 1 + 1)
    #expect(loaded.count("floor-without-ordinal") == 1 && loaded.count("index-lists-absent-file") == 1)
    #expect(loaded.count("id-missing") == 3 && loaded.count("duplicate-id") == 1)
  }

  @Test func anEntranceOfTwoSpacesIsOneDoorBetweenThem() throws {
    let openings = try Drawing.load(files).venue.openings
    #expect(openings.first { $0.id == "n_e1" }?.spaces == [SpaceID("s1"), SpaceID("s2")])
    let wayOut = try #require(openings.first { $0.isEntrance })
    #expect(wayOut.id == "n_e1~n_out" && abs(wayOut.line[0].longitude - (8 + 20e-5)) < 1e-9)
  }

  @Test func connectionsAreJoinedAcrossTheFilesOfTheirLevels() throws {
    var files = files
    files["node/l2.geojson"] = Drawing.collection([
      Drawing.feature(Drawing.point(5, 5), #""id":"n_b","level":"l2","neighbors":[]"#)
    ])
    files["connection/l1.geojson"] = Drawing.collection([
      Drawing.feature("null", #""id":"k","type":"Elevator","name":"Lift","nodes":["a","gone"]"#),
      Drawing.feature(Drawing.point(6, 6), #""id":"t","type":"stairs""#),
      Drawing.feature("null", #""id":"lonely","type":"stairs","nodes":[{"id":"n_a"}]"#),
    ])
    files["connection/l2.geojson"] = Drawing.collection([
      Drawing.feature("null", #""id":"k","nodes":[{"node":"b","map":"l2"}]"#),
      Drawing.feature(Drawing.point(6, 6), #""id":"t","level":"l2""#), Drawing.feature("null", #""type":"stairs""#),
    ])
    let loaded = try Drawing.load(files)
    let connections = loaded.venue.connections
    #expect(connections.map(\.id) == ["k", "t"] && connections.map(\.kind) == [.elevator, .stairs])
    #expect(connections[0].landings.map(\.floor.rawValue).sorted() == ["l1", "l2"] && connections[0].isAccessible)
    #expect(connections[0].landings.first { $0.floor.rawValue == "l1" }?.space == SpaceID("s1"))
    #expect(connections[1].landings.count == 2 && connections[0].name.text() == "Lift")
    #expect(loaded.findings("connection-without-place").map(\.object) == ["lonely"])
    #expect(loaded.findings("dangling-reference").contains { $0.file == "connection/l1.geojson" && $0.object == "k" })
  }

  @Test func pointsOfInterestAreFoundAtSpacesNodesAndFurniture() throws {
    let loaded = try Drawing.load(files)
    let points = loaded.venue.pointsOfInterest
    #expect(points[0].spaces == [SpaceID("s1")] && points[0].categories == ["k1"] && points[0].openingHours == nil)
    #expect(points[1].position != nil && points[1].openingHours == "Mo-Fr")
    let dangling = Set(loaded.findings("dangling-reference").map(\.pointer))
    #expect(
      dangling.contains("/features/0/properties/categories/1")
        && dangling.contains("/features/1/properties/spaces/2/id"))
    #expect(
      dangling.contains("/features/0/properties/entrances/1/id")
        && dangling.contains("/features/0/properties/neighbors/2"))
  }

  @Test func withoutManifestOrNodesTheBundleIsStillRead() throws {
    var files = files
    files["manifest.geojson"] = nil
    files["node/l1.geojson"] = nil
    let loaded = try Drawing.load(files)
    #expect(loaded.venue.format == .mvf1 && loaded.venue.graph == nil && loaded.count("graph-missing") == 1)
    #expect(loaded.count("manifest-missing") == 1)
  }

  @Test func aDamagedOptionalFileDoesNotFailTheLoad() throws {
    var files = files
    files["location.geojson"] = "{\"features\":["
    let loaded = try Drawing.load(files)
    #expect(loaded.venue.pointsOfInterest.isEmpty)
    #expect(loaded.findings("truncated-json").map(\.file) == ["location.geojson"])
  }
}
