import CordonCore
import CordonGeometry
import Measuring

extension AreaMeasurements {
  /// A packed venue of the sample's building and spaces: its size, its reading, and a device's other queries for a
  /// fix.
  mutating func measurePacked(_ building: GeoMultiPolygon, _ spaces: [GeoMultiPolygon]) throws {
    guard let venue = VenueID("sample"), let bounds = building.bounds else { return }
    let floor = FloorID("5aba4ccf0042d53209000000")
    let packed = PackedVenue(
      venue: venue, contentHash: String(repeating: "0", count: 64),
      geofence: try GeofencePolicy().geofence(around: building), boundary: building, frameOrigin: bounds.center,
      floors: [.init(id: floor, ordinal: FloorOrdinal(0))],
      spaces: spaces.enumerated().map { index, outline in
        .init(
          id: SpaceID("5aba4ccf0042d532090\(10_000 + index)"), floor: floor,
          recording: index % 40 == 0 ? .unrecorded : .full, kind: "room", outline: outline)
      })
    let bytes = try packed.encode()
    var count = 0
    table.add(
      "packed venue: read", measure(runs: 15) { count = (try? PackedVenue(decoding: bytes))?.spaces.count ?? -1 },
      per: 1e-3, unit: "ms", limit: 1,
      note: "\(bytes.count) bytes, \(count) spaces, \(spaces.flatMap(\.vertices).count) vertices")
    table.add("packed venue: gate ready", measure { _ = PackedVenueGate(packed) }, per: 1e-3, unit: "ms")
    let gate = PackedVenueGate(packed)
    let places = positions(in: bounds, factor: 1.2, count: 1_000_000, seed: 5)
    var inside = 0
    let judging = measure {
      inside = 0
      for place in places { inside &+= gate.judge(place, floor: FloorOrdinal(0)).isInside ? 1 : 0 }
    }
    table.add("packed venue: judge", judging, per: 1e-3, unit: "ns", note: "\(inside) of 1000000 inside")
    let fence = packed.geofence
    let fencing = measure {
      inside = 0
      for place in places { inside &+= fence.contains(place) ? 1 : 0 }
    }
    table.add("geofence: contains", fencing, per: 1e-3, unit: "ns", note: "\(inside) of 1000000 inside")
    let boundary = BoundaryIndex(building)
    var sum = 0.0
    let few = places.prefix(100_000)
    let distances = measure { for place in few { sum += boundary.signedDistance(from: place) ?? 0 } }
    table.add("signed distance", distances, per: 1e-4, unit: "ns")
    let probabilities = measure(runs: 3) {
      for place in few.prefix(20_000) { sum += boundary.probabilityInside(at: place, accuracy: 10) }
    }
    table.add("probability inside, accuracy 10 m", probabilities, per: 2e-5, unit: "ns")
  }
}
