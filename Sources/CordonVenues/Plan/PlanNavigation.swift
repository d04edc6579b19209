import CordonCore
import CordonGeometry
package import CordonNavigation

/// A walkable plan: cells, connections between walkable cells, and entrances.
package struct PlanNavigation: Sendable {
  /// The plan.
  package let plan: VenuePlan
  /// The raster of each floor of the plan, and the vertical ways between them.
  package let navigation: Navigation
  /// The index in ``VenuePlan/connections`` of each vertical way of ``navigation``.
  package let connectionOfVertical: [Int]
  /// The entrances, by number; not empty if there is a walkable area and nothing is closed. A closed entrance is left out,
  /// so that an index can differ from the number.
  package let entrances: [PlanEntrance]
  /// The notes of the plan, with those of the navigation.
  package let notes: PlanNotes
  /// By floor and connected part, the number of its group: parts that vertical ways connect.
  private let groups: [[Int]]
  private let openGroups: Set<Int>

  /// Divides the floors into cells, and finds landings and entrances.
  /// - Parameters:
  ///   - plan: the plan.
  ///   - settings: the settings of the rasters.
  ///   - open: the navigation of the same venue without closures. Its entrances are kept unless they are closed, and
  ///     none replaces a closed one. With `nil`, entrances are searched.
  package init(
    _ plan: VenuePlan, settings: RasterSettings = RasterSettings(), keepingEntrancesOf open: PlanNavigation? = nil
  ) {
    self.init(plan, settings: settings, keepingEntrancesOf: open, reusing: nil)
  }

  /// Creates the routes of a plan, with the rasters of `earlier` for floors with equal mends. That must be a plan of the
  /// same venue with the same closures, divided with the same settings. `progress` receives the share of the floors
  /// that are finished, from 0 to 1.
  init(
    _ plan: VenuePlan, settings: RasterSettings, keepingEntrancesOf open: PlanNavigation? = nil,
    reusing earlier: PlanNavigation?, progress: (Double) -> Void = { _ in }
  ) {
    let rasters = plan.floors.enumerated().map { index, floor in
      progress(Double(index) / Double(plan.floors.count))
      if let earlier, plan.mends.doors(on: floor.id) == earlier.plan.mends.doors(on: floor.id) {
        return earlier.navigation.floors[index]
      }
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
      entrances = PlanEntrance.numbered(finder.entrances, in: plan)
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

  /// Returns the number of the group of a place. Places of one group are connected.
  package func group(of place: Place) -> Int {
    groups[place.floor][Int(navigation.floors[place.floor].component[place.cell])]
  }

  /// Returns the number of the group of a connected part of a floor.
  package func group(floor: Int, component: Int) -> Int { groups[floor][component] }

  /// Checks whether a group can be reached from an entrance.
  package func isOpen(group: Int) -> Bool { openGroups.contains(group) }

  /// Checks whether a part of a floor can be reached from an entrance.
  package func isOpen(floor: Int, component: Int) -> Bool { openGroups.contains(groups[floor][component]) }

  /// Returns the cell of a landing: the nearest one, but not one in a closed shaft if another is near.
  private static func landingCell(_ position: PlanePoint, on raster: WalkableRaster) -> Int? {
    let largest = raster.componentSizes.max() ?? 0
    let nearest = raster.nearestCell(to: position, within: 4)
    if let nearest, raster.componentSizes[Int(raster.component[nearest])] * 50 >= largest { return nearest }
    return raster.nearestCell(to: position, within: 4) { raster.componentSizes[$0] * 50 >= largest } ?? nearest
  }

  /// Returns the groups of parts that vertical ways connect, numbered by their first part.
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

extension RasterSettings {
  /// Raster settings for people with bodies: centres keep 0.2 m from obstacles, and routes prefer a clearance of 0.45
  /// m.
  package static var forBodies: RasterSettings {
    var settings = RasterSettings()
    settings.minimumClearance = 0.2
    settings.comfortableClearance = 0.45
    return settings
  }
}

extension Connection.Kind {
  /// The cost of a connection as the equivalent length of level walking, in metres: at entry, and per level.
  var walkingCost: (entry: Double, perLevel: Double) {
    switch self {
    case .stairs, .unknown: (2, 14)
    case .escalator, .movingWalkway: (2, 12)
    case .ramp: (2, 30)
    case .ladder: (10, 30)
    // Waiting and doors have the largest cost; for one level, people take the stairs.
    case .elevator: (35, 5)
    }
  }
}

extension VenuePlan {
  /// Returns the thresholds of the one-way doors of a floor, directed so that the first space lies on the right.
  ///
  /// People pass such a door from its first space to its second one. Doors whose spaces are unknown are left out.
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
