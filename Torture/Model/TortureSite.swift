import CordonCore
import CordonGeometry

/// The venue of the runs: a rectangle with a hole and a room of which nothing is kept. There are two bundles of it; the second
/// has one more hole. Every place that a phone reports lies half a metre from any edge, so that plain comparisons of metres
/// say what is inside, without the code that is tested.
struct TortureSite {
  static let halfWidth = 40.0
  static let halfDepth = 30.0
  static let hole = (x: -10.0...10.0, y: -8.0...8.0)
  /// Only the second bundle leaves it out, so the server, which has the first, takes what either lets pass.
  static let secondHole = (x: 15.0...35.0, y: -22.0...(-6.0))
  static let restroom = (x: 20.0...30.0, y: 10.0...20.0)
  static let hall = (x: -40.0...(-10.0), y: -30.0...30.0)
  /// Half of the square in which people walk.
  static let world = 75.0

  let frame = LocalFrame(origin: Coordinate(longitude: 8.54, latitude: 47.37))
  /// By bundle.
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
    let hole = ring(Self.hole.x, Self.hole.y)
    let bundles = [("a", [hole]), ("b", [hole, ring(Self.secondHole.x, Self.secondHole.y)])]
    let venue = VenueID(slugging: "torture-hall") ?? VenueID(slugging: "v").unsafelyUnwrapped
    let floors = [-1, 0, 1].map { PackedVenue.Floor(id: FloorID("f\($0)"), ordinal: FloorOrdinal($0)) }
    let spaces = floors.flatMap { floor in
      [
        PackedVenue.Space(
          id: SpaceID("wc-\(floor.id)"), floor: floor.id, recording: .unrecorded, kind: "restroom",
          outline: GeoMultiPolygon([GeoPolygon(outer: ring(Self.restroom.x, Self.restroom.y))])),
        PackedVenue.Space(
          id: SpaceID("hall-\(floor.id)"), floor: floor.id, kind: "hall",
          outline: GeoMultiPolygon([GeoPolygon(outer: ring(Self.hall.x, Self.hall.y))])),
      ]
    }
    id = venue
    gates = bundles.map { letter, holes in
      let outer = ring(-Self.halfWidth...Self.halfWidth, -Self.halfDepth...Self.halfDepth)
      return PackedVenueGate(
        PackedVenue(
          venue: venue, contentHash: String(repeating: letter, count: 64),
          geofence: Geofence(center: frame.origin, radius: 100, exitRadius: 200),
          boundary: GeoMultiPolygon([GeoPolygon(outer: outer, holes: holes)]),
          frameOrigin: frame.origin, floors: floors, spaces: spaces))
    }
  }

  /// Whether a place, metres from the middle, may be recorded by a bundle: the oracle.
  static func mayRecord(_ x: Double, _ y: Double, bundle: Int) -> Bool {
    guard abs(x) < halfWidth, abs(y) < halfDepth else { return false }
    if hole.x.contains(x), hole.y.contains(y) { return false }
    if bundle == 1, secondHole.x.contains(x), secondHole.y.contains(y) { return false }
    return !(restroom.x.contains(x) && restroom.y.contains(y))
  }

  /// The space of a place that may be recorded; none when the floor is not known.
  static func space(_ x: Double, _ y: Double, floor: FloorOrdinal?) -> SpaceID? {
    guard let floor, hall.x.contains(x), hall.y.contains(y) else { return nil }
    return SpaceID("hall-f\(floor)")
  }

  /// The place in degrees, with the seven decimals that are kept.
  func coordinate(_ x: Double, _ y: Double) -> Coordinate {
    let place = frame.unproject(PlanePoint(x: x, y: y))
    return Coordinate(
      longitude: (place.longitude * 1e7).rounded() / 1e7, latitude: (place.latitude * 1e7).rounded() / 1e7)
  }
}
