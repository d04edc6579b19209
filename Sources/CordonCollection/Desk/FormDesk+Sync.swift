import CordonCore
import CordonForms
import CordonIngest
import CordonSupport
import CordonWire

/// Requests of devices and collectors: they fetch forms, exchange records, see and erase their own.
extension FormDesk {
  /// `GET /v1/forms`: the forms that the sender may answer.
  func list(_ call: FormCall) throws(Problem) -> IngestResponse {
    let list = series.values.filter { form in
      switch call.sender {
      case .operator(let who): who.has(.contactTracer, at: form.venue)
      case .collector(let key): key.form == form.latest.form.id
      case .device(_, let venue, _): form.latest.stored.isForDevices && venue == form.venue
      }
    }.sorted { $0.latest.form.id < $1.latest.form.id }
    return .json(200, ["forms": .array(list.map { FormDesk.describe($0.latest) })])
  }

  /// `GET /v1/forms/{form}`: the document of a version, and the same with the trees of its conditions for pages.
  func document(_ call: FormCall) throws(Problem) -> IngestResponse {
    let form = try form(of: call)
    var version = form.latest
    if let text = call.request.parameter("version"), !text.isEmpty {
      guard let number = Int(text), let one = form.versions.first(where: { $0.form.version == number }) else {
        throw Problem(404, .noSuchForm, "no such version", field: "version")
      }
      version = one
    }
    return .json(
      200,
      .object(
        (FormDesk.describe(version).members ?? []) + [
          .init("document", version.form.json), .init("definition", FormPage.data(of: version.form)),
        ]))
  }

  static func describe(_ version: FormSeries.Version) -> JSONValue {
    [
      "form": .string(version.form.id), "version": JSONValue(version.form.version), "title": version.form.title.json,
      "venue": .string(version.stored.venue.rawValue), "for_devices": .bool(version.stored.isForDevices),
      "at_check_in": .bool(version.stored.isAtCheckIn),
      "created": .string(version.stored.created.rfc3339), "fields": JSONValue(version.form.allFields.count),
    ]
  }

  // MARK: Exchange

  /// `POST /v1/forms/{form}/sync`: takes revisions, each with its own answer, and returns those that the sender lacks.
  func sync(_ call: FormCall, now: Instant) throws(Problem) -> IngestResponse {
    let form = try form(of: call)
    if case .operator = call.sender { throw Problem(403, .role, "operators read records with a reason") }
    let body = try call.body(["after", "limit", "without", "revisions"])
    let after = try body.whole("after", in: 0...Int64.max) ?? 0
    let limit = Int(try body.whole("limit", in: 1...Int64(settings.maximumBatch)) ?? 500)
    let without = try body.text("without", atMost: 128)
    guard let given = body["revisions"] == nil ? [] : body["revisions"]?.elements else {
      throw Problem(400, .badField, "revisions: a list is needed", field: "revisions")
    }
    guard given.count <= settings.maximumBatch else {
      throw Problem(413, .tooManyRows, "at most \(settings.maximumBatch) revisions at once", field: "revisions")
    }
    let owner = call.owner
    let read = given.map { FormIntake($0, form: form, device: owner?.device) }
    let (answers, entries, cursor) = try stored { () throws(StoreFault) in
      try store.transaction { () throws(StoreFault) in
        var answers: [JSONValue] = []
        for one in read { answers.append(try take(one, of: owner, now: now)) }
        let entries = try store.entries(of: call.form, after: after, limit: limit, owner: owner, without: without)
        // Entries of others that the sender may not see are passed over.
        let last = entries.count < limit ? try store.lastSequence() : entries.last?.sequence ?? after
        return (answers, entries, max(after, last))
      }
    }
    return .json(
      200, bytes: FormDesk.answer(answers, entries, cursor, isMore: entries.count == limit, form.latest.form.version))
  }

  /// Stores a revision that was read.
  /// - Parameter owner: the holder of the device that sent it; `nil` for a collector, who may pass on what any device wrote.
  private func take(_ one: FormIntake, of owner: FormOwner?, now: Instant) throws(StoreFault) -> JSONValue {
    guard let revision = one.revision, one.problem == nil else { return one.answer("refused") }
    let history = try store.history(of: revision.record)
    if history.contains(where: { $0.id == nil }) { return one.answer("erased") }
    if history.contains(where: { $0.form != revision.form }) { return one.answer("refused", "other-form", "") }
    if let known = history.first(where: { $0.id == revision.id }) {
      // A collector passed it on earlier. Its identifier is a hash of the contents, so this device has them.
      if let owner, known.device == owner.device, known.holder == nil, known.begin >= owner.since {
        try store.claim(revision.id, since: owner.since)
      }
      return one.answer("known")
    }
    if let owner, history.contains(where: { $0.owner != owner }) {
      return one.answer("refused", "foreign", "the record is another device's, or that of its former holder")
    }
    guard history.count < settings.maximumRevisions else {
      return one.answer("refused", "too-many", "the record has \(history.count) revisions")
    }
    let entry = FormEntry(
      form: revision.form, record: revision.record, id: revision.id, device: revision.device, holder: owner?.since,
      received: now, body: Array(revision.json.text().utf8))
    return one.answer(try store.add(entry) ? "stored" : "known")
  }

  /// The body of an answer. Stored revisions are text already.
  private static func answer(
    _ answers: [JSONValue], _ entries: [FormEntry], _ cursor: Int64, isMore: Bool, _ version: Int
  ) -> [UInt8] {
    var bytes = Array("{\"answers\":\(JSONValue.array(answers).text()),\"revisions\":[".utf8)
    for (index, entry) in entries.filter({ $0.id != nil }).enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += entry.body
    }
    let erased = JSONValue.array(entries.filter { $0.id == nil }.map { .string($0.record) }).text()
    bytes += "],\"erased\":\(erased),\"cursor\":\(cursor),\"more\":\(isMore),\"version\":\(version)}".utf8
    return bytes
  }

  // MARK: Own records

  /// `GET /v1/forms/{form}/records`: all revisions of the sender's records, and their erasures, as one document.
  func ownRecords(_ call: FormCall) throws(Problem) -> IngestResponse {
    _ = try form(of: call)
    if case .operator = call.sender { throw Problem(403, .role, "operators read records with a reason") }
    let after = Int64(call.request.parameter("after") ?? "") ?? 0
    let entries = try stored { () throws(StoreFault) in
      try store.entries(
        of: call.form, after: max(0, after), limit: settings.maximumBatch, owner: call.owner, without: nil)
    }
    return .json(
      200,
      bytes: FormDesk.answer(
        [], entries, entries.last?.sequence ?? max(0, after), isMore: entries.count == settings.maximumBatch,
        series[call.form]?.latest.form.version ?? 0))
  }

  /// `DELETE /v1/forms/{form}/records/{record}`: a device erases a record of its own.
  func eraseOwn(_ call: FormCall, now: Instant) throws(Problem) -> IngestResponse {
    _ = try form(of: call)
    guard let owner = call.owner else {
      throw Problem(403, .role, "collectors delete records by a revision; erasing needs an operator")
    }
    return try erase(record: call.names.last ?? "", of: call.form, onlyOf: owner, now: now)
  }

  /// Erases a record. Without one, and for a record of others, the answer is the same.
  func erase(record: String, of form: String, onlyOf owner: FormOwner?, now: Instant) throws(Problem) -> IngestResponse
  {
    let missing = Problem(404, .noSuchRecord, "no such record", field: "record")
    let history = try stored { () throws(StoreFault) in try store.history(of: record) }
    guard !history.isEmpty, history.allSatisfy({ $0.form == form }) else { throw missing }
    if history.contains(where: { $0.id == nil }) {
      // An earlier attempt may have failed in its scrub.
      try stored { () throws(StoreFault) in try store.scrub() }
      return IngestResponse(204)
    }
    if let owner { guard history.allSatisfy({ $0.owner == owner }) else { throw missing } }
    let owners = Set(history.map(\.owner))
    try stored { () throws(StoreFault) in
      try store.transaction { () throws(StoreFault) in
        // A holder who alone had the record hears of its erasure.
        try store.erase(record, form: form, owner: owners.count == 1 ? history[0].owner : nil, at: now)
      }
      try store.scrub()
    }
    return IngestResponse(204)
  }
}

/// A revision as it came, with the reason why it cannot be stored.
struct FormIntake {
  let id: String
  private(set) var revision: FormRevision?
  private(set) var problem: (code: String, detail: String, issues: [FormIssue])?

  init(_ json: JSONValue, form: FormSeries, device: String?) {
    id = json["id"]?.stringValue.map { String($0.prefix(64)) } ?? ""
    do throws(FormError) {
      let read = try FormRevision(json: json)
      revision = read
      problem = FormIntake.problem(of: read, form: form, device: device)
    } catch {
      problem = ("malformed", error.description, [])
    }
  }

  private static func problem(
    of revision: FormRevision, form: FormSeries, device: String?
  ) -> (code: String, detail: String, issues: [FormIssue])? {
    guard revision.form == form.latest.form.id else { return ("other-form", "is of another form", []) }
    if let device, revision.device != device { return ("foreign", "is of another device", []) }
    guard let definition = form.form(revision.version) else {
      return ("version", "version \(revision.version) was never published", [])
    }
    let issues = revision.issues(in: definition)
    return issues.isEmpty ? nil : ("invalid", issues.first?.description ?? "", issues)
  }

  /// The answer to the sender; answers of the person are never repeated.
  func answer(_ status: String, _ code: String? = nil, _ detail: String? = nil) -> JSONValue {
    var members: [JSONValue.Member] = [.init("id", .string(id)), .init("status", .string(status))]
    guard let code = code ?? problem?.code else { return .object(members) }
    members += [.init("code", .string(code)), .init("detail", .string(detail ?? problem?.detail ?? ""))]
    if let issues = problem?.issues, !issues.isEmpty {
      members.append(
        .init(
          "issues",
          .array(
            issues.prefix(50).map {
              ["path": .string($0.path), "code": .string($0.code.rawValue), "message": .string($0.message)]
            })))
    }
    return .object(members)
  }
}
