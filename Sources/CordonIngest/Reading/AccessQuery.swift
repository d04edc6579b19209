internal import CordonContacts
internal import CordonCore
import CordonSupport

/// A person's request for access: all stored data of their device, and the operators who viewed it.
struct AccessQuery: Sendable {
  var device: StoredDevice
  var after: FixID?
  var limit: Int

  /// The most contacts of a page.
  static let maximumContacts = 20_000

  func answer(from store: any PositionStore) throws(StoreFault) -> IngestResponse {
    // Rows from before the present holder's time belong to a former holder.
    let since = device.heldSince ?? .init(milliseconds: 0)
    let oldest = device.heldSince.map { FixID(high: UInt64(max(0, $0.milliseconds)) << 16, low: 0) }
    let start = after.map { max($0, oldest ?? $0) } ?? oldest
    var positions = try store.positions(of: device.number, after: start, limit: limit + 1)
    var next: String?
    if positions.count > limit {
      positions.removeLast()
      next = positions.last?.id.description
    }
    // A page has the contacts that began in its stretch of time, so that each is shown once; what began before the first page
    // is on that one, and what began behind the last page on that.
    var selection = ContactSelection(
      device: device.number, span: Int64.min...Int64.max, limit: Self.maximumContacts + 1)
    if let after { selection.after = ContactCursor(endOf: after.time.milliseconds * 1_000) }
    if next != nil, let last = positions.last { selection.span = Int64.min...last.time * 1_000 }
    var contacts = try store.contacts(selection)
    if contacts.count > Self.maximumContacts, let last = contacts.last, positions.count > 1 {
      // So many contacts that the page ends earlier; it has at least one position.
      let count = max(1, positions.prefix { $0.time * 1_000 < last.start }.count)
      positions.removeLast(positions.count - count)
      next = positions.last?.id.description
      let end = (positions.last?.time ?? 0) * 1_000
      contacts.removeAll { $0.start > end }
    }
    contacts.removeAll { $0.start < since.milliseconds * 1_000 }
    // The first page states how many devices were met in all.
    var met: Int?
    if after == nil {
      let whole = ContactSelection(device: device.number, span: Int64.min...Int64.max, limit: Self.maximumContacts)
      let all = next == nil ? contacts : try store.contacts(whole).filter { $0.start >= since.milliseconds * 1_000 }
      met = Set(all.map { Int64($0.first) == device.number ? $0.second : $0.first }).count
    }
    var spaces: [JSONValue] = []
    for position in positions {
      var space: SpaceID?
      if let number = position.space { space = try store.space(number) }
      spaces.append(describe(position, space: space))
    }
    let consents = try store.consents(of: device.number).filter { $0.received >= since }.map { consent -> JSONValue in
      [
        "time": .integer(consent.time.milliseconds), "version": .string(consent.version),
        "purposes": .array(consent.purposes.map { .string($0) }),
      ]
    }
    let accesses = try store.accesses(to: device, limit: 10_000).filter { $0.time >= since }.map { entry -> JSONValue in
      [
        "time": .integer(entry.time.milliseconds), "operator": .string(entry.operator), "role": .string(entry.role),
        "action": .string(entry.action), "reason": .string(entry.reason),
      ]
    }
    return .json(
      200,
      [
        "device": .string(device.id.rawValue), "type": .string(device.type), "venue": .string(device.venue.rawValue),
        "activated": .integer((device.heldSince ?? device.created).milliseconds),
        "last_seen": .integer(device.lastSeen.milliseconds),
        "consents": .array(consents), "positions": .array(spaces), "next_after": JSONValue(next),
        "contacts": .array(contacts.map(describe)), "devices_met": JSONValue(met), "accesses": .array(accesses),
      ])
  }

  private func describe(_ position: StoredPosition, space: SpaceID?) -> JSONValue {
    [
      "id": .string(position.id.description), "time": .integer(position.time),
      "lonlat": [.number(position.coordinate.longitude), .number(position.coordinate.latitude)],
      "acc": .number(Double(position.accuracy) / 1_000),
      "floor": JSONValue(position.floor.map { FloorOrdinal(thousandths: $0).value }),
      "still_until": position.stillUntil.map { .integer($0) } ?? .null, "space": JSONValue(space?.rawValue),
      "battery_percent": position.battery.map { .integer($0) } ?? .null,
    ]
  }

  // The identity of the other person is never disclosed.
  private func describe(_ contact: Contact) -> JSONValue {
    [
      "start": .integer(contact.start / 1_000), "end": .integer(contact.end / 1_000),
      "minimum_distance_m": .number((contact.minimumDistance * 1e3).rounded() / 1e3),
      "floor": JSONValue(
        contact.floor == Segment.unknownFloor ? nil : FloorOrdinal(thousandths: contact.floor).value),
      "wall_share": JSONValue(contact.obstructedShare.map { ($0 * 1e3).rounded() / 1e3 }),
    ]
  }
}

extension Ingest {
  /// `GET /v1/devices/{device}/data`
  func access(_ request: IngestRequest, id: String, now: Instant) throws(Problem) -> Query {
    let device = try authorized(request, id: id, now: now)
    let after = try afterParameter(request)
    let limit = try Parameters.limit(request, default: 1_000, most: 10_000)
    return Query(
      .access(AccessQuery(device: device, after: after, limit: limit)), by: .person(device.number),
      settings: settings)
  }
}
