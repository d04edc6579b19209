import CordonCore
import CordonGeometry
import Foundation

/// Judges many positions and nothing else. Under a tool that counts allocations, the difference of two counts is the
/// number of allocations of the judging itself.
func judge(count: Int) throws {
  let albert = SampleVenue.venues.appendingPathComponent("410-albert-mvf1")
  let building = GeoMultiPolygon(
    try SampleVenue.polygons(in: albert.appendingPathComponent("building.geojson")).flatMap(\.polygons))
  let spaces = try SampleVenue.polygons(in: albert.appendingPathComponent("space/5aba4ccf0042d53209000000.geojson"))
  guard let venue = VenueID("sample"), let bounds = building.bounds else { return }
  let floor = FloorID("0")
  let gate = PackedVenueGate(
    PackedVenue(
      venue: venue, contentHash: String(repeating: "0", count: 64),
      geofence: try GeofencePolicy().geofence(around: building), boundary: building, frameOrigin: bounds.center,
      floors: [.init(id: floor, ordinal: FloorOrdinal(0))],
      spaces: spaces.enumerated().map { index, outline in
        .init(
          id: SpaceID("\(index)"), floor: floor, recording: index % 40 == 0 ? .unrecorded : .full, kind: "room",
          outline: outline)
      }))
  var random = BenchRandom(seed: 5)
  let (width, height) = (bounds.east - bounds.west, bounds.north - bounds.south)
  var inside = 0
  for number in 0..<count {
    let place = Coordinate(
      longitude: bounds.west + (random.unit() * 1.2 - 0.1) * width,
      latitude: bounds.south + (random.unit() * 1.2 - 0.1) * height)
    if gate.judge(place, floor: number % 2 == 0 ? FloorOrdinal(0) : nil).isInside { inside += 1 }
  }
  print("\(inside) of \(count) inside")
}
