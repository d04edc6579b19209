/// A fix that a monitor accepted. It is stored, sent, acknowledged and then deleted.
public struct Location: Hashable, Sendable {
  /// The identity of the fix; the same fix redelivered has the same one.
  public var id: FixID
  /// The device that recorded it.
  public var device: DeviceID
  /// The venue it was recorded in.
  public var venue: VenueID
  /// Position, degrees.
  public var coordinate: Coordinate
  /// Radius at 68 %, metres.
  public var accuracy: Double
  /// The floor, or `nil` when it is not known.
  public var floor: FloorOrdinal?
  /// The time of the fix.
  public var time: Instant
  /// The last time at which the device was known to rest at this place; `nil` without rest.
  public var stillUntil: Instant?
  /// The space of the venue's map, when it is known and may be recorded.
  public var space: SpaceID?
  /// The SHA-256 of the venue bundle that judged the fix, as 64 hexadecimal digits.
  public var venueHash: String
  /// Whether software generated the position: only in development builds.
  public var isMocked: Bool

  /// Makes a location of its values.
  public init(
    id: FixID, device: DeviceID, venue: VenueID, coordinate: Coordinate, accuracy: Double, floor: FloorOrdinal?,
    time: Instant, stillUntil: Instant? = nil, space: SpaceID? = nil, venueHash: String = "", isMocked: Bool = false
  ) {
    self.id = id
    self.device = device
    self.venue = venue
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.floor = floor
    self.time = time
    self.stillUntil = stillUntil
    self.space = space
    self.venueHash = venueHash
    self.isMocked = isMocked
  }
}
