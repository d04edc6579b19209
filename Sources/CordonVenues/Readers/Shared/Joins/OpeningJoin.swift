import CordonCore
import CordonGeometry

/// Finds the spaces on both sides of openings by geometry, for sources that do not contain them.
///
/// From the middle of the threshold, increasing steps to each side are tried until one lands in a space. Rooms may be
/// drawn with or without the thickness of the walls between them.
struct OpeningJoin {
  private let index: SpaceGrid
  private let outline: SpaceGrid?

  /// Distances to each side in metres, tried in this order. The longest one is a thick outer wall.
  static let steps = [0.1, 0.25, 0.5, 0.9]
  /// Maximum distance between a door that is drawn as a point and the border of a space, in metres.
  static let pointReach = 0.6

  /// Creates an index of the spaces of a floor.
  /// - Parameter outline: the outline of the building or floor; beyond it is the outside.
  init(spaces: [(id: SpaceID, outline: GeoMultiPolygon)], outline: GeoMultiPolygon?, frame: LocalFrame) {
    index = SpaceGrid(spaces, frame: frame)
    self.outline = outline.flatMap { $0.isEmpty ? nil : SpaceGrid([(SpaceID(""), $0)], frame: frame) }
  }

  struct Sides: Equatable {
    var spaces: [SpaceID]
    /// Whether one side is in no space and outside the outline.
    var leadsOut: Bool
  }

  /// Returns the spaces on both sides of a threshold.
  func sides(of line: [Coordinate]) -> Sides {
    let points = line.map(index.frame.project)
    guard let first = points.first, let last = points.last else { return Sides(spaces: [], leadsOut: false) }
    let (dx, dy) = (last.x - first.x, last.y - first.y)
    let length = (dx * dx + dy * dy).squareRoot()
    guard length > 0.01 else { return sides(of: first) }
    let middle = ShapeMeasure.middle(of: line).map(index.frame.project) ?? first
    let (nx, ny) = (-dy / length, dx / length)
    var found: [SpaceID?] = [nil, nil]
    for (side, sign) in [(0, 1.0), (1, -1.0)] {
      for step in OpeningJoin.steps {
        let point = PlanePoint(x: middle.x + sign * step * nx, y: middle.y + sign * step * ny)
        let excluded = side == 1 ? Set([found[0]].compactMap { $0 }) : []
        if let space = index.space(at: point, excluding: excluded) {
          found[side] = space
          break
        }
      }
    }
    let spaces = found.compactMap { $0 }
    var leadsOut = false
    if let outline {
      for (side, sign) in [(0, 1.0), (1, -1.0)] where found[side] == nil {
        let reach = OpeningJoin.steps[OpeningJoin.steps.count - 1]
        let point = PlanePoint(x: middle.x + sign * reach * nx, y: middle.y + sign * reach * ny)
        if outline.space(at: point) == nil { leadsOut = true }
      }
    } else {
      leadsOut = spaces.count == 1
    }
    return Sides(spaces: spaces, leadsOut: leadsOut)
  }

  /// Returns the spaces at a door that is only a point: the two with the nearest borders.
  private func sides(of point: PlanePoint) -> Sides {
    let near = Array(index.spaces(bordering: point, within: OpeningJoin.pointReach).prefix(2))
    let atEdge = outline.map { !$0.spaces(bordering: point, within: 1).isEmpty } ?? (near.count == 1)
    return Sides(spaces: near, leadsOut: near.count < 2 && atEdge)
  }

  /// Returns the space that contains a position, or otherwise one with its border near it.
  func space(at coordinate: Coordinate) -> SpaceID? {
    let point = index.frame.project(coordinate)
    return index.space(at: point) ?? index.spaces(bordering: point, within: OpeningJoin.pointReach).first
  }
}
