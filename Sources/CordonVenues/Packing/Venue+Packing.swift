import CordonCore
public import CordonGeometry

/// A packed venue, and findings about the walls that it lacks.
package struct VenuePacking: Sendable {
  /// The data for devices.
  package var venue: PackedVenue
  /// The walls that could not be built, with the code `walls-not-built`: one finding for the whole map, or one for each
  /// floor. The gate does not need walls; contacts cannot state there whether two devices were in line of sight.
  package var findings: [VenueFinding]
}

extension Venue {
  /// Returns the data that a device needs of the venue: boundary, geofence, floors, spaces and walls, without names.
  ///
  /// Openings are cut out of the walls. Overlapping spaces are packed unchanged; the gate uses the most protective one.
  /// A map with neither walls nor spaces is packed without walls. `packing(boundary:policy:recording:tolerance:plan:)`
  /// packs other maps without their walls, too, and reports them.
  ///
  /// - Parameters:
  ///   - choice: the area that counts as the venue.
  ///   - policy: the rule that derives the geofence from the boundary.
  ///   - recording: the level of recording in each space.
  ///   - tolerance: the distance outside the boundary that still counts as inside, in metres.
  /// - Throws: `VenueError`. The code is `no-polygon`, `invalid-boundary` or `invalid-geometry` if there is no
  ///   boundary, and `geofence` if the policy allows no circle. It is `unknown-space` if the recording policy names a
  ///   space that does not exist, and `walls-not-built` if the walls of no floor can be built.
  public func packed(
    boundary choice: BoundaryChoice = .buildings, policy: GeofencePolicy = GeofencePolicy(),
    recording: RecordingPolicy = RecordingPolicy(), tolerance: Double = 0
  ) throws(VenueError) -> PackedVenue {
    let packing = try packing(boundary: choice, policy: policy, recording: recording, tolerance: tolerance)
    if packing.venue.walls.isEmpty, let finding = packing.findings.first {
      throw VenueError(code: finding.code, file: finding.file, message: finding.message)
    }
    return packing.venue
  }

  /// Returns the data that a device needs of the venue, and findings about walls that could not be built.
  ///
  /// - Parameters:
  ///   - choice: the area that counts as the venue.
  ///   - policy: the rule that derives the geofence from the boundary.
  ///   - recording: the level of recording in each space.
  ///   - tolerance: the distance outside the boundary that still counts as inside, in metres.
  ///   - plan: the plan of this venue, which takes most of the time; `nil` builds one.
  /// - Throws: `VenueError` like ``packed(boundary:policy:recording:tolerance:)``, except for `walls-not-built`.
  package func packing(
    boundary choice: BoundaryChoice = .buildings, policy: GeofencePolicy = GeofencePolicy(),
    recording: RecordingPolicy = RecordingPolicy(), tolerance: Double = 0, plan: VenuePlan? = nil
  ) throws(VenueError) -> VenuePacking {
    let known = Set(spaces.map(\.id))
    let named = recording.unrecordedSpaces.union(recording.floorOnlySpaces)
    if let stranger = named.subtracting(known).min() {
      throw VenueError(code: "unknown-space", file: id.rawValue, message: "no space \(stranger)")
    }
    let boundary = try boundary(choice)
    let geofence = try geofence(around: boundary, policy: policy)
    let walls = PackedWalls(of: self, plan: plan, around: boundary.area)
    let packed = PackedVenue(
      venue: id, contentHash: contentHash, geofence: geofence, boundary: boundary.area, tolerance: tolerance,
      frameOrigin: walls.frame.origin, floors: floors.map { PackedVenue.Floor(id: $0.id, ordinal: $0.ordinal) },
      spaces: spaces.map {
        PackedVenue.Space(
          id: $0.id, floor: $0.floor, recording: recording.recording(of: $0), kind: PackedVenue.Space.Kind($0.kind),
          outline: $0.outline)
      }, walls: walls.floors)
    return VenuePacking(venue: packed, findings: walls.findings)
  }

  /// Returns the geofence of a boundary.
  ///
  /// - Throws: `VenueError` with the code `geofence` if the policy allows no circle round the boundary.
  public func geofence(
    around boundary: VenueBoundary, policy: GeofencePolicy = GeofencePolicy()
  ) throws(VenueError) -> Geofence {
    do {
      return try policy.geofence(around: boundary.area)
    } catch {
      throw VenueError(code: "geofence", file: id.rawValue, message: error.description)
    }
  }
}

extension PackedVenue.Space.Kind {
  /// Creates the kind of a space of the venue model.
  public init(_ kind: SpaceKind) { self.init(rawValue: kind.rawValue) }
}

extension SpaceKind {
  /// Creates the kind of a packed space; `nil` for a name that the venue model does not have.
  public init?(_ kind: PackedVenue.Space.Kind) { self.init(rawValue: kind.rawValue) }
}

/// The walls of a venue's plan, and findings about those that the plan lacks.
private struct PackedWalls {
  var floors: [PackedVenue.Walls] = []
  var frame: LocalFrame
  var findings: [VenueFinding] = []

  init(of venue: Venue, plan: VenuePlan?, around area: GeoMultiPolygon) {
    // Floors whose walls the map contains, or implies by the outlines of spaces.
    let walled = Set(venue.walls.map(\.floor)).union(venue.spaces.lazy.filter(\.kind.isWalkable).map(\.floor))
    do throws(VenueError) {
      let plan = if let plan { plan } else { try VenueRoutes(venue).routes.plan }
      floors = plan.floors.map { PackedVenue.Walls(floor: $0.id, segments: $0.walls) }
      frame = plan.frame
      for floor in venue.floors where walled.contains(floor.id) && plan.floorIndex(floor.id) == nil {
        report("the walls are left out: the floor has no walkable area", floor.id.rawValue, of: venue)
      }
    } catch {
      frame = LocalFrame(around: area.vertices) ?? LocalFrame(origin: Coordinate(longitude: 0, latitude: 0))
      if !walled.isEmpty { report("the walls are left out: \(error.message)", nil, of: venue) }
    }
  }

  private mutating func report(_ message: String, _ floor: String?, of venue: Venue) {
    findings.append(
      VenueFinding(
        severity: .warning, code: "walls-not-built", file: venue.id.rawValue, object: floor, action: .ignored,
        message: message))
  }
}
