package import CordonCore
import CordonForms
package import CordonIngest
import CordonSupport
import CordonWire

/// What operators do with records: read, count and erase them.
extension FormDesk {
  /// The access that a request of an operator is, to be recorded before it is answered; `nil` when it shows and changes no record.
  /// - Throws: the refusal of an operator without the role, or without a reason where one is needed.
  package func access(of call: FormCall, now: Instant) throws(Problem) -> AuditEntry? {
    let (action, role): (String, Operator.Role)
    switch call.route {
    case .records: (action, role) = ("form records", .contactTracer)
    case .summary: (action, role) = ("form summary", .contactTracer)
    case .erase: (action, role) = ("erase form record", .admin)
    case .publish: (action, role) = ("publish form", .operator)
    case .makeKey: (action, role) = ("make form key", .operator)
    case .removeKey: (action, role) = ("remove form key", .operator)
    default: return nil
    }
    let who = try self.operator(of: call)
    var venue: VenueID?
    if call.route == .publish {
      venue = try call.body(FormDesk.publication)["venue"]?.stringValue.flatMap {
        VenueID($0)
      }
    } else {
      venue = try form(of: call, role: role).venue
    }
    var reason = call.form
    if call.route == .records || call.route == .erase {
      let given = try call.body(["reason", "after", "limit"]).text("reason", atMost: 500) ?? ""
      guard given.count >= 3 else {
        throw Problem(
          400, .noReason, "reason: state in 3 to 500 characters why you need data of persons; the reason is kept",
          field: "reason")
      }
      reason = "\(call.form): \(given)"
    }
    let used = venue.flatMap { who.role(at: $0) } ?? who.role ?? role
    return AuditEntry(
      time: now, operator: who.id, role: used.rawValue, action: action, venue: venue?.rawValue, device: nil,
      reason: String(reason.prefix(500)))
  }

  /// A record as its heads state it, with answers for the latest version.
  struct Present {
    var record: String
    var head: FormRevision
    var heads: Int
    var answers: FormAnswers?
    var lost: [String]
  }

  /// The present state of a record; `nil` for none.
  func present(_ record: String, of form: FormSeries) throws(StoreFault) -> Present? {
    var records = FormRecords()
    for entry in try store.history(of: record) where entry.id != nil {
      guard let json = try? JSONReader.value(of: entry.body), let revision = try? FormRevision(json: json) else {
        throw StoreFault(.corrupt, "an entry of forms cannot be read")
      }
      _ = records.add(revision)
    }
    let heads = records.heads(of: record)
    guard let head = heads.last else { return nil }
    guard let json = head.answers, let definition = form.form(head.version) else {
      return Present(record: record, head: head, heads: heads.count, answers: nil, lost: [])
    }
    let day = FormDate(days: Int(head.time.milliseconds / 86_400_000))
    var answers = FormValidation(json, of: definition, today: day).answers
    var (lost, earlier): ([String], Form) = ([], definition)
    for version in form.versions where version.form.version > head.version {
      let migration = FormMigration(answers, from: earlier, to: version.form)
      lost += migration.lost
      answers = FormValidation(migration.answers.json, of: version.form, today: day).answers
      earlier = version.form
    }
    return Present(record: record, head: head, heads: heads.count, answers: answers, lost: lost)
  }

  /// `POST /v1/operator/forms/{form}/records`: the records, with answers migrated to the latest version.
  func records(_ call: FormCall) throws(Problem) -> IngestResponse {
    let form = try form(of: call)
    let body = try call.body(["reason", "after", "limit"])
    let limit = Int(try body.whole("limit", in: 1...Int64(settings.maximumBatch)) ?? 200)
    let after = try body.text("after", atMost: 64) ?? ""
    let (list, last) = try stored { () throws(StoreFault) in
      let names = try store.records(of: call.form, after: after, limit: limit)
      var list: [JSONValue] = []
      for name in names { if let one = try present(name, of: form) { list.append(FormDesk.describe(one)) } }
      return (list, names.count == limit ? names.last : nil)
    }
    return .json(
      200,
      [
        "form": .string(call.form), "version": JSONValue(form.latest.form.version), "records": .array(list),
        "next": JSONValue(last),
      ])
  }

  private static func describe(_ one: Present) -> JSONValue {
    [
      "record": .string(one.record), "version": JSONValue(one.head.version), "device": .string(one.head.device),
      "time": .string(one.head.time.rfc3339), "is_deleted": .bool(one.head.answers == nil),
      "has_conflict": .bool(one.heads > 1), "answers": one.answers?.json ?? .null,
      "lost": .array(one.lost.map(JSONValue.string)),
    ]
  }

  /// Maximum number of records that one summary counts.
  static let maximumCounted = 100_000

  /// `POST /v1/operator/forms/{form}/summary`: counts of the answers to each field, and charts, of the records that fit a filter.
  func summary(_ call: FormCall) throws(Problem) -> IngestResponse {
    let form = try form(of: call)
    let body = try call.body(["where", "by"])
    let lists = FormCharts.lists(of: form.latest.form)
    let other = try body.text("by", atMost: 64)
    let filter = body["where"]?.members ?? []
    for name in filter.map(\.key) + (other.map { [$0] } ?? []) where !lists.contains(where: { $0.name == name }) {
      throw Problem(400, .badField, "\(Quotation.of(name, limit: 64)) is not a list outside of groups", field: "where")
    }
    let (found, conflicts) = try stored { () throws(StoreFault) in
      var (found, conflicts, after): ([(FormAnswers, FormDate)], Int, String) = ([], 0, "")
      while found.count < FormDesk.maximumCounted {
        let names = try store.records(of: call.form, after: after, limit: 1_000)
        for name in names {
          guard let one = try present(name, of: form) else { continue }
          if one.heads > 1 { conflicts += 1 }
          guard let given = one.answers else { continue }
          let fits = filter.allSatisfy { condition in
            FormCharts.values(of: given.fields[condition.key]).contains(condition.value.stringValue ?? "")
          }
          if fits { found.append((given, FormDate(days: Int(one.head.time.milliseconds / 86_400_000)))) }
        }
        guard names.count == 1_000, let last = names.last else { break }
        after = last
      }
      return (found, conflicts)
    }
    let summary = FormSummary(found.map(\.0), of: form.latest.form)
    let charts = FormCharts(found.map(\.0), days: found.map(\.1), of: form.latest.form, by: other)
    return .json(
      200,
      .object(
        [
          .init("form", .string(call.form)), .init("version", JSONValue(form.latest.form.version)),
          .init("conflicts", JSONValue(conflicts)),
        ] + (summary.json.members ?? []) + [
          .init("lists", .array(lists.map(FormDesk.describe))), .init("charts", .array(charts.charts.map(\.json))),
        ]))
  }

  private static func describe(_ list: FormField) -> JSONValue {
    [
      "field": .string(list.name), "label": list.label.json,
      "options": .array(
        FormCharts.options(of: list).map { ["value": .string($0.value), "label": $0.label.json] }),
    ]
  }

  /// `DELETE /v1/operator/forms/{form}/records/{record}`: erases a record everywhere.
  func erase(_ call: FormCall, now: Instant) throws(Problem) -> IngestResponse {
    _ = try form(of: call, role: .admin)
    return try erase(record: call.names.last ?? "", of: call.form, onlyOf: nil, now: now)
  }
}
