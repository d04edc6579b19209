import CordonCore
public import CordonGeometry

extension Venue {
  /// What a device has to know of the venue: boundary, geofence, floors, spaces and walls, and no names.
  ///
  /// Walls have their openings cut out. A venue on which nothing can be walked has none, and is packed all the same.
  /// Overlapping spaces are given as they are; the gate takes the most protective one.
  ///
  /// - Parameters:
  ///   - choice: what counts as in the venue.
  ///   - policy: how the circle to watch is made of the boundary.
  ///   - recording: which spaces are kept how closely.
  ///   - tolerance: metres outside of the boundary that still count as inside.
  /// - Throws: `VenueError` with code `no-polygon` or `invalid-boundary` when there is no boundary, `geofence` when the
  ///   policy allows no circle round it, `unknown-space` when the recording policy names a space that is not there.
  public func packed(
    boundary choice: BoundaryChoice = .buildings, policy: GeofencePolicy = GeofencePolicy(),
    recording: RecordingPolicy = RecordingPolicy(), tolerance: Double = 0
  ) throws(VenueError) -> PackedVenue {
    let known = Set(spaces.map(\.id))
    let named = recording.unrecordedSpaces.union(recording.coarseSpaces)
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

  /// The circle to watch for a boundary.
  ///
  /// - Throws: `VenueError` with code `geofence` when the policy allows no circle round it.
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
