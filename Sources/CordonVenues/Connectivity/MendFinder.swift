import CordonCore
import CordonGeometry
import CordonNavigation

/// Finds the doors and connections that connect unreachable parts of a plan with its entrances.
///
/// A part is *rooted* if it has an entrance of the map that does not lead nowhere. If there is none, the largest part
/// is rooted. The finder connects other parts with rooted ones.
struct MendFinder {
  private let routes: PlanNavigation
  private let settings: PlanSettings
  private let parts: [Connectivity.Part]
  private let rootedGroups: Set<Int>
  /// The root of each group that was connected with another one.
  private var parent: [Int: Int] = [:]

  init(_ routes: PlanNavigation, settings: PlanSettings) {
    self.routes = routes
    self.settings = settings
    let connectivity = Connectivity(routes)
    parts = connectivity.parts
    let nowhere = Set(connectivity.entrancesToNowhere.map(\.part.group))
    let entered = parts.filter { part in
      !nowhere.contains(part.group) && !part.spaces.isEmpty
        && part.entrances.contains { $0.source != .nearestToShell }
    }
    rootedGroups = Set((entered.isEmpty ? Array(parts.prefix(1)) : entered).map(\.group))
  }

  /// Whether some part with spaces is not rooted.
  var hasWork: Bool { parts.contains { !rootedGroups.contains($0.group) && !$0.spaces.isEmpty } }

  /// The spaces of rooted parts.
  var rootedSpaces: Set<Int> { Set(parts.filter { rootedGroups.contains($0.group) }.flatMap(\.spaces)) }

  /// Returns the mends that connect as many parts as possible.
  /// - Parameter attempted: the spaces that get no further door.
  mutating func mends(without attempted: Set<SpaceID>) -> PlanMends {
    for group in rootedGroups.sorted().dropFirst() { unite(group, rootedGroups.min() ?? group) }
    var mends = PlanMends()
    mends.joints = joints()
    mends.doors = doors(without: attempted)
    return mends
  }

  private func root(_ group: Int) -> Int {
    var group = group
    while let next = parent[group] { group = next }
    return group
  }

  private mutating func unite(_ a: Int, _ b: Int) {
    let (x, y) = (root(a), root(b))
    if x != y { parent[max(x, y)] = min(x, y) }
  }

  private func isRooted(_ group: Int) -> Bool { rootedGroups.contains { root($0) == root(group) } }
}

// MARK: - Connections between floors

extension MendFinder {
  /// The distance in metres within which stairs of two floors count as one flight, if a floor is drawn displaced.
  private static let reach = 4.0

  /// Connects stairs and elevators of floors without a rooted part with those of the next floor.
  private mutating func joints() -> [PlanMends.Joint] {
    let plan = routes.plan
    let rootedFloors = Set(parts.filter { rootedGroups.contains($0.group) }.flatMap(\.floors))
    guard rootedFloors.count < plan.floors.count else { return [] }
    let ordinals = Set(plan.floors.map(\.ordinal)).sorted()
    let ends = plan.spaces.indices.compactMap { space -> End? in
      guard plan.spaces[space].kind.isVertical, let position = plan.spaces[space].innerPoint else { return nil }
      let floor = plan.spaces[space].floor
      let raster = routes.navigation.floors[floor]
      guard let cell = raster.nearestCell(to: position, within: Self.reach) else { return nil }
      return End(space: space, position: position, group: routes.group(of: Place(floor: floor, cell: cell)))
    }
    var joints: [PlanMends.Joint] = []
    for (low, high) in zip(ordinals, ordinals.dropFirst()) {
      for a in ends where plan.floors[plan.spaces[a.space].floor].ordinal == low {
        let above = ends.filter { b in
          plan.floors[plan.spaces[b.space].floor].ordinal == high
            && plan.spaces[b.space].kind == plan.spaces[a.space].kind
            && !(rootedFloors.contains(plan.spaces[a.space].floor) && rootedFloors.contains(plan.spaces[b.space].floor))
        }.min { (distance(a, $0), $0.space) < (distance(a, $1), $1.space) }
        guard let b = above, distance(a, b) <= Self.reach, root(a.group) != root(b.group) else { continue }
        unite(a.group, b.group)
        joints.append(
          PlanMends.Joint(
            kind: plan.spaces[a.space].kind.connection, spaces: [a, b].map { plan.spaces[$0.space].id },
            floors: [a, b].map { plan.floors[plan.spaces[$0.space].floor].id }, positions: [a.position, b.position]))
      }
    }
    return joints
  }

  /// A space that leads to other floors.
  private struct End {
    var space: Int
    var position: PlanePoint
    var group: Int
  }

  private func distance(_ a: End, _ b: End) -> Double {
    let (one, two) = (routes.plan.spaces[a.space], routes.plan.spaces[b.space])
    return one.contains(b.position) || two.contains(a.position) ? 0 : PlaneSegment(a.position, b.position).length
  }
}

// MARK: - Doors

extension MendFinder {
  private mutating func doors(without attempted: Set<SpaceID>) -> [PlanMends.Door] {
    let plan = routes.plan
    var candidates: [Int: [BorderFinder.Border]] = [:]
    let walls = plan.floors.map { SegmentGrid(Array($0.innerWalls)) }
    let open = parts.filter { !isRooted($0.group) && !$0.spaces.isEmpty }
    for part in parts where !rootedGroups.contains(part.group) {
      let spaces = part.spaces.filter { !attempted.contains(plan.spaces[$0].id) }
      candidates[part.group] = spaces.flatMap { space in
        BorderFinder(
          space: space, group: part.group, routes: routes, settings: settings, walls: walls[plan.spaces[space].floor]
        ).borders()
      }
    }
    var doors: [PlanMends.Door] = []
    // A part that a joint connects with another one needs a door for either of them.
    var waiting = open.map(\.group)
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for group in waiting where !isRooted(group) {
        let borders = (candidates[group] ?? []).filter { isRooted($0.neighbour) }
        guard let best = borders.max(by: { $0.isWorse(than: $1) }) else { continue }
        unite(group, best.neighbour)
        let space = plan.spaces[best.space]
        doors.append(
          PlanMends.Door(
            floor: plan.floors[space.floor].id, space: space.id, line: best.threshold(settings), isSeam: best.isSeam))
        hasChanged = true
      }
      waiting.removeAll { isRooted($0) }
    }
    return doors
  }
}

/// Finds the stretches of a space's outline beside which people of another part can stand.
private struct BorderFinder {
  struct Border {
    let space: Int
    /// The group on the other side.
    let neighbour: Int
    let line: PlaneSegment
    /// Whether the other side is a passage or an open area, not a room.
    let isOpen: Bool
    /// Whether neither side has walls and the gap between them is narrow.
    let isSeam: Bool

    func isWorse(than other: Border) -> Bool {
      (isOpen ? 1 : 0, line.length, -space) < (other.isOpen ? 1 : 0, other.line.length, -other.space)
    }

    /// Returns the threshold of a door in the middle; for a seam, most of the border.
    func threshold(_ settings: PlanSettings) -> PlaneSegment {
      let width = isSeam ? line.length - 0.1 : min(settings.doorWidth, line.length - 0.1)
      let half = min(max(width, settings.minimumDoorWidth) / line.length, 1) / 2
      return PlaneSegment(line.point(at: 0.5 - half), line.point(at: 0.5 + half))
    }
  }

  let space: Int
  let group: Int
  let routes: PlanNavigation
  let settings: PlanSettings
  /// The walls of the floor without its edge.
  let walls: SegmentGrid

  private var outline: PlanSpace { routes.plan.spaces[space] }
  private var raster: WalkableRaster { routes.navigation.floors[outline.floor] }

  /// One sample of an edge.
  private struct Sample: Equatable {
    var group: Int
    var isOpen: Bool
    var isSeam: Bool
  }

  /// Returns the longest border with each group, separately for open and enclosed spaces.
  func borders() -> [Border] {
    var best: [Border] = []
    for edge in outline.polygons.flatMap(\.edges) where edge.length >= settings.minimumDoorWidth {
      let count = max(1, Int(edge.length / 0.2))
      var start = 0
      var current: Sample?
      for index in 0...count {
        let sample = index < count ? self.sample(edge, at: (Double(index) + 0.5) / Double(count)) : nil
        if let current, sample == current { continue }
        if let current {
          let line = PlaneSegment(
            edge.point(at: Double(start) / Double(count)), edge.point(at: Double(index) / Double(count)))
          add(line, current, to: &best)
        }
        current = sample
        start = index
      }
    }
    return best
  }

  private func add(_ line: PlaneSegment, _ sample: Sample, to best: inout [Border]) {
    guard line.length >= settings.minimumDoorWidth else { return }
    let border = Border(
      space: space, neighbour: sample.group, line: line, isOpen: sample.isOpen, isSeam: sample.isSeam)
    if let place = best.firstIndex(where: { $0.neighbour == border.neighbour && $0.isOpen == border.isOpen }) {
      if best[place].isWorse(than: border) { best[place] = border }
    } else {
      best.append(border)
    }
  }

  /// Returns the part beside a point of the outline; `nil` if people cannot stand on both sides.
  private func sample(_ edge: PlaneSegment, at fraction: Double) -> Sample? {
    let point = edge.point(at: fraction)
    let (nx, ny) = (-(edge.b.y - edge.a.y) / edge.length, (edge.b.x - edge.a.x) / edge.length)
    func beside(_ depth: Double) -> PlanePoint { PlanePoint(x: point.x + nx * depth, y: point.y + ny * depth) }
    let isLeftInside = outline.contains(beside(0.05))
    guard isLeftInside != outline.contains(beside(-0.05)) else { return nil }
    let inwards = isLeftInside ? 1.0 : -1.0
    guard let own = firstGroup(depths: [0.25, 0.35, 0.5, 0.65], { beside($0 * inwards) }), own.group == group,
      let other = firstGroup(depths: [0.25, 0.35, 0.5, 0.65, 0.8, 0.95, 1.1], { beside(-$0 * inwards) }),
      other.group != group
    else { return nil }
    let neighbour = routes.plan.space(at: other.point, floor: outline.floor)
    let isOpen = neighbour.map { !routes.plan.spaces[$0].kind.isEnclosed } ?? true
    let isGap = other.depth <= 0.5 && other.depth - own.depth < PlanSettings.seamWidth
    return Sample(
      group: other.group, isOpen: isOpen,
      isSeam: isOpen && isGap && !outline.kind.isEnclosed && !walls.isCrossed(from: own.point, to: other.point))
  }

  /// Returns the first place to stand along a line.
  private func firstGroup(
    depths: [Double], _ point: (Double) -> PlanePoint
  ) -> (group: Int, point: PlanePoint, depth: Double)? {
    for depth in depths {
      let place = point(depth)
      guard let cell = raster.cell(at: place), raster.isWalkable(cell) else { continue }
      return (routes.group(of: Place(floor: outline.floor, cell: cell)), place, depth)
    }
    return nil
  }
}

extension PlanSettings {
  /// The maximum width of a gap between two open spaces that counts as an inaccuracy of the map, in metres.
  static let seamWidth = 0.3
}
