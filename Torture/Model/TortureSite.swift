import CordonCore
import CordonGeometry

/// The venue of the runs: a rectangle with a hole and a room of which nothing is kept. Every place that a phone reports lies half
/// a metre from any edge, so that plain comparisons of metres say what is inside, without the code that is tested.
struct TortureSite {
  static let halfWidth = 40.0
  static let halfDepth = 30.0
  static let hole = (x: -10.0...10.0, y: -8.0...8.0)
  static let restroom = (x: 20.0...30.0, y: 10.0...20.0)
  /// Half of the square in which people walk.
  static let world = 75.0

  let frame = LocalFrame(origin: Coordinate(longitude: 8.54, latitude: 47.37))
  let gates: [PackedVenueGate]
  let id: VenueID

  init() {
    let frame = self.frame
    func ring(_ x: ClosedRange<Double>, _ y: ClosedRange<Double>) -> [Coordinate] {
      [
        (x.lowerBound, y.lowerBound), (x.upperBound, y.lowerBound), (x.upperBound, y.upperBound),
        (x.lowerBound, y.upperBound),
      ]
      .map { frame.unproject(PlanePoint(x: $0.0, y: $0.1)) }
    }
    let area = GeoMultiPolygon([
      GeoPolygon(
        outer: ring(-Self.halfWidth...Self.halfWidth, -Self.halfDepth...Self.halfDepth),
        holes: [ring(Self.hole.x, Self.hole.y)])
    ])
    let venue = VenueID(slugging: "torture-hall") ?? VenueID(slugging: "v").unsafelyUnwrapped
    let floors = [-1, 0, 1].map { PackedVenue.Floor(id: FloorID("f\($0)"), ordinal: FloorOrdinal($0)) }
    let spaces = floors.flatMap { floor in
      [
        PackedVenue.Space(
          id: SpaceID("wc-\(floor.id)"), floor: floor.id, recording: .unrecorded, kind: "restroom",
          outline: GeoMultiPolygon([GeoPolygon(outer: ring(Self.restroom.x, Self.restroom.y))])),
        PackedVenue.Space(
          id: SpaceID("hall-\(floor.id)"), floor: floor.id, kind: "hall",
          outline: GeoMultiPolygon([GeoPolygon(outer: ring(-40...(-10), -30...30))])),
      ]
    }
    id = venue
    gates = ["a", "b"].map { letter in
      PackedVenueGate(
        PackedVenue(
          venue: venue, contentHash: String(repeating: letter, count: 64),
          geofence: Geofence(center: frame.origin, radius: 100, exitRadius: 200), boundary: area,
          frameOrigin: frame.origin, floors: floors, spaces: spaces))
    }
  }

  /// Whether a place, metres from the middle, may be recorded: the oracle.
  static func mayRecord(_ x: Double, _ y: Double) -> Bool {
    guard abs(x) < halfWidth, abs(y) < halfDepth else { return false }
    if hole.x.contains(x), hole.y.contains(y) { return false }
    return !(restroom.x.contains(x) && restroom.y.contains(y))
  }

  /// The place in degrees, with the seven decimals that are kept.
  func coordinate(_ x: Double, _ y: Double) -> Coordinate {
    let place = frame.unproject(PlanePoint(x: x, y: y))
    return Coordinate(
      longitude: (place.longitude * 1e7).rounded() / 1e7, latitude: (place.latitude * 1e7).rounded() / 1e7)
  }
}
