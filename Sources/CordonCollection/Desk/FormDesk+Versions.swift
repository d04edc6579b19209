import CordonCore
import CordonForms
import CordonIngest
import CordonSupport

/// What operators do with forms: see, check and publish versions, and hand out keys.
extension FormDesk {
  /// `GET /v1/operator/forms?venue=…`: the latest version of each form of a venue.
  func catalog(_ call: FormCall) throws(Problem) -> IngestResponse {
    let venue = try FormDesk.venue(call.request.parameter("venue"))
    guard try self.operator(of: call).has(.contactTracer, at: venue) else {
      throw Problem(403, .foreignVenue, "not for this venue", field: "venue")
    }
    let list = series.values.filter { $0.venue == venue }.sorted { $0.latest.form.id < $1.latest.form.id }
    return .json(200, ["forms": .array(list.map { FormDesk.describe($0.latest) })])
  }

  private static func venue(_ text: String?) throws(Problem) -> VenueID {
    guard let venue = text.flatMap({ VenueID($0) }) else {
      throw Problem(400, .badParameter, "venue: the identifier of a venue is needed", field: "venue")
    }
    return venue
  }

  /// `GET /v1/operator/forms/{form}`: all versions with their documents, the latest one first, each with what it changed.
  func versions(_ call: FormCall) throws(Problem) -> IngestResponse {
    let form = try form(of: call)
    var list: [JSONValue] = []
    for (index, version) in form.versions.enumerated() {
      let changes = index > 0 ? version.form.changes(from: form.versions[index - 1].form) : []
      list.append(
        .object(
          (FormDesk.describe(version).members ?? []) + [
            .init("creator", .string(version.stored.creator)), .init("document", version.form.json),
            .init("changes", FormDesk.describe(changes)),
          ]))
    }
    return .json(200, ["form": .string(call.form), "versions": .array(list.reversed())])
  }

  static func describe(_ changes: [FormChange]) -> JSONValue {
    .array(
      changes.map {
        [
          "field": .string($0.names.joined(separator: ".")), "kind": .string($0.kind.rawValue),
          "loses_answers": .bool($0.losesAnswers), "message": .string($0.message),
        ]
      })
  }

  /// `POST /v1/operator/form-check`: checks a draft of the designer. An error in it is not an error of the request.
  func check(_ call: FormCall) throws(Problem) -> IngestResponse {
    guard try self.operator(of: call).has(.operator) else { throw Problem(403, .role, "this needs the role operator") }
    let body = try call.body(["document"])
    let form: Form
    do throws(FormError) { form = try Form(json: body["document"] ?? .null) } catch {
      return .json(200, ["valid": false, "path": .string(error.path), "message": .string(error.message)])
    }
    var members: [JSONValue.Member] = [.init("valid", true), .init("definition", FormPage.data(of: form))]
    // A form of a venue of others is none for this operator.
    if let known = series[form.id], try self.operator(of: call).has(.operator, at: known.venue) {
      members += [
        .init("latest", JSONValue(known.latest.form.version)),
        .init("changes", FormDesk.describe(form.changes(from: known.latest.form))),
      ]
    }
    return .json(200, .object(members))
  }

  /// The members of a publication.
  static let publication = ["venue", "document", "for_devices", "at_check_in", "accepts_loss"]

  /// `POST /v1/operator/forms`: publishes a version. One that loses answers needs the operator's consent to that.
  func publish(_ call: FormCall, now: Instant) throws(Problem) -> IngestResponse {
    let who = try self.operator(of: call)
    let body = try call.body(FormDesk.publication)
    let venue = try FormDesk.venue(try body.text("venue", atMost: 128))
    guard who.has(.operator, at: venue) else {
      throw Problem(403, .role, "this needs the role operator", field: "venue")
    }
    let form: Form
    do throws(FormError) { form = try Form(json: body["document"] ?? .null) } catch {
      throw Problem(422, .badForm, error.description, field: error.path.isEmpty ? "document" : error.path)
    }
    if let known = series[form.id] {
      guard known.venue == venue else {
        throw Problem(409, .formExists, "another venue has a form of that name", field: "form")
      }
      guard form.version == known.latest.form.version + 1 else {
        throw Problem(
          409, .formExists, "the next version is \(known.latest.form.version + 1)", field: "version")
      }
      let lost = form.changes(from: known.latest.form).filter(\.losesAnswers)
      let isAccepted = try body.truth("accepts_loss")
      guard lost.isEmpty || isAccepted else {
        throw Problem(
          409, .losesAnswers, "answers would be lost: \(lost.map(\.description).joined(separator: "; "))",
          field: "accepts_loss")
      }
    } else {
      guard form.version == 1 else { throw Problem(409, .formExists, "the first version is 1", field: "version") }
      guard series.count < settings.maximumForms else {
        throw Problem(409, .tooManyForms, "the server has \(series.count) forms")
      }
    }
    let (isForDevices, isAtCheckIn) = (try body.truth("for_devices"), try body.truth("at_check_in"))
    if isAtCheckIn { try checkAtCheckIn(form.id, venue: venue, isForDevices: isForDevices) }
    let stored = StoredForm(
      form: form.id, version: form.version, venue: venue, isForDevices: isForDevices, isAtCheckIn: isAtCheckIn,
      created: now, creator: who.id, document: Array(form.json.text().utf8))
    guard stored.document.count <= Form.maximumBytes else {
      throw Problem(413, .bodyTooLarge, "a form has at most 1 MiB", field: "document")
    }
    try self.stored { () throws(StoreFault) in try store.save(stored) }
    add(.init(stored: stored, form: form))
    return .json(201, FormDesk.describe(.init(stored: stored, form: form)))
  }

  /// Checks that a venue can ask a form at check-in: phones may answer it, and there is no other one.
  private func checkAtCheckIn(_ form: String, venue: VenueID, isForDevices: Bool) throws(Problem) {
    guard isForDevices else {
      throw Problem(400, .badField, "at_check_in: the form has to be for devices", field: "at_check_in")
    }
    let others = series.values.filter { $0.venue == venue && $0.latest.form.id != form && $0.latest.stored.isAtCheckIn }
    guard let other = others.map(\.latest.form.id).min() else { return }
    throw Problem(
      409, .formExists, "the venue asks '\(other)' at check-in; publish a version of it without that first",
      field: "at_check_in")
  }

  // MARK: Keys

  /// `GET /v1/operator/forms/{form}/keys`: the collectors of a form; keys themselves are not kept.
  func keyList(_ call: FormCall) throws(Problem) -> IngestResponse {
    _ = try form(of: call, role: .operator)
    let keys = try stored { () throws(StoreFault) in try store.keys(of: call.form) }
    return .json(200, ["keys": .array(keys.map(FormDesk.describe))])
  }

  private static func describe(_ key: FormKey) -> JSONValue {
    [
      "number": .integer(key.number), "label": .string(key.label), "created": .string(key.created.rfc3339),
      "creator": .string(key.creator),
    ]
  }

  /// `POST /v1/operator/forms/{form}/keys`: makes a key, which only this answer has.
  func makeKey(_ call: FormCall, now: Instant) throws(Problem) -> IngestResponse {
    _ = try form(of: call, role: .operator)
    let who = try self.operator(of: call)
    guard let label = try call.body(["label"]).text("label", atMost: 80), !label.isEmpty else {
      throw Problem(400, .badField, "label: a name of 1 to 80 characters is needed", field: "label")
    }
    let count = try stored { () throws(StoreFault) in try store.keys(of: call.form).count }
    guard count < settings.maximumKeys else { throw Problem(409, .tooManyCodes, "the form has \(count) keys") }
    let text = FormDesk.keyPrefix + FormDesk.hexadecimal(random.bytes(20))
    var key = FormKey(
      form: call.form, label: label, hash: Operator.hash(ofKey: text), created: now, creator: who.id)
    let new = key
    key.number = try stored { () throws(StoreFault) in try store.save(new) }
    return .json(201, .object((FormDesk.describe(key).members ?? []) + [.init("key", .string(text))]))
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// `DELETE /v1/operator/forms/{form}/keys/{number}`: its collector can no longer exchange records.
  func removeKey(_ call: FormCall) throws(Problem) -> IngestResponse {
    _ = try form(of: call, role: .operator)
    guard let number = Int64(call.names.last ?? ""),
      try stored({ () throws(StoreFault) in try store.remove(key: number, of: call.form) })
    else { throw Problem(404, .noSuchCode, "no such key", field: "number") }
    return IngestResponse(204)
  }
}
