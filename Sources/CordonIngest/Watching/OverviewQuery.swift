internal import CordonCore
import CordonSupport

/// A venue at a glance: devices now, the last fix, and why data may be missing.
struct OverviewQuery: Sendable {
  /// A reason why a venue has less data than it should have.
  enum Gap: String, Sendable, CaseIterable {
    /// No device was ever activated.
    case noDevices = "no-devices"
    /// No device may record: consents are missing or were withdrawn.
    case noConsent = "no-consent"
    /// No device sent a fix within the last hour.
    case noFix = "no-fix"
    /// The last fix is older than the time for which a device counts as present.
    case oldFix = "old-fix"
    /// The map states no time zone.
    case noTimeZone = "no-time-zone"
    /// One row of five or more was refused since the server started.
    case refused
    /// The store cannot be written, is damaged, the disk is full, or the clock contradicts the rows.
    case store, damaged, disk, clock
  }

  var moment: MomentQuery
  var unreadiness: Set<Ingest.Unreadiness>
  /// Rows since the server started: stored or known, and refused.
  var rows: (taken: Int, refused: Int)

  /// The time before now in which the last fix is searched.
  static let lookBack = TimeSpan.hours(1)
  /// The number of devices whose consent is checked.
  private static let sample = 200

  func answer(from store: any PositionStore) throws(StoreFault) -> IngestResponse {
    let (venue, now) = (moment.venue, moment.time)
    let present = try moment.devices(from: store)
    var gaps: [Gap] = []
    for cause in Ingest.Unreadiness.allCases where unreadiness.contains(cause) {
      if let gap = Gap(rawValue: cause.rawValue) { gaps.append(gap) }
    }
    var last: Int64?
    var recent = 0
    if let place = try store.venues().first(where: { $0.id == venue.id }) {
      let span = (now - Self.lookBack.milliseconds)...now
      for device in try store.devices(in: place.number, during: span) {
        let row = try store.track(of: device, venue: place.number, in: now...now).last { $0.time <= now }
        guard let row else { continue }
        let sign = min(max(row.time, row.stillUntil ?? row.time), now)
        guard sign >= span.lowerBound else { continue }
        recent += 1
        last = max(last ?? sign, sign)
      }
    }
    let known = try store.devices(in: venue.id, prefix: "", after: "", limit: Self.sample)
    if known.isEmpty {
      gaps.append(.noDevices)
    } else if !known.contains(where: \.mayRecord) {
      gaps.append(.noConsent)
    } else if last == nil {
      gaps.append(.noFix)
    } else if present.isEmpty {
      gaps.append(.oldFix)
    }
    if rows.refused * 4 >= max(rows.taken, 1), rows.refused > 0 { gaps.append(.refused) }
    if venue.document?.hasTimeZone == false { gaps.append(.noTimeZone) }
    return .json(
      200,
      [
        "venue": .string(venue.id.rawValue), "time": .integer(now),
        "present_s": .number(MomentQuery.presence.seconds), "present": JSONValue(present.count),
        "devices_last_hour": JSONValue(recent), "last_fix": last.map { .integer($0) } ?? .null,
        "floors": .array(try floors(present)), "spaces": .array(try spaces(present, store)),
        "gaps": .array(gaps.map { .string($0.rawValue) }),
      ])
  }

  private func floors(_ present: [MomentQuery.Present]) throws(StoreFault) -> [JSONValue] {
    var counts: [Int32?: Int] = [:]
    for device in present { counts[device.floor?.thousandths, default: 0] += 1 }
    return counts.sorted { ($0.key ?? .min) < ($1.key ?? .min) }.map { floor, count in
      ["floor": JSONValue(floor.map { FloorOrdinal(thousandths: $0).value }), "devices": JSONValue(count)]
    }
  }

  private func spaces(
    _ present: [MomentQuery.Present], _ store: any PositionStore
  ) throws(StoreFault) -> [JSONValue] {
    var counts: [Int64: Int] = [:]
    for device in present {
      if let space = device.space { counts[space, default: 0] += 1 }
    }
    var list: [JSONValue] = []
    for (number, count) in counts.sorted(by: { $0.key < $1.key }) {
      guard let space = try store.space(number) else { continue }
      list.append(["space": .string(space.rawValue), "devices": JSONValue(count)])
    }
    return list
  }
}

extension Ingest {
  /// `GET /v1/operator/overview?venue=…`
  func overviewQuery(_ request: IngestRequest, now: Instant) throws(Problem) -> Query {
    let id = try venueParameter(request)
    let (who, _) = try operatorLook(request, action: "overview", role: .contactTracer, device: nil, venue: id, now: now)
    guard let venue = preprocessor.catalog[id] else {
      throw Problem(404, .noSuchVenue, "this server does not serve that venue", field: "venue")
    }
    let moment = MomentQuery(
      venue: venue, time: now.milliseconds, isNamed: false, salt: dotSalt, settings: settings)
    return Query(
      .overview(
        OverviewQuery(
          moment: moment, unreadiness: metrics.unreadiness,
          rows: (metrics.stored + metrics.known, metrics.refused.values.reduce(0, +)))),
      by: .operator(who.id), settings: settings)
  }

  /// `GET /v1/operator/status`: the state of the server, without data of devices.
  func serverStatus(_ request: IngestRequest, now: Instant) throws(Problem) -> IngestResponse {
    let who = try authenticated(request, now: now)
    // The counters are over all venues, and each row reveals a device that posts.
    guard let role = who.everywhere, role >= .operator else {
      throw Problem(403, .role, "this needs the role operator, for all venues")
    }
    let devices = try stored { () throws(StoreFault) in try store.deviceCount() }
    let refused = metrics.refused.sorted { $0.key < $1.key }.map { reason, count -> JSONValue in
      ["reason": .string(reason), "rows": JSONValue(count)]
    }
    let causes = Unreadiness.allCases.filter(metrics.unreadiness.contains).map { JSONValue.string($0.rawValue) }
    return .json(
      200,
      [
        "time": .integer(now.milliseconds), "is_ready": .bool(metrics.unreadiness.isEmpty), "causes": .array(causes),
        "devices": JSONValue(devices), "venues": JSONValue(preprocessor.catalog.ids.count),
        "rows": [
          "stored": JSONValue(metrics.stored), "known": JSONValue(metrics.known), "refused": .array(refused),
          "batches": JSONValue(metrics.batches), "commits": JSONValue(metrics.commits),
        ],
        "contacts": [
          "changes": JSONValue(metrics.contactChanges), "points_in_memory": JSONValue(metrics.contactPoints),
          "distance_m": .number(settings.contactDistance), "gap_s": .number(settings.contactGap.seconds),
          "late_stretches": JSONValue(metrics.settled),
        ],
        "retention": [
          "positions_s": .number(settings.positionRetention.seconds),
          "contacts_s": .number(settings.contactRetention.seconds),
          "audit_s": .number(settings.auditRetention.seconds),
          "devices_s": .number(settings.deviceRetention.seconds),
          "last_run": metrics.lastRetention.map { .integer($0.milliseconds) } ?? .null,
          "deleted_positions": .integer(metrics.expired.positions),
          "deleted_contacts": .integer(metrics.expired.contacts), "erased_devices": JSONValue(metrics.erased),
        ],
        "faults": ["count": JSONValue(metrics.storeFaults), "last": JSONValue(metrics.lastFault)],
        "devices_of_one_address": JSONValue(metrics.devicesOfOneAddress),
      ])
  }
}
