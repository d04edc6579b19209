import CordonCore
package import CordonGeometry
package import CordonNavigation

/// An entrance from outside.
package struct PlanEntrance: Sendable {
  /// The identifier of the opening; otherwise `shell:` or `graph:` and a number.
  package let id: String
  /// The walkable cell at which people enter.
  package let place: Place
  /// The centre of that cell.
  package let position: PlanePoint
  /// The way in which the entrance was found.
  package let source: PlanNotes.EntranceSource
  /// The number, from 0: the place in the order of floors and identifiers. Closing another entrance does not change it,
  /// but a new one can.
  package internal(set) var number = 0
  /// The name, which no other entrance of the venue has, see ``numbered(_:in:)``.
  package internal(set) var name = ""
  /// The space in which people stand after they enter: an index in ``VenuePlan/spaces``; `nil` outside all spaces.
  package internal(set) var space: Int?
}

extension PlanEntrance {
  /// Returns the entrance under closures; `nil` if it is closed or people cannot stand behind it any more.
  func kept(on raster: WalkableRaster, shut: VenueClosures) -> PlanEntrance? {
    guard !shut.openings.contains(id) else { return nil }
    if raster.isWalkable(place.cell) { return self }
    // Slightly beside a closed door next to it.
    guard let cell = raster.nearestCell(to: position, within: 0.6, seeing: true) else { return nil }
    var kept = PlanEntrance(
      id: id, place: Place(floor: place.floor, cell: cell), position: raster.center(of: cell), source: source)
    (kept.number, kept.name, kept.space) = (number, name, space)
    return kept
  }
}

/// Finds the entrances, the best kind first.
struct EntranceFinder {
  /// The distance between a door and the place behind it, in metres.
  static let reach = 2.0
  /// The distance within which an entrance that leads nowhere belongs to a walkable place, in metres.
  static let displacement = 10.0

  let plan: VenuePlan
  let rasters: [WalkableRaster]
  let groups: [[Int]]
  private(set) var entrances: [PlanEntrance] = []
  private(set) var source = PlanNotes.EntranceSource.none
  private(set) var ownEntrances = 0

  init(plan: VenuePlan, rasters: [WalkableRaster], groups: [[Int]]) {
    self.plan = plan
    self.rasters = rasters
    self.groups = groups
  }

  mutating func find() {
    guard let principal = largestGroup() else { return }
    let ground = groundFloors
    let tiers: [(PlanNotes.EntranceSource, [PlanEntrance])] = [
      (.mapped, mappedEntrances(to: principal)),
      (.shellDoors, doors { $0.isOnShell && ground.contains($0.floor) }),
      (.graph, graphExits(on: ground)),
    ]
    var reachesPrincipal = false
    for (kind, found) in tiers where !reachesPrincipal {
      reachesPrincipal = found.contains { group(of: $0.place) == principal }
      // The map's entrances are kept in any case. Entrances of other groups are kept too, because a separate building
      // has its own doors.
      guard reachesPrincipal || (kind == .mapped && !found.isEmpty) else { continue }
      if source == .none { source = kind }
      let open = Set(entrances.map { group(of: $0.place) })
      entrances += found.filter { !open.contains(group(of: $0.place)) }
    }
    if !reachesPrincipal,
      let floor = ground.first(where: { groups[$0].contains(principal) }) ?? floor(of: principal),
      let entrance = nearestToShell(floor: floor, group: principal)
    {
      if source == .none { source = .nearestToShell }
      entrances.append(entrance)
    }
    addForUnjoinedFloors()
    var seen: Set<Place> = []
    entrances = entrances.filter { seen.insert($0.place).inserted }
    entrances.sort { ($0.place.floor, $0.id) < ($1.place.floor, $1.id) }
  }

  private func group(of place: Place) -> Int {
    groups[place.floor][Int(rasters[place.floor].component[place.cell])]
  }

  /// Returns the group with the largest area.
  private func largestGroup() -> Int? {
    var sizes: [Int: Double] = [:]
    for floor in rasters.indices {
      for (component, size) in rasters[floor].componentSizes.enumerated() {
        sizes[groups[floor][component], default: 0] += Double(size) * rasters[floor].cellSize * rasters[floor].cellSize
      }
    }
    return sizes.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key
  }

  private func floor(of group: Int) -> Int? { groups.firstIndex { $0.contains(group) } }

  /// The floors with ordinal 0, or otherwise those nearest to it.
  private var groundFloors: [Int] {
    let least = plan.floors.map { abs($0.ordinal.thousandths) }.min()
    return plan.floors.indices.filter { abs(plan.floors[$0].ordinal.thousandths) == least }
  }

  /// Returns the entrances of the map.
  ///
  /// If none leads to the group, those that are drawn away from it lead to its nearest place.
  private func mappedEntrances(to group: Int) -> [PlanEntrance] {
    let found = doors { $0.isEntrance }
    guard !found.contains(where: { self.group(of: $0.place) == group }) else { return found }
    let used = Set(found.map(\.id))
    return found
      + plan.doors.filter { $0.isEntrance && !used.contains($0.id) }.compactMap { door in
        let raster = rasters[door.floor]
        let cell = raster.nearestCell(to: door.line.middle, within: EntranceFinder.displacement) {
          groups[door.floor][$0] == group
        }
        return cell.map { entrance(id: door.id, floor: door.floor, cell: $0, source: .mapped) }
      }
  }

  private func doors(_ accepts: (PlanDoor) -> Bool) -> [PlanEntrance] {
    plan.doors.filter(accepts).compactMap { door in
      let raster = rasters[door.floor]
      let major = (raster.componentSizes.max() ?? 0) / 20
      let cell = raster.nearestCell(to: door.line.middle, within: EntranceFinder.reach) {
        raster.componentSizes[$0] >= major
      }
      return cell.map {
        entrance(id: door.id, floor: door.floor, cell: $0, source: door.isEntrance ? .mapped : .shellDoors)
      }
    }
  }

  private func graphExits(on ground: [Int]) -> [PlanEntrance] {
    plan.graphExits.enumerated().compactMap { number, exit in
      guard ground.contains(exit.floor) else { return nil }
      let raster = rasters[exit.floor]
      let major = (raster.componentSizes.max() ?? 0) / 20
      let cell = raster.nearestCell(to: exit.position, within: EntranceFinder.reach) {
        raster.componentSizes[$0] >= major
      }
      return cell.map { entrance(id: "graph:\(number)", floor: exit.floor, cell: $0, source: .graph) }
    }
  }

  private func entrance(id: String, floor: Int, cell: Int, source: PlanNotes.EntranceSource) -> PlanEntrance {
    PlanEntrance(
      id: id, place: Place(floor: floor, cell: cell), position: rasters[floor].center(of: cell), source: source)
  }

  /// Returns the cell of a group that is nearest to the edge of a floor; ties go to the first cell of the raster.
  private func nearestToShell(floor: Int, group: Int) -> PlanEntrance? {
    let raster = rasters[floor]
    let shell = SegmentGrid(plan.floors[floor].shell)
    guard let box = PlaneBounds(plan.floors[floor].shell.lazy.flatMap { [$0.a, $0.b] }) else { return nil }
    var candidates: [(cell: Int, rim: Double)] = []
    for cell in raster.component.indices where raster.component[cell] >= 0 {
      guard groups[floor][Int(raster.component[cell])] == group else { continue }
      let center = raster.center(of: cell)
      guard shell.distance(to: center, limit: 1) < 0.6 else { continue }
      // Among cells along the edge, those on the rim of the floor take precedence over those round a hole.
      let rim = min(
        min(center.x - box.low.x, box.high.x - center.x), min(center.y - box.low.y, box.high.y - center.y))
      candidates.append((cell, rim))
    }
    candidates.sort { ($0.rim, $0.cell) < ($1.rim, $1.cell) }
    // People enter through halls and passages, not through a room at the rim.
    let open = candidates.first { candidate in
      plan.space(at: raster.center(of: candidate.cell), floor: floor).map { !plan.spaces[$0].kind.isEnclosed } ?? true
    }
    let cell =
      (open ?? candidates.first)?.cell
      ?? raster.component.indices.first { cell in
        raster.component[cell] >= 0 && groups[floor][Int(raster.component[cell])] == group
      }
    return cell.map { entrance(id: "shell:\(floor)", floor: floor, cell: $0, source: .nearestToShell) }
  }

  /// Adds an entrance to the largest part of each floor that is not connected with an entrance.
  private mutating func addForUnjoinedFloors() {
    var open = Set(entrances.map { group(of: $0.place) })
    for floor in rasters.indices where open.isDisjoint(with: groups[floor]) {
      let sizes = rasters[floor].componentSizes
      guard let largest = sizes.indices.max(by: { (sizes[$0], -$0) < (sizes[$1], -$1) }),
        let entrance = nearestToShell(floor: floor, group: groups[floor][largest])
      else { continue }
      entrances.append(entrance)
      open.insert(groups[floor][largest])
      ownEntrances += 1
    }
  }
}
