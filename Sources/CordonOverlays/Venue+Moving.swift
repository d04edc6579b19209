import CordonCore
import CordonGeometry
import CordonVenues

extension Venue {
  /// Moves everything on a floor.
  /// - Parameters:
  ///   - index: the floor in `floors`.
  ///   - east: the distance to the east, in metres.
  ///   - north: the distance to the north, in metres.
  mutating func move(floor index: Int, east: Double, north: Double) {
    let floor = floors[index].id
    let shift = FloorShift(east: east, north: north)
    floors[index].outline = floors[index].outline.map(shift.moved)
    for at in spaces.indices where spaces[at].floor == floor { spaces[at].outline = shift.moved(spaces[at].outline) }
    walls = walls.map { $0.floor == floor ? shift.moved($0) : $0 }
    obstructions = obstructions.map { $0.floor == floor ? shift.moved($0) : $0 }
    furniture = furniture.map { $0.floor == floor ? shift.moved($0) : $0 }
    for at in zones.indices where zones[at].floors == [floor] { zones[at].outline = shift.moved(zones[at].outline) }
    for at in annotations.indices where annotations[at].floor == floor {
      annotations[at].lines = annotations[at].lines.map { $0.map(shift.moved) }
    }
    for at in openings.indices where openings[at].floor == floor {
      openings[at].line = openings[at].line.map(shift.moved)
    }
    for at in connections.indices {
      for landing in connections[at].landings.indices where connections[at].landings[landing].floor == floor {
        connections[at].landings[landing].position = shift.moved(connections[at].landings[landing].position)
      }
    }
    for at in pointsOfInterest.indices where pointsOfInterest[at].floor == floor {
      pointsOfInterest[at].position = pointsOfInterest[at].position.map(shift.moved)
    }
    if var moved = graph {
      for at in moved.nodes.indices where moved.nodes[at].floor == floor {
        moved.nodes[at].position = shift.moved(moved.nodes[at].position)
      }
      graph = moved
    }
  }
}

/// A displacement on the ground.
private struct FloorShift {
  let east: Double
  let north: Double

  func moved(_ coordinate: Coordinate) -> Coordinate {
    LocalFrame(origin: coordinate).unproject(PlanePoint(x: east, y: north))
  }

  func moved(_ area: GeoMultiPolygon) -> GeoMultiPolygon {
    GeoMultiPolygon(
      area.polygons.map { GeoPolygon(outer: $0.outer.map(moved), holes: $0.holes.map { $0.map(moved) }) })
  }

  func moved(_ barrier: Barrier) -> Barrier {
    var barrier = barrier
    switch barrier.shape {
    case .lines(let lines): barrier.shape = .lines(lines.map { $0.map(moved) })
    case .area(let area): barrier.shape = .area(moved(area))
    }
    return barrier
  }
}
