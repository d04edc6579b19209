import CordonCollection
import CordonCore
import CordonForms
import CordonIngest
import CordonSupport
import Foundation
import Testing

@Suite("Exchange of records") struct FormSyncTests {
  /// Devices that were offline for a week, with lost answers and erasures meanwhile, end with the records of the server.
  @Test(arguments: StoreKind.allCases, [1, 2, 3, 4, 5, 6] as [UInt64])
  func twoDevicesOfflineForAWeekConverge(kind: StoreKind, seed: UInt64) throws {
    let bench = try FormBench(try kind.make())
    bench.publish()
    let senders = try (0..<3).map { try bench.collector("clinic \($0)") }
    var replicas = (0..<3).map { FormReplica(form: "visits", device: "device-\($0)") }
    var random = RandomStream(seed: seed, stream: 1, entity: 1)
    var made: [FormRevision] = []
    for day in 0..<7 {
      for _ in 0..<20 {
        bench.now = bench.now + .minutes(7)
        let device = random.nextIndex(below: 2)
        let record = random.nextIndex(below: 30)
        let heads = replicas[device].records.heads(of: FormBench.record(record))
        let answers: JSONValue? = random.nextUnit() < 0.1 ? nil : ["n": .integer(Int64(made.count))]
        let revision = bench.revision(answers, record: record, parents: heads, device: "device-\(device)")
        made.append(revision)
        let outcome = replicas[device].store(revision)
        #expect(outcome == .stored || outcome == .erased)
      }
      // The third device works with the server meanwhile, and an operator erases one record.
      bench.now = bench.now + .days(1)
      try bench.exchange(&replicas[2], as: senders[2], limit: 7)
      let erased = bench.send(
        "DELETE", "/v1/operator/forms/visits/records/\(FormBench.record(day))", ["reason": "on request"],
        as: FormBench.person(.admin))
      #expect([204, 404].contains(erased.status))
    }
    for _ in 0..<2 {
      for device in 0..<3 {
        try bench.exchange(&replicas[device], as: senders[device], limit: 7) { random.nextUnit() < 0.2 }
      }
    }
    #expect(replicas[0].records == replicas[1].records && replicas[1].records == replicas[2].records, "seed \(seed)")
    #expect(replicas.allSatisfy { $0.waiting.isEmpty && $0.refused.isEmpty })
    // Nothing was lost: each revision is there, or its record was erased.
    let known = Set(replicas[2].records.identifiers)
    for one in made { #expect(known.contains(one.id) || replicas[2].records.erased.contains(one.record)) }
    // A device that starts anew gets everything, its own revisions too.
    var fresh = FormReplica(form: "visits", device: "device-0")
    try bench.exchange(&fresh, as: senders[0], limit: 7)
    #expect(fresh.records.identifiers == replicas[0].records.identifiers)
    // A person solves each conflict, and all devices have one state again.
    for record in replicas[0].records.conflicts {
      let heads = replicas[0].records.heads(of: record)
      _ = replicas[0].store(
        FormRevision(
          record: record, form: "visits", version: 1, parents: heads.map(\.id), device: "device-0", time: bench.now,
          answers: heads.last?.answers))
    }
    for device in [0, 1] { try bench.exchange(&replicas[device], as: senders[device]) }
    #expect(replicas[1].records.conflicts.isEmpty)
  }

  @Test func eachRevisionHasItsOwnAnswer() throws {
    let bench = try FormBench()
    bench.publish()
    let sender = try bench.collector()
    let good = bench.revision(["n": 1])
    let invalid = bench.revision(["n": -1], record: 2)
    let foreign = FormRevision(
      record: FormBench.record(3), form: "other", version: 1, parents: [], device: "d1", time: bench.now, answers: [:])
    let late = bench.revision(["n": 1], record: 4, version: 7)
    let changed = good.json.with("answers", ["n": 5])
    func send(_ list: [JSONValue]) -> [JSONValue] {
      bench.send("POST", "/v1/forms/visits/sync", ["revisions": .array(list)], as: sender).json["answers"]?.elements
        ?? []
    }
    let answers = send([good.json, invalid.json, foreign.json, late.json, changed, ["id": "x"], 7])
    #expect(answers.map { $0["status"]?.stringValue } == ["stored"] + Array(repeating: "refused", count: 6))
    #expect(
      answers.map { $0["code"]?.stringValue } == [
        nil, "invalid", "other-form", "version", "malformed", "malformed", "malformed",
      ])
    #expect(answers[1]["issues"]?.elements?.first?["path"] == "n")
    // No answer of the person comes back in a refusal.
    #expect(!answers[1].text().contains("-1"))
    #expect(send([good.json]).first?["status"] == "known")
  }

  @Test func aDayOfThePersonMayBeTheNextOneInUTC() throws {
    let bench = try FormBench()
    bench.publish()
    let sender = try bench.collector()
    let day = FormDate(days: Int(bench.now.milliseconds / 86_400_000))
    for (offset, status) in [(0, "stored"), (1, "stored"), (2, "refused")] {
      let revision = bench.revision(
        ["n": 1, "since": .string(FormDate(days: day.days + offset).description)], record: offset)
      let answer = bench.send("POST", "/v1/forms/visits/sync", ["revisions": [revision.json]], as: sender)
      #expect(answer.json["answers"]?.elements?.first?["status"]?.stringValue == status)
    }
  }

  @Test func aDeviceSeesAndErasesItsOwnRecordsOnly() throws {
    let bench = try FormBench()
    bench.publish()
    let one = try #require(DeviceID("phone-1"))
    let (phone, stranger) = (FormSender.device(one, FormBench.hall), FormSender.device(one, FormBench.other))
    let clinic = try bench.collector()
    let own = bench.revision(["n": 1], record: 1, device: "phone-1")
    let others = bench.revision(["n": 2], record: 2, device: "clinic")
    _ = bench.send("POST", "/v1/forms/visits/sync", ["revisions": [others.json]], as: clinic)
    let onOthers = bench.revision(["n": 3], record: 2, parents: [others], device: "phone-1")
    let answer = bench.send(
      "POST", "/v1/forms/visits/sync", ["revisions": [own.json, onOthers.json, others.json]], as: phone)
    #expect(
      answer.json["answers"]?.elements?.map { $0["code"]?.stringValue ?? "" } == ["", "foreign", "foreign"])
    #expect(answer.json["revisions"]?.elements?.map { $0["id"]?.stringValue } == [own.id])
    #expect(bench.send("GET", "/v1/forms/visits/records", as: phone).json["revisions"]?.elements?.count == 1)
    #expect(bench.send("GET", "/v1/forms/visits", as: stranger).status == 404)
    #expect(bench.send("GET", "/v1/forms", as: stranger).json["forms"]?.elements?.isEmpty == true)
    for (record, status) in [(2, 404), (3, 404), (1, 204), (1, 204)] {
      #expect(bench.send("DELETE", "/v1/forms/visits/records/\(FormBench.record(record))", as: phone).status == status)
    }
    let after = bench.send("GET", "/v1/forms/visits/records", as: phone).json
    #expect(after["revisions"]?.elements?.isEmpty == true && after["erased"] == [.string(own.record)])
  }

  @Test func anErasedDeviceLeavesNothing() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("forms-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("forms.sqlite").path
    let bench = try FormBench(try SQLiteFormStore(path: path))
    bench.publish(FormBench.form.with("items", [["name": "name", "type": "text"]]))
    let phone = FormSender.device(try #require(DeviceID("phone-77")), FormBench.hall)
    let revision = bench.revision(["name": "Canary Person"], device: "phone-77")
    _ = bench.send("POST", "/v1/forms/visits/sync", ["revisions": [revision.json]], as: phone)
    func isThere(_ text: String) throws -> Bool {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { name in
        try Data(contentsOf: folder.appendingPathComponent(name)).range(of: Data(text.utf8)) != nil
      }
    }
    #expect(try isThere("Canary Person") && isThere("phone-77"))
    try FormErasure(try SQLiteFormStore(path: path)).forget(
      try #require(DeviceID("phone-77")), .device, at: bench.now)
    #expect(try !isThere("Canary Person") && !isThere("phone-77"))
    // Another copy does not bring it back.
    let answer = bench.send("POST", "/v1/forms/visits/sync", ["revisions": [revision.json]], as: phone)
    #expect(answer.json["answers"]?.elements?.first?["status"] == "erased")
  }

  @Test(arguments: StoreKind.allCases) func oldRecordsAreErasedEverywhere(kind: StoreKind) throws {
    var settings = FormSettings()
    settings.retention = .days(30)
    let bench = try FormBench(try kind.make(), settings: settings)
    bench.publish()
    let sender = try bench.collector()
    var replica = FormReplica(form: "visits", device: "d1")
    _ = replica.store(bench.revision(["n": 1], record: 1))
    try bench.exchange(&replica, as: sender)
    bench.now = bench.now + .days(20)
    _ = replica.store(bench.revision(["n": 2], record: 2))
    try bench.exchange(&replica, as: sender)
    bench.now = bench.now + .days(11)
    try bench.desk.tick(now: bench.now)
    try bench.exchange(&replica, as: sender)
    #expect(replica.records.records == [FormBench.record(2)])
  }

  /// A sync has one transaction for all its revisions, and keeps within its limits.
  @Test func requestsHaveLimits() throws {
    let bench = try FormBench()
    bench.publish()
    let sender = try bench.collector()
    let many = JSONValue.array((0..<1_001).map { _ in .null })
    #expect(bench.send("POST", "/v1/forms/visits/sync", ["revisions": many], as: sender).status == 413)
    for body in [["after": -1], ["limit": 0], ["limit": 1_001], ["revisions": 1], ["aftr": 1]] as [JSONValue] {
      #expect(bench.send("POST", "/v1/forms/visits/sync", body, as: sender).status == 400, "\(body.text())")
    }
  }
}

extension JSONValue {
  /// The object with another value of a member.
  func with(_ key: String, _ value: JSONValue) -> JSONValue {
    .object((members ?? []).map { $0.key == key ? .init(key, value) : $0 })
  }
}
