internal import CordonCore
package import CordonGeometry

extension RunVenue {
  /// The walls of each storey with any walls, by `FloorOrdinal.thousandths`, for tests of sight lines.
  package var wallIndexes: [Int32: WallIndex] {
    var walls: [Int32: [WallSegment]] = [:]
    for floor in floors {
      for line in floor.walls where line.count > 1 {
        walls[floor.ordinal.thousandths, default: []] += zip(line, line.dropFirst()).map { WallSegment($0, $1) }
      }
    }
    return walls.mapValues { WallIndex($0) }
  }
}
