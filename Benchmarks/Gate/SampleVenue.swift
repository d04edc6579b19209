import CordonCore
import CordonGeometry
import Foundation

/// The polygons of a GeoJSON file.
enum SampleVenue {
  static func polygons(in file: URL) throws -> [GeoMultiPolygon] {
    let root = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    let features = root?["features"] as? [[String: Any]] ?? []
    return features.compactMap { feature in
      guard let geometry = feature["geometry"] as? [String: Any], geometry["type"] as? String == "Polygon",
        let rings = geometry["coordinates"] as? [[[Double]]], !rings.isEmpty
      else { return nil }
      let places = rings.map { $0.map { Coordinate(longitude: $0[0], latitude: $0[1]) } }
      return GeoMultiPolygon([GeoPolygon(outer: places[0], holes: Array(places.dropFirst()))])
    }
  }

  /// The package's folder and the folder of shared samples beside it.
  static var venues: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/venues")
  }
}

extension RandomNumberGenerator {
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}

/// SplitMix64.
struct BenchRandom: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

/// Positions spread evenly over a box made larger by a factor.
func positions(in bounds: GeoBounds, factor: Double, count: Int, seed: UInt64) -> [Coordinate] {
  var random = BenchRandom(seed: seed)
  let (width, height) = (bounds.east - bounds.west, bounds.north - bounds.south)
  let middle = ((bounds.west + bounds.east) / 2, (bounds.south + bounds.north) / 2)
  return (0..<count).map { _ in
    Coordinate(
      longitude: middle.0 + (random.unit() - 0.5) * width * factor,
      latitude: middle.1 + (random.unit() - 0.5) * height * factor)
  }
}
