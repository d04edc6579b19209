import CordonGeometry
import CordonNavigation

/// A threshold with its directions, to cut walls and to find the spaces on its sides.
struct DoorCut {
  let line: PlaneSegment
  let middle: PlanePoint
  let halfWidth: Double
  /// Unit vector along the threshold.
  let along: PlanePoint
  /// Unit vector through the door.
  let through: PlanePoint

  /// Creates a cut; returns `nil` for a threshold without length.
  init?(_ line: PlaneSegment, minimumWidth: Double) {
    let length = line.length
    guard length > 1e-6 else { return nil }
    let along = PlanePoint(x: (line.b.x - line.a.x) / length, y: (line.b.y - line.a.y) / length)
    let middle = line.middle
    let half = max(length, minimumWidth) / 2
    self.middle = middle
    self.along = along
    halfWidth = half
    through = PlanePoint(x: -along.y, y: along.x)
    self.line = PlaneSegment(
      PlanePoint(x: middle.x - along.x * half, y: middle.y - along.y * half),
      PlanePoint(x: middle.x + along.x * half, y: middle.y + along.y * half))
  }

  /// Returns the point `depth` metres through the door and `offset` metres along it.
  func point(offset: Double = 0, depth: Double) -> PlanePoint {
    PlanePoint(
      x: middle.x + along.x * offset + through.x * depth, y: middle.y + along.y * offset + through.y * depth)
  }

  /// Returns the part of a wall in front of the door, as fractions of the wall, and the distance of its nearer end.
  ///
  /// The result is `nil` if the wall runs across the direction of the threshold or beside it.
  func stretch(of wall: PlaneSegment) -> (from: Double, to: Double, depth: Double)? {
    let length = wall.length
    guard length > 1e-9 else { return nil }
    let dx = (wall.b.x - wall.a.x) / length
    let dy = (wall.b.y - wall.a.y) / length
    // At more than 30 degrees, the wall ends at the door instead of containing it.
    guard abs(dx * along.y - dy * along.x) < 0.5 else { return nil }
    let a = local(wall.a)
    let b = local(wall.b)
    let span = b.offset - a.offset
    guard abs(span) > 1e-9 else { return nil }
    let t0 = min(max((-halfWidth - a.offset) / span, 0), 1)
    let t1 = min(max((halfWidth - a.offset) / span, 0), 1)
    let (from, to) = (min(t0, t1), max(t0, t1))
    guard to - from > 1e-9 else { return nil }
    let depths = [from, to].map { abs(a.depth + (b.depth - a.depth) * $0) }
    return (from, to, min(depths[0], depths[1]))
  }

  /// Returns a rectangle over the threshold, from `back` metres behind it to `front` metres in front of it.
  func rectangle(back: Double, front: Double) -> PlanePolygon {
    PlanePolygon(outer: [
      point(offset: -halfWidth, depth: -back), point(offset: halfWidth, depth: -back),
      point(offset: halfWidth, depth: front), point(offset: -halfWidth, depth: front),
    ])
  }

  private func local(_ point: PlanePoint) -> (offset: Double, depth: Double) {
    let dx = point.x - middle.x
    let dy = point.y - middle.y
    return (dx * along.x + dy * along.y, dx * through.x + dy * through.y)
  }
}

extension [PlaneSegment] {
  /// Removes the parts of walls in front of a door, and returns whether there were any.
  ///
  /// These are the nearest wall within `reach` metres, and walls at most `thickness` metres behind it, such as the
  /// other face.
  mutating func cut(by door: DoorCut, reach: Double, thickness: Double) -> Bool {
    let near = PlaneBounds(low: door.middle, high: door.middle)
    let margin = door.halfWidth + reach + thickness
    var stretches: [(index: Int, from: Double, to: Double, depth: Double)] = []
    for (index, wall) in enumerated() {
      guard let box = PlaneBounds([wall.a, wall.b]), box.overlaps(near, margin: margin),
        let stretch = door.stretch(of: wall)
      else { continue }
      stretches.append((index, stretch.from, stretch.to, stretch.depth))
    }
    guard let nearest = stretches.map(\.depth).min(), nearest <= reach else { return false }
    var pieces: [PlaneSegment] = []
    var removed: Set<Int> = []
    for stretch in stretches where stretch.depth <= nearest + thickness {
      let wall = self[stretch.index]
      removed.insert(stretch.index)
      let length = wall.length
      if stretch.from * length > 0.001 { pieces.append(PlaneSegment(wall.a, wall.point(at: stretch.from))) }
      if (1 - stretch.to) * length > 0.001 { pieces.append(PlaneSegment(wall.point(at: stretch.to), wall.b)) }
    }
    self = enumerated().filter { !removed.contains($0.offset) }.map(\.element) + pieces
    return true
  }

  /// Returns the segment nearest to a point, within `reach` metres.
  func nearest(to point: PlanePoint, within reach: Double) -> PlaneSegment? {
    var best: (piece: PlaneSegment, distance: Double)?
    for piece in self {
      let distance = piece.distance(to: point)
      if distance <= reach, distance < best?.distance ?? .infinity { best = (piece, distance) }
    }
    return best?.piece
  }
}
