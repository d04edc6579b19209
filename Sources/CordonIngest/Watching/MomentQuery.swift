internal import CordonContacts
internal import CordonCore
internal import CordonGeometry
import CordonSupport

/// Where the devices of a venue are at one moment.
///
/// A device counts as present for ``presence`` after its last fix or the end of its stay. Between two fixes that the contact
/// engine would join, its place lies on the straight line between them.
struct MomentQuery: Sendable {
  var venue: ServedVenue
  /// Milliseconds since 1970.
  var time: Int64
  /// Whether the answer names devices; otherwise they have numbers that last as long as the process.
  var isNamed: Bool
  /// Mixed into the numbers of devices that are not named.
  var salt: UInt64
  var settings: IngestSettings

  /// The time for which a device counts as present after its last sign.
  static let presence = TimeSpan.minutes(5)

  /// A device at the moment.
  struct Present: Hashable, Sendable {
    var device: Int64
    var floor: FloorOrdinal?
    var place: Coordinate
    /// Metres.
    var accuracy: Double
    /// Milliseconds since the last sign.
    var age: Int64
    var space: Int64?
  }

  /// Returns the devices that are present, by their numbers. One query of the store for each device.
  func devices(from store: any PositionStore) throws(StoreFault) -> [Present] {
    guard let place = try store.venues().first(where: { $0.id == venue.id }) else { return [] }
    var found: [Present] = []
    let earliest = time - Self.presence.milliseconds
    for device in try store.devices(in: place.number, during: earliest...time) {
      let rows = try store.track(of: device, venue: place.number, in: time...time)
      guard let last = rows.last(where: { $0.time <= time }) else { continue }
      let sign = min(max(last.time, last.stillUntil ?? last.time), time)
      guard sign >= earliest else { continue }
      found.append(
        Present(
          device: device, floor: last.floor.map { FloorOrdinal(thousandths: $0) },
          place: between(last, rows.first { $0.time > time }), accuracy: Double(last.accuracy) / 1_000,
          age: time - sign, space: last.space))
    }
    return found
  }

  private func between(_ last: StoredPosition, _ next: StoredPosition?) -> Coordinate {
    let start = max(last.time, last.stillUntil ?? last.time)
    guard let next, next.floor == last.floor, start < time, next.time - start <= settings.contactGap.milliseconds
    else { return last.coordinate }
    let share = Double(time - start) / Double(next.time - start)
    let (from, to) = (last.coordinate, next.coordinate)
    return Coordinate(
      longitude: from.longitude + (to.longitude - from.longitude) * share,
      latitude: from.latitude + (to.latitude - from.latitude) * share)
  }

  /// A number for a device that cannot be traced back to it without the salt.
  private func key(of device: Int64) -> Int64 {
    Int64(RandomStream(seed: salt, stream: 0x6d6f, entity: UInt64(bitPattern: device)).firstBits)
  }

  func answer(from store: any PositionStore) throws(StoreFault) -> IngestResponse {
    var names = DeviceNames(store)
    var spaces: [Int64: JSONValue] = [:]
    var list: [JSONValue] = []
    for present in try devices(from: store) {
      var space = JSONValue.null
      if let number = present.space {
        if spaces[number] == nil { spaces[number] = JSONValue(try store.space(number)?.rawValue) }
        space = spaces[number] ?? .null
      }
      let name = isNamed ? try names[Int32(truncatingIfNeeded: present.device)] : nil
      let xy = venue.document?.place(present.place) ?? []
      list.append([
        "key": .integer(key(of: present.device)), "device": JSONValue(name), "floor": JSONValue(present.floor?.value),
        "xy": .array(xy), "acc": .number((present.accuracy * 10).rounded() / 10),
        "age_s": .integer(present.age / 1_000), "space": space,
      ])
    }
    return .json(
      200,
      [
        "venue": .string(venue.id.rawValue), "time": .integer(time),
        "present_s": .number(Self.presence.seconds), "devices": .array(list),
      ])
  }
}

extension RandomStream {
  /// The first 32 bits of the stream.
  fileprivate var firstBits: UInt64 {
    var stream = self
    return stream.next() >> 32
  }
}

extension Ingest {
  /// `POST /v1/operator/moment`: without names as the floor plan shows devices, with a reason also with names.
  func momentQuery(_ request: IngestRequest, now: Instant) throws(Problem) -> Query {
    let request = try withBodyParameters(request, "venue", "time", "reason")
    let id = try venueParameter(request)
    let time = try Parameters.instant(request, "time") ?? now
    let isNamed = !(request.parameter("reason") ?? "").isEmpty
    let (who, _) = try operatorLook(
      request, action: isNamed ? "list devices" : "plan", role: .contactTracer, device: nil, venue: id, now: now)
    guard let venue = preprocessor.catalog[id] else {
      throw Problem(404, .noSuchVenue, "this server does not serve that venue", field: "venue")
    }
    return Query(
      .moment(
        MomentQuery(
          venue: venue, time: time.milliseconds, isNamed: isNamed, salt: dotSalt, settings: settings)),
      by: .operator(who.id), settings: settings)
  }
}
