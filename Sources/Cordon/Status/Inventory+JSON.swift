import CordonCore
import CordonMonitoring
import CordonSupport

extension Inventory {
  /// One JSON object, `cordon.my-data/1`: times as RFC 3339 text, degrees, metres.
  func json(at time: Instant) -> [UInt8] {
    var ways: [FixID: [JSONValue]] = [:]
    for delivery in deliveries {
      ways[delivery.id, default: []].append([
        "sink": .integer(Int64(delivery.sink.number)), "status": .string(delivery.status.rawValue),
        "attempts": .integer(Int64(delivery.attempts)), "reason": delivery.reason.map { .string($0) } ?? .null,
      ])
    }
    return Array((json(ways, time).text(pretty: true) + "\n").utf8)
  }

  private func json(_ ways: [FixID: [JSONValue]], _ time: Instant) -> JSONValue {
    var refused: [JSONValue.Member] = []
    for reason in RefusalReason.allCases where accounting[reason] > 0 {
      refused.append(.init(reason.rawValue, .integer(Int64(clamping: accounting[reason]))))
    }
    return [
      "schema": "cordon.my-data/1", "time": .string(time.rfc3339), "device": .string(device.rawValue),
      "type": .string(type), "venues": .array(activatedVenues.map { .string($0.rawValue) }),
      "token_ends": tokenEnd.map { .string($0.rfc3339) } ?? .null, "consent": consentJSON,
      "fixes": [
        "seen": .integer(Int64(clamping: accounting.fixes)), "thinned": .integer(Int64(clamping: accounting.thinned)),
        "stored": .integer(Int64(clamping: accounting.stored)),
        "acknowledged": .integer(Int64(clamping: accounting.acknowledged)),
        "on_phone": .integer(Int64(clamping: accounting.onPhone)),
        "quarantined": .integer(Int64(clamping: accounting.quarantined)),
        "expired": .integer(Int64(clamping: accounting.expired)),
        "erased": .integer(Int64(clamping: accounting.erased)), "refused": .object(refused),
      ],
      "locations": .array(locations.map { Inventory.json($0, ways[$0.id] ?? []) }),
      "notices": .array(notices.map(Inventory.json)),
      "pending_erasures": .array(pendingErasures.map { .string($0.rawValue) }),
    ]
  }

  private var consentJSON: JSONValue {
    guard let consent else { return .null }
    func json(_ grant: Consent.Grant?) -> JSONValue {
      grant.map { ["version": .string($0.version), "time": .string($0.time.rfc3339)] } ?? .null
    }
    var members: [JSONValue.Member] = [
      .init("record", json(consent.record)), .init("share", json(consent.share)),
    ]
    if let everywhere = consent.everywhere { members.append(.init("everywhere", json(everywhere))) }
    return .object(members)
  }

  private static func json(_ notice: ExposureNotice) -> JSONValue {
    [
      "number": .integer(notice.id), "template": .string(notice.template), "day": .string(notice.day),
      "advice": .string(notice.advice), "created": .string(notice.created.rfc3339),
      "expires": .string(notice.expires.rfc3339), "received": .string(notice.received.rfc3339),
      "acknowledged": notice.acknowledged.map { .string($0.rfc3339) } ?? .null,
    ]
  }

  private static func json(_ location: Location, _ ways: [JSONValue]) -> JSONValue {
    [
      "id": .string(location.id.description), "time": .string(location.time.rfc3339),
      "still_until": location.stillUntil.map { .string($0.rfc3339) } ?? .null,
      "venue": .string(location.venue.rawValue), "longitude": .number(location.coordinate.longitude),
      "latitude": .number(location.coordinate.latitude), "accuracy": .number(location.accuracy),
      "floor": location.floor.map { .number($0.value) } ?? .null,
      "space": location.space.map { .string($0.rawValue) } ?? .null, "mocked": .bool(location.isMocked),
      "deliveries": .array(ways),
    ]
  }
}
