import CordonCore
import CordonGeometry
import CordonVenues

/// Small venues drawn in metres for the tests of plans.
struct PlanVenue {
  static let frame = LocalFrame(origin: Coordinate(longitude: 8.5, latitude: 47.4))

  var floors: [Floor] = []
  var spaces: [Space] = []
  var walls: [Barrier] = []
  var furniture: [Barrier] = []
  var openings: [Opening] = []
  var connections: [Connection] = []

  static func coordinate(_ x: Double, _ y: Double) -> Coordinate { frame.unproject(PlanePoint(x: x, y: y)) }

  static func rectangle(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> GeoMultiPolygon {
    GeoMultiPolygon([
      GeoPolygon(outer: [coordinate(x0, y0), coordinate(x1, y0), coordinate(x1, y1), coordinate(x0, y1)])
    ])
  }

  mutating func floor(_ id: String, _ ordinal: Int, outline: GeoMultiPolygon? = nil) {
    floors.append(Floor(id: FloorID(id), ordinal: FloorOrdinal(ordinal), outline: outline))
  }

  mutating func space(_ id: String, _ floor: String, _ kind: SpaceKind, _ outline: GeoMultiPolygon) {
    spaces.append(Space(id: SpaceID(id), floor: FloorID(floor), kind: kind, outline: outline))
  }

  mutating func wall(_ floor: String, _ points: (Double, Double)...) {
    walls.append(
      Barrier(
        id: "w\(walls.count)", floor: FloorID(floor), shape: .lines([points.map { Self.coordinate($0.0, $0.1) }])))
  }

  mutating func door(_ id: String, _ floor: String, isEntrance: Bool = false, _ points: (Double, Double)...) {
    openings.append(
      Opening(
        id: id, floor: FloorID(floor), line: points.map { Self.coordinate($0.0, $0.1) }, isEntrance: isEntrance))
  }

  func venue() throws -> Venue {
    guard let id = VenueID("drawn") else { throw VenueError(code: "id", file: "drawn", message: "no identifier") }
    return Venue(
      id: id, name: LocalizedText("Drawn"), format: .geojson, contentHash: String(repeating: "0", count: 64),
      floors: floors, spaces: spaces, walls: walls, furniture: furniture, openings: openings, connections: connections)
  }

  func plan() throws -> VenuePlan { try VenuePlan(venue()) }
}

extension VenuePlan {
  /// A point of the drawing in the plan's frame.
  func drawn(_ x: Double, _ y: Double) -> PlanePoint { frame.project(PlanVenue.coordinate(x, y)) }
}
