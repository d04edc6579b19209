import CordonCore
public import CordonGeometry

extension Venue {
  /// Returns the data that a device needs of the venue: boundary, geofence, floors, spaces and walls, without names.
  ///
  /// Openings are cut out of the walls. A venue without a walkable area is packed without walls. Overlapping spaces are
  /// packed unchanged; the gate uses the most protective one.
  ///
  /// - Parameters:
  ///   - choice: the area that counts as the venue.
  ///   - policy: the rule that derives the geofence from the boundary.
  ///   - recording: the level of recording in each space.
  ///   - tolerance: the distance outside the boundary that still counts as inside, in metres.
  /// - Throws: `VenueError`. The code is `no-polygon`, `invalid-boundary` or `invalid-geometry` if there is no
  ///   boundary, and `geofence` if the policy allows no circle. It is `unknown-space` if the recording policy names a
  ///   space that does not exist.
  public func packed(
    boundary choice: BoundaryChoice = .buildings, policy: GeofencePolicy = GeofencePolicy(),
    recording: RecordingPolicy = RecordingPolicy(), tolerance: Double = 0
  ) throws(VenueError) -> PackedVenue {
    let known = Set(spaces.map(\.id))
    let named = recording.unrecordedSpaces.union(recording.floorOnlySpaces)
    if let stranger = named.subtracting(known).min() {
      throw VenueError(code: "unknown-space", file: id.rawValue, message: "there is no space \(stranger)")
    }
    let boundary = try boundary(choice)
    let (walls, frame) = packedWalls(around: boundary.area)
    return PackedVenue(
      venue: id, contentHash: contentHash, geofence: try geofence(around: boundary, policy: policy),
      boundary: boundary.area, tolerance: tolerance, frameOrigin: frame.origin,
      floors: floors.map { PackedVenue.Floor(id: $0.id, ordinal: $0.ordinal) },
      spaces: spaces.map {
        PackedVenue.Space(
          id: $0.id, floor: $0.floor, recording: recording.recording(of: $0), kind: $0.kind.rawValue,
          outline: $0.outline)
      }, walls: walls)
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

  private func packedWalls(around area: GeoMultiPolygon) -> ([PackedVenue.Walls], LocalFrame) {
    guard let plan = try? VenuePlan(self) else {
      return ([], LocalFrame(around: area.vertices) ?? LocalFrame(origin: Coordinate(longitude: 0, latitude: 0)))
    }
    let walls = plan.floors.map { floor in
      PackedVenue.Walls(
        floor: floor.id, segments: floor.walls)
    }
    return (walls, plan.frame)
  }
}
