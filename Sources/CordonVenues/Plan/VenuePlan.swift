public import CordonCore
public import CordonGeometry

/// A venue in metres, made ready for walking and looking: walls with the doors cut out, what can be
/// walked on, doors, ways between floors.
///
/// Maps say this in different ways and leave parts of it out; ``notes`` tells what was used. Geometry
/// goes before the map's own navigation graph, whose nodes are often isolated or outside.
public struct VenuePlan: Sendable {
  /// The venue.
  public let venue: VenueID
  /// The plane that everything here is measured in.
  public let frame: LocalFrame
  /// Floors on which something can be walked on, in the order of `Venue.floors`.
  public let floors: [FloorPlan]
  /// Walkable spaces on these floors, in the order of `Venue.spaces`.
  public let spaces: [PlanSpace]
  /// Openings on these floors, assumed ones last.
  public let doors: [PlanDoor]
  /// Ways between these floors.
  public let connections: [PlanConnection]
  /// What was used where the map left a choice.
  public let notes: PlanNotes
  /// What is shut.
  public let closures: VenueClosures
  /// Where edges of the map's navigation graph leave what can be walked on: floor, and the last point inside.
  let graphExits: [(floor: Int, position: PlanePoint)]
  /// For each floor, the indices of its spaces, the smallest first.
  private let spacesBySize: [[Int]]

  /// Makes the plan.
  /// - Throws: ``VenueError`` with code `no-floor` when the map has no floor, `no-walkable-area` when
  ///   no floor has an area that can be walked on, `too-complex` when a floor would take more comparisons, or
  ///   ways between floors have more landings, than the settings allow.
  public init(_ venue: Venue, settings: PlanSettings = PlanSettings()) throws(VenueError) {
    guard !venue.floors.isEmpty else {
      throw VenueError(code: "no-floor", file: venue.id.rawValue, message: "the map has no floor")
    }
    // Known before any floor is worked on.
    let mapped = venue.connections.reduce(0) { $0 + $1.landings.count }
    guard mapped <= settings.mostLandings else { throw VenuePlan.tooManyLandings(mapped, in: venue) }
    let frame = VenuePlan.frame(of: venue)
    let projection = PlanProjection(frame: frame)
    let byFloor = VenueByFloor(venue)
    var notes = PlanNotes()
    var floors: [FloorPlan] = []
    var spaces: [PlanSpace] = []
    var doors: [PlanDoor] = []
    var places: [FloorID: Int] = [:]
    for floor in venue.floors {
      let draft = try PlanFloorDraft(
        floor, contents: byFloor[floor.id], index: floors.count, firstSpace: spaces.count, projection: projection,
        settings: settings, shut: venue.closures)
      guard let draft else { continue }
      places[floor.id] = floors.count
      floors.append(draft.plan)
      spaces += draft.spaces
      doors += draft.doors
      draft.addCounts(to: &notes)
    }
    guard !floors.isEmpty else {
      throw VenueError(
        code: "no-walkable-area", file: venue.id.rawValue, message: "no floor has an area that can be walked on")
    }
    let found = PlanConnections(venue, places: places, floors: floors, spaces: spaces, projection: projection)
    notes.connectionSource = found.source
    try VenuePlan.checkLandings(found.connections, on: floors, in: venue, settings)
    self.venue = venue.id
    self.frame = frame
    self.floors = floors
    self.spaces = spaces
    self.doors = doors.filter { !$0.id.hasPrefix("assumed:") } + doors.filter { $0.id.hasPrefix("assumed:") }
    connections = found.connections
    graphExits = VenuePlan.graphExits(venue.graph, places: places, floors: floors, projection: projection)
    self.notes = notes
    closures = venue.closures
    spacesBySize = floors.indices.map { floor in
      spaces.indices.filter { spaces[$0].floor == floor }.sorted { (spaces[$0].area, $0) < (spaces[$1].area, $1) }
    }
  }

  private static func checkLandings(
    _ connections: [PlanConnection], on floors: [FloorPlan], in venue: Venue, _ settings: PlanSettings
  ) throws(VenueError) {
    let areas = floors.map { $0.walkable.areas.reduce(0) { $0 + $1.area } }
    let landings = connections.flatMap(\.landings)
    guard landings.count <= settings.mostLandings,
      landings.reduce(0.0, { $0 + areas[$1.floor] }) <= settings.mostLandingArea
    else {
      throw tooManyLandings(landings.count, in: venue)
    }
  }

  private static func tooManyLandings(_ count: Int, in venue: Venue) -> VenueError {
    VenueError(
      code: "too-complex", file: venue.id.rawValue,
      message: "stairs and elevators land in \(count) places, on floors too large for so many")
  }

  /// Index of a floor; `nil` when nothing on it can be walked on.
  public func floorIndex(_ id: FloorID) -> Int? { floors.firstIndex { $0.id == id } }

  /// Index of the smallest space of a floor that holds a point.
  public func space(at point: PlanePoint, floor: Int) -> Int? {
    guard spacesBySize.indices.contains(floor) else { return nil }
    return spacesBySize[floor].first { spaces[$0].contains(point) }
  }

  /// Whether somebody could stand at a point of a floor.
  public func isWalkable(_ point: PlanePoint, floor: Int) -> Bool {
    floors.indices.contains(floor) && floors[floor].walkable.contains(point)
  }
}
