public import CordonCore
public import CordonGeometry

extension VenueGate {
  /// Returns the place at a distance in metres east and north of the centre of the venue's geofence.
  public func place(east: Double, north: Double) -> Coordinate {
    LocalFrame(origin: geofence.center).unproject(PlanePoint(x: east, y: north))
  }
}

extension PackedVenue {
  /// Returns a place in a space, and the floor's ordinal; `nil` when there is no such space, or no place in it was
  /// found. Where spaces overlap, it prefers a place that the gate attributes to this one.
  public func place(in space: SpaceID) -> (coordinate: Coordinate, floor: FloorOrdinal)? {
    guard let space = spaces.first(where: { $0.id == space }),
      let floor = floors.first(where: { $0.id == space.floor })?.ordinal, let bounds = space.outline.bounds
    else { return nil }
    let gate = PackedVenueGate(self)
    var first: Coordinate?
    // Tries the centre of its bounds, then the centres of ever smaller cells.
    var cells = 1
    while cells <= 64 {
      for row in 0..<cells {
        for column in 0..<cells {
          let place = Coordinate(
            longitude: bounds.west + (bounds.east - bounds.west) * (Double(column) + 0.5) / Double(cells),
            latitude: bounds.south + (bounds.north - bounds.south) * (Double(row) + 0.5) / Double(cells))
          guard space.outline.contains(place) else { continue }
          first = first ?? place
          if space.recording != .full || gate.judge(place, floor: floor).space == space.id { return (place, floor) }
        }
      }
      cells *= 2
    }
    return first.map { ($0, floor) }
  }
}
