import CordonCore
import CordonGeometry
import Testing

@testable import CordonVenues

@Suite struct BoundaryTests {
  static let frame = LocalFrame(origin: Coordinate(longitude: 8.5, latitude: 47.4))

  static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, in frame: LocalFrame = frame)
    -> GeoPolygon
  {
    GeoPolygon(outer: GeosContextTests.box(x, y, width, height).map { frame.unproject($0) })
  }

  static func venue(
    buildings: [Building] = [], floors: [Floor] = [], spaces: [Space] = [], outline: GeoMultiPolygon? = nil
  ) throws -> Venue {
    Venue(
      id: try #require(VenueID("test")), name: LocalizedText("Test"), format: .geojson, contentHash: "",
      outline: outline, buildings: buildings, floors: floors, spaces: spaces)
  }

  static let ground = Floor(
    id: FloorID("ground"), ordinal: FloorOrdinal(0), building: "b", outline: GeoMultiPolygon([box(0, 0, 40, 20)]))
  static let garden = Floor(
    id: FloorID("garden"), ordinal: FloorOrdinal(0), isOutdoor: true,
    outline: GeoMultiPolygon([box(-50, -50, 200, 200)]))
  static let room = Space(
    id: SpaceID("room"), floor: FloorID("ground"), kind: .room, outline: GeoMultiPolygon([box(0, 0, 10, 10)]))

  @Test func everyBoundaryChoiceGivesItsArea() throws {
    let venue = try Self.venue(
      buildings: [Building(id: "b", floors: [FloorID("ground")])], floors: [Self.ground, Self.garden],
      spaces: [Self.room], outline: GeoMultiPolygon([Self.box(-10, -10, 70, 50)]))
    let areas = try venue.boundaries().map { ($0.source, $0.squareMetres.rounded()) }
    #expect(areas.map(\.0) == [.buildings, .floors, .venue, .spaces])
    #expect(areas.map(\.1) == [800, 40_000, 3_500, 100])
    for choice in [BoundaryChoice.buildings, .floors, .venue, .spaces] {
      #expect(try venue.boundary(choice).isFallback == false)
    }
  }

  @Test func fallbacksAreTriedInOrderAndMarked() throws {
    let bare = try Self.venue(floors: [Self.ground], spaces: [Self.room])
    let boundary = try bare.boundary(.buildings)
    #expect(boundary.source == .floors)
    #expect(boundary.isFallback)
    #expect(try Self.venue(spaces: [Self.room]).boundary(.venue).source == .spaces)

    var linesOnly = try Self.venue()
    linesOnly.walls = [
      Barrier(
        id: "w", floor: FloorID("ground"),
        shape: .lines([Self.box(0, 0, 10, 10).outer]))
    ]
    let hull = try linesOnly.boundary()
    #expect(hull.source == .hull)
    #expect(abs(hull.squareMetres - 100) < 0.01)
  }

  @Test func aKioskIsNotTakenForItsBuilding() throws {
    let hall = Space(
      id: SpaceID("hall"), floor: FloorID("ground"), kind: .lobby, outline: GeoMultiPolygon([Self.box(0, 0, 100, 80)]))
    let kiosk = Building(id: "kiosk", outline: GeoMultiPolygon([Self.box(10, 10, 5, 5)]))
    let station = try Self.venue(buildings: [kiosk], spaces: [hall])
    #expect(try station.boundary(.buildings).source == .spaces)
    #expect(try station.boundaries().map(\.source) == [.buildings, .spaces])
    // Three quarters of the rooms are enough.
    let shell = Building(id: "shell", outline: GeoMultiPolygon([Self.box(0, 0, 75, 80)]))
    #expect(try Self.venue(buildings: [shell], spaces: [hall]).boundary(.buildings).source == .buildings)
  }

  @Test func aVenueWithoutAnyPolygonIsAnError() throws {
    let venue = try Self.venue()
    #expect(throws: VenueError.self) { try venue.boundary() }
    let flat = GeoMultiPolygon([GeoPolygon(outer: [Coordinate(longitude: 1, latitude: 1)])])
    #expect {
      try venue.boundary(.polygon(flat))
    } throws: {
      ($0 as? VenueError)?.code == "invalid-boundary"
    }
  }

  @Test func holesAreKeptAndSinglePolygonsAreUnchanged() throws {
    let donut = GeoPolygon(outer: Self.box(0, 0, 40, 40).outer, holes: [Self.box(10, 10, 20, 20).outer])
    let boundary = try Self.venue(outline: GeoMultiPolygon([donut])).boundary(.venue)
    #expect(boundary.area == GeoMultiPolygon([donut]))
    #expect(abs(boundary.squareMetres - 1_200) < 0.01)
  }

  @Test func aVenueCanLieAcrossTheAntimeridian() throws {
    let frame = LocalFrame(origin: Coordinate(longitude: 180, latitude: -17))
    let halves = [Self.box(-30, 0, 35, 20, in: frame), Self.box(0, 0, 30, 20, in: frame)]
    let boundary = try Self.venue(
      floors: [Floor(id: FloorID("f"), ordinal: FloorOrdinal(0), outline: GeoMultiPolygon(halves))]
    ).boundary(.floors)
    #expect(boundary.area.polygons.count == 1)
    #expect(abs(boundary.squareMetres - 1_200) < 0.01)
    #expect(boundary.area.vertices.allSatisfy { abs($0.longitude) > 179.9 && $0.isValid })
  }
}
