import CordonCollection
import CordonCore
import CordonForms
import CordonIngest
import CordonSupport
import Foundation
import Testing

@Suite("Forms on a server") struct FormDeskTests {
  @Test func aVersionThatLosesAnswersNeedsConsent() throws {
    let bench = try FormBench()
    #expect(bench.publish().status == 201)
    let next = FormBench.form.with("version", 2).with(
      "items", [["name": "count", "was": "n", "type": "number", "required": true], ["name": "room", "type": "place"]])
    #expect(bench.publish(next.with("version", 3), accepts: true).json["code"] == "form-exists")
    let refused = bench.publish(next)
    #expect(refused.status == 409 && refused.json["code"] == "loses-answers")
    #expect(refused.json["detail"]?.stringValue?.contains("virus: was removed") == true)
    // A draft is checked without being stored.
    let checked = bench.send("POST", "/v1/operator/form-check", ["document": next], as: FormBench.person(.operator))
    #expect(checked.json["valid"] == true && checked.json["latest"] == 1)
    #expect(
      checked.json["changes"]?.elements?.map { $0["kind"]?.stringValue } == [
        "renamed", "converted", "added", "removed", "removed",
      ])
    #expect(bench.publish(next, accepts: true).status == 201)
    let versions = bench.send("GET", "/v1/operator/forms/visits", as: FormBench.person(.contactTracer))
    #expect(versions.json["versions"]?.elements?.map { $0["version"] } == [2, 1])
  }

  /// Records of an earlier version are shown with the names of the present one, and what is lost is named.
  @Test(arguments: StoreKind.allCases) func recordsFollowTheForm(kind: StoreKind) throws {
    let bench = try FormBench(try kind.make())
    bench.publish()
    let sender = try bench.collector()
    var replica = FormReplica(form: "visits", device: "d1")
    let first = bench.revision(["n": 7, "virus": "flu"])
    _ = replica.store(first)
    try bench.exchange(&replica, as: sender)
    bench.publish(
      FormBench.form.with("version", 2).with("items", [["name": "count", "was": "n", "type": "number"]]), accepts: true)
    // A device with the earlier version still sends.
    _ = replica.store(bench.revision(["n": 8], record: 2))
    _ = replica.store(bench.revision(["count": 9.5], record: 3, version: 2))
    _ = replica.store(bench.revision(nil, record: 4))
    _ = replica.store(bench.revision(["n": 70], parents: [first], device: "d1"))
    _ = replica.store(bench.revision(["n": 71], parents: [first], device: "d2"))
    try bench.exchange(&replica, as: sender)
    let answer = bench.send(
      "POST", "/v1/operator/forms/visits/records", ["reason": "weekly report"], as: FormBench.person(.contactTracer))
    let records = try #require(answer.json["records"]?.elements)
    #expect(records.map { $0["has_conflict"] } == [true, false, false, false])
    #expect(records.map { $0["is_deleted"] } == [false, false, false, true])
    #expect(records[1]["answers"] == ["count": 8] && records[2]["answers"] == ["count": 9.5])
    let only = bench.send(
      "POST", "/v1/operator/forms/visits/records", ["reason": "weekly report", "limit": 2],
      as: FormBench.person(.contactTracer))
    #expect(only.json["next"]?.stringValue == FormBench.record(2))
    let summary = bench.send("POST", "/v1/operator/forms/visits/summary", [:], as: FormBench.person(.contactTracer))
    #expect(summary.json["records"] == 3 && summary.json["conflicts"] == 1)
    #expect(summary.json["fields"]?.elements?.first?["answered"] == 3)
  }

  @Test func lostAnswersAreNamed() throws {
    let bench = try FormBench()
    bench.publish()
    let sender = try bench.collector()
    var replica = FormReplica(form: "visits", device: "d1")
    _ = replica.store(bench.revision(["n": 7, "virus": "flu"]))
    try bench.exchange(&replica, as: sender)
    bench.publish(FormBench.form.with("version", 2).with("items", [["name": "n", "type": "integer"]]), accepts: true)
    let answer = bench.send(
      "POST", "/v1/operator/forms/visits/records", ["reason": "weekly report"], as: FormBench.person(.contactTracer))
    #expect(answer.json["records"]?.elements?.first?["lost"] == ["virus"])
  }

  @Test func rolesProtectEditsAndRecords() throws {
    let bench = try FormBench()
    let document: JSONValue = ["venue": "hall", "document": FormBench.form]
    for (sender, status) in [
      (FormBench.person(.contactTracer), 403), (FormBench.person(.admin, at: FormBench.other), 403),
      (FormBench.person(.operator), 201),
    ] {
      #expect(bench.send("POST", "/v1/operator/forms", document, as: sender).status == status)
    }
    let (tracer, stranger) = (FormBench.person(.contactTracer), FormBench.person(.admin, at: FormBench.other))
    let path = "/v1/operator/forms/visits"
    #expect(bench.send("POST", path + "/records", [:], as: tracer).json["code"] == "no-reason")
    #expect(bench.send("POST", path + "/records", ["reason": "asked for"], as: tracer).status == 200)
    #expect(bench.send("POST", path + "/records", ["reason": "asked for"], as: stranger).status == 404)
    #expect(bench.send("GET", path + "/keys", as: tracer).status == 403)
    #expect(bench.send("GET", path, as: FormBench.person(.viewer)).status == 404)
    #expect(
      bench.send("DELETE", path + "/records/\(FormBench.record(1))", ["reason": "asked for"], as: tracer).status == 403)
    #expect(bench.send("GET", "/v1/operator/forms?venue=annex", as: tracer).status == 403)
    let collector = try bench.collector()
    for route in FormRoute.allCases where route.isOfOperators {
      let words = route.rawValue.split(separator: " ").map(String.init)
      let address = words[1].replacingOccurrences(of: "{form}", with: "visits").replacingOccurrences(
        of: "{number}", with: "1"
      ).replacingOccurrences(of: "{record}", with: FormBench.record(1))
      #expect(bench.send(words[0], address, [:], as: collector).status >= 400, "\(route)")
    }
  }

  /// A key is 160 random bits, kept as a hash, of one form, and can be withdrawn. Guessing is counted by address.
  @Test(arguments: StoreKind.allCases) func keysAreHashedAndGuessesAreLimited(kind: StoreKind) throws {
    let bench = try FormBench(try kind.make())
    bench.publish()
    let made = bench.send(
      "POST", "/v1/operator/forms/visits/keys", ["label": "North clinic"], as: FormBench.person(.operator))
    let key = try #require(made.json["key"]?.stringValue)
    #expect(key.count == 43 && key.hasPrefix("cf-"))
    let list = bench.send("GET", "/v1/operator/forms/visits/keys", as: FormBench.person(.operator)).json
    #expect(list["keys"]?.elements?.first?["label"] == "North clinic" && !list.text().contains(key))
    for attempt in 1...40 {
      let problem = #expect(throws: Problem.self) {
        try bench.desk.collector("cf-\(attempt)", peer: "1.2.3.4", now: bench.now)
      }
      #expect(problem?.status == (attempt <= 30 ? 401 : 429))
    }
    // The right key passes, however many others failed.
    guard case .collector(let found) = try bench.desk.collector(key, peer: "1.2.3.4", now: bench.now) else { return }
    #expect(found.label == "North clinic")
    #expect(
      bench.send("DELETE", "/v1/operator/forms/visits/keys/\(found.number)", as: FormBench.person(.operator)).status
        == 204)
    #expect(throws: Problem.self) { try bench.desk.collector(key, peer: "5.6.7.8", now: bench.now) }
  }

  @Test func aDraftWithAnErrorHasItsPlace() throws {
    let bench = try FormBench()
    let draft = FormBench.form.with("items", [["name": "a", "type": "numbr"]])
    let answer = bench.send("POST", "/v1/operator/form-check", ["document": draft], as: FormBench.person(.operator))
    #expect(answer.status == 200 && answer.json["valid"] == false && answer.json["path"] == "items[0].type")
    #expect(bench.publish(draft).json["code"] == "bad-form")
  }

  @Test func formsSurviveTheProcess() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("forms-\(UUID().uuidString).sqlite")
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.path + end) } }
    try FormBench(try SQLiteFormStore(path: folder.path)).publish()
    let again = try FormBench(try SQLiteFormStore(path: folder.path))
    let answer = again.send("GET", "/v1/operator/forms?venue=hall", as: FormBench.person(.operator))
    #expect(answer.json["forms"]?.elements?.first?["form"] == "visits")
  }

  @Test func addressesAreFound() {
    #expect(FormRoute.find("POST", "/v1/forms/a/sync") == .route(.sync, ["a"]))
    #expect(FormRoute.find("DELETE", "/v1/operator/forms/a/keys/3") == .route(.removeKey, ["a", "3"]))
    #expect(FormRoute.find("PATCH", "/v1/forms/a/sync") == .otherMethods(["POST"]))
    #expect(FormRoute.find("GET", "/v1/forms/") == nil && FormRoute.find("GET", "/v1/positions") == nil)
  }
}
