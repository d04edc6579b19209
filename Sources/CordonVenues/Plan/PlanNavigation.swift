import CordonCore
public import CordonGeometry

/// A plan that can be walked: cells, ways between floors that begin and end on walkable cells, and entrances.
public struct PlanNavigation: Sendable {
  /// The plan.
  public let plan: VenuePlan
  /// Rasters by index of the plan's floors, and the ways between them.
  public let navigation: Navigation
  /// For each vertical way of ``navigation``, the index of its connection in ``VenuePlan/connections``.
  public let connectionOfVertical: [Int]
  /// Ways in from outside, by floor; not empty when anything can be walked on and nothing is shut.
  public let entrances: [PlanEntrance]
  /// The plan's notes with what was found here.
  public let notes: PlanNotes
  /// For each floor and connected part, the number of its group: parts that ways between floors join.
  private let groups: [[Int]]
  private let openGroups: Set<Int>

  /// Cuts the floors into cells and finds landings and entrances on them.
  /// - Parameters:
  ///   - plan: the plan.
  ///   - settings: how floors are cut into cells.
  ///   - open: the same venue with nothing shut; its entrances are kept as far as they are not shut now, and none is
  ///     looked for in their place. `nil` looks for them.
  public init(
    _ plan: VenuePlan, settings: RasterSettings = RasterSettings(), keepingEntrancesOf open: PlanNavigation? = nil
  ) {
    let rasters = plan.floors.enumerated().map { index, floor in
      var area = floor.walkable
      area.oneWays = plan.oneWayLines(floor: index)
      return WalkableRaster(area, settings: settings)
    }
    var notes = plan.notes
    var verticals: [VerticalWay] = []
    var connectionOfVertical: [Int] = []
    for (index, connection) in plan.connections.enumerated() {
      let stops = connection.landings.compactMap { landing -> VerticalWay.Stop? in
        guard let cell = PlanNavigation.landingCell(landing.position, on: rasters[landing.floor]) else {
          notes.landingsDropped += 1
          return nil
        }
        return VerticalWay.Stop(
          floor: landing.floor, cell: cell, level: plan.floors[landing.floor].ordinal.value, isEntry: landing.isEntry,
          isExit: landing.isExit)
      }
      guard Set(stops.map(\.floor)).count > 1 else { continue }
      let cost = connection.kind.walkingCost
      verticals.append(VerticalWay(stops: stops, entryCost: cost.entry, costPerLevel: cost.perLevel))
      connectionOfVertical.append(index)
    }
    let groups = PlanNavigation.groups(of: rasters, verticals: verticals)
    let entrances: [PlanEntrance]
    if let open {
      entrances = open.entrances.compactMap { $0.kept(on: rasters[$0.place.floor], shut: plan.closures) }
      notes.entranceSource = open.notes.entranceSource
      notes.floorsWithOwnEntrance = open.notes.floorsWithOwnEntrance
    } else {
      var finder = EntranceFinder(plan: plan, rasters: rasters, groups: groups)
      finder.find()
      entrances = finder.entrances
      notes.entranceSource = finder.source
      notes.floorsWithOwnEntrance = finder.ownEntrances
    }
    self.plan = plan
    navigation = Navigation(floors: rasters, verticals: verticals)
    self.connectionOfVertical = connectionOfVertical
    self.entrances = entrances
    self.notes = notes
    self.groups = groups
    openGroups = Set(
      entrances.map { groups[$0.place.floor][Int(rasters[$0.place.floor].component[$0.place.cell])] })
  }

  /// The number of the group of parts that a place belongs to: places of one group are joined by ways.
  public func group(of place: Place) -> Int {
    groups[place.floor][Int(navigation.floors[place.floor].component[place.cell])]
  }

  /// Whether a part of a floor can be come to from an entrance.
  public func isOpen(floor: Int, component: Int) -> Bool { openGroups.contains(groups[floor][component]) }

  /// The cell where a landing is entered: the nearest one, but rather a little farther than in a closed shaft.
  private static func landingCell(_ position: PlanePoint, on raster: WalkableRaster) -> Int? {
    let largest = raster.componentSizes.max() ?? 0
    let nearest = raster.nearestCell(to: position, within: 4)
    if let nearest, raster.componentSizes[Int(raster.component[nearest])] * 50 >= largest { return nearest }
    return raster.nearestCell(to: position, within: 4) { raster.componentSizes[$0] * 50 >= largest } ?? nearest
  }

  /// Parts joined by vertical ways, numbered by their first part.
  private static func groups(of rasters: [WalkableRaster], verticals: [VerticalWay]) -> [[Int]] {
    var starts = [0]
    for raster in rasters { starts.append((starts.last ?? 0) + raster.componentSizes.count) }
    var parent = Array(0..<(starts.last ?? 0))
    func root(_ index: Int) -> Int {
      var index = index
      while parent[index] != index { index = parent[index] }
      return index
    }
    for vertical in verticals {
      let parts = vertical.stops.map { starts[$0.floor] + Int(rasters[$0.floor].component[$0.cell]) }
      for (a, b) in zip(parts, parts.dropFirst()) {
        let (x, y) = (root(a), root(b))
        parent[max(x, y)] = min(x, y)
      }
    }
    return rasters.indices.map { floor in (starts[floor]..<starts[floor + 1]).map(root) }
  }
}

extension Connection.Kind {
  /// What using it costs, in metres of level walking that take as long: to get on, and for each level.
  var walkingCost: (entry: Double, perLevel: Double) {
    switch self {
    case .stairs, .unknown: (2, 14)
    case .escalator, .movingWalkway: (2, 12)
    case .ramp: (2, 30)
    case .ladder: (10, 30)
    // Waiting and doors cost most; people take the stairs for one level.
    case .elevator: (35, 5)
    }
  }
}

extension VenuePlan {
  /// Thresholds of the doors of a floor that are walked through one way only, from the first of their spaces to the
  /// second; each so that the first lies on its right. Doors that do not tell their spaces are left out.
  func oneWayLines(floor: Int) -> [PlaneSegment] {
    doors.compactMap { door in
      guard door.floor == floor, !door.isTwoWay, door.spaces.count == 2, door.line.length > 0 else { return nil }
      let (line, middle) = (door.line, door.line.middle)
      let scale = 0.4 / line.length
      let right = PlanePoint(x: middle.x + (line.b.y - line.a.y) * scale, y: middle.y - (line.b.x - line.a.x) * scale)
      let left = PlanePoint(x: 2 * middle.x - right.x, y: 2 * middle.y - right.y)
      let first = spaces[door.spaces[0]]
      let second = spaces[door.spaces[1]]
      if first.contains(right) || second.contains(left) { return line }
      if first.contains(left) || second.contains(right) { return PlaneSegment(line.b, line.a) }
      return nil
    }
  }
}
