import CordonCore
package import CordonGeometry
import CordonNavigation

extension VenuePlan {
  /// Returns the frame of a venue.
  ///
  /// Its origin is the centre of the bounding box of the floors' outlines and spaces. Without them, the outline of the
  /// venue or the nodes of the graph are used.
  package static func frame(of venue: Venue) -> LocalFrame {
    var points = venue.floors.flatMap { $0.outline?.vertices ?? [] }
    points += venue.spaces.flatMap(\.outline.vertices)
    if points.isEmpty { points = venue.outline?.vertices ?? [] }
    if points.isEmpty { points = venue.graph?.nodes.map(\.position) ?? [] }
    points = points.filter(\.isValid)
    guard let first = points.first else { return LocalFrame(origin: Coordinate(longitude: 0, latitude: 0)) }
    // Positions are measured from one of them, so that a venue on the antimeridian does not span the globe.
    let local = LocalFrame(origin: first)
    guard let box = PlaneBounds(points.lazy.map(local.project)) else { return local }
    let middle = PlanePoint(x: (box.low.x + box.high.x) / 2, y: (box.low.y + box.high.y) / 2)
    return LocalFrame(origin: local.unproject(middle))
  }
}

/// The projection of shapes from degrees to metres, rounded to 0.1 mm.
struct PlanProjection {
  let frame: LocalFrame

  func point(_ coordinate: Coordinate) -> PlanePoint { frame.projectRounded(coordinate) }

  func ring(_ ring: [Coordinate]) -> [PlanePoint] {
    var points: [PlanePoint] = []
    for coordinate in ring where coordinate.isValid {
      let point = point(coordinate)
      if point != points.last { points.append(point) }
    }
    while points.count > 1 && points.last == points.first { points.removeLast() }
    return points
  }

  /// Returns the parts with an area of more than 0.01 square metres.
  func polygons(_ shape: GeoMultiPolygon) -> [PlanePolygon] {
    shape.polygons.compactMap { polygon in
      let outer = ring(polygon.outer)
      guard outer.count > 2 else { return nil }
      let made = PlanePolygon(outer: outer, holes: polygon.holes.map(ring).filter { $0.count > 2 })
      return made.area > 0.01 ? made : nil
    }
  }

  /// Returns the segments of open lines.
  func segments(_ lines: [[Coordinate]]) -> [PlaneSegment] {
    lines.flatMap { line -> [PlaneSegment] in
      let points = line.filter(\.isValid).map(point)
      return zip(points, points.dropFirst()).filter { $0 != $1 }.map { PlaneSegment($0, $1) }
    }
  }
}

/// The features of a venue, by floor.
struct VenueByFloor {
  struct Contents {
    var spaces: [Space] = []
    var walls: [Barrier] = []
    var solids: [Barrier] = []
    var openings: [Opening] = []
  }

  private var contents: [FloorID: Contents] = [:]

  init(_ venue: Venue) {
    for space in venue.spaces { contents[space.floor, default: Contents()].spaces.append(space) }
    for wall in venue.walls { contents[wall.floor, default: Contents()].walls.append(wall) }
    for solid in venue.obstructions + venue.furniture {
      contents[solid.floor, default: Contents()].solids.append(solid)
    }
    for opening in venue.openings { contents[opening.floor, default: Contents()].openings.append(opening) }
  }

  subscript(floor: FloorID) -> Contents { contents[floor] ?? Contents() }
}
