import CordonGeometry
import CordonNavigation
import CordonVenues

/// All floors of a venue side by side in one plane, so that one crowd can walk on all of them.
struct FloorPlane {
  let world: World
  /// Eastward shift of each floor, in metres.
  private let shifts: [Double]
  /// Walls and obstructions, in the plane.
  let walls: [PlaneSegment]
  /// Lines that can be crossed only from right to left, in the plane.
  let oneWays: [PlaneSegment]
  /// The free parts of the thresholds of doorways through which a body fits, in the plane.
  let doors: [PlaneSegment]
  /// By floor: thresholds in the floor's own frame, and the doorway of each.
  private let thresholds: [SegmentGrid]
  private let doorOfThreshold: [[Int]]

  /// Distance between two floors, in metres: more than the reach of any interaction.
  private static let spacing = 30.0
  /// Distance that a centre keeps from walls in a doorway, in metres.
  private static let bodyClearance = 0.18

  init(_ world: World) {
    var shifts: [Double] = []
    var walls: [PlaneSegment] = []
    var oneWays: [PlaneSegment] = []
    var doors: [PlaneSegment] = []
    var thresholds: [SegmentGrid] = []
    var doorOfThreshold: [[Int]] = []
    var east = 0.0
    for (floor, raster) in world.routes.navigation.floors.enumerated() {
      // Shifts are whole metres, so that conversion there and back does not round.
      let shift = (east - raster.origin.x).rounded(.up)
      shifts.append(shift)
      east = raster.origin.x + shift + Double(raster.columns) * raster.cellSize + FloorPlane.spacing
      walls += raster.barriers.segments.map { $0.moved(east: shift) }
      oneWays += raster.oneWays?.segments.map { $0.moved(east: shift) } ?? []
      var lines: [PlaneSegment] = []
      var numbers: [Int] = []
      for door in world.plan.doors where door.floor == floor {
        guard let free = FloorPlane.freePart(of: door.line, among: raster.barriers) else { continue }
        lines.append(door.line)
        numbers.append(doors.count)
        doors.append(free.moved(east: shift))
      }
      thresholds.append(SegmentGrid(lines))
      doorOfThreshold.append(numbers)
    }
    self.world = world
    (self.shifts, self.walls, self.oneWays, self.doors) = (shifts, walls, oneWays, doors)
    (self.thresholds, self.doorOfThreshold) = (thresholds, doorOfThreshold)
  }

  /// Returns the longest part of a threshold through which a body fits; `nil` if there is none.
  private static func freePart(of line: PlaneSegment, among barriers: SegmentGrid) -> PlaneSegment? {
    let length = line.length
    guard length > 0.1, length < 60 else { return nil }
    let samples = max(Int(length / 0.05), 2)
    var best = 0...0
    var bestCount = 0
    var from: Int?
    for index in 0...(samples + 1) {
      let isFree =
        index <= samples
        && barriers.distance(to: line.point(at: Double(index) / Double(samples)), limit: 0.3) >= bodyClearance
      if isFree {
        if from == nil { from = index }
      } else if let start = from {
        if index - start > bestCount { (best, bestCount) = (start...(index - 1), index - start) }
        from = nil
      }
    }
    guard bestCount > 0 else { return nil }
    let body = 0.2 / length
    return PlaneSegment(
      line.point(at: Double(best.lowerBound) / Double(samples) - body),
      line.point(at: Double(best.upperBound) / Double(samples) + body))
  }

  /// Converts a point of a floor to the plane.
  func plane(_ point: PlanePoint, floor: Int) -> PlanePoint { PlanePoint(x: point.x + shifts[floor], y: point.y) }

  /// Converts a point of the plane to its floor, rounded to 0.1 mm.
  func local(_ point: PlanePoint, floor: Int) -> PlanePoint {
    PlanePoint(x: ((point.x - shifts[floor]) * 1e4).rounded() / 1e4, y: (point.y * 1e4).rounded() / 1e4)
  }

  /// Returns the centre of a place, in the plane.
  func center(of place: Place) -> PlanePoint {
    plane(world.routes.navigation.center(of: place), floor: place.floor)
  }

  /// Returns the walkable place at or next to a point of a floor.
  func place(at point: PlanePoint, floor: Int) -> Place? {
    let raster = world.routes.navigation.floors[floor]
    if let cell = raster.cell(at: point), raster.isWalkable(cell),
      !raster.barriers.isCrossed(from: point, to: raster.center(of: cell))
    {
      return Place(floor: floor, cell: cell)
    }
    // A body fits into corners that contain no cell; the person leaves such a corner first.
    return world.routes.navigation.place(near: point, floor: floor, within: 0.8, seeing: true)
      ?? world.routes.navigation.place(near: point, floor: floor, within: 2.5, seeing: true)
      ?? world.routes.navigation.place(near: point, floor: floor, within: 0.8)
  }

  /// Returns the waypoints of a walk with the given corners: its doorways, and the corners that belong to none.
  ///
  /// With `isCareful`, which is for people who made no progress that way, every corner is passed closely. The end keeps its radius:
  /// people who queue in front of it make no progress either, and only few could come closer.
  func marks(along corners: [PlanePoint], floor: Int, radius: Double, isCareful: Bool = false) -> [CrowdWaypoint] {
    if isCareful {
      return corners.indices.dropFirst().map { index in
        .point(
          plane(corners[index], floor: floor), radius: index == corners.count - 1 ? radius : min(radius, 0.15))
      }
    }
    let barriers = world.routes.navigation.floors[floor].barriers
    func sees(_ a: PlanePoint, _ b: PlanePoint) -> Bool {
      !barriers.isCrossed(from: local(a, floor: floor), to: local(b, floor: floor))
    }
    var marks: [CrowdWaypoint] = []
    var doorways: [PlaneSegment] = []
    for index in corners.indices.dropFirst() {
      let leg = PlaneSegment(corners[index - 1], corners[index])
      let crossed = thresholds[floor].crossings(from: leg.a, to: leg.b).compactMap {
        threshold -> (Double, CrowdWaypoint, Int)? in
        let door = doorOfThreshold[floor][threshold]
        guard let toLeft = FloorPlane.side(ofLeg: index, of: corners, over: thresholds[floor].segments[threshold])
        else {
          return nil
        }
        let mark = CrowdWaypoint.door(doors[door], toLeft: toLeft, number: door)
        return (leg.fractionNearest(to: local(mark.middle, floor: floor)), mark, door)
      }
      for (_, mark, door) in crossed.sorted(by: { $0.0 < $1.0 }) {
        // Two thresholds of one doorway, one on each face of its wall, count as one.
        if let last = doorways.last, PlaneSegment(last.middle, mark.middle).length < 0.6 { continue }
        doorways.append(doors[door])
        // A corner in front of the doorway is left out, unless the doorway is not visible without it.
        let before = marks.count > 1 ? marks[marks.count - 2].far : plane(corners[0], floor: floor)
        if let last = marks.last, !last.isDoor, isAt(mark, last.middle), sees(before, mark.near) {
          marks.removeLast()
        }
        marks.append(mark)
      }
      let corner = plane(corners[index], floor: floor)
      if index == corners.count - 1 {
        marks.append(.point(corner, radius: radius))
      } else if let last = marks.last, last.isDoor, isAt(last, corner),
        sees(last.far, plane(corners[index + 1], floor: floor))
      {
        continue
      } else {
        marks.append(.point(corner, radius: 0.35))
      }
    }
    return marks
  }

  /// Returns whether the leg that ends at a corner crosses a line to its left; `nil` if the leg does not cross the
  /// line.
  ///
  /// The centre of a cell can lie on a threshold. The leg that reaches it then crosses the line if the next leg
  /// continues to the other side.
  private static func side(ofLeg index: Int, of corners: [PlanePoint], over line: PlaneSegment) -> Bool? {
    func side(_ point: PlanePoint) -> Double {
      let distance =
        ((line.b.x - line.a.x) * (point.y - line.a.y) - (line.b.y - line.a.y) * (point.x - line.a.x))
        / max(line.length, 1e-9)
      return abs(distance) < 1e-3 ? 0 : distance
    }
    let before = side(corners[index - 1])
    if before == 0, index > 1 { return nil }
    let after = corners[index...].lazy.map(side).first { $0 != 0 } ?? -before
    return after == 0 || before * after > 0 ? nil : after > 0
  }

  private func isAt(_ door: CrowdWaypoint, _ corner: PlanePoint) -> Bool {
    let dx = corner.x - door.middle.x
    let dy = corner.y - door.middle.y
    let depth = dx * door.through.x + dy * door.through.y
    let offset = dx * door.along.x + dy * door.along.y
    return abs(depth) < 0.5 && abs(offset) < door.halfWidth + 0.3
  }
}

extension PlaneSegment {
  func moved(east: Double) -> PlaneSegment {
    PlaneSegment(PlanePoint(x: a.x + east, y: a.y), PlanePoint(x: b.x + east, y: b.y))
  }
}
