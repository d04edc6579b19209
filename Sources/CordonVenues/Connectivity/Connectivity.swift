import CordonCore
import CordonGeometry
import CordonNavigation

/// The parts of a venue that walking connects, their entrances, and the spaces that no entrance reaches.
///
/// A part is a set of walkable areas with a way between any two of them, over all floors. One-way doors count as
/// ways in both directions.
package struct Connectivity: Sendable {
  /// Spaces that walking connects.
  package struct Part: Sendable {
    /// The number of the group of connected areas, see ``PlanNavigation/group(of:)``.
    package let group: Int
    /// The spaces that lie mostly in this part, as indices in ``VenuePlan/spaces``.
    package let spaces: [Int]
    /// The area of the spaces and of the walkable ground outside all spaces, in square metres.
    package let squareMetres: Double
    /// The floors on which the part has spaces or entrances, as indices in ``VenuePlan/floors``.
    package let floors: [Int]
    /// The entrances of the part, by number.
    package let entrances: [PlanEntrance]
    /// The largest space of the part, as an example in messages.
    package let example: Int?
  }

  /// A space that no entrance reaches.
  package struct Unreachable: Hashable, Sendable {
    /// The reasons, from the most to the least specific.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
      /// The walls and objects of the map leave no place to stand.
      case noPlaceToStand = "no-place-to-stand"
      /// No door leads to it, and no other space borders it without a wall.
      case noDoor = "no-door"
      /// No stairs or elevators connect its floor with a floor that has an entrance.
      case floorNotConnected = "floor-not-connected"
      /// Doors lead to it, but only from spaces that no entrance reaches.
      case behindUnreachable = "behind-unreachable"
    }

    /// The index of the space in ``VenuePlan/spaces``.
    package let space: Int
    /// The reason.
    package let reason: Reason
  }

  /// A door that the plan assumes because the map has none.
  package struct AssumedDoor: Hashable, Sendable {
    /// The index of the door in ``VenuePlan/doors``.
    package let door: Int
    /// The space that got the door, as an index in ``VenuePlan/spaces``.
    package let space: Int
    /// The space on the other side; `nil` if it is not known.
    package let neighbour: Int?
  }

  /// The parts, the largest first.
  package let parts: [Part]
  /// The spaces that no entrance reaches, in the order of ``VenuePlan/spaces``; closed spaces are left out.
  package let unreachable: [Unreachable]
  /// The assumed doors, in the order of ``VenuePlan/doors``.
  package let assumedDoors: [AssumedDoor]
  /// Entrances of the map that nobody uses, because they lead to little or no walkable area: indices in
  /// ``VenuePlan/doors``.
  package let unusedEntrances: [Int]
  /// The area that people may use, in square metres: all spaces that are not closed, and floors without spaces.
  package let usableSquareMetres: Double
  /// The part of that area that no entrance reaches, in square metres.
  package let unreachableSquareMetres: Double

  /// The unreachable share above which `venue validate` fails and `simulate` needs an option.
  package static let maximumUnreachableShare = 0.05

  /// The share of the usable area that no entrance reaches, from 0 to 1.
  package var unreachableShare: Double {
    usableSquareMetres > 0 ? unreachableSquareMetres / usableSquareMetres : 0
  }

  /// Whether more of the usable area is unreachable than ``maximumUnreachableShare``.
  package var isTooUnreachable: Bool { unreachableShare > Connectivity.maximumUnreachableShare }

  /// Finds the parts. Complexity: proportional to the area of the floors and spaces.
  package init(_ routes: PlanNavigation) {
    let plan = routes.plan
    var census = AreaCensus(routes)
    for floor in plan.floors.indices { census.count(floor: floor) }
    let closed = plan.closures.spaces
    let spaces = plan.spaces.indices.filter { !closed.contains(plan.spaces[$0].id) }

    var members: [Int: [Int]] = [:]
    var areas = census.areaOutsideSpaces
    var usable = areas.values.sorted().reduce(0, +)
    var unreachableArea = areas.filter { !routes.isOpen(group: $0.key) }.values.sorted().reduce(0, +)
    var homes: [Int: Int] = [:]
    for space in spaces {
      let area = census.exclusiveArea(of: space)
      usable += area
      guard let home = census.home(of: space) else {
        unreachableArea += area
        continue
      }
      homes[space] = home
      members[home, default: []].append(space)
      for (group, share) in census.shares(of: space) {
        areas[group, default: 0] += area * share
        // Pockets behind furniture are not the fault of the map.
        let isPocket = routes.isOpen(group: home) && area * share < Connectivity.minimumArea
        if !routes.isOpen(group: group), !isPocket { unreachableArea += area * share }
      }
    }
    let entrances = Dictionary(grouping: routes.entrances.indices) { routes.group(of: routes.entrances[$0].place) }
    let whole = areas.merging(census.areaBesideSpaces, uniquingKeysWith: +)
    let groups = Set(members.keys).union(entrances.keys).union(
      census.areaOutsideSpaces.filter { $0.value >= Connectivity.minimumArea }.keys)
    parts =
      groups.sorted { (whole[$0] ?? 0, -$0) > (whole[$1] ?? 0, -$1) }.map { group in
        Part(
          routes: routes, group: group, spaces: members[group] ?? [], squareMetres: whole[group] ?? 0,
          entrances: entrances[group] ?? [], floorsOutside: census.floorsOutsideSpaces[group] ?? [])
      }
    usableSquareMetres = usable
    unreachableSquareMetres = unreachableArea
    assumedDoors = plan.doors.indices.compactMap { AssumedDoor(door: $0, in: plan) }
    let used = Set(routes.entrances.map(\.id))
    unusedEntrances = plan.doors.indices.filter { index in
      let door = plan.doors[index]
      // Entrances side by side lead to one place.
      return door.isEntrance && !used.contains(door.id)
        && !routes.entrances.contains { entrance in
          entrance.place.floor == door.floor
            && PlaneSegment(entrance.position, door.line.middle).length <= EntranceFinder.reach
        }
    }
    let explanation = Explanation(routes: routes, homes: homes)
    unreachable = spaces.compactMap { space in
      guard !(homes[space].map(routes.isOpen(group:)) ?? false) else { return nil }
      return Unreachable(space: space, reason: explanation.reason(of: space))
    }
  }

  /// Area in square metres from which walkable ground outside all spaces counts as a part, and an inaccessible piece of
  /// a reachable space counts as unreachable.
  private static let minimumArea = 4.0
}

extension Connectivity.Part {
  fileprivate init(
    routes: PlanNavigation, group: Int, spaces: [Int], squareMetres: Double, entrances: [Int], floorsOutside: Set<Int>
  ) {
    let plan = routes.plan
    self.group = group
    self.spaces = spaces
    self.squareMetres = squareMetres
    self.entrances = entrances.map { routes.entrances[$0] }
    floors =
      Set(spaces.map { plan.spaces[$0].floor }).union(entrances.map { routes.entrances[$0].place.floor })
      .union(floorsOutside).sorted()
    example = spaces.max { (plan.spaces[$0].area, -$0) < (plan.spaces[$1].area, -$1) }
  }
}

extension Connectivity.AssumedDoor {
  /// Returns `nil` for a door of the map.
  fileprivate init?(door: Int, in plan: VenuePlan) {
    let assumed = plan.doors[door]
    guard assumed.isAssumed else { return nil }
    let prefix = assumed.isSeam ? PlanDoor.seamPrefix : PlanDoor.assumedPrefix
    let own = assumed.spaces.first { space in
      let id = prefix + plan.spaces[space].id.rawValue
      return assumed.id == id || assumed.id.hasPrefix(id + ":")
    }
    guard let space = own ?? assumed.spaces.first else { return nil }
    self.door = door
    self.space = space
    neighbour = assumed.spaces.first { $0 != space }
  }
}

/// Counts the cells of each space by group of connected parts.
private struct AreaCensus {
  private let routes: PlanNavigation
  /// By space and group, the number of walkable cells of which the space is the smallest one.
  private var own: [[Int: Int]]
  /// By space and group, the number of walkable cells.
  private var all: [[Int: Int]]
  /// By space, the numbers of cells, and of those of which the space is the smallest one.
  private var cells: [(all: Int, own: Int)]
  /// By group, the walkable area of floors without spaces, in square metres.
  private(set) var areaOutsideSpaces: [Int: Double] = [:]
  /// By group, the walkable area beside the spaces of floors with spaces, in square metres.
  private(set) var areaBesideSpaces: [Int: Double] = [:]
  /// By group, the floors of ``areaOutsideSpaces``.
  private(set) var floorsOutsideSpaces: [Int: Set<Int>] = [:]

  init(_ routes: PlanNavigation) {
    self.routes = routes
    own = Array(repeating: [:], count: routes.plan.spaces.count)
    all = own
    cells = Array(repeating: (0, 0), count: routes.plan.spaces.count)
  }

  mutating func count(floor: Int) {
    let plan = routes.plan
    let raster = routes.navigation.floors[floor]
    let spaces = plan.spaces.indices.filter { plan.spaces[$0].floor == floor }
    guard !spaces.isEmpty else {
      for (component, size) in raster.componentSizes.enumerated() {
        let group = routes.group(floor: floor, component: component)
        areaOutsideSpaces[group, default: 0] += Double(size) * raster.cellSize * raster.cellSize
        floorsOutsideSpaces[group, default: []].insert(floor)
      }
      return
    }
    let lookup = SpaceLookup(plan: plan, floor: floor, raster: raster)
    var beside = [Int](repeating: 0, count: raster.componentSizes.count)
    for cell in raster.component.indices where raster.component[cell] >= 0 && lookup.space(of: cell) == nil {
      beside[Int(raster.component[cell])] += 1
    }
    for (component, count) in beside.enumerated() where count > 0 {
      areaBesideSpaces[routes.group(floor: floor, component: component), default: 0] +=
        Double(count) * raster.cellSize * raster.cellSize
    }
    for space in spaces {
      var ownByPart: [Int32: Int] = [:]
      var allByPart: [Int32: Int] = [:]
      for polygon in plan.spaces[space].polygons {
        raster.forEachCell(in: polygon) { cell in
          let isOwn = lookup.space(of: cell) == space
          cells[space].all += 1
          if isOwn { cells[space].own += 1 }
          let part = raster.component[cell]
          guard part >= 0 else { return }
          allByPart[part, default: 0] += 1
          if isOwn { ownByPart[part, default: 0] += 1 }
        }
      }
      for (part, count) in ownByPart {
        own[space][routes.group(floor: floor, component: Int(part)), default: 0] += count
      }
      for (part, count) in allByPart {
        all[space][routes.group(floor: floor, component: Int(part)), default: 0] += count
      }
    }
  }

  /// Returns the area of a space without the smaller spaces in it, in square metres.
  func exclusiveArea(of space: Int) -> Double {
    let count = cells[space]
    return routes.plan.spaces[space].area * (count.all > 0 ? Double(count.own) / Double(count.all) : 1)
  }

  /// Returns the group in which most of a space lies; `nil` without a walkable cell.
  func home(of space: Int) -> Int? {
    (own[space].isEmpty ? all[space] : own[space]).max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key
  }

  /// Returns the shares of a space by group, the first group first; their sum is 1.
  func shares(of space: Int) -> [(group: Int, share: Double)] {
    let counts = own[space].isEmpty ? all[space] : own[space]
    let sum = Double(counts.values.reduce(0, +))
    return counts.sorted { $0.key < $1.key }.map { ($0.key, Double($0.value) / sum) }
  }
}

/// Finds the reasons why spaces are unreachable.
private struct Explanation {
  private let plan: VenuePlan
  private let homes: [Int: Int]
  private let openFloors: Set<Int>
  private let behindDoors: Set<Int>

  init(routes: PlanNavigation, homes: [Int: Int]) {
    plan = routes.plan
    self.homes = homes
    openFloors = Set(
      routes.plan.floors.indices.filter { floor in
        routes.navigation.floors[floor].componentSizes.indices.contains { routes.isOpen(floor: floor, component: $0) }
      })
    behindDoors = Set(routes.plan.doors.flatMap(\.spaces))
  }

  func reason(of space: Int) -> Connectivity.Unreachable.Reason {
    guard let home = homes[space] else { return .noPlaceToStand }
    if !openFloors.contains(plan.spaces[space].floor) { return .floorNotConnected }
    let isAlone = homes.count { $0.value == home } == 1
    return behindDoors.contains(space) || !isAlone ? .behindUnreachable : .noDoor
  }
}
