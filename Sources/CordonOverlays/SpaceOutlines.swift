import CordonGeometry
import CordonVenues

/// The outlines of spaces in metres, for the thresholds of doors.
struct SpaceOutlines {
  /// The length of the pieces into which borders are cut, in metres.
  private static let piece = 0.1

  let frame: LocalFrame

  /// The edges of a space.
  func edges(of space: Space) -> [PlaneSegment] {
    space.outline.polygons.flatMap(\.rings).flatMap { ring in
      let points = ring.map(frame.project)
      return points.indices.map { PlaneSegment(points[$0], points[($0 + 1) % points.count]) }
    }.filter { $0.length > 0.01 }
  }

  /// The distance of a point from a border.
  func distance(from point: PlanePoint, to edges: [PlaneSegment]) -> Double {
    edges.reduce(.infinity) { min($0, $1.distance(to: point)) }
  }

  /// Returns the longest part of the border of a space that lies near another space.
  /// - Parameter reach: the greatest distance between both borders, in metres.
  /// - Returns: the part, or `nil` with the least distance between the borders if they are farther apart everywhere.
  func sharedBorder(
    of first: [PlaneSegment], with second: [PlaneSegment], reach: Double
  ) -> (part: PlaneSegment?, distance: Double) {
    var best: PlaneSegment?
    var least = Double.infinity
    for edge in first {
      let count = max(1, Int((edge.length / SpaceOutlines.piece).rounded(.up)))
      var start: Int?
      for index in 0...count {
        var isNear = false
        if index < count {
          let distance = distance(from: edge.point(at: (Double(index) + 0.5) / Double(count)), to: second)
          least = min(least, distance)
          isNear = distance <= reach
        }
        if isNear, start == nil { start = index }
        if !isNear, let from = start {
          let part = PlaneSegment(
            edge.point(at: Double(from) / Double(count)), edge.point(at: Double(index) / Double(count)))
          if part.length > best?.length ?? 0 { best = part }
          start = nil
        }
      }
    }
    return (best, least)
  }

  /// Returns the threshold of a door along the edge nearest to a point.
  func threshold(on edges: [PlaneSegment], near point: PlanePoint, width: Double) -> PlaneSegment? {
    guard let edge = edges.min(by: { $0.distance(to: point) < $1.distance(to: point) }) else { return nil }
    return threshold(along: edge, at: edge.point(at: edge.fractionNearest(to: point)), width: width)
  }

  /// Returns the threshold of a door with its middle on an edge.
  func threshold(along edge: PlaneSegment, at middle: PlanePoint, width: Double) -> PlaneSegment {
    let x = (edge.b.x - edge.a.x) / edge.length * width / 2
    let y = (edge.b.y - edge.a.y) / edge.length * width / 2
    return PlaneSegment(PlanePoint(x: middle.x - x, y: middle.y - y), PlanePoint(x: middle.x + x, y: middle.y + y))
  }

  /// Returns the threshold in the middle of the wall between two spaces.
  func centred(_ line: PlaneSegment, between first: [PlaneSegment], _ second: [PlaneSegment]) -> PlaneSegment {
    guard let here = nearest(to: line.middle, on: first), let there = nearest(to: line.middle, on: second) else {
      return line
    }
    let x = (here.x + there.x) / 2 - line.middle.x
    let y = (here.y + there.y) / 2 - line.middle.y
    return PlaneSegment(PlanePoint(x: line.a.x + x, y: line.a.y + y), PlanePoint(x: line.b.x + x, y: line.b.y + y))
  }

  private func nearest(to point: PlanePoint, on edges: [PlaneSegment]) -> PlanePoint? {
    edges.min { $0.distance(to: point) < $1.distance(to: point) }.map { $0.point(at: $0.fractionNearest(to: point)) }
  }

  /// The threshold as coordinates.
  func coordinates(_ segment: PlaneSegment) -> [Coordinate] {
    [frame.unproject(segment.a), frame.unproject(segment.b)]
  }
}
