import CordonCommandLine
import CordonCore
import CordonGeometry
import CordonVenues

/// The map data of a packed venue: outlines of the venue and of its spaces. It has no names, buildings or outlines of
/// floors.
struct PackedMap {
  let packed: PackedVenue
  let venue: Venue
  let boundary: VenueBoundary

  init(_ packed: PackedVenue) {
    self.packed = packed
    venue = Venue(
      id: packed.venue, name: LocalizedText(), format: .geojson, contentHash: packed.contentHash,
      floors: packed.floors.map { Floor(id: $0.id, ordinal: $0.ordinal) },
      spaces: packed.spaces.map {
        Space(id: $0.id, floor: $0.floor, kind: SpaceKind($0.kind) ?? .room, outline: $0.outline)
      })
    boundary = VenueBoundary(
      choice: .polygon(packed.boundary), source: .polygon, area: packed.boundary,
      squareMetres: PackedMap.squareMetres(packed.boundary, in: packed.frame))
  }

  /// A packed venue, when the path is one; `nil` for a map.
  /// - Parameter decided: options that are given and were decided when the venue was packed.
  static func read(_ path: String, decided: [String]) throws -> PackedMap? {
    guard let packed = try PackedVenueFile.read(path) else { return nil }
    if let option = decided.first {
      throw CommandError("is packed, which decided \(option)", code: "packed-venue", file: path)
    }
    return PackedMap(packed)
  }

  /// Outer rings less holes; rings do not cross each other.
  private static func squareMetres(_ area: GeoMultiPolygon, in frame: LocalFrame) -> Double {
    func size(_ ring: [Coordinate]) -> Double {
      guard var last = ring.last.map(frame.project) else { return 0 }
      var twice = 0.0
      for vertex in ring {
        let next = frame.project(vertex)
        twice += last.x * next.y - next.x * last.y
        last = next
      }
      return abs(twice) / 2
    }
    return area.polygons.reduce(0) { $0 + size($1.outer) - $1.holes.reduce(0) { $0 + size($1) } }
  }
}
