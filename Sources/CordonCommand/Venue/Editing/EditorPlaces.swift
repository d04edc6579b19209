import CordonCore
import CordonGeometry
import CordonNavigation
import CordonSupport
import CordonVenues

/// Where the parts of a map are: indices of floors and spaces, positions in metres, and the places of findings.
struct EditorPlaces {
  /// The frame of all positions.
  let frame: LocalFrame
  /// The indices of the floors in the map.
  let floors: [FloorID: Int]
  /// The indices of the spaces in the map.
  let spaces: [SpaceID: Int]
  private let map: Venue
  private let routes: PlanNavigation?
  private let doors: [String: [PlanDoor]]
  private let homes: [SpaceID: (part: Int?, reason: Connectivity.Unreachable.Reason?)]

  init(_ map: Venue, report: ValidationReport) {
    self.map = map
    routes = report.routes
    frame = report.routes?.plan.frame ?? VenuePlan.frame(of: map)
    // The first of several parts with one identifier, as in an overlay.
    floors = Dictionary(map.floors.enumerated().map { ($1.id, $0) }) { first, _ in first }
    spaces = Dictionary(map.spaces.enumerated().map { ($1.id, $0) }) { first, _ in first }
    doors = Dictionary(grouping: report.routes?.plan.doors ?? [], by: \.id)
    var homes: [SpaceID: (part: Int?, reason: Connectivity.Unreachable.Reason?)] = [:]
    if let connectivity = report.connectivity {
      let plan = connectivity.plan
      for (number, part) in connectivity.connectivity.parts.enumerated() {
        for space in part.spaces { homes[plan.spaces[space].id, default: (nil, nil)].part = number }
      }
      for unreachable in connectivity.connectivity.unreachable {
        homes[plan.spaces[unreachable.space].id, default: (nil, nil)].reason = unreachable.reason
      }
    }
    self.homes = homes
  }

  /// The part in which a space lies, and why no entrance reaches it; both `nil` outside of the walkable area.
  func home(of space: SpaceID) -> (part: Int?, reason: Connectivity.Unreachable.Reason?) { homes[space] ?? (nil, nil) }

  /// The index of a floor of the plan.
  func floor(ofPlan floor: Int) -> Int? { routes.flatMap { floors[$0.plan.floors[floor].id] } }

  /// The index of a space of the plan.
  func space(ofPlan space: Int) -> Int? { routes.flatMap { spaces[$0.plan.spaces[space].id] } }

  /// The door of the plan with the identifier of an opening.
  func door(_ id: String, on floor: FloorID) -> PlanDoor? {
    doors[id]?.first { routes?.plan.floors[$0.floor].id == floor }
  }

  // MARK: - Positions

  /// Returns positions as a flat list: x and y in turn.
  func flat(_ line: [Coordinate]) -> JSONValue { flat(line.map(frame.project)) }

  func flat(_ line: [PlanePoint]) -> JSONValue {
    .array(line.flatMap { [rounded($0.x), rounded($0.y)] })
  }

  /// Returns a ring as a flat list, without a repeated last position.
  func ring(_ ring: [Coordinate]) -> JSONValue {
    flat(ring.count > 1 && ring.first == ring.last ? Array(ring.dropLast()) : ring)
  }

  func landing(floor: Int?, at point: PlanePoint, space: Int?) -> JSONValue {
    let inside = space ?? floor.flatMap { spaceIndex(at: point, floor: $0) }
    return ["floor": JSONValue(floor), "x": rounded(point.x), "y": rounded(point.y), "space": JSONValue(inside)]
  }

  /// Metres to a millimetre.
  private func rounded(_ value: Double) -> JSONValue { .number((value * 1_000).rounded() / 1_000) }

  private func spaceIndex(at point: PlanePoint, floor: Int) -> Int? {
    guard let plan = routes?.plan, let index = plan.floorIndex(map.floors[floor].id) else { return nil }
    return plan.space(at: point, floor: index).flatMap(space(ofPlan:))
  }

  // MARK: - Findings

  /// The place of a finding: a space, a position on a floor, a floor, or none of them.
  struct Place {
    var space: Int?
    var floor: Int?
    var position: PlanePoint?
  }

  /// Returns the place of the object that a finding names.
  func place(of finding: VenueFinding) -> Place {
    guard let object = finding.object else { return Place() }
    let bare = [PlanDoor.assumedPrefix, PlanDoor.seamPrefix, PlanConnection.derivedPrefix].first(
      where: object.hasPrefix)
    let id = bare.map { String(object.dropFirst($0.count)) } ?? object
    if let space = spaces[SpaceID(id)] {
      return Place(space: space, floor: floors[map.spaces[space].floor])
    }
    if let opening = map.openings.first(where: { $0.id == object }) {
      let known = door(object, on: opening.floor).map { $0.spaces.compactMap(space(ofPlan:)) }
      let space = (known ?? opening.spaces.compactMap { spaces[$0] }).first
      return Place(space: space, floor: floors[opening.floor], position: middle(opening.line.map(frame.project)))
    }
    if let entrance = routes?.entrances.first(where: { $0.id == object }),
      let floor = floor(ofPlan: entrance.place.floor)
    {
      return Place(
        space: spaceIndex(at: entrance.position, floor: floor), floor: floor, position: entrance.position)
    }
    if let connection = map.connections.first(where: { $0.id == object }), let landing = connection.landings.first {
      return Place(
        space: landing.space.flatMap { spaces[$0] }, floor: floors[landing.floor],
        position: frame.project(landing.position))
    }
    if let floor = floors[FloorID(id)] { return Place(floor: floor) }
    if let barrier = (map.walls + map.obstructions + map.furniture).first(where: { $0.id == object }) {
      let points: [Coordinate] =
        switch barrier.shape {
        case .lines(let lines): lines.flatMap { $0 }
        case .area(let area): area.vertices
        }
      return Place(floor: floors[barrier.floor], position: middle(points.map(frame.project)))
    }
    return Place()
  }

  private func middle(_ points: [PlanePoint]) -> PlanePoint? {
    PlaneBounds(points).map { PlanePoint(x: ($0.low.x + $0.high.x) / 2, y: ($0.low.y + $0.high.y) / 2) }
  }
}
