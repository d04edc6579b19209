import CordonCore
import CordonGeometry

extension Venue {
  /// Returns the area that counts as the venue.
  ///
  /// If the map lacks the chosen source, the next of buildings, floors, venue and spaces is used. The last one is the
  /// convex hull of the whole map. ``VenueBoundary/isFallback`` is then true. A source that covers less than half of
  /// the area of the map's spaces is not used. For example, a kiosk that is tagged as a building does not stand for its
  /// station.
  ///
  /// - Throws: `VenueError` with one of these codes:
  ///   - `no-polygon` if nothing on the map encloses an area,
  ///   - `invalid-boundary` if a given polygon encloses no area,
  ///   - `invalid-geometry` if GEOS cannot dissolve a source.
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
      guard let dissolved = try dissolve(groups: parts), dissolved.squareMetres > Venue.minimumBoundaryArea else {
        continue
      }
      // The rooms cover themselves.
      guard try source == .spaces ? true : holds(dissolved, mostOf: rooms) else { continue }
      return VenueBoundary(
        choice: choice, source: source, area: dissolved.area, squareMetres: dissolved.squareMetres)
    }
    throw VenueError(code: "no-polygon", file: id.rawValue, message: "nothing on the map encloses an area")
  }

  /// Returns the boundary of every source that this map has, in a fixed order and without fallbacks.
  ///
  /// - Throws: `VenueError` with the code `invalid-geometry` if GEOS cannot dissolve a source.
  public func boundaries() throws(VenueError) -> [VenueBoundary] {
    var found: [VenueBoundary] = []
    for choice in [BoundaryChoice.buildings, .floors, .venue, .spaces] {
      guard let source = BoundarySource.order(startingAt: choice).first,
        let dissolved = try dissolve(groups: polygons(for: source)), dissolved.squareMetres > Venue.minimumBoundaryArea
      else { continue }
      found.append(
        VenueBoundary(choice: choice, source: source, area: dissolved.area, squareMetres: dissolved.squareMetres))
    }
    return found
  }

  /// Checks whether an area covers at least half of the rooms.
  ///
  /// A union of thousands of rooms takes much longer than all other steps, so it is computed only if the quick check
  /// fails.
  private func holds(
    _ area: (area: GeoMultiPolygon, squareMetres: Double), mostOf rooms: [[GeoPolygon]]
  ) throws(VenueError) -> Bool {
    if RoomCover.isPlain(area.area, over: rooms.joined()) { return true }
    return try overlap(area, rooms)
  }

  /// Checks with a union whether an area covers at least half of the rooms.
  func overlap(
    _ area: (area: GeoMultiPolygon, squareMetres: Double), _ groups: [[GeoPolygon]]
  ) throws(VenueError) -> Bool {
    guard let rooms = try dissolve(groups: groups), rooms.squareMetres > Venue.minimumBoundaryArea else { return true }
    let union = try dissolve(area.area.polygons + rooms.area.polygons)?.squareMetres ?? 0
    return area.squareMetres + rooms.squareMetres - union >= rooms.squareMetres / 2
  }

  /// Size below which an area is a drawing error and not a venue, in square metres.
  private static let minimumBoundaryArea = 0.01

  /// Returns the polygons of a source, in groups that are dissolved first: the spaces of each floor.
  package func polygons(for source: BoundarySource) -> [[GeoPolygon]] {
    switch source {
    case .buildings:
      let indoor = floors.filter { !$0.isOutdoor }
      let outlined = buildings.filter { $0.outline?.isEmpty == false }
      let outlinedFloors = Set(outlined.flatMap(\.floors))
      let outlinedBuildings = Set(outlined.map(\.id))
      let bare = indoor.filter { floor in
        !outlinedFloors.contains(floor.id) && !(floor.building.map(outlinedBuildings.contains) ?? false)
      }
      // A map without buildings has only floors, which are the next choice.
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

  package func dissolve(
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
  /// Returns the sources to try, best first.
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
  /// The error on one line.
  package var summary: String {
    messages.isEmpty ? "\(operation) failed" : "\(operation) failed: \(messages.joined(separator: "; "))"
  }
}
