import CordonCore
import CordonGeometry
import CordonVenues
import Testing

/// MVF 2 in both of its generations.
struct MVF2Tests {
  private static func manifest(_ version: String?) -> String {
    Drawing.collection([
      Drawing.feature(
        Drawing.point(5, 5),
        #""name":"Second House"\#(version.map { #","version":"\#($0)""# } ?? ""),"folder_struct":[{"type":"file","name":"styles.json"}]"#
      )
    ])
  }

  private static var parts: [String: String] {
    [
      "node.geojson": Drawing.collection([
        Drawing.feature(
          Drawing.point(5, 5),
          #""id":"n_1","map":"F0","neighbors":[{"id":"n_2","weight":0},{"id":"n_3","weight":9},{"id":"n_9"}]"#),
        Drawing.feature(Drawing.point(15, 5), #""id":"n_2","map":"F0","neighbors":[{"id":"n_1","weight":0}]"#),
        Drawing.feature(Drawing.point(15, 5), #""id":"n_3","map":"F1","neighbors":[]"#),
        Drawing.feature(Drawing.point(95, 5), #""id":"n_4","map":"F9","neighbors":[]"#),
        Drawing.feature(Drawing.point(95, 5), #""id":"n_5","map":"F1","neighbors":[]"#),
      ]),
      "connection.json": """
      [{"id":"c_1","type":"stairs","accessible":false,"nodes":["n_2","n_3"],"details":{"name":"Stairs"}},
       {"id":"c_2","type":"elevator","accessible":true,"nodes":["n_2","n_8"]},
       {"id":"c_3","type":"escalator","nodes":["n_2","n_3"],"extra":{"active":false}},
       {"id":"c_4","type":"door","nodes":["n_1","n_2"]},{"type":"ramp"}]
      """,
      "space/F0.geojson": Drawing.collection([
        Drawing.feature(Drawing.box(0, 0, 10, 10), #""id":"s_1","kind":"room","details":{"name":"Room 1"}"#),
        Drawing.feature(Drawing.box(10, 0, 20, 10), #""id":"s_2","kind":"hallway""#),
        Drawing.feature(Drawing.box(16, 6, 18, 8), #""id":"s_3","kind":"connection.elevator""#),
        Drawing.feature(Drawing.box(1, 1, 2, 2), #""id":"s_4","kind":"object""#),
        Drawing.feature(Drawing.box(3, 1, 4, 2), #""id":"s_5","kind":"wall""#),
        Drawing.feature(Drawing.point(3, 1), #""id":"s_6","kind":"poi""#),
        Drawing.feature(Drawing.box(3, 1, 4, 2), #""kind":"room""#),
      ]),
      "space/F1.geojson": Drawing.collection([
        Drawing.feature(Drawing.box(16, 6, 18, 8), #""id":"s_7","kind":"connection.elevator""#)
      ]),
      "space/F9.geojson": Drawing.collection([]),
      "obstruction/F0.geojson": Drawing.collection([
        Drawing.feature(Drawing.line(10, 0, 10, 10), #""id":"o_1""#),
        Drawing.feature(Drawing.box(5, 5, 6, 6), #""id":"o_2""#),
        Drawing.feature(Drawing.box(5, 7, 6, 8), #""id":"o_3","kind":"Outer Wall""#),
        Drawing.feature("null", #""id":"o_4""#),
      ]),
      "window/F0.geojson": Drawing.collection([
        Drawing.feature(Drawing.line(0, 0, 0, 3), #""id":"w_1""#), Drawing.feature("null", #""id":"w_2""#),
      ]),
      "entrance/F0.geojson": Drawing.collection([
        Drawing.feature(Drawing.line(10, 4, 10, 5), #""id":"e_1""#),
        Drawing.feature(Drawing.line(0, 4, 0, 5), #""id":"e_2""#),
        Drawing.feature("null", #""id":"e_3""#),
      ]),
      "enterprise/venue.json": #"{"slug":"second-house-slug","name":"Second","tzid":"Europe/Paris"}"#,
      "enterprise/categories.json":
        #"[{"id":"k1","name":"Food","children":["k2"]},{"id":"k2","name":"Cafes","children":[]}]"#,
      "enterprise/locations.json": """
      [{"id":"p1","name":"Café Kranz","type":"tenant","polygons":[{"id":"s_1","map":"F0"},{"id":"s_99"}],"nodes":[{"id":"n_1","map":"F0"}],
        "categories":["k2"],"primaryCategory":"k1","operationHours":[{"opens":"08:00"}]},{"name":"no id"}]
      """,
    ]
  }

  /// Since October 2024.
  static var renamed: [String: String] {
    parts.merging([
      "manifest.geojson": manifest("2.0.0"),
      "floor.geojson": Drawing.collection([
        Drawing.feature(Drawing.box(0, 0, 20, 10), #""id":"F0","elevation":0,"name":"Ground","shortName":"G""#),
        Drawing.feature(Drawing.box(0, 0, 20, 10), #""id":"F1","elevation":1,"name":"First","shortName":"1""#),
        Drawing.feature(Drawing.box(-50, -50, 50, 50), #""id":"FY","name":"Yard""#),
      ]),
      "floorstack.json":
        #"[{"id":"mg_1","name":"House","type":"Building","maps":["F0","F1","F8"]},{"id":"mg_2","type":"Outdoor","maps":["FY"]}]"#,
    ]) { $1 }
  }

  /// Of 2023: bare arrays, and no outlines.
  static var arrays: [String: String] {
    parts.merging([
      "manifest.geojson": manifest(nil),
      "map.geojson":
        #"[{"id":"F0","elevation":0,"name":"Ground","shortName":"G"},{"id":"F1","elevation":1,"name":"First"}]"#,
      "mapstack.geojson": #"[{"id":"mg_1","name":"House","maps":["F0","F1"]}]"#,
    ]) { $1 }
  }

  @Test func theNamesOfOctober2024AreRead() throws {
    let loaded = try Drawing.load(Self.renamed)
    let venue = loaded.venue
    #expect(venue.format == .mvf2 && venue.formatVersion == "2.0.0" && venue.id.rawValue == "second-house-slug")
    #expect(venue.timeZone == "Europe/Paris" && venue.floors.map(\.isOutdoor) == [false, true, false])
    #expect(venue.buildings.map(\.floors.count) == [2])
    check(loaded)
    #expect(loaded.count("node-outside-floor") == 1 && loaded.count("floor-without-ordinal") == 1)
    #expect(venue.openings.first { $0.id == "e_2" }?.isEntrance == true)
  }

  @Test func theArraysOf2023AreRead() throws {
    let loaded = try Drawing.load(Self.arrays)
    #expect(loaded.venue.format == .mvf2 && loaded.venue.formatVersion == nil)
    #expect(loaded.venue.floors.allSatisfy { $0.outline == nil } && loaded.count("floor-without-outline") == 2)
    check(loaded)
  }

  private func check(_ loaded: LoadedVenue) {
    let venue = loaded.venue
    #expect(venue.floors[0].shortName.text() == "G" && venue.floors[0].building == "mg_1")
    let kinds = Dictionary(uniqueKeysWithValues: venue.spaces.map { ($0.id.rawValue, $0.kind) })
    #expect(kinds == ["s_1": .restaurant, "s_2": .corridor, "s_3": .elevator, "s_7": .elevator])
    #expect(venue.furniture.map(\.id) == ["s_4"] && venue.obstructions.map(\.id) == ["o_2"])
    #expect(venue.walls.map(\.id) == ["o_1", "o_3", "s_5", "w_1"])
    #expect(venue.openings.first { $0.id == "e_1" }?.spaces.map(\.rawValue) == ["s_1", "s_2"])
    #expect(venue.connections.map(\.id) == ["c_1", "stack:s_3"])
    #expect(venue.connections[0].landings.map(\.floor.rawValue) == ["F0", "F1"])
    // Neighbours may be on other floors.
    #expect(venue.graph?.edges.count == 3)
    #expect(venue.categories.map(\.parent) == [nil, "k1"])
    #expect(
      venue.pointsOfInterest[0].spaces == [SpaceID("s_1")] && venue.pointsOfInterest[0].categories == ["k2", "k1"])
    #expect(loaded.count("connection-inactive") == 1 && loaded.count("connection-without-place") == 1)
    #expect(loaded.count("index-lists-absent-file") == 1 && loaded.count("space-without-area") == 1)
  }

  @Test func doorsAreTakenFromConnectionsWhenThereAreNoEntrances() throws {
    var files = Self.renamed
    files["entrance/F0.geojson"] = nil
    let openings = try Drawing.load(files).venue.openings
    #expect(openings.map(\.id) == ["c_4"] && openings[0].spaces.map(\.rawValue) == ["s_1", "s_2"])
  }

  @Test func withoutFloorsThereIsNoVenue() {
    var files = Self.renamed
    files["floor.geojson"] = "[]"
    #expect(throws: VenueError.self) { try Drawing.load(files) }
    files["manifest.geojson"] = nil
    #expect(throws: VenueError.self) { try Drawing.load(files) }
  }

  @Test func withoutAManifestTheFilesDecide() throws {
    var files = Self.arrays
    files["manifest.geojson"] = nil
    #expect(try Drawing.load(files).venue.format == .mvf2)
  }
}
