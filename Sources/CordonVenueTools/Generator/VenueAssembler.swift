import CordonCore
import CordonGeometry
import CordonVenues

/// Assigns coordinates and identifiers to a draft.
struct VenueAssembler {
  let site: SiteDraft
  let frame: LocalFrame
  private var venue: Venue
  private var nodes: [NavigationGraph.Node] = []
  private var links: [(Int, Int)] = []

  init(site: SiteDraft, id: VenueID, origin: Coordinate) {
    self.site = site
    frame = LocalFrame(origin: origin)
    venue = Venue(
      id: id, name: LocalizedText(site.name), format: .mvf3, formatVersion: "3.0.0", contentHash: "",
      timeZone: "Etc/UTC")
  }

  /// Returns the finished venue.
  mutating func assembled() -> Venue {
    for building in site.buildings.indices { add(building) }
    addGrounds()
    addCategories()
    var edges: [NavigationGraph.Edge] = []
    for (a, b) in links where a != b {
      edges.append(NavigationGraph.Edge(from: Int32(a), to: Int32(b)))
      edges.append(NavigationGraph.Edge(from: Int32(b), to: Int32(a)))
    }
    venue.graph = NavigationGraph(nodes: nodes, edges: edges)
    venue.sort()
    return venue
  }

  // MARK: - Buildings

  private mutating func add(_ index: Int) {
    let building = site.buildings[index]
    let id = "fs_" + (building.key.isEmpty ? "main" : building.key)
    for floor in building.floors { add(floor, of: building, id: id, index: index) }
    venue.buildings.append(
      Building(id: id, name: text(building.name), floors: building.floors.map { floorID($0) }))
    for shaft in building.shafts where shaft.landings.count > 1 {
      let landings = shaft.landings.map { landing in
        let floor = building.floors[landing.floor]
        return Connection.Landing(
          floor: floorID(floor), position: coordinate(landing.position, building.placement),
          space: spaceID(floor, landing.space), isEntry: landing.isEntry, isExit: landing.isExit)
      }
      venue.connections.append(
        Connection(
          id: "c_" + (building.key.isEmpty ? "" : building.key + "-") + shaft.key, kind: shaft.kind,
          name: text(shaft.name), landings: landings, isAccessible: shaft.kind == .elevator,
          isTwoWay: shaft.isTwoWay, sourceKind: shaft.kind.rawValue))
    }
  }

  private mutating func add(_ floor: FloorDraft, of building: BuildingDraft, id: String, index: Int) {
    let placement = building.placement
    // Rotated rings meet their neighbours exactly only where both have a vertex.
    let joints = placement.isTurned ? Set(floor.spaces.flatMap { [$0.outer] + $0.holes }.joined()) : []
    func ring(_ ring: [PlanPoint]) -> [Coordinate] {
      VenueAssembler.jointed(ring, joints).map { coordinate($0, placement) }
    }
    venue.floors.append(
      Floor(
        id: floorID(floor), ordinal: FloorOrdinal(floor.ordinal), name: text(floor.name),
        shortName: text(floor.shortName), building: id,
        outline: GeoMultiPolygon([GeoPolygon(outer: ring(floor.outline.corners))])))
    for (number, space) in floor.spaces.enumerated() {
      let outline = GeoPolygon(outer: ring(space.outer), holes: space.holes.map(ring))
      venue.spaces.append(
        Space(
          id: spaceID(floor, number), floor: floorID(floor), kind: space.kind, sourceKind: space.kind.rawValue,
          name: text(space.name), outline: GeoMultiPolygon([outline])))
      if space.isListed {
        venue.pointsOfInterest.append(
          PointOfInterest(
            id: "loc_\(floor.key)-\(VenueAssembler.number(number))", name: text(space.name),
            categories: [VenueAssembler.category(of: space.kind).id], spaces: [spaceID(floor, number)]))
      }
    }
    for (number, wall) in WallTracer.walls(of: floor).enumerated() {
      venue.walls.append(
        Barrier(
          id: "g_\(floor.key)-w\(VenueAssembler.number(number))", floor: floorID(floor), sourceKind: "wall",
          shape: .lines([[coordinate(wall.a, placement), coordinate(wall.b, placement)]])))
    }
    for (number, piece) in floor.furniture.enumerated() {
      venue.furniture.append(
        Barrier(
          id: "g_\(floor.key)-o\(VenueAssembler.number(number))", floor: floorID(floor), sourceKind: "object",
          shape: .area(GeoMultiPolygon([GeoPolygon(outer: piece.corners.map { coordinate($0, placement) })]))))
    }
    for (number, door) in floor.doors.enumerated() {
      let opening = Opening(
        id: "c_\(floor.key)-d\(VenueAssembler.number(number))", floor: floorID(floor),
        line: [coordinate(door.from, placement), coordinate(door.to, placement)],
        spaces: door.spaces.map { spaceID(floor, $0) }.sorted(), isEntrance: door.leadsOut != nil, sourceKind: "door")
      if door.leadsOut != nil, site.grounds != nil {
        // The same door on two floors: the floor of the building, and the ground outside.
        var inner = opening
        inner.id = "\(opening.id)@\(opening.floor)"
        var outer = opening
        outer.id = "\(opening.id)@\(VenueAssembler.groundsFloor)"
        outer.floor = VenueAssembler.groundsFloor
        outer.spaces = [VenueAssembler.groundsSpace]
        venue.openings += [inner, outer]
      } else {
        venue.openings.append(opening)
      }
    }
    addWays(of: floor, building: index, placement: placement)
  }

  private mutating func addWays(of floor: FloorDraft, building: Int, placement: Placement) {
    let base = nodes.count
    for (number, point) in floor.ways.points.enumerated() {
      nodes.append(
        NavigationGraph.Node(
          id: "n_\(floor.key)-\(VenueAssembler.number(number))", floor: floorID(floor),
          position: coordinate(point, placement)))
    }
    links += floor.ways.links.map { (base + $0.0, base + $0.1) }
  }

  // MARK: - Grounds

  private static let groundsFloor = FloorID("f_grounds")
  private static let groundsSpace = SpaceID("g_grounds")

  private mutating func addGrounds() {
    guard let grounds = site.grounds else { return }
    let corners = [
      (0.0, 0.0), (grounds.width, 0), (grounds.width, grounds.depth), (0, grounds.depth),
    ].map { coordinate(east: $0.0, north: $0.1) }
    let outline = GeoPolygon(outer: corners)
    let footprints = venue.floors.filter { $0.ordinal == FloorOrdinal(0) }.compactMap { $0.outline?.polygons.first }
    venue.floors.append(
      Floor(
        id: VenueAssembler.groundsFloor, ordinal: FloorOrdinal(0), name: text("Grounds"), shortName: text("G"),
        isOutdoor: true,
        outline: GeoMultiPolygon([outline])))
    venue.spaces.append(
      Space(
        id: VenueAssembler.groundsSpace, floor: VenueAssembler.groundsFloor, kind: .outdoor,
        sourceKind: SpaceKind.outdoor.rawValue, name: text("Grounds"),
        outline: GeoMultiPolygon([GeoPolygon(outer: corners, holes: footprints.map { $0.outer.reversed() })])))
    let base = nodes.count
    for (number, point) in grounds.nodes.enumerated() {
      nodes.append(
        NavigationGraph.Node(
          id: "n_grounds-\(VenueAssembler.number(number))", floor: VenueAssembler.groundsFloor,
          position: coordinate(east: point.east, north: point.north)))
    }
    links += grounds.links.map { (base + $0.0, base + $0.1) }
  }

  // MARK: - Directory

  private static func category(of kind: SpaceKind) -> (id: String, name: String) {
    switch kind {
    case .restroom: ("lcat_restroom", "Restrooms")
    case .shop: ("lcat_shop", "Shops")
    case .restaurant, .kitchen: ("lcat_food", "Food and Drink")
    case .exhibition: ("lcat_exhibition", "Exhibitions")
    case .platform: ("lcat_platform", "Platforms")
    case .medical, .ward, .laboratory: ("lcat_care", "Care")
    case .classroom, .auditorium, .library: ("lcat_learning", "Learning")
    case .office, .meetingRoom: ("lcat_work", "Work")
    default: ("lcat_service", "Service")
    }
  }

  private mutating func addCategories() {
    let used = Set(venue.pointsOfInterest.flatMap(\.categories))
    var known: Set<String> = []
    for kind in SpaceKind.allCases {
      let (id, name) = VenueAssembler.category(of: kind)
      guard used.contains(id), known.insert(id).inserted else { continue }
      venue.categories.append(PointOfInterestCategory(id: id, name: text(name)))
    }
  }

  // MARK: - Names and places

  private func text(_ text: String) -> LocalizedText { LocalizedText(text) }

  private func floorID(_ floor: FloorDraft) -> FloorID { FloorID("f_\(floor.key)") }

  private func spaceID(_ floor: FloorDraft, _ number: Int) -> SpaceID {
    SpaceID("g_\(floor.key)-s\(VenueAssembler.number(number))")
  }

  /// Returns a number with four digits, so that identifiers sort in numerical order.
  private static func number(_ value: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private func coordinate(_ point: PlanPoint, _ placement: Placement) -> Coordinate {
    let (east, north) = placement.place(point)
    return coordinate(east: east, north: north)
  }

  /// Returns a coordinate rounded to 1e-8 degrees, about a millimetre.
  private func coordinate(east: Double, north: Double) -> Coordinate {
    let exact = frame.unproject(PlanePoint(x: east, y: north))
    return Coordinate(
      longitude: (exact.longitude * 1e8).rounded() / 1e8, latitude: (exact.latitude * 1e8).rounded() / 1e8)
  }

  /// Returns a ring with a vertex at every joint that lies on one of its edges.
  private static func jointed(_ ring: [PlanPoint], _ joints: Set<PlanPoint>) -> [PlanPoint] {
    guard !joints.isEmpty else { return ring }
    var result: [PlanPoint] = []
    for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      let between = joints.filter { point in
        a.y == b.y
          ? point.y == a.y && min(a.x, b.x) < point.x && point.x < max(a.x, b.x)
          : point.x == a.x && min(a.y, b.y) < point.y && point.y < max(a.y, b.y)
      }
      result.append(a)
      result += a < b ? between.sorted() : between.sorted(by: >)
    }
    return result
  }
}
