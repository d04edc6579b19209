internal import CordonCore
internal import CordonGeometry

/// Why a row is not kept. The raw values are what metrics count by; none of them says where.
enum RowRefusal: String, Error, CaseIterable, Sendable {
  case malformed
  case foreignDevice = "foreign-device"
  case foreignVenue = "foreign-venue"
  case outside
  case swapped
  case unrecorded
  case future
  case futureStay = "future-stay"
  case tooOld = "too-old"
  case accuracy
  case floor
  case stay
  case identity
  case noConsent = "no-consent"
  case notALocation = "not-a-location"
  case badTime = "bad-time"
  case encrypted
  case overflow

  /// A sentence for people: what is wrong and, where it helps, what to try.
  var sentence: String {
    switch self {
    case .malformed: "the row is not a location"
    case .foreignDevice: "device: the token is another device's"
    case .foreignVenue: "venue: the token is for another venue"
    case .outside: "lonlat: outside of the venue"
    case .swapped:
      "lonlat: outside of the venue; it is inside with longitude and latitude swapped: longitude comes first"
    case .unrecorded: "lonlat: nothing is recorded in this space"
    case .future: "time: in the future by the server's clock; times are milliseconds since 1970 in UTC"
    case .tooOld: "time: older than what is kept; times are milliseconds since 1970 in UTC"
    case .floor: "floor: the venue has no such floor; leave it out where it is not known"
    case .accuracy: "acc: unknown or too large"
    case .futureStay: "still_until: in the future by the server's clock"
    case .stay: "still_until: before the time of the row"
    case .identity: "id: does not begin with the time of the row"
    case .noConsent: "userConsent: no consent to record"
    case .notALocation: "the row is not a location"
    case .badTime: "the time of the row cannot be read"
    case .encrypted: "the payload is encrypted; the server has no key for it"
    case .overflow: "more rows than are taken at once"
    }
  }
}

/// Judges rows: the same gate as on the device, and what only a server can know.
struct RowGate: Sendable {
  let venue: ServedVenue
  let settings: IngestSettings

  func accept(_ location: Location, now: Instant) throws(RowRefusal) -> NewPosition {
    guard location.time <= now + settings.futureTolerance else { throw .future }
    guard location.time >= now - settings.positionRetention, location.time.milliseconds >= 0 else { throw .tooOld }
    // Rows lie in the file by their identity, so it must hold the time.
    guard location.id.time == location.time else { throw .identity }
    if let end = location.stillUntil {
      guard end >= location.time else { throw .stay }
      guard end <= now + settings.futureTolerance else { throw .futureStay }
    }
    guard location.accuracy.isFinite, location.accuracy >= 0 else { throw .accuracy }
    if let floor = location.floor, let floors = venue.floors, !floors.contains(floor) { throw .floor }
    var row = NewPosition(
      id: location.id,
      longitude: RowGate.scaled(location.coordinate.longitude), latitude: RowGate.scaled(location.coordinate.latitude),
      accuracy: Int64((min(location.accuracy, 1e7) * 1_000).rounded()), floor: location.floor?.thousandths,
      stillUntil: location.stillUntil?.milliseconds, space: nil, venueHash: location.venueHash)
    // A device that records only floors sends the middle of the geofence and its radius, wherever it was.
    let fence = venue.gate.geofence
    let isFloorOnly =
      location.accuracy >= fence.radius - 1 && row.longitude == RowGate.scaled(fence.center.longitude)
      && row.latitude == RowGate.scaled(fence.center.latitude)
    if isFloorOnly { return row }
    let verdict = venue.gate.judge(location.coordinate, floor: location.floor)
    guard verdict.isInside else {
      throw isInside(location.coordinate.exchanged, floor: location.floor) ? .swapped : .outside
    }
    switch verdict.recording {
    case .unrecorded: throw .unrecorded
    case .floorOnly:
      row.longitude = RowGate.scaled(fence.center.longitude)
      row.latitude = RowGate.scaled(fence.center.latitude)
      row.accuracy = Int64((fence.radius * 1_000).rounded())
    case .full: row.space = verdict.space
    }
    return row
  }

  /// Whether a place is in the venue.
  func isInside(_ coordinate: Coordinate, floor: FloorOrdinal?) -> Bool {
    coordinate.isValid && venue.gate.judge(coordinate, floor: floor).isInside
  }

  static func scaled(_ degrees: Double) -> Int32 { Int32((min(max(degrees, -180), 180) * 1e7).rounded()) }
}

extension Coordinate {
  /// Longitude and latitude the other way round.
  var exchanged: Coordinate { Coordinate(longitude: latitude, latitude: longitude) }
}
