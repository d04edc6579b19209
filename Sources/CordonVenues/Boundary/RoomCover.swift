import CordonCore
import CordonGeometry
import CordonNavigation

/// A quick check that an area covers the rooms of a map, room by room and without a union of them.
///
/// The check is one-sided: `true` is certain, `false` means that the rooms have to be dissolved. The area is first made
/// slightly wider. Rooms inside the wider area can have at most its rim outside the area, all of them together. Every
/// other room counts as outside as a whole. If the sum is small compared with the largest room, the area covers nearly
/// all rooms.
enum RoomCover {
  /// Outlines with more vertices are not made wider, because that would take longer than it saves.
  private static let maximumVertices = 10_000
  /// The share of the largest room that may be outside.
  private static let outsideShare = 0.25
  /// The share of the largest room that the rim may have.
  private static let rimShare = 1.0 / 16
  /// Accepted widths of the rim, in metres: larger than the rounding to the grid, and smaller than drawing errors.
  private static let rimWidths = 1e-3...1.0

  static func isPlain(_ area: GeoMultiPolygon, over rooms: some Sequence<GeoPolygon>) -> Bool {
    let vertices = area.vertices
    guard vertices.count <= maximumVertices, let frame = LocalFrame(around: vertices), let geos = GeosContext() else {
      return false
    }
    let parts = area.polygons.map { PlanePolygon($0, in: frame) }
    let outlines = rooms.compactMap { room -> [PlanePoint]? in
      let outer = room.outer.filter(\.isValid)
      return outer.count >= 3 ? outer.map { frame.project($0) } : nil
    }
    do {
      guard let largest = try largestRoom(rooms, in: frame, geos) else { return false }
      let length = parts.reduce(0) { $0 + ([$1.outer] + $1.holes).reduce(0) { $0 + RoomCover.length($1) } }
      let width = min(largest * rimShare / max(length, 1), rimWidths.upperBound)
      guard width >= rimWidths.lowerBound else { return false }
      let grown = try geos.grown(parts, by: width)
      let holes = grown.flatMap(\.holes).map(Box.init)
      var outside = try geos.area(of: grown) - geos.area(of: parts)
      let covered = try geos.covers(grown, rings: outlines)
      for (outline, isCovered) in zip(outlines, covered) {
        let box = Box(outline)
        // The outline of a room that surrounds a hole does not show whether the room covers the hole.
        if isCovered, !holes.contains(where: { $0.meets(box) }) { continue }
        outside += box.area
        guard outside <= largest * outsideShare else { return false }
      }
      return outside <= largest * outsideShare
    } catch {
      // If GEOS fails here, it reports the failure again when it dissolves the rooms.
      return false
    }
  }

  /// Returns the area of the largest room that is a valid polygon, in square metres.
  private static func largestRoom(
    _ rooms: some Sequence<GeoPolygon>, in frame: LocalFrame, _ geos: GeosContext
  ) throws(GeosError) -> Double? {
    var sized: [(area: Double, room: GeoPolygon)] = []
    for room in rooms where room.rings.allSatisfy({ $0.allSatisfy(\.isValid) }) {
      let area = abs(RingMeasure.signedArea(room.outer.map { frame.project($0) }))
      if area > (sized.last?.area ?? 0) { sized.append((area, room)) }
    }
    for (_, room) in sized.suffix(4).reversed() {
      let polygon = PlanePolygon(room, in: frame)
      if try geos.invalidity(of: polygon) == nil { return try geos.area(of: [polygon]) }
    }
    return nil
  }

  private static func length(_ ring: [PlanePoint]) -> Double {
    guard var from = ring.last else { return 0 }
    var length = 0.0
    for to in ring {
      length += ((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y)).squareRoot()
      from = to
    }
    return length
  }

  /// The bounding box of a ring.
  private struct Box {
    var west = Double.infinity
    var south = Double.infinity
    var east = -Double.infinity
    var north = -Double.infinity

    init(_ ring: [PlanePoint]) {
      for point in ring {
        west = min(west, point.x)
        south = min(south, point.y)
        east = max(east, point.x)
        north = max(north, point.y)
      }
    }

    var area: Double { max(east - west, 0) * max(north - south, 0) }

    func meets(_ other: Box) -> Bool {
      west <= other.east && other.west <= east && south <= other.north && other.south <= north
    }
  }
}
