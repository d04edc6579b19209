internal import CordonContacts
internal import CordonCore
import CordonSupport
internal import CordonWire

extension Ingest {
  /// The span that a case may cover.
  static let maximumCaseSpan = TimeSpan.days(60)
  /// The maximum number of open and closed cases of a venue.
  static let maximumCases = 10_000

  private static let caseFields = [
    "label", "onset", "from", "to", "threshold_minutes", "wall_percent", "note", "state",
  ]

  /// `GET /v1/operator/cases?venue=…`: without the names of devices.
  func caseList(_ request: IngestRequest, now: Instant) throws(Problem) -> IngestResponse {
    let venue = try venueParameter(request)
    _ = try operatorLook(request, action: "list cases", role: .contactTracer, device: nil, venue: venue, now: now)
    var list: [JSONValue] = []
    for record in try stored({ () throws(StoreFault) in try cases.records(of: venue) }) {
      let contacts = try stored { () throws(StoreFault) in try cases.contacts(of: record.number) }
      let counts = CaseContact.Status.allCases.map { status in
        JSONValue.Member(status.rawValue, JSONValue(contacts.count { $0.status == status }))
      }
      list.append(.object(record.members + [.init("statuses", .object(counts))]))
    }
    return .json(200, ["cases": .array(list)])
  }

  /// `POST /v1/operator/cases`
  func makeCase(_ request: IngestRequest, now: Instant) throws(Problem) -> IngestResponse {
    let request = try body(of: request, ["venue", "device", "reason"] + Self.caseFields)
    let venue = try venueParameter(request)
    guard let name = request.parameter("device") else {
      throw Problem(400, .badParameter, "device: the index case is needed", field: "device")
    }
    let end = try Parameters.instant(request, "to") ?? now
    let (who, device) = try operatorLook(
      request, action: "make case", role: .contactTracer, device: name, venue: venue,
      isOfFormerHolder: { end < $0.heldSince ?? .epoch }, now: now)
    guard let device, device.venue == venue else {
      throw Problem(404, .noSuchDevice, "no such device", field: "device")
    }
    let count = try stored { () throws(StoreFault) in try cases.records(of: venue).count }
    guard count < Self.maximumCases else {
      throw Problem(409, .tooManyCases, "the venue has \(count) cases; delete some")
    }
    var record = CaseRecord(
      venue: venue, label: "", device: device.id, onset: nil, from: now - .days(2), to: now, thresholdMinutes: 15,
      wallPercent: 100, note: "", created: now, creator: who.id, closed: nil)
    try change(&record, by: request, now: now)
    record.holder = try holder(of: device, at: record.to)
    let new = record
    record.number = try stored { () throws(StoreFault) in try cases.save(new) }
    return .json(201, .object(record.members))
  }

  /// `PUT /v1/operator/cases/{number}`
  func changeCase(_ request: IngestRequest, number: String, now: Instant) throws(Problem) -> IngestResponse {
    let request = try body(of: request, ["reason"] + Self.caseFields)
    var (record, _) = try look(request, number, action: "change case", now: now)
    try change(&record, by: request, now: now)
    let changed = record
    _ = try stored { () throws(StoreFault) in try cases.save(changed) }
    return .json(200, .object(record.members))
  }

  /// `DELETE /v1/operator/cases/{number}`
  func deleteCase(_ request: IngestRequest, number: String, now: Instant) throws(Problem) -> IngestResponse {
    let request = try body(of: request, ["reason"])
    let (record, _) = try look(request, number, action: "delete case", now: now)
    try stored { () throws(StoreFault) in try cases.remove(record.number) }
    return IngestResponse(204)
  }

  /// `POST /v1/operator/cases/{number}/exposures`
  func caseExposures(_ request: IngestRequest, number: String, now: Instant) throws(Problem) -> Query {
    let request = try body(of: request, ["reason"])
    let (record, who) = try look(request, number, action: "exposures of case", now: now)
    let (contacts, notices) = try stored { () throws(StoreFault) in
      (try cases.contacts(of: record.number), try cases.notices(of: record.number))
    }
    let index = try stored { () throws(StoreFault) in try store.device(record.device) }
    return Query(
      .caseFile(
        CaseQuery(record: record, index: index, contacts: contacts, notices: notices, settings: settings)),
      by: .operator(who.id), settings: settings)
  }

  /// `POST /v1/operator/cases/{number}/tree`
  func caseTree(_ request: IngestRequest, number: String, now: Instant) throws(Problem) -> Query {
    let request = try body(of: request, ["reason", "generations"])
    let generations = try Parameters.integer(request, "generations") ?? 2
    guard (1...6).contains(generations) else {
      throw Problem(400, .badParameter, "generations: 1 to 6", field: "generations")
    }
    let (record, who) = try look(request, number, action: "tree of case", now: now)
    guard let index = try stored({ () throws(StoreFault) in try store.device(record.device) }) else {
      throw Problem(404, .noSuchDevice, "the device of the case is not known any more")
    }
    return Query(
      .tree(TreeQuery(record: record, index: index, generations: Int(generations))), by: .operator(who.id),
      settings: settings)
  }

  /// `PUT /v1/operator/cases/{number}/status`: what became of a device to notify, or of a former holder of it.
  func changeStatus(_ request: IngestRequest, number: String, now: Instant) throws(Problem) -> IngestResponse {
    let request = try body(of: request, ["reason", "device", "holder", "status", "note"])
    let (record, who) = try look(request, number, action: "status in case", now: now)
    guard let name = request.parameter("device"), let device = DeviceID(name),
      let known = try stored({ () throws(StoreFault) in try store.device(device) }), known.venue == record.venue
    else { throw Problem(404, .noSuchDevice, "no such device", field: "device") }
    guard let status = request.parameter("status").flatMap(CaseContact.Status.init(rawValue:)) else {
      let known = CaseContact.Status.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem(400, .badParameter, "status: \(known)", field: "status")
    }
    let asked = request.parameter("holder")
    guard asked.map({ ["former", "present"].contains($0) }) ?? true else {
      throw Problem(400, .badParameter, "holder: former or present", field: "holder")
    }
    let note = request.parameter("note") ?? ""
    guard note.count <= 2_000 else { throw Problem(400, .badParameter, "note: at most 2000 characters", field: "note") }
    try stored { () throws(StoreFault) in
      var isPresent = asked == "present"
      if asked == nil { isPresent = try isOfPresentHolder(record, known, at: nil) }
      let isOfPresent = isPresent
      let former = try cases.contacts(of: record.number).last { known.isHeld(since: $0, isOfPresent) }
      let holder = former?.holder ?? (isOfPresent ? known.heldSince ?? .epoch : .epoch)
      try cases.save(
        CaseContact(device: device, status: status, note: note, changed: now, operator: who.id, holder: holder),
        of: record.number)
    }
    return IngestResponse(204)
  }

  // MARK: Holders

  /// The beginning of the time of the holder who had a device at a time; the epoch for all former ones.
  private func holder(of device: StoredDevice, at time: Instant) throws(Problem) -> Instant {
    guard let since = device.heldSince, time < since else { return device.heldSince ?? .epoch }
    let erased = try stored { () throws(StoreFault) in try ends(of: device.id) }
    guard erased.isEmpty else {
      throw Problem(404, .noSuchDevice, "the holder of the device at that time was erased", field: "to")
    }
    return .epoch
  }

  /// Whether an exposure is one of the present holder of a device, and not of a former one: contacts with the index case decide,
  /// or the day where there are none any more.
  func isOfPresentHolder(
    _ record: CaseRecord, _ device: StoredDevice, at exposed: Instant?
  ) throws(StoreFault) -> Bool {
    guard let since = device.heldSince else { return true }
    let day = TimeSpan.days(1).milliseconds
    let last = exposed.map { Instant(milliseconds: $0.milliseconds.multiple(below: day) + day - 1) } ?? record.to
    guard last >= since else { return false }
    guard let index = try store.device(record.device),
      let venue = try store.venues().first(where: { $0.id == record.venue })?.number
    else { return true }
    let met = try store.contacts(
      in: venue, device: index.number, overlapping: record.span(of: index), limit: ExposureQuery.maximumContacts
    ).filter {
      (Int64($0.first) == device.number || Int64($0.second) == device.number) && record.isOwn($0.start, of: index)
    }
    return met.isEmpty || met.contains { $0.start >= since.milliseconds * 1_000 }
  }

  // MARK: Shared

  func body(of request: IngestRequest, _ known: [String]) throws(Problem) -> IngestRequest {
    guard request.query.isEmpty else {
      throw Problem(
        400, .inAddress, "parameters are members of the body here, a JSON object: addresses are logged on their way")
    }
    var request = request
    request.members = try preprocessor.decode(request, mayBeEmpty: true) { members throws(WireError) in
      try members.parameters(known)
    }
    return request
  }

  /// The case of a number, for an operator of its venue; the access is kept with the device of the index case.
  func look(
    _ request: IngestRequest, _ number: String, action: String, now: Instant
  ) throws(Problem) -> (CaseRecord, Operator) {
    guard let number = Int64(number), number > 0 else {
      throw Problem(400, .badParameter, "a case is named by its number", field: "number")
    }
    let who = try authenticated(request, now: now)
    guard who.has(.contactTracer) else { throw Problem(403, .role, "this needs the role contact-tracer") }
    guard let record = try stored({ () throws(StoreFault) in try cases.record(number) }),
      who.has(.contactTracer, at: record.venue)
    else { throw Problem(404, .noSuchCase, "no such case", field: "number") }
    _ = try operatorLook(
      request, action: action, role: .contactTracer, device: record.device.rawValue, venue: record.venue,
      isOfFormerHolder: { record.holder < $0.heldSince ?? .epoch }, now: now)
    return (record, who)
  }

  private func change(_ record: inout CaseRecord, by request: IngestRequest, now: Instant) throws(Problem) {
    if let label = request.parameter("label") { record.label = label }
    guard (1...80).contains(record.label.count) else {
      throw Problem(400, .badParameter, "label: 1 to 80 characters", field: "label")
    }
    if let note = request.parameter("note") { record.note = note }
    guard record.note.count <= 5_000 else {
      throw Problem(400, .badParameter, "note: at most 5000 characters", field: "note")
    }
    if request.parameter("onset") == "" { record.onset = nil }
    if let onset = try Parameters.instant(request, "onset") { record.onset = onset }
    if let from = try Parameters.instant(request, "from") { record.from = from }
    if let to = try Parameters.instant(request, "to") { record.to = to }
    guard record.from <= record.to, record.to - record.from <= Self.maximumCaseSpan else {
      throw Problem(400, .badParameter, "from: before to, by at most 60 days", field: "from")
    }
    if let minutes = try Parameters.integer(request, "threshold_minutes") { record.thresholdMinutes = minutes }
    guard (1...1_440).contains(record.thresholdMinutes) else {
      throw Problem(400, .badParameter, "threshold_minutes: 1 to 1440", field: "threshold_minutes")
    }
    if let percent = try Parameters.integer(request, "wall_percent") { record.wallPercent = percent }
    guard (0...100).contains(record.wallPercent) else {
      throw Problem(400, .badParameter, "wall_percent: 0 to 100", field: "wall_percent")
    }
    switch request.parameter("state") {
    case nil, "": break
    case "open": record.closed = nil
    case "closed": record.closed = record.closed ?? now
    default: throw Problem(400, .badParameter, "state: open or closed", field: "state")
    }
  }
}

extension StoredDevice {
  /// Whether what was noted of the device is about its present holder, or about a former one.
  func isHeld(since entry: CaseContact, _ isPresent: Bool) -> Bool {
    entry.device == id && (entry.holder >= heldSince ?? .epoch) == isPresent
  }
}

extension CaseRecord {
  /// The window in microseconds, without the time of other holders of the device: a case is about one person.
  func span(of index: StoredDevice) -> ClosedRange<Int64> {
    var (first, last) = (from.milliseconds * 1_000, max(to, from).milliseconds * 1_000)
    guard let since = index.heldSince?.milliseconds else { return first...last }
    guard holder.milliseconds < since else {
      first = max(first, since * 1_000)
      return first...max(first, last)
    }
    last = min(last, since * 1_000 - 1)
    return min(first, last)...last
  }

  /// Whether a contact that began at a time, in microseconds, is one of the person of the case.
  func isOwn(_ start: Int64, of index: StoredDevice) -> Bool {
    guard let since = index.heldSince?.milliseconds else { return true }
    return (start >= since * 1_000) == (holder.milliseconds >= since)
  }
}
