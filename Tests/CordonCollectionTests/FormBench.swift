import CordonCollection
import CordonCore
import CordonForms
import CordonIngest
import CordonSupport
import CordonWire
import Foundation
import Testing

/// A desk over a store, with a form, operators and collectors.
final class FormBench {
  let store: any FormStore
  let desk: FormDesk
  var now = Instant(milliseconds: 1_768_204_800_000)

  static let hall = VenueID("hall")!
  static let other = VenueID("annex")!

  static let form: JSONValue = [
    "form": "visits", "version": 1, "title": "Visits",
    "items": [
      ["name": "n", "type": "integer", "min": 0, "max": 100_000, "required": true],
      ["name": "virus", "type": "choice", "options": ["flu", "rsv"]],
      ["name": "since", "type": "date", "max": "today"],
    ],
  ]

  init(_ store: any FormStore = MemoryFormStore(), settings: FormSettings = FormSettings()) throws {
    self.store = store
    desk = try FormDesk(store: store, settings: settings, random: RandomBits(SystemRandomNumberGenerator()))
  }

  static func person(_ role: Operator.Role, at venue: VenueID = hall) -> FormSender {
    .operator(Operator(id: "op-\(role.rawValue)", everywhere: nil, roles: [venue: role], keyHash: []))
  }

  func send(
    _ method: String, _ path: String, _ body: JSONValue? = nil, as sender: FormSender
  ) -> (status: Int, json: JSONValue) {
    let bytes = body.map { Array($0.text().utf8) } ?? []
    let request = IngestRequest(method, path, body: bytes, peer: "test")
    guard case .route(let route, let names) = FormRoute.find(method, request.path) else { return (404, .null) }
    let call = FormCall(route: route, names: names, sender: sender, request: request)
    do throws(Problem) {
      _ = try desk.access(of: call, now: now)
      let answer = try desk.answer(call, now: now)
      return (answer.status, (try? JSONReader.value(of: answer.body)) ?? .null)
    } catch {
      return (error.status, (try? JSONReader.value(of: error.response.body)) ?? .null)
    }
  }

  /// Publishes a document, by default as the first version for devices too.
  @discardableResult
  func publish(_ document: JSONValue = form, accepts: Bool = false) -> (status: Int, json: JSONValue) {
    send(
      "POST", "/v1/operator/forms",
      ["venue": "hall", "document": document, "for_devices": true, "accepts_loss": .bool(accepts)],
      as: FormBench.person(.operator))
  }

  /// A collector of the form with a new key.
  func collector(_ label: String = "clinic") throws -> FormSender {
    let made = send(
      "POST", "/v1/operator/forms/visits/keys", ["label": .string(label)], as: FormBench.person(.operator))
    let key = try #require(made.json["key"]?.stringValue)
    return try desk.collector(key, peer: "test", now: now)
  }

  static func record(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  func revision(
    _ answers: JSONValue?, record: Int = 1, parents: [FormRevision] = [], device: String = "d1", version: Int = 1
  ) -> FormRevision {
    FormRevision(
      record: FormBench.record(record), form: "visits", version: version, parents: parents.map(\.id), device: device,
      time: now, answers: answers)
  }

  /// Exchanges until there is nothing more; each answer is lost with a probability.
  func exchange(_ replica: inout FormReplica, as sender: FormSender, limit: Int = 500, isLost: () -> Bool = { false })
    throws
  {
    var rounds = 0
    while true {
      rounds += 1
      try #require(rounds < 1_000)
      let answer = send("POST", "/v1/forms/visits/sync", replica.request(limit: limit), as: sender)
      #expect(answer.status == 200, "\(answer.json.text())")
      guard answer.status == 200 else { return }
      if isLost() { continue }
      if try !replica.take(answer.json) { return }
    }
  }
}

/// A fresh store in memory or in a file.
enum StoreKind: String, CaseIterable, Sendable {
  case memory, file

  func make() throws -> any FormStore {
    switch self {
    case .memory: MemoryFormStore()
    case .file: try SQLiteFormStore(path: ":memory:")
    }
  }
}
