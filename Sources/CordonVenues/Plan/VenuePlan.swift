package import CordonCore
package import CordonGeometry
import CordonNavigation

/// A venue in metres, prepared for routing and sight lines: walls without doors, walkable areas, doors and connections.
///
/// Maps describe these in different ways, and often incompletely; ``notes`` contains the sources. Geometry takes
/// precedence over the map's own navigation graph, whose nodes are often isolated or outside.
package struct VenuePlan: Sendable {
  /// The identifier of the venue.
  package let venue: VenueID
  /// The plane of all positions.
  package let frame: LocalFrame
  /// The floors with a walkable area, in the order of `Venue.floors`.
  package let floors: [FloorPlan]
  /// The walkable spaces on these floors, in the order of `Venue.spaces`.
  package let spaces: [PlanSpace]
  /// The openings on these floors; assumed ones come last.
  package let doors: [PlanDoor]
  /// The connections between these floors.
  package let connections: [PlanConnection]
  /// The choices that were made where the map was not definite.
  package let notes: PlanNotes
  /// The closed parts.
  package let closures: VenueClosures
  /// The doors and connections that are assumed to reach all parts.
  let mends: PlanMends
  /// The floors before they were put together.
  private let drafts: [FloorID: PlanFloorDraft]
  /// The floors and last inner points at which edges of the map's navigation graph leave the walkable area.
  let graphExits: [(floor: Int, position: PlanePoint)]
  /// By floor, the indices of its spaces, the smallest first.
  private let spacesBySize: [[Int]]

  /// Creates the plan of a venue.
  /// - Throws: ``VenueError`` with the code `no-floor` if the map has no floor, or `no-walkable-area` if no floor has a
  ///   walkable area. The code is `too-complex` if a floor needs more comparisons, or connections have more landings,
  ///   than the settings allow.
  package init(_ venue: Venue, settings: PlanSettings = PlanSettings()) throws(VenueError) {
    try self.init(venue, settings: settings, mends: PlanMends())
  }

  /// Creates the plan of a venue with assumed doors and connections.
  /// - Parameters:
  ///   - venue: the venue, with its closures.
  ///   - settings: the settings of the plan.
  ///   - mends: the assumed doors and connections.
  ///   - earlier: a plan of the same venue with the same closures and settings; floors with equal mends are copied.
  ///   - progress: receives the share of the floors that are finished, from 0 to 1.
  init(
    _ venue: Venue, settings: PlanSettings, mends: PlanMends, reusing earlier: VenuePlan? = nil,
    progress: (Double) -> Void = { _ in }
  ) throws(VenueError) {
    guard !venue.floors.isEmpty else {
      throw VenueError(code: "no-floor", file: venue.id.rawValue, message: "the map has no floor")
    }
    // The number of landings is checked before any floor is processed.
    let mapped = venue.connections.reduce(0) { $0 + $1.landings.count }
    guard mapped <= settings.maximumLandings else { throw VenuePlan.tooManyLandings(mapped, in: venue) }
    let frame = VenuePlan.frame(of: venue)
    let projection = PlanProjection(frame: frame)
    let byFloor = VenueByFloor(venue)
    var notes = PlanNotes()
    var floors: [FloorPlan] = []
    var spaces: [PlanSpace] = []
    var allDoors: [PlanDoor] = []
    var places: [FloorID: Int] = [:]
    var drafts: [FloorID: PlanFloorDraft] = [:]
    for (number, floor) in venue.floors.enumerated() {
      progress(Double(number) / Double(venue.floors.count))
      let doors = mends.doors(on: floor.id)
      let draft: PlanFloorDraft?
      if let copy = earlier?.drafts[floor.id], earlier?.mends.doors(on: floor.id) == doors {
        draft = copy
      } else {
        draft = try PlanFloorDraft(
          floor, contents: byFloor[floor.id], index: floors.count, firstSpace: spaces.count, projection: projection,
          settings: settings, mends: doors, shut: venue.closures)
      }
      guard let draft else { continue }
      drafts[floor.id] = draft
      places[floor.id] = floors.count
      floors.append(draft.plan)
      spaces += draft.spaces
      allDoors += draft.doors
      draft.addCounts(to: &notes)
    }
    guard !floors.isEmpty else {
      throw VenueError(
        code: "no-walkable-area", file: venue.id.rawValue, message: "no floor has an area that can be walked on")
    }
    let found = PlanConnections(
      venue, places: places, floors: floors, spaces: spaces, projection: projection, joints: mends.joints)
    notes.connectionSource = found.source
    try VenuePlan.checkLandings(found.connections, on: floors, in: venue, settings)
    self.venue = venue.id
    self.frame = frame
    self.floors = floors
    self.spaces = spaces
    self.doors = allDoors.filter { !$0.isAssumed } + allDoors.filter(\.isAssumed)
    self.mends = mends
    self.drafts = drafts
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
    guard landings.count <= settings.maximumLandings,
      landings.reduce(0.0, { $0 + areas[$1.floor] }) <= settings.maximumLandingArea
    else {
      throw tooManyLandings(landings.count, in: venue)
    }
  }

  private static func tooManyLandings(_ count: Int, in venue: Venue) -> VenueError {
    VenueError(
      code: "too-complex", file: venue.id.rawValue,
      message: "stairs and elevators lead to \(count) places, too many for floors of this size")
  }

  /// Returns the index of a floor; `nil` if the floor has no walkable area.
  package func floorIndex(_ id: FloorID) -> Int? { floors.firstIndex { $0.id == id } }

  /// Returns the index of the smallest space of a floor that contains a point; `nil` if there is none.
  package func space(at point: PlanePoint, floor: Int) -> Int? {
    guard spacesBySize.indices.contains(floor) else { return nil }
    return spacesBySize[floor].first { spaces[$0].contains(point) }
  }

  /// Checks whether a point of a floor is walkable.
  package func isWalkable(_ point: PlanePoint, floor: Int) -> Bool {
    floors.indices.contains(floor) && floors[floor].walkable.contains(point)
  }
}
