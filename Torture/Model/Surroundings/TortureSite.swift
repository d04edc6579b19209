import CordonCore
import CordonGeometry

/// The venue of the runs: a rectangle with a hole and an unrecorded room. It has two bundles; the second has one more
/// hole. Every reported place is half a metre from any edge, so that plain comparisons of metres decide what is
/// inside, without the tested code.
struct TortureSite {
  static let halfWidth = 40.0
  static let halfDepth = 30.0
  static let hole = (x: -10.0...10.0, y: -8.0...8.0)
  /// Only the second bundle has this hole. The server has the first, and accepts the rows of both.
  static let secondHole = (x: 15.0...35.0, y: -22.0...(-6.0))
  static let restroom = (x: 20.0...30.0, y: 10.0...20.0)
  static let hall = (x: -40.0...(-10.0), y: -30.0...30.0)
  /// Half the side of the square in which people walk.
  static let world = 75.0

  let frame = LocalFrame(origin: Coordinate(longitude: 8.54, latitude: 47.37))
  /// The gates of the two bundles.
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

  /// Whether a bundle allows to record a place, in metres from the centre: the oracle.
  static func mayRecord(_ x: Double, _ y: Double, bundle: Int) -> Bool {
    guard abs(x) < halfWidth, abs(y) < halfDepth else { return false }
    if hole.x.contains(x), hole.y.contains(y) { return false }
    if bundle == 1, secondHole.x.contains(x), secondHole.y.contains(y) { return false }
    return !(restroom.x.contains(x) && restroom.y.contains(y))
  }

  /// Whether a place lies outside of the venue by a bundle: beside it, or in a hole.
  static func isOutside(_ x: Double, _ y: Double, bundle: Int) -> Bool {
    let isInRestroom = restroom.x.contains(x) && restroom.y.contains(y)
    return !mayRecord(x, y, bundle: bundle) && !isInRestroom
  }

  /// Returns the space of a recordable place; none when the floor is unknown.
  static func space(_ x: Double, _ y: Double, floor: FloorOrdinal?) -> SpaceID? {
    guard let floor, hall.x.contains(x), hall.y.contains(y) else { return nil }
    return SpaceID("hall-f\(floor)")
  }

  /// Returns the place in degrees, with the seven stored decimals.
  func coordinate(_ x: Double, _ y: Double) -> Coordinate { TortureSite.coordinate(x, y, in: frame) }

  /// Returns the place in degrees, with the seven stored decimals.
  static func coordinate(_ x: Double, _ y: Double, in frame: LocalFrame) -> Coordinate {
    let place = frame.unproject(PlanePoint(x: x, y: y))
    return Coordinate(
      longitude: (place.longitude * 1e7).rounded() / 1e7, latitude: (place.latitude * 1e7).rounded() / 1e7)
  }
}
