internal import CordonCore
internal import CordonGeometry

/// The walls of a venue's floors, which contacts are looked through.
struct VenueWalls: Hashable, Sendable {
  /// The origin of the frame in which they are given.
  private let origin: Coordinate
  /// By `FloorOrdinal.thousandths`; a floor without walls has an empty list, one that is not mapped none.
  private let segments: [Int32: [WallSegment]]

  init(origin: Coordinate, segments: [Int32: [WallSegment]]) {
    self.origin = origin
    self.segments = segments
  }

  init(_ venue: PackedVenue) {
    let ordinals = Dictionary(venue.floors.map { ($0.id, $0.ordinal.thousandths) }) { first, _ in first }
    var segments: [Int32: [WallSegment]] = [:]
    for walls in venue.walls {
      if let floor = ordinals[walls.floor] { segments[floor, default: []] += walls.segments }
    }
    self.init(origin: venue.frameOrigin, segments: segments)
  }

  /// The walls in the frame in which a venue's positions are projected.
  func indexes(in frame: LocalFrame) -> [Int32: WallIndex] {
    guard frame.origin != origin else { return segments.mapValues { WallIndex($0) } }
    let own = LocalFrame(origin: origin)
    return segments.mapValues { walls in
      WallIndex(
        walls.map { wall in
          WallSegment(frame.project(own.unproject(wall.a)), frame.project(own.unproject(wall.b)))
        })
    }
  }
}
