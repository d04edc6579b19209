internal import CordonContacts
internal import CordonCore
import CordonSupport

/// A query that was allowed and noted: it only reads, so it may be answered beside the writer.
package struct Query: Sendable {
  enum Kind: Sendable {
    case devices(venue: VenueID, prefix: String, after: String, limit: Int)
    case contacts(ContactQuery)
    case exposures(ExposureQuery)
    case occupancy(OccupancyQuery)
    case viewerCounts(ViewerCountQuery)
    case audit(device: Int64?, venues: Set<VenueID>?, before: Int64?, limit: Int)
    case invites(venue: VenueID)
    case access(AccessQuery)
    case moment(MomentQuery)
    case track(TrackQuery)
    case overview(OverviewQuery)
    case quality(QualityQuery)
    case caseFile(CaseQuery)
    case tree(TreeQuery)
  }

  /// The person or operator who asks; turns are given by it.
  package enum Asker: Hashable, Sendable {
    /// A person who asks for what is kept of their device, by its number.
    case person(Int64)
    /// An operator, by pseudonym.
    case `operator`(String)
  }

  let kind: Kind
  /// The person or operator who asks.
  package let asker: Asker
  let settings: IngestSettings

  init(_ kind: Kind, by asker: Asker, settings: IngestSettings) {
    self.kind = kind
    self.asker = asker
    self.settings = settings
  }

  /// Answers from a store; it may be one that only reads.
  package func answer(from store: any PositionStore) -> IngestResponse {
    var run = QueryRun(self)
    while true {
      if let answer = run.advance(from: store) { return answer }
    }
  }

  /// The answer to a query that takes one step.
  func wholeAnswer(from store: any PositionStore) throws(StoreFault) -> IngestResponse {
    switch kind {
    case .devices(let venue, let prefix, let after, let limit):
      return try Query.devices(venue, prefix, after, limit, store)
    case .contacts(let query):
      if let limit = query.limit { return try query.answer(limit, from: store) }
      return try ContactExport(query, by: asker).whole(from: store)
    case .exposures(let query): return try query.answer(from: store)
    case .viewerCounts(let query): return try query.answer(from: store)
    case .occupancy(let query):
      var run = OccupancyRun(query)
      while true {
        if let answer = try run.advance(from: store) { return answer }
      }
    case .audit(let device, let venues, let before, let limit):
      return try Query.audit(device, venues, before, limit, store)
    case .invites(let venue):
      let list = try store.invites(of: venue).map { Query.describe($0) }
      return .json(200, ["invite_codes": .array(list)])
    case .access(let query): return try query.answer(from: store)
    case .moment(let query): return try query.answer(from: store)
    case .track(let query): return try query.answer(from: store)
    case .overview(let query): return try query.answer(from: store)
    case .caseFile(let query): return try query.answer(from: store)
    case .tree(let query): return try query.answer(from: store)
    case .quality(let query):
      var run = QualityRun(query)
      while true {
        if let answer = try run.advance(from: store) { return answer }
      }
    }
  }

  /// Returns the response for a store that cannot be read.
  package static func unreadable(_ fault: StoreFault) -> IngestResponse {
    if fault.kind == .interrupted { return tookTooLong.response }
    return Problem(503, .init(fault.kind), "the server cannot read at the moment", retryAfter: 10).response
  }

  /// The answer when a query exceeds its time limit.
  package static let tookTooLong = Problem(
    503, .queryTime, "the answer takes longer to find than a query may take; ask for a shorter span",
    retryAfter: 60)

  /// The answer in parts, where it may be of any length; `nil` where it is not.
  package var export: ContactExport? {
    guard case .contacts(let query) = kind, query.limit == nil else { return nil }
    return ContactExport(query, by: asker)
  }

  static func describe(_ invite: StoredInvite, code: String? = nil) -> JSONValue {
    var members: [JSONValue.Member] = [.init("number", .integer(invite.number))]
    // The code itself is shown once, and never kept.
    if let code { members.append(.init("code", .string(code))) }
    members += [
      .init("begins_with", .string(invite.hint)), .init("venue", .string(invite.venue.rawValue)),
      .init("interface", .string(invite.kind == .published ? "published" : "v1")),
      .init("uses", .integer(invite.uses)), .init("maximum_uses", .integer(invite.maximumUses)),
      .init("expires", invite.expires.map { .integer($0.milliseconds) } ?? .null),
      .init("created", .integer(invite.created.milliseconds)), .init("creator", .string(invite.creator)),
    ]
    return .object(members)
  }

  private static func devices(
    _ venue: VenueID, _ prefix: String, _ after: String, _ limit: Int, _ store: any PositionStore
  ) throws(StoreFault) -> IngestResponse {
    let devices = try store.devices(in: venue, prefix: prefix, after: after, limit: limit + 1)
    let list = devices.prefix(limit).map { device -> JSONValue in
      [
        "device": .string(device.id.rawValue), "type": .string(device.type),
        "interface": .string(device.kind == .published ? "published" : "v1"),
        "activated": .integer(device.created.milliseconds), "last_seen": .integer(device.lastSeen.milliseconds),
        "may_record": .bool(device.mayRecord),
      ]
    }
    let next = devices.count > limit ? devices[limit - 1].id.rawValue : nil
    return .json(200, ["devices": .array(list), "next_after": JSONValue(next)])
  }

  private static func audit(
    _ device: Int64?, _ venues: Set<VenueID>?, _ before: Int64?, _ limit: Int, _ store: any PositionStore
  ) throws(StoreFault) -> IngestResponse {
    let entries = try store.audit(device: device, before: before, limit: limit)
    var list: [JSONValue] = []
    for entry in entries {
      // An administrator of some venues sees what was asked about these.
      if let venues, !venues.contains(where: { $0.rawValue == entry.venue }) { continue }
      var name: DeviceID?
      if let number = entry.device { name = try store.deviceID(number) }
      list.append([
        "number": .integer(entry.number), "time": .integer(entry.time.milliseconds),
        "operator": .string(entry.operator), "role": .string(entry.role), "action": .string(entry.action),
        "venue": JSONValue(entry.venue), "device": JSONValue(name?.rawValue), "reason": .string(entry.reason),
        "count": .integer(entry.count), "last_time": .integer(entry.last.milliseconds),
      ])
    }
    let next = entries.count == limit ? entries.last?.number : nil
    return .json(200, ["entries": .array(list), "next_before": next.map { .integer($0) } ?? .null])
  }
}

extension IngestResponse {
  /// Whether it says that pages of the store are damaged.
  package var isOfDamage: Bool { self == Query.unreadable(StoreFault(.corrupt, "")) }
}
