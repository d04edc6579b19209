import CordonCore
import CordonGeometry
import CordonVenues
import Testing

/// Parts of the WRLD layout that the public sample lacks.
struct WRLDTests {
  private var files: [String: String] {
    [
      "main.json": """
      {"id":"tower","name":"The Tower","location":{"type":"Point","coordinates":\(Drawing.at(5, 5))},"levels":[
        {"id":"g","name":"G","readable_name":"Ground","z_order":0,"filename":"g.geojson"},
        {"id":"one","name":"1","z_order":1,"filename":"one.geojson"},
        {"id":"two","name":"2","filename":"two.geojson"},{"filename":"broken.geojson"},{"name":"x"}]}
      """.replacing(#",{"name":"x"}"#, with: ""),
      "g.geojson": Drawing.collection([
        Drawing.feature(Drawing.box(0, 0, 20, 10), #""id":1,"type":"building_outline""#),
        Drawing.feature(Drawing.box(0, 0, 10, 10), #""id":2,"type":"room","name":"Meeting Room""#),
        Drawing.feature(Drawing.box(10, 0, 20, 10), #""id":3,"type":"hallway""#),
        Drawing.feature(Drawing.box(9.9, 4, 10.1, 5.5), #""id":4,"type":"door""#),
        Drawing.feature(Drawing.box(9.9, 0, 10.1, 4), #""id":5,"type":"wall""#),
        Drawing.feature(Drawing.box(14, 6, 16, 8), #""id":6,"type":"stairs""#),
        Drawing.feature(Drawing.box(4, 6, 5, 8), #""id":7,"type":"no_geometry","name":"Reception""#),
        Drawing.feature(Drawing.box(4, 6, 5, 8), #""id":8,"type":"fountain""#),
        Drawing.feature(Drawing.point(4, 6), #""id":9,"type":"room","name":"Dot""#),
      ]),
      "one.geojson": Drawing.collection([Drawing.feature(Drawing.box(14, 6, 16, 8), #""id":6,"type":"stairs""#)]),
      "broken.geojson": "{",
      "paths.json": Drawing.collection([
        Drawing.feature(Drawing.line(2, 2, 3, 3), #""id":1,"type":"escalator","name":"up""#, #","levels":[0,1]"#),
        Drawing.feature(Drawing.line(2, 2, 3, 3), #""id":2,"type":"stairs""#, #","levels":[1,7]"#),
        Drawing.feature(Drawing.line(2, 2, 3, 3), #""id":3,"type":"pathway""#),
        Drawing.feature("null", #""id":4,"type":"pathway""#),
      ]),
      "entrance-paths.json":
        #"{"type":"FeatureCollection","z_order":0,"crs":{},"features":[\#(Drawing.feature(Drawing.line(0, 5, 1, 5), #""id":9,"type":"entrance""#))]}"#,
      "notes.json": "[]",
    ]
  }

  @Test func levelsPathsAndDoorsAreRead() throws {
    let loaded = try Drawing.load(files)
    let venue = loaded.venue
    #expect(venue.format == .wrld && venue.id.rawValue == "tower" && venue.name.text() == "The Tower")
    #expect(venue.floors.map(\.id.rawValue) == ["g", "one", "two", "broken.geojson"])
    #expect(venue.spaces.map(\.id.rawValue) == ["g/2", "g/3", "g/6", "g/8", "one/6"])
    #expect(venue.spaces[0].kind == .meetingRoom && venue.spaces[3].kind == .unknown)
    let door = try #require(venue.openings.first { $0.id == "g/4" })
    #expect(door.line.count == 2 && door.spaces.map(\.rawValue) == ["g/2", "g/3"] && !door.isEntrance)
    // The threshold runs along the wall.
    #expect(abs(door.line[0].longitude - door.line[1].longitude) < 1e-9)
    #expect(venue.openings.first { $0.id == "paths/9" }?.isEntrance == true)
    #expect(venue.connections.map(\.id) == ["paths/1", "stack:g/6"] && venue.connections[0].kind == .escalator)
    #expect(venue.pointsOfInterest.map(\.id) == ["g/7", "g/9"])
    #expect(venue.graph?.nodes.count == 2 && loaded.findings("pathways-ignored").map(\.file) == ["paths.json"])
    #expect(
      loaded.count("missing-file") == 1 && loaded.count("truncated-json") == 1 && loaded.count("pathways-ignored") == 1)
    #expect(
      loaded.count("floor-without-ordinal") == 2 && loaded.count("unknown-kind") == 1
        && loaded.count("dangling-reference") == 1)
  }

  @Test func walkingLinesMakeAGraph() throws {
    var files = files
    func way(_ id: Int, _ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> String {
      Drawing.feature(Drawing.line(x0, y0, x1, y1), #""id":\#(id),"type":"pathway""#)
    }
    // A cross, a line whose end stops a little short of another, and one far from all of them.
    let ground = [way(1, 0, 5, 10, 5), way(2, 5, 0, 5, 10), way(3, 8, 5.3, 8, 9), way(4, 15, 1, 18, 1)]
    for (name, order, ways) in [("g", 0, ground), ("one", 1, [way(1, 3, 3, 9, 3)])] {
      files[name + "-paths.json"] =
        #"{"type":"FeatureCollection","z_order":\#(order),"features":[\#(ways.joined(separator: ","))]}"#
    }
    let venue = try Drawing.load(files).venue
    let graph = try #require(venue.graph)
    let onGround = graph.nodes.filter { $0.floor.rawValue == "g" }
    // Four ends of the cross and its middle, three of the stem, two apart, the entrance line's two on the first line.
    #expect(onGround.count == 4 + 1 + 2 + 2 + 1 && graph.nodes.count == onGround.count + 2)
    #expect(GraphParts.count(graph) == 2)
    let middle = Coordinate(longitude: 8 + 5e-5, latitude: 47 + 5e-5)
    let crossing = graph.nodes.indices.filter {
      abs(graph.nodes[$0].position.longitude - middle.longitude) < 1e-9
        && abs(graph.nodes[$0].position.latitude - middle.latitude) < 1e-9
    }
    #expect(crossing.count == 1 && graph.edges.count { Int($0.from) == crossing[0] } == 4)
    // The escalator joins the floors, one way for each direction that it has.
    let between = graph.edges.filter { graph.nodes[Int($0.from)].floor != graph.nodes[Int($0.to)].floor }
    #expect(between.count == 2)
  }

  @Test func tangledWalkingLinesAreNotJoined() throws {
    var files = files
    // Every line from the west side to the east side crosses nearly every line from the south to the north: 160 000 places.
    let lines = (0..<400).flatMap { index -> [String] in
      let at = Double(index) * 0.2
      return [Drawing.line(0, at, 90, at + 0.01), Drawing.line(at, 0, at + 0.01, 90)]
    }
    let ways = lines.enumerated().map { Drawing.feature($0.element, #""id":\#($0.offset),"type":"pathway""#) }
    files["g-paths.json"] = #"{"type":"FeatureCollection","z_order":0,"features":[\#(ways.joined(separator: ","))]}"#
    let loaded = try Drawing.load(files)
    #expect(loaded.findings("pathways-not-joined").map(\.object) == ["g"])
    // Each line keeps its own two ends.
    let graph = try #require(loaded.venue.graph)
    #expect(graph.nodes.count < 2_000 && graph.nodes.count > 1_000)
  }
}
