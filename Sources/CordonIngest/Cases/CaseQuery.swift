internal import CordonContacts
internal import CordonCore
internal import CordonGeometry
import CordonSupport

/// A case with its exposures: with whom, by its rule, how sure, and what became of them.
struct CaseQuery: Sendable {
  var record: CaseRecord
  var index: StoredDevice?
  var contacts: [CaseContact]
  var notices: [CaseNotice]
  var settings: IngestSettings

  /// The largest number of pairs whose fixes are read for their probabilities.
  static let maximumAssessed = 100

  /// Contacts of a pair of devices of the case.
  struct Met {
    var device: Int64
    /// Whether the contacts are those of a former holder of the device.
    var isOfFormerHolder: Bool
    /// The beginning of the present holder's time.
    var since: Instant
    var exposure: Exposure
    var contacts: [Contact]

    /// The share of the contact time behind a wall; `nil` when the map has no walls there.
    var wallShare: Double? {
      let known = contacts.filter { $0.obstructedShare != nil }
      let total = known.reduce(0.0) { $0 + max(Double($1.duration), 1) }
      guard total > 0 else { return nil }
      return known.reduce(0.0) { $0 + ($1.obstructedShare ?? 0) * max(Double($1.duration), 1) } / total
    }
    /// The start of the longest contact.
    var longest: Contact? { contacts.max { ($0.duration, $1.start) < ($1.duration, $0.start) } }
  }

  func answer(from store: any PositionStore) throws(StoreFault) -> IngestResponse {
    var names = DeviceNames(store)
    var list: [JSONValue] = []
    var listed: Set<[String]> = []
    if let index, let place = try store.venues().first(where: { $0.id == record.venue }) {
      let frame = LocalFrame(origin: place.origin)
      for (position, met) in try met(index, place.number, store).enumerated() {
        let name = try names[Int32(truncatingIfNeeded: met.device)]
        listed.insert([name, "\(met.isOfFormerHolder)"])
        var assessed: ProbableContact?
        if position < Self.maximumAssessed, let longest = met.longest {
          assessed = try assess(longest, place.number, frame, store)
        }
        list.append(describe(met, name: name, assessed))
      }
    }
    // Those whose contacts were deleted since, for their age.
    for contact in contacts {
      let name = contact.device.rawValue
      let since = try store.device(contact.device)?.heldSince ?? .epoch
      let isFormer = contact.holder < since
      guard listed.insert([name, "\(isFormer)"]).inserted else { continue }
      list.append(
        .object(
          [.init("device", .string(name)), .init("is_of_former_holder", .bool(isFormer))]
            + status(of: name, isOfFormerHolder: isFormer, since: since)))
    }
    return .json(
      200,
      .object(
        record.members + [
          .init("device", .string(record.device.rawValue)), .init("is_device_known", .bool(index != nil)),
          .init("distance_m", .number(settings.contactDistance)), .init("exposures", .array(list)),
          .init("notices", .array(notices.map(\.json))),
        ]))
  }

  /// The pairs of the index case, those with the longest contact first. The holders of a device are pairs of their own.
  private func met(_ index: StoredDevice, _ venue: Int64, _ store: any PositionStore) throws(StoreFault) -> [Met] {
    let found = try store.contacts(
      in: venue, device: index.number, overlapping: record.span(of: index), limit: ExposureQuery.maximumContacts
    ).filter { ($0.obstructedShare ?? 0) * 100 <= Double(record.wallPercent) && record.isOwn($0.start, of: index) }
    let rule = ExposureRule(
      name: "case", distance: settings.contactDistance, threshold: .minutes(record.thresholdMinutes),
      window: .hours(24), source: "the case")
    func other(_ first: Int32, _ second: Int32) -> Int64 { Int64(Int64(first) == index.number ? second : first) }
    var held: [Int64: Instant] = [:]
    for device in Set(found.map { other($0.first, $0.second) }).sorted() {
      if let id = try store.deviceID(device) { held[device] = try store.device(id)?.heldSince }
    }
    var list: [Met] = []
    for isFormer in [false, true] {
      let part = found.filter { contact in
        let since = held[other(contact.first, contact.second)] ?? .epoch
        return (contact.start < since.milliseconds * 1_000) == isFormer
      }
      for exposure in Exposure.list(of: part, rule: rule) {
        let device = other(exposure.first, exposure.second)
        list.append(
          Met(
            device: device, isOfFormerHolder: isFormer, since: held[device] ?? .epoch, exposure: exposure,
            contacts: part.filter { $0.first == exposure.first && $0.second == exposure.second }))
      }
    }
    return list.sorted {
      ($1.exposure.maximumInWindow, $0.device, $0.isOfFormerHolder ? 1 : 0)
        < ($0.exposure.maximumInWindow, $1.device, $1.isOfFormerHolder ? 1 : 0)
    }
  }

  /// The probability of the longest contact, from the fixes of both devices.
  private func assess(
    _ contact: Contact, _ venue: Int64, _ frame: LocalFrame, _ store: any PositionStore
  ) throws(StoreFault) -> ProbableContact? {
    let margin = settings.contactGap.milliseconds
    let span = contact.start / 1_000 - margin...contact.end / 1_000 + margin
    var points: [TrackPoint] = []
    var accuracies: [Float] = []
    var ends: [Int64] = []
    for device in [contact.first, contact.second] {
      for row in try store.track(of: Int64(device), venue: venue, in: span) {
        let place = frame.projectRounded(row.coordinate)
        points.append(
          TrackPoint(
            device: device, floor: row.floor ?? Segment.unknownFloor, time: row.time, x: place.x, y: place.y))
        accuracies.append(Float(row.accuracy) / 1_000)
        ends.append(row.stillUntil ?? .min)
      }
    }
    let tracks = ObservedTracks(points, accuracies: accuracies, stillUntil: ends, maximumGap: settings.contactGap)
    var assessor = ContactAssessor(tracks, distance: settings.contactDistance)
    return assessor.assess(contact)
  }

  private func describe(_ met: Met, name: String, _ assessed: ProbableContact?) -> JSONValue {
    func rounded(_ value: Double) -> Double { (value * 1e3).rounded() / 1e3 }
    let exposure = met.exposure
    let length = Double(met.longest?.duration ?? 0) / 1e6
    let mean = assessed?.expectedSeconds.flatMap { length > 0 ? min(1, $0 / length) : nil }
    let last = met.contacts.map(\.end).max() ?? 0
    return .object(
      [
        .init("device", .string(name)), .init("is_of_former_holder", .bool(met.isOfFormerHolder)),
        .init("contacts", JSONValue(exposure.contacts)),
        .init("total_s", .number(Double(exposure.total) / 1e6)),
        .init("maximum_in_window_s", .number(Double(exposure.maximumInWindow) / 1e6)),
        .init("window_start", .integer(exposure.windowStart / 1_000)), .init("last_contact", .integer(last / 1_000)),
        .init("minimum_distance_m", .number(rounded(exposure.minimumDistance))),
        .init("wall_share", JSONValue(met.wallShare.map(rounded))), .init("probability", JSONValue(mean.map(rounded))),
        .init("assertable", assessed.map { .bool($0.isAssertable) } ?? .null),
        .init("is_exposure", .bool(exposure.isExposure)),
      ] + status(of: name, isOfFormerHolder: met.isOfFormerHolder, since: met.since))
  }

  /// What became of a holder of a device.
  /// - Parameter since: the beginning of the present holder's time.
  private func status(of device: String, isOfFormerHolder isFormer: Bool, since: Instant) -> [JSONValue.Member] {
    let known = contacts.last { $0.device.rawValue == device && ($0.holder < since) == isFormer }
    let notice = notices.last { $0.device.rawValue == device && ($0.holder < since) == isFormer }
    return [
      .init("status", .string((known?.status ?? .open).rawValue)), .init("note", .string(known?.note ?? "")),
      .init("changed", known.map { .integer($0.changed.milliseconds) } ?? .null),
      .init("operator", JSONValue(known?.operator)),
      .init("notice", notice.map { .string($0.state) } ?? .null),
    ]
  }
}

extension CaseRecord {
  /// The members that name no device.
  var members: [JSONValue.Member] {
    [
      .init("number", .integer(number)), .init("venue", .string(venue.rawValue)), .init("label", .string(label)),
      .init("onset", onset.map { .integer($0.milliseconds) } ?? .null), .init("from", .integer(from.milliseconds)),
      .init("to", .integer(to.milliseconds)), .init("threshold_minutes", .integer(thresholdMinutes)),
      .init("wall_percent", .integer(wallPercent)), .init("note", .string(note)),
      .init("created", .integer(created.milliseconds)), .init("creator", .string(creator)),
      .init("closed", closed.map { .integer($0.milliseconds) } ?? .null),
    ]
  }
}

extension CaseNotice {
  /// What became of it.
  var state: String { acknowledged != nil ? "acknowledged" : delivered != nil ? "delivered" : "made" }

  /// For operators.
  var json: JSONValue {
    [
      "number": .integer(number), "device": .string(device.rawValue), "exposed": .integer(exposed.milliseconds),
      "template": .string(template), "created": .integer(created.milliseconds), "state": .string(state),
    ]
  }
}
