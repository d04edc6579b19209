import CordonCore
import CordonGeometry
import CordonNavigation

/// Collects the doors of one floor, cuts them into the walls and finds the spaces that they connect.
struct DoorDrafts {
  private(set) var doors: [PlanDoor] = []
  private(set) var passages: [PlanePolygon] = []
  private(set) var cutCount = 0
  private(set) var withoutWallCount = 0
  /// The thresholds of closed doors.
  private(set) var closedThresholds: [PlaneSegment] = []
  /// The names, otherwise the identifiers, of closed doors without a wall.
  private(set) var closedToNoEffect: [String] = []
  /// The spaces behind closed doors; they get no assumed door.
  private var behindClosedDoors: Set<Int> = []
  private let floor: Int
  private let firstSpace: Int
  private let spaces: [PlanSpace]
  private let bySize: [Int]
  private let union: AreaUnion
  private let edges: [PlaneSegment]
  private let settings: PlanSettings
  private let areas: [SpaceID: Double]

  init(floor: Int, firstSpace: Int, spaces: [PlanSpace], union: AreaUnion, settings: PlanSettings) {
    self.floor = floor
    self.firstSpace = firstSpace
    self.spaces = spaces
    self.union = union
    self.settings = settings
    bySize = spaces.indices.sorted { (spaces[$0].area, $0) < (spaces[$1].area, $1) }
    areas = Dictionary(spaces.map { ($0.id, $0.area) }) { max($0, $1) }
    edges = union.polygons.flatMap(\.edges)
  }

  /// Adds an opening of the map to the walls.
  mutating func add(_ opening: Opening, walls: inout [PlaneSegment], projection: PlanProjection) {
    switch place(of: opening, among: walls, projection: projection) {
    case .nowhere: break
    case .inNoWall: withoutWallCount += 1
    case .at(let cut):
      add(
        cut, id: opening.id, name: opening.name.text() ?? "", isEntrance: opening.isEntrance,
        isTwoWay: opening.isTwoWay, first: opening.spaces.first, walls: &walls)
    }
  }

  /// Adds a door that connects a part of the floor without a way to it.
  mutating func add(_ mend: PlanMends.Door, walls: inout [PlaneSegment]) {
    guard let cut = DoorCut(mend.line, minimumWidth: settings.minimumDoorWidth) else { return }
    let id = (mend.isSeam ? PlanDoor.seamPrefix : PlanDoor.assumedPrefix) + mend.space.rawValue
    // The space may have an assumed door already, which leads to other unreachable spaces.
    let number = doors.count { $0.id == id || $0.id.hasPrefix(id + ":") }
    add(
      cut, id: number == 0 ? id : "\(id):\(number + 1)", isEntrance: false, isTwoWay: true, isMend: true, walls: &walls)
  }

  /// Handles a closed opening of the map, which leaves the walls unchanged.
  mutating func close(_ opening: Opening, walls: [PlaneSegment], projection: PlanProjection) {
    behindClosedDoors.formUnion(spaces.indices.filter { opening.spaces.contains(spaces[$0].id) })
    guard case .at(let cut) = place(of: opening, among: walls, projection: projection) else {
      if !opening.isEntrance { closedToNoEffect.append(opening.name.text() ?? opening.id) }
      return
    }
    behindClosedDoors.formUnion([-1.0, 1.0].compactMap { side in space(beside: cut, sign: side) })
    var opened = walls
    if opened.cut(by: cut, reach: settings.doorReach, thickness: settings.wallThickness) {
      closedThresholds.append(cut.line)
    } else if !opening.isEntrance, let back = depth(of: cut, sign: -1), let front = depth(of: cut, sign: 1),
      back + front <= 0.1
    {
      // The opening is neither in a wall nor in a gap between two areas.
      closedToNoEffect.append(opening.name.text() ?? opening.id)
    }
  }

  private enum DoorPlace {
    case nowhere, inNoWall
    case at(DoorCut)
  }

  /// Returns the position of an opening of the map.
  private func place(of opening: Opening, among walls: [PlaneSegment], projection: PlanProjection) -> DoorPlace {
    let points = opening.line.filter(\.isValid).map(projection.point)
    guard let first = points.first, let last = points.last else { return .nowhere }
    var threshold = PlaneSegment(first, last)
    if threshold.length < 0.05 {
      // The path to a desk that is drawn as a space is not a door, even if a wall is near.
      guard !joinsOnlySmallSpaces(opening) else { return .inNoWall }
      // The wall next to a point determines the direction of the threshold.
      let wall = walls.nearest(to: first, within: settings.doorReach)
      guard let wall = wall ?? edges.nearest(to: first, within: settings.doorReach) else { return .inNoWall }
      threshold = DoorDrafts.threshold(on: wall, near: first, width: settings.doorWidth)
    }
    return DoorCut(threshold, minimumWidth: settings.minimumDoorWidth).map(DoorPlace.at) ?? .nowhere
  }

  private func joinsOnlySmallSpaces(_ opening: Opening) -> Bool {
    !opening.isEntrance && !opening.spaces.isEmpty
      && opening.spaces.allSatisfy { (areas[$0] ?? 0) < settings.minimumRoomArea }
  }

  private mutating func add(
    _ cut: DoorCut, id: String, name: String = "", isEntrance: Bool, isTwoWay: Bool, first: SpaceID? = nil,
    isMend: Bool = false, walls: inout [PlaneSegment]
  ) {
    let wasCut = walls.cut(by: cut, reach: settings.doorReach, thickness: settings.wallThickness)
    if wasCut { cutCount += 1 } else { withoutWallCount += 1 }
    let back = depth(of: cut, sign: -1)
    let front = depth(of: cut, sign: 1)
    if let back, let front, wasCut || isMend || back + front > 0.1 {
      passages.append(cut.rectangle(back: back + 0.05, front: front + 0.05))
    }
    let sides = [-1.0, 1.0].compactMap { side in space(beside: cut, sign: side) }
    var joined = sides.count == 2 && sides[0] == sides[1] ? [sides[0]] : sides
    // The order in the map determines the direction of a one-way door.
    if joined.count == 2, let first, spaces[joined[1]].id == first { joined.reverse() }
    doors.append(
      PlanDoor(
        id: id, name: name, floor: floor, line: cut.line, spaces: joined.map { $0 + firstSpace },
        isEntrance: isEntrance,
        isOnShell: (back == nil) != (front == nil), isTwoWay: isTwoWay))
  }

  /// Returns the distance through the door at which the walkable area begins; `nil` if it is out of reach.
  private func depth(of cut: DoorCut, sign: Double) -> Double? {
    var depth = 0.02
    while depth <= settings.passageReach {
      if union.contains(cut.point(depth: sign * depth)) { return depth }
      depth += 0.04
    }
    return nil
  }

  private func space(beside cut: DoorCut, sign: Double) -> Int? {
    for depth in [0.1, 0.25, 0.45, 0.7] {
      let point = cut.point(depth: sign * depth)
      if let index = bySize.first(where: { spaces[$0].contains(point) }) { return index }
    }
    return nil
  }

  /// Adds a door to enclosed spaces without one, in the longest border with a reachable space.
  ///
  /// Open spaces count as reachable at first, then rooms behind rooms, until nothing changes.
  mutating func assume(walls: inout [PlaneSegment]) {
    var reached = Set(spaces.indices.filter { !spaces[$0].kind.isEnclosed })
    reached.formUnion(behindClosedDoors)
    for door in doors { reached.formUnion(door.spaces.map { $0 - firstSpace }) }
    var changed = true
    while changed {
      changed = false
      var added: [Int] = []
      for index in spaces.indices where !reached.contains(index) {
        guard let cut = bestBorder(of: index, with: reached) else { continue }
        add(
          cut, id: PlanDoor.assumedPrefix + spaces[index].id.rawValue, isEntrance: false, isTwoWay: true, walls: &walls)
        added.append(index)
        changed = true
      }
      reached.formUnion(added)
    }
  }

  /// Returns the middle of the longest straight border of a space with one of `others`.
  private func bestBorder(of index: Int, with others: Set<Int>) -> DoorCut? {
    var best: (line: PlaneSegment, length: Double)?
    let neighbours = others.sorted().filter { other in
      spaces[other].polygons.contains { polygon in
        spaces[index].polygons.contains { own in
          guard let a = polygon.bounds, let b = own.bounds else { return false }
          return a.overlaps(b, margin: settings.passageReach)
        }
      }
    }
    for edge in spaces[index].polygons.flatMap(\.edges) where edge.length >= settings.minimumDoorWidth {
      let cells = max(1, Int(edge.length / 0.2))
      var runStart: Int?
      for cell in 0...cells {
        let isBorder =
          cell < cells && borders(edge, at: (Double(cell) + 0.5) / Double(cells), of: index, on: neighbours)
        if isBorder && runStart == nil { runStart = cell }
        if !isBorder, let start = runStart {
          let from = edge.point(at: Double(start) / Double(cells))
          let to = edge.point(at: Double(cell) / Double(cells))
          let length = PlaneSegment(from, to).length
          if length > (best?.length ?? settings.minimumDoorWidth) + 1e-9 { best = (PlaneSegment(from, to), length) }
          runStart = nil
        }
      }
    }
    guard let best else { return nil }
    let width = min(settings.doorWidth, best.length - 0.1)
    return DoorCut(
      DoorDrafts.threshold(on: best.line, near: best.line.middle, width: width), minimumWidth: settings.minimumDoorWidth
    )
  }

  private func borders(_ edge: PlaneSegment, at fraction: Double, of index: Int, on neighbours: [Int]) -> Bool {
    let point = edge.point(at: fraction)
    let length = edge.length
    for depth in [0.05, 0.2, 0.4, 0.6] {
      for sign in [-1.0, 1.0] {
        let beside = PlanePoint(
          x: point.x - (edge.b.y - edge.a.y) / length * depth * sign,
          y: point.y + (edge.b.x - edge.a.x) / length * depth * sign)
        if spaces[index].contains(beside) { continue }
        if neighbours.contains(where: { spaces[$0].contains(beside) }) { return true }
      }
    }
    return false
  }

  private static func threshold(on wall: PlaneSegment, near point: PlanePoint, width: Double) -> PlaneSegment {
    let middle = wall.point(at: wall.fractionNearest(to: point))
    let length = max(wall.length, 1e-9)
    let x = (wall.b.x - wall.a.x) / length * width / 2
    let y = (wall.b.y - wall.a.y) / length * width / 2
    return PlaneSegment(PlanePoint(x: middle.x - x, y: middle.y - y), PlanePoint(x: middle.x + x, y: middle.y + y))
  }
}
