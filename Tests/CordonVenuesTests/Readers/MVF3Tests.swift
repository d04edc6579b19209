import CordonCore
import CordonGeometry
import CordonVenues
import Testing

/// Parts of MVF 3 that the public samples lack.
struct MVF3Tests {
  @Test func theFixtureIsReadCompletely() throws {
    let loaded = try Drawing.load(MVF3Fixture().files)
    let venue = loaded.venue
    #expect(venue.id.rawValue == "test-house" && venue.timeZone == "Europe/Zurich" && venue.formatVersion == "3.0.0")
    #expect(venue.floors.map(\.id.rawValue) == ["f_0", "f_1"])
    #expect(venue.floors[0].shortName.text() == "G" && venue.floors[1].name.text(in: "de") == "Erster")
    #expect(venue.buildings.count == 1 && venue.buildings[0].floors.map(\.rawValue) == ["f_0", "f_1"])
    #expect(venue.spaces.map(\.id.rawValue) == ["g_a", "g_b", "g_u"])
    #expect(venue.spaces[0].kind == .meetingRoom && venue.spaces[0].name.text() == "Meeting Room 1")
    #expect(venue.spaces[1].kind == .corridor && venue.spaces[1].sourceKind == "hallway")
    #expect(venue.walls.map(\.id) == ["g_w"] && venue.furniture.map(\.id) == ["g_desk"])
    #expect(venue.categories == [PointOfInterestCategory(id: "lcat_1", name: LocalizedText("Rooms"))])
  }

  @Test func doorsJoinTheSpacesOnBothSides() throws {
    let openings = try Drawing.load(MVF3Fixture().files).venue.openings
    let inner = try #require(openings.first { $0.id == "c_d" })
    #expect(inner.spaces.map(\.rawValue) == ["g_a", "g_b"] && !inner.isEntrance && inner.line.count == 2)
    let outer = try #require(openings.first { $0.id == "c_o" })
    #expect(outer.spaces.map(\.rawValue) == ["g_a"] && outer.isEntrance)
  }

  @Test func stairsJoinFloorsAndFlagsAreLookedUpByName() throws {
    let stairs = try #require(try Drawing.load(MVF3Fixture().files).venue.connections.first)
    #expect(stairs.kind == .stairs && stairs.isAccessible && stairs.isTwoWay)
    #expect(stairs.landings.map(\.floor.rawValue) == ["f_0", "f_1"])
    #expect(stairs.landings.map { $0.space?.rawValue } == ["g_b", "g_u"])
  }

  @Test func theGraphIsJoinedThroughDoorsWithoutUnwalkableEdges() throws {
    let loaded = try Drawing.load(MVF3Fixture().files)
    let graph = try #require(loaded.venue.graph)
    let edges = Set(graph.edges.map { graph.nodes[Int($0.from)].id + ">" + graph.nodes[Int($0.to)].id })
    #expect(edges == ["n_1>n_2", "n_2>n_1", "n_2>n_3", "n_3>n_2"])
    #expect(loaded.count("edge-impassable") == 1 && loaded.count("node-outside-floor") == 1)
    #expect(loaded.findings("edge-impassable")[0].pointer == "/features/0/properties/neighbors/2")
  }

  @Test func everyDanglingReferenceHasItsPlace() throws {
    let found = Set(
      try Drawing.load(MVF3Fixture().files).findings("dangling-reference").map { "\($0.file)\($0.pointer)" })
    #expect(
      found == [
        "floor-stacks.json/0/floors/2", "location-categories.json/0/parent", "locations.json/0/categories/1",
        "locations.json/2/geometryAnchors/0/geometryId",
        "connections.json/3/entrances/0/geometryId", "nodes/f_0.geojson/features/0/properties/neighbors/1",
      ])
    let loaded = try Drawing.load(MVF3Fixture().files)
    #expect(loaded.count("connection-without-place") == 1 && loaded.count("cost-absurd") == 1)
    #expect(loaded.count("index-lists-absent-file") == 1 && loaded.count("door-without-exits") == 1)
  }

  @Test func placesOfInterestKeepTheirProperties() throws {
    let points = try Drawing.load(MVF3Fixture().files).venue.pointsOfInterest
    #expect(points.map(\.id) == ["loc_1", "loc_2", "loc_3"])
    #expect(points[0].spaces == [SpaceID("g_a")] && points[0].openingHours == #"[{"opens":"09:00"}]"#)
    #expect(points[1].spaces.isEmpty && points[1].floor == FloorID("f_0") && points[1].position != nil)
    #expect(points[2].position == nil)
  }

  @Test(arguments: [#"["f_yard"]"#, #"{"floors":["f_yard"]}"#])
  func outdoorsCanBeAListOrAnObject(text: String) throws {
    var files = MVF3Fixture().files
    files["outdoors.json"] = text
    files["floors.geojson"] = Drawing.collection([
      Drawing.feature(Drawing.box(0, 0, 20, 10), #""id":"f_0","elevation":0"#),
      Drawing.feature(Drawing.box(-50, -50, 50, 50), #""id":"f_yard","elevation":0"#),
    ])
    files["facade/f_yard.json"] = #"[{"floorStackId":"fs_1","geometryIds":["g_facade"]}]"#
    files["geometry/f_yard.geojson"] = Drawing.collection([
      Drawing.feature(Drawing.box(-0.1, -0.1, 20, 10), #""id":"g_facade""#),
      Drawing.feature(Drawing.line(-0.1, 4, -0.1, 5), #""id":"g_yard_door""#),
    ])
    files["connections.json"] = """
      [{"id":"c_o","type":"door","entrances":[{"geometryId":"g_o","floorId":"f_0"},{"geometryId":"g_yard_door","floorId":"f_yard"}],"exits":[]}]
      """
    let venue = try Drawing.load(files).venue
    #expect(venue.floors.map(\.isOutdoor) == [false, true])
    #expect(venue.buildings[0].outline?.polygons.count == 1)
    // A door to the outdoors is an opening on either floor, and leads out on both.
    #expect(venue.openings.map(\.id) == ["c_o@f_0", "c_o@f_yard"] && venue.openings.allSatisfy { $0.isEntrance })
  }

  @Test func kindsWalkabilityAndShapesClassifyFeatures() throws {
    var files = MVF3Fixture().files
    files["geometry/f_1.geojson"] = Drawing.collection([
      Drawing.feature(Drawing.box(10, 0, 12, 2), #""id":"g_walk""#),
      Drawing.feature(Drawing.box(12, 0, 14, 2), #""id":"g_block""#),
      Drawing.feature(Drawing.box(14, 0, 16, 2), #""id":"g_both""#),
      Drawing.feature(Drawing.box(16, 0, 18, 2), #""id":"g_neither""#),
      Drawing.feature(Drawing.box(18, 0, 20, 2), #""id":"g_new""#),
      Drawing.feature(Drawing.box(18, 0, 20, 2), #""id":"g_new""#),
      Drawing.feature(Drawing.box(18, 0, 20, 2), #""name":"no id""#),
      Drawing.feature("null", #""id":"g_null""#),
    ])
    files["kinds/f_1.json"] = #"{"g_new":"teleporter"}"#
    files["walkable/f_1.json"] = #"["g_walk","g_both","g_new"]"#
    files["nonwalkable/f_1.json"] = #"{"g_block":{},"g_both":{}}"#
    let loaded = try Drawing.load(files)
    let upper = loaded.venue.spaces.filter { $0.floor.rawValue == "f_1" }
    #expect(upper.map(\.id.rawValue) == ["g_new", "g_walk"] && upper.allSatisfy { $0.kind == .unknown })
    #expect(loaded.venue.obstructions.map(\.id) == ["g_block", "g_both"])
    #expect(loaded.count("unknown-kind") == 1 && loaded.count("duplicate-id") == 1 && loaded.count("id-missing") == 1)
  }

  @Test func connectionsOfEveryTypeAreDistinguished() throws {
    var files = MVF3Fixture().files
    let types = ["elevator", "escalator", "travelator", "ramp", "ladder", "portal"]
    files["connections.json"] =
      "["
      + types.enumerated().map {
        """
        {"id":"c_\($0)","type":"\($1)","entrances":[{"geometryId":"g_s0","floorId":"f_0"}],"exits":[{"geometryId":"g_s1","floorId":"f_1"}],"details":{"name":"C\($0)"}}
        """
      }.joined(separator: ",") + #",{"type":"stairs"}]"#
    let connections = try Drawing.load(files).venue.connections
    #expect(connections.map(\.kind) == [.elevator, .escalator, .movingWalkway, .ramp, .ladder, .unknown])
    #expect(
      connections.allSatisfy {
        !$0.isTwoWay && $0.landings[0].isEntry && !$0.landings[0].isExit && $0.landings[1].isExit
      })
    #expect(connections[0].name.text() == "C0")
  }

  @Test func aBundleWithoutManifestIsRecognisedByItsFiles() throws {
    var files = MVF3Fixture().files
    files["manifest.geojson"] = nil
    let loaded = try Drawing.load(files)
    #expect(loaded.venue.format == .mvf3 && loaded.count("manifest-missing") == 1)
    // Without a name the venue is named by its contents.
    #expect(loaded.venue.id.rawValue == String(loaded.venue.contentHash.prefix(16)))
  }

  @Test func flagsCanBeAList() throws {
    var files = MVF3Fixture().files
    files["navigationFlags.json"] = #"[{"name":"accessible","index":0,"bit":2},{"name":"bad","index":-1,"bit":99}]"#
    #expect(try Drawing.load(files).venue.connections[0].isAccessible)
    files["navigationFlags.json"] = #"{"accessible":{"index":1,"bit":2}}"#
    #expect(try !Drawing.load(files).venue.connections[0].isAccessible)
  }

  @Test func withoutFloorsThereIsNoVenue() {
    var files = MVF3Fixture().files
    files["floors.geojson"] = Drawing.collection([])
    #expect(throws: VenueError.self) { try Drawing.load(files) }
    files["floors.geojson"] = "{"
    let error = #expect(throws: VenueError.self) { try Drawing.load(files) }
    #expect(error?.code == "truncated-json" && error?.file == "floors.geojson" && error?.byteOffset == 1)
    files["floors.geojson"] = nil
    #expect(throws: VenueError.self) { try Drawing.load(files) }
  }

  @Test func locationInstancesInheritFromTheirParent() throws {
    var files = MVF3Fixture().files
    files["location-instances.json"] = """
      [{"id":"loci_1","parentId":"loc_1","geometryAnchors":[{"geometryId":"g_b","floorId":"f_0"}]},
       {"id":"loci_2","parentId":"loc_1","details":{"name":"Annex"},"categories":[],"openingHours":[{"opens":"10:00"}],
        "geometryAnchors":[{"geometryId":"g_s1","floorId":"f_1"}]},
       {"id":"loci_3","parentId":"loc_gone"},{"parentId":"loc_1"}]
      """
    let loaded = try Drawing.load(files)
    let points = Dictionary(uniqueKeysWithValues: loaded.venue.pointsOfInterest.map { ($0.id, $0) })
    let (parent, first, second) = (points["loc_1"], points["loci_1"], points["loci_2"])
    #expect(first?.name == parent?.name && first?.categories == ["lcat_1"] && first?.spaces == [SpaceID("g_b")])
    #expect(first?.openingHours == parent?.openingHours && first?.openingHours != nil)
    #expect(second?.name.text() == "Annex" && second?.categories == [] && second?.floor == FloorID("f_1"))
    #expect(second?.openingHours == #"[{"opens":"10:00"}]"#)
    #expect(points["loci_3"] == nil)
    #expect(loaded.findings("dangling-reference").contains { $0.object == "loci_3" && $0.pointer == "/2/parentId" })
    #expect(loaded.findings("id-missing").contains { $0.file == "location-instances.json" })
  }

  @Test func annotationsAreReadWithTheirSymbols() throws {
    var files = MVF3Fixture().files
    files["annotations/f_0.json"] = """
      [{"id":"a_1","geometryId":"g_d-p1","symbolKey":"extinguisher"},{"id":"a_2","geometryId":"g_gone"},{"geometryId":"g_d"}]
      """
    let loaded = try Drawing.load(files)
    #expect(loaded.venue.annotations.map(\.id) == ["a_1"] && loaded.venue.annotations[0].symbol == "extinguisher")
    #expect(loaded.venue.annotations[0].lines.map(\.count) == [1])
    #expect(loaded.findings("dangling-reference").contains { $0.object == "a_2" })
  }

  @Test func namesOfSpacesInSeveralLanguagesAreKept() throws {
    var files = MVF3Fixture().files
    files["geometry/f_1.geojson"] = Drawing.collection([
      Drawing.feature(Drawing.box(10, 0, 20, 10), #""id":"g_u","details":{"name":{"de":"Saal","en":"Hall"}}"#)
    ])
    let space = try Drawing.load(files).venue.spaces.first { $0.id.rawValue == "g_u" }
    #expect(space?.name == LocalizedText(["de": "Saal", "en": "Hall"]))
  }
}
