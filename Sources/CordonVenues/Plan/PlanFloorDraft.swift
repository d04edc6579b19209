import CordonCore
import CordonGeometry
import CordonNavigation

/// One floor during its conversion from the map to the plan.
struct PlanFloorDraft: Sendable {
  let plan: FloorPlan
  let spaces: [PlanSpace]
  let doors: [PlanDoor]
  private let hasMappedWalls: Bool
  private var doorsCut = 0
  private var doorsWithoutWall = 0
  private var closedToNoEffect: [String] = []

  /// Creates a draft; returns `nil` if the floor has no walkable area.
  init?(
    _ floor: Floor, contents: VenueByFloor.Contents, index: Int, firstSpace: Int, projection: PlanProjection,
    settings: PlanSettings, mends: [PlanMends.Door] = [], shut: VenueClosures = VenueClosures()
  ) throws(VenueError) {
    let outline = floor.outline.map(projection.polygons) ?? []
    let spaces = PlanFloorDraft.walkableSpaces(contents.spaces, floor: index, projection: projection)
    let blocked = contents.spaces.filter { !$0.kind.isWalkable }.flatMap { projection.polygons($0.outline) }
    let wallAreas = contents.walls.flatMap { PlanFloorDraft.areas(of: $0, projection) }
    var walls = contents.walls.flatMap { PlanFloorDraft.lines(of: $0, projection) } + wallAreas.flatMap(\.edges)
    let enclosed = spaces.filter(\.kind.isEnclosed).flatMap { $0.polygons.flatMap(\.edges) }
    // A single mapped barrier does not mean that the map contains the walls.
    let wallLength = walls.reduce(0) { $0 + $1.length }
    let isMapped = wallLength > 0 && wallLength >= 0.3 * enclosed.reduce(0) { $0 + $1.length }
    if !isMapped { walls += enclosed }
    let areas = PlanFloorDraft.areas(outline: outline, spaces: spaces, isMapped: isMapped, settings: settings)
    guard !areas.isEmpty else { return nil }
    let union = AreaUnion(areas)
    let rings = areas.flatMap { [$0.outer] + $0.holes }
    guard union.comparisons <= settings.maximumComparisons, EdgeDensity.isBearable(rings) else {
      throw VenueError(
        code: "too-complex", file: floor.id.rawValue,
        message: "the areas of the floor have too many edges above one another")
    }
    let solidThings = contents.solids.flatMap { PlanFloorDraft.areas(of: $0, projection) } + blocked
    let solidLines = contents.solids.flatMap { PlanFloorDraft.lines(of: $0, projection) }

    var draftDoors = DoorDrafts(floor: index, firstSpace: firstSpace, spaces: spaces, union: union, settings: settings)
    for opening in contents.openings {
      if shut.openings.contains(opening.id) {
        draftDoors.close(opening, walls: walls, projection: projection)
      } else {
        draftDoors.add(opening, walls: &walls, projection: projection)
      }
    }
    if !isMapped { draftDoors.assume(walls: &walls) }
    for mend in mends { draftDoors.add(mend, walls: &walls) }
    // If two doors of a map lie in one doorway, the closed one closes it.
    walls += draftDoors.closedThresholds
    let shell = AreaUnion(areas + draftDoors.passages).boundary()
    let obstacles = solidThings.flatMap(\.edges) + solidLines
    let closures = PlanFloorDraft.closures(of: spaces, shut: shut.spaces)
    var walkable = WalkableArea(
      areas: areas, solids: solidThings + wallAreas, passages: draftDoors.passages, barriers: walls + shell + obstacles)
    walkable.closures = closures
    walkable.barriers += PlanFloorDraft.borders(of: walkable)
    plan = FloorPlan(
      id: floor.id, ordinal: floor.ordinal, name: floor.name.text() ?? floor.ordinal.description,
      walls: walls + shell, obstacles: obstacles, walkable: walkable, shell: shell)
    self.spaces = spaces
    doors = draftDoors.doors
    hasMappedWalls = isMapped
    doorsCut = draftDoors.cutCount
    doorsWithoutWall = draftDoors.withoutWallCount
    closedToNoEffect = draftDoors.closedToNoEffect
  }

  /// Adds the counts of this floor to the notes.
  func addCounts(to notes: inout PlanNotes) {
    if hasMappedWalls { notes.floorsWithMappedWalls += 1 } else { notes.floorsWithImpliedWalls += 1 }
    notes.doorsCut += doorsCut
    notes.doorsWithoutWall += doorsWithoutWall
    notes.doorsAssumed += doors.count { $0.isAssumed && !$0.isSeam }
    notes.doorsClosedToNoEffect += closedToNoEffect
  }

  /// Returns the closed part of each closed space: the whole space except for smaller open spaces inside it.
  private static func closures(of spaces: [PlanSpace], shut: Set<SpaceID>) -> [WalkableArea.Closure] {
    guard !shut.isEmpty else { return [] }
    return spaces.indices.filter { shut.contains(spaces[$0].id) }.map { index in
      let boxes = spaces[index].polygons.compactMap(\.bounds)
      let exceptions = spaces.indices.filter { other in
        !shut.contains(spaces[other].id) && (spaces[other].area, other) < (spaces[index].area, index)
      }.flatMap { spaces[$0].polygons }.filter { polygon in
        boxes.contains { box in polygon.bounds.map { $0.overlaps(box, margin: 0) } ?? false }
      }
      return WalkableArea.Closure(areas: spaces[index].polygons, exceptions: exceptions)
    }
  }

  /// Returns the edges of the closed areas, so that people are not pushed into them where no wall is.
  private static func borders(of area: WalkableArea) -> [PlaneSegment] {
    let edges = area.closures.flatMap { $0.areas + $0.exceptions }.flatMap(\.edges)
    return AreaUnion.parts(of: edges) { left, right in area.isClosed(left) != area.isClosed(right) }
  }

  private static func walkableSpaces(_ spaces: [Space], floor: Int, projection: PlanProjection) -> [PlanSpace] {
    spaces.compactMap { space in
      guard space.kind.isWalkable else { return nil }
      let polygons = projection.polygons(space.outline)
      guard !polygons.isEmpty else { return nil }
      return PlanSpace(
        id: space.id, floor: floor, kind: space.kind, name: space.name.text() ?? "", polygons: polygons,
        area: polygons.reduce(0) { $0 + $1.area }, capacity: space.capacity)
    }
  }

  /// Returns the walkable areas before solid objects are removed.
  private static func areas(
    outline: [PlanePolygon], spaces: [PlanSpace], isMapped: Bool, settings: PlanSettings
  ) -> [PlanePolygon] {
    let inSpaces = spaces.flatMap(\.polygons)
    let covered = spaces.reduce(0) { $0 + $1.area }
    let whole = outline.reduce(0) { $0 + $1.area }
    // Without walls on the map, the area between the spaces consists of walls.
    if !isMapped && covered >= settings.coveringShare * whole && !inSpaces.isEmpty { return inSpaces }
    return outline + inSpaces
  }

  private static func areas(of barrier: Barrier, _ projection: PlanProjection) -> [PlanePolygon] {
    if case .area(let shape) = barrier.shape { projection.polygons(shape) } else { [] }
  }

  private static func lines(of barrier: Barrier, _ projection: PlanProjection) -> [PlaneSegment] {
    if case .lines(let lines) = barrier.shape { projection.segments(lines) } else { [] }
  }
}
