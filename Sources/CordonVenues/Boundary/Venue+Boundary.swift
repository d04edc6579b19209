import CordonCore
import CordonGeometry

extension Venue {
  /// The area that counts as in the venue.
  ///
  /// When the map has nothing of the chosen kind, the next of buildings, floors, venue, spaces stands
  /// in, and the convex hull of everything last of all; ``VenueBoundary/isFallback`` says so. Outlines that hold
  /// less than half of the area of the map's spaces count as nothing: a kiosk that is tagged as a building is not
  /// the station it stands in.
  ///
  /// - Throws: `VenueError` with code `no-polygon` when nothing on the map encloses an area, and
  ///   `invalid-boundary` when a given polygon does not.
  public func boundary(_ choice: BoundaryChoice = .buildings) throws(VenueError) -> VenueBoundary {
    if case .polygon(let area) = choice {
      guard let dissolved = try dissolve(area.polygons), !dissolved.area.isEmpty else {
        throw VenueError(
          code: "invalid-boundary", file: id.rawValue, message: "the given boundary polygon encloses no area")
      }
      return VenueBoundary(
        choice: choice, source: .polygon, area: dissolved.area, squareMetres: dissolved.squareMetres)
    }
    let rooms = polygons(for: .spaces)
    for source in BoundarySource.order(startingAt: choice) {
      let parts = source == .hull ? [try hull()] : polygons(for: source)
      guard let dissolved = try dissolve(groups: parts), dissolved.squareMetres > Venue.leastBoundaryArea else {
        continue
      }
      // The rooms hold themselves.
      guard try source == .spaces ? true : holds(dissolved, mostOf: rooms) else { continue }
      return VenueBoundary(
        choice: choice, source: source, area: dissolved.area, squareMetres: dissolved.squareMetres)
    }
    throw VenueError(code: "no-polygon", file: id.rawValue, message: "nothing on the map encloses an area")
  }

  /// The boundary by every kind of source that this map has, in a fixed order, without fallbacks.
  ///
  /// - Throws: `VenueError` with code `invalid-geometry` when GEOS cannot dissolve a kind.
  public func boundaries() throws(VenueError) -> [VenueBoundary] {
    var found: [VenueBoundary] = []
    for choice in [BoundaryChoice.buildings, .floors, .venue, .spaces] {
      guard let source = BoundarySource.order(startingAt: choice).first,
        let dissolved = try dissolve(groups: polygons(for: source)), dissolved.squareMetres > Venue.leastBoundaryArea
      else { continue }
      found.append(
        VenueBoundary(choice: choice, source: source, area: dissolved.area, squareMetres: dissolved.squareMetres))
    }
    return found
  }

  /// Whether an area holds at least half of the rooms. Making one area of thousands of rooms takes much longer than
  /// everything else about a venue, so it is only done when it is not plain to see.
  private func holds(
    _ area: (area: GeoMultiPolygon, squareMetres: Double), mostOf rooms: [[GeoPolygon]]
  ) throws(VenueError) -> Bool {
    if RoomCover.isPlain(area.area, over: rooms.joined()) { return true }
    return try overlap(area, rooms)
  }

  /// The same in any case: what the two have in common is what their union lacks.
  func overlap(
    _ area: (area: GeoMultiPolygon, squareMetres: Double), _ groups: [[GeoPolygon]]
  ) throws(VenueError) -> Bool {
    guard let rooms = try dissolve(groups: groups), rooms.squareMetres > Venue.leastBoundaryArea else { return true }
    let union = try dissolve(area.area.polygons + rooms.area.polygons)?.squareMetres ?? 0
    return area.squareMetres + rooms.squareMetres - union >= rooms.squareMetres / 2
  }

  /// Square metres below which an area is a drawing accident and not a venue.
  private static let leastBoundaryArea = 0.01

  /// What a boundary is made of, in groups that are dissolved for themselves first: the spaces of each floor.
  func polygons(for source: BoundarySource) -> [[GeoPolygon]] {
    switch source {
    case .buildings:
      let indoor = floors.filter { !$0.isOutdoor }
      let outlined = buildings.filter { $0.outline?.isEmpty == false }
      let outlinedFloors = Set(outlined.flatMap(\.floors))
      let outlinedBuildings = Set(outlined.map(\.id))
      let bare = indoor.filter { floor in
        !outlinedFloors.contains(floor.id) && !(floor.building.map(outlinedBuildings.contains) ?? false)
      }
      // A map that names no building at all has floors only; the next choice says so.
      if buildings.isEmpty { return [] }
      return [outlined.flatMap { $0.outline?.polygons ?? [] } + bare.flatMap { $0.outline?.polygons ?? [] }]
    case .floors: return [floors.flatMap { $0.outline?.polygons ?? [] }]
    case .venue: return [outline?.polygons ?? []]
    case .spaces:
      let outdoor = Set(floors.filter(\.isOutdoor).map(\.id))
      let indoor = spaces.filter { !outdoor.contains($0.floor) && $0.kind != .outdoor }
      return Dictionary(grouping: indoor, by: \.floor).sorted { $0.key < $1.key }.map {
        $0.value.flatMap(\.outline.polygons)
      }
    case .polygon, .hull: return []
    }
  }

  private func dissolve(
    _ polygons: [GeoPolygon]
  ) throws(VenueError) -> (area: GeoMultiPolygon, squareMetres: Double)? {
    try dissolve(groups: [polygons])
  }

  func dissolve(
    groups: [[GeoPolygon]]
  ) throws(VenueError) -> (area: GeoMultiPolygon, squareMetres: Double)? {
    do {
      return try AreaDissolver.dissolve(groups: groups)
    } catch {
      throw VenueError(code: "invalid-geometry", file: id.rawValue, message: error.summary)
    }
  }

  private func hull() throws(VenueError) -> [GeoPolygon] {
    do {
      return try AreaDissolver.hull(of: everyCoordinate)
    } catch {
      throw VenueError(code: "invalid-geometry", file: id.rawValue, message: error.summary)
    }
  }
}

extension BoundarySource {
  /// The sources to try, best first.
  fileprivate static func order(startingAt choice: BoundaryChoice) -> [BoundarySource] {
    switch choice {
    case .buildings, .polygon: [.buildings, .floors, .venue, .spaces, .hull]
    case .floors: [.floors, .buildings, .venue, .spaces, .hull]
    case .venue: [.venue, .buildings, .floors, .spaces, .hull]
    case .spaces: [.spaces, .floors, .buildings, .venue, .hull]
    }
  }
}

extension GeosError {
  /// One line for people.
  var summary: String {
    messages.isEmpty ? "\(operation) failed" : "\(operation) failed: \(messages.joined(separator: "; "))"
  }
}
