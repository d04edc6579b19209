import CordonCore
import CordonGeometry
import Testing

@testable import CordonVenues

/// GeoJSON: OSM's indoor tags, mapped properties, bare polygons, plans in metres.
struct GeoJSONTests {
  @Test(arguments: [
    ("0", ["0"]), ("-1;0", ["-1", "0"]), ("0-2", ["0", "1", "2"]), ("-2--1", ["-2", "-1"]), ("-1-1", ["-1", "0", "1"]),
    ("0.5", ["0.5"]), ("0;2-3", ["0", "2", "3"]), ("1, 2", ["1", "2"]), ("0.5-2", ["0.5", "1", "2"]), ("ground", []),
    ("3-1", []), ("", []), ("1;;x;2", ["1", "2"]), ("-", []), ("1e9", []), ("nan", []),
  ])
  func openStreetMapLevelsAreRead(text: String, levels: [String]) {
    #expect(OSMLevels.parse(text).map(\.description) == levels)
  }

  @Test func rangesHaveAnEnd() { #expect(OSMLevels.parse("0-1000000").count <= OSMLevels.most + 2) }

  @Test func indoorTagsAreRead() throws {
    let loaded = try Drawing.load(
      text: Drawing.collection([
        Drawing.feature(Drawing.box(-1, -1, 21, 21), #""building":"yes","name":"House""#, #","id":"way/1""#),
        Drawing.feature(Drawing.box(0, 0, 20, 20), #""indoor":"level","level":"0""#, #","id":"way/2""#),
        Drawing.feature(
          Drawing.box(0, 0, 10, 10), #""indoor":"room","level":"0","room":"office","name":"A","name:de":"B""#,
          #","id":"way/3""#),
        Drawing.feature(Drawing.box(10, 0, 20, 10), #""indoor":"corridor","level":"0;1""#, #","id":"way/4""#),
        Drawing.feature(
          Drawing.box(0, 10, 5, 15), #""indoor":"room","amenity":"toilets","level":"0""#, #","id":"way/5""#),
        Drawing.feature(Drawing.box(5, 10, 8, 15), #""indoor":"room","stairs":"yes","level":"0-1""#, #","id":"way/6""#),
        Drawing.feature(
          Drawing.box(8, 10, 10, 12), #""highway":"elevator","level":"0","repeat_on":"1-2","wheelchair":"yes""#,
          #","id":"way/7""#),
        Drawing.feature(Drawing.line(10, 0, 10, 10), #""indoor":"wall","level":"0""#, #","id":"way/8""#),
        Drawing.feature(Drawing.point(10, 5), #""door":"hinged","level":"0""#, #","id":"node/1""#),
        Drawing.feature(Drawing.point(-1, 5), #""entrance":"main","level":"0""#, #","id":"node/2""#),
        Drawing.feature(
          Drawing.line(12, 2, 12, 8), #""highway":"steps","conveying":"forward","level":"0;1""#, #","id":"way/9""#),
        Drawing.feature(
          Drawing.line(14, 2, 14, 8), #""highway":"steps","incline":"down","level":"0;1""#, #","id":"way/10""#),
        Drawing.feature(Drawing.point(3, 3), #""amenity":"vending_machine","level":"0""#, #","id":"node/3""#),
        Drawing.feature(Drawing.box(40, 40, 50, 50), #""highway":"pedestrian""#, #","id":"way/11""#),
        Drawing.feature(Drawing.box(0, 15, 5, 20), #""indoor":"area""#, #","id":"way/12""#),
      ]))
    let venue = loaded.venue
    #expect(venue.format == .osmIndoor && venue.floors.map(\.id.rawValue) == ["0", "1", "2"])
    #expect(venue.floors[0].outline != nil && venue.buildings.count == 1 && venue.buildings[0].floors.count == 3)
    let kinds = Dictionary(uniqueKeysWithValues: venue.spaces.map { ($0.id.rawValue, $0.kind) })
    #expect(
      kinds["way/3"] == .office && kinds["way/4"] == .corridor && kinds["way/4@1"] == .corridor
        && kinds["way/5"] == .restroom)
    #expect(
      kinds["way/6"] == .stairs && kinds["way/6@1"] == .stairs && kinds["way/7@2"] == .elevator
        && kinds["way/12"] == .area)
    #expect(kinds["way/11"] == nil && kinds.count == 10)
    #expect(venue.spaces.first { $0.id.rawValue == "way/3" }?.name.text(in: "de") == "B")
    #expect(venue.walls.map(\.id) == ["way/8"])
    #expect(venue.openings.first { $0.id == "node/1" }?.spaces.map(\.rawValue) == ["way/3", "way/4"])
    #expect(venue.openings.first { $0.id == "node/2" }?.isEntrance == true)
    let connections = Dictionary(uniqueKeysWithValues: venue.connections.map { ($0.id, $0) })
    #expect(
      connections["way/6"]?.kind == .stairs && connections["way/7"]?.landings.count == 3
        && connections["way/7"]?.isAccessible == true)
    #expect(connections["way/9"]?.kind == .escalator && connections["way/9"]?.isTwoWay == false)
    #expect(connections["way/9"]?.landings.map(\.isEntry) == [true, false])
    // Steps that lead down end on the lower floor.
    #expect(abs((connections["way/10"]?.landings[0].position.latitude ?? 0) - (47 + 8e-5)) < 1e-9)
    #expect(loaded.findings("level-missing").map(\.action) == [.ignored, .repaired])
    #expect(venue.pointsOfInterest.map(\.id) == ["node/3", "way/11", "way/5"])
  }

  @Test func propertiesAreMapped() throws {
    let text = Drawing.collection([
      Drawing.feature(
        Drawing.box(0, 0, 10, 10), #""room_no":101,"use":"conference room","storey":"1","label":"Alpha""#),
      Drawing.feature(Drawing.box(0, 0, 10, 10), #""room_no":102,"use":"ward","storey":-1,"label":"Beta""#),
    ])
    var options = VenueReadOptions()
    options.mapping = try GeoJSONMapping(parsing: ["kind=use", "level=storey", "name=label", "id=room_no"])
    let venue = try Drawing.load(text: text, options: options).venue
    #expect(venue.format == .geojson && venue.spaces.map(\.id.rawValue) == ["102", "101"])
    #expect(venue.spaces.map(\.kind) == [.ward, .meetingRoom] && venue.spaces[1].sourceKind == "conference room")
    #expect(venue.floors.map(\.ordinal.value) == [-1, 1] && venue.spaces[1].name.text() == "Alpha")
  }

  @Test(arguments: ["kind", "color=x", "=x", "kind="])
  func anInvalidMappingIsRefused(pair: String) {
    let error = #expect(throws: VenueError.self) { try GeoJSONMapping(parsing: [pair]) }
    #expect(error?.code == "mapping")
  }

  @Test func barePolygonsAreSpacesOfTheGroundFloor() throws {
    let venue = try Drawing.load(text: Drawing.box(0, 0, 10, 10)).venue
    #expect(venue.format == .geojson && venue.spaces.count == 1 && venue.floors.map(\.id.rawValue) == ["0"])
    let feature = try Drawing.load(text: Drawing.feature(Drawing.box(0, 0, 10, 10), #""name":"Hall""#)).venue
    #expect(feature.spaces[0].name.text() == "Hall" && feature.spaces[0].kind == .unknown)
  }

  @Test func severalFilesAreOneVenue() throws {
    let venue = try Drawing.load([
      "a.geojson": Drawing.collection([Drawing.feature(Drawing.box(0, 0, 1, 1), #""id":1,"level":0"#)]),
      "b.json": Drawing.collection([Drawing.feature(Drawing.box(0, 0, 1, 1), #""id":2,"level":1"#)]), "c.json": "[1,2]",
    ]).venue
    #expect(venue.spaces.map(\.id.rawValue) == ["1", "2"] && venue.floors.count == 2)
  }

  @Test func aPlanInMetresIsPlacedByControlPoints() throws {
    // A plan turned by 30 degrees; each unit is half a metre.
    let origin = Coordinate(longitude: -0.0014, latitude: 51.4778)
    let plan = #"{"type":"Polygon","coordinates":[[[0,0],[200,0],[200,100],[0,100],[0,0]]]}"#
    let frame = PlanFrame(origin: origin, degrees: 30, scale: 0.5)
    for model in Georeference.Model.allCases {
      var options = VenueReadOptions()
      let reference = try Georeference(
        [(0.0, 0.0), (200.0, 0.0), (0.0, 100.0)].map {
          Georeference.ControlPoint(x: $0.0, y: $0.1, coordinate: frame.place($0.0, $0.1))
        }, model: model)
      #expect(reference.residual < 1e-6)
      options.georeference = reference
      let corner = try Drawing.load(text: plan, options: options).venue.spaces[0].outline.polygons[0].outer[2]
      let expected = frame.place(200, 100)
      #expect(abs(corner.longitude - expected.longitude) < 1e-9 && abs(corner.latitude - expected.latitude) < 1e-9)
    }
  }

  @Test func controlPointsThatDoNotDetermineAMapAreRefused() {
    let place = Coordinate(longitude: 8, latitude: 47)
    let point = Georeference.ControlPoint(x: 1, y: 1, coordinate: place)
    #expect(throws: VenueError.self) { try Georeference([]) }
    #expect(throws: VenueError.self) { try Georeference([point, point]) }
    #expect(throws: VenueError.self) { try Georeference([point, point, point], model: .affine) }
    let line = (0..<3).map { Georeference.ControlPoint(x: Double($0), y: Double($0), coordinate: place) }
    #expect(throws: VenueError.self) { try Georeference(line, model: .affine) }
    #expect(throws: VenueError.self) {
      try Georeference([point, .init(x: .nan, y: 0, coordinate: place)])
    }
  }

  @Test func moreControlPointsThanNeededLeaveAResidual() throws {
    let frame = PlanFrame(origin: Coordinate(longitude: 8, latitude: 47), degrees: 0, scale: 1)
    var points = [(0.0, 0.0), (10.0, 0.0), (0.0, 10.0), (10.0, 10.0)].map {
      Georeference.ControlPoint(x: $0.0, y: $0.1, coordinate: frame.place($0.0, $0.1))
    }
    #expect(try Georeference(points).residual < 1e-6)
    points[3].coordinate.latitude += 1e-5
    let residual = try Georeference(points).residual
    #expect(residual > 0.2 && residual < 1.2)
    #expect(
      try Georeference(points) == Georeference(points)
        && Georeference(points).hashValue == Georeference(points).hashValue)
  }
}

/// A turned and scaled plan on the WGS 84 ellipsoid, by its own formula.
private struct PlanFrame {
  var origin: Coordinate
  var degrees: Double
  var scale: Double

  func place(_ x: Double, _ y: Double) -> Coordinate {
    let (sine, cosine) = PortableMath.sincos(degrees * .pi / 180)
    let (east, north) = (scale * (cosine * x - sine * y), scale * (sine * x + cosine * y))
    let (s, c) = PortableMath.sincos(origin.latitude * .pi / 180)
    let w = 1 - 0.00669437999014 * s * s
    let prime = 6_378_137 / w.squareRoot()
    return Coordinate(
      longitude: origin.longitude + east / (prime * c) * 180 / .pi,
      latitude: origin.latitude + north / (prime * (1 - 0.00669437999014) / w) * 180 / .pi)
  }
}
