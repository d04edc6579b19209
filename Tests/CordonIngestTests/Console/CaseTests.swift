import CordonCore
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@testable import CordonIngest

@Suite("Cases and exposure notices") struct CaseTests {
  /// Three phones: the second is with the first for twenty minutes, the third with the second afterwards.
  private struct Scene {
    let bench: Bench
    var phones: [Bench.Phone] = []
    let start: Instant

    init() throws {
      bench = try Bench()
      start = bench.now
      for name in ["ada", "bea", "cem"] { phones.append(try bench.phone(name)) }
      bench.now = start + .hours(2)
      let places: [(String, Int64, Int64, Double)] = [
        ("ada", 0, 20, 0), ("bea", 0, 20, 1), ("bea", 30, 60, 8), ("cem", 30, 60, 9), ("cem", 0, 10, -8),
      ]
      for (index, name) in ["ada", "bea", "cem"].enumerated() {
        let rows = try places.filter { $0.0 == name }.sorted { $0.1 < $1.1 }.map { place in
          try bench.location(
            name, at: start + .minutes(place.1), east: place.3, accuracy: 0.3, still: .minutes(place.2 - place.1))
        }
        phones[index].token = try bench.token(name, secret: phones[index].secret)
        try bench.post(rows, by: phones[index])
      }
      while bench.ingest.tick(now: bench.now) {}
    }

    func make(_ more: String = "") throws -> Int {
      let answer = bench.asAdmin(
        "POST", "/v1/operator/cases",
        #"{"venue": "small-venue", "device": "ada", "label": "2026-17", "reason": "case 9", "from": \#((start - .hours(1)).milliseconds), "to": \#(bench.now.milliseconds)\#(more)}"#
      )
      #expect(answer.status == 201, "\(answer.text)")
      return try #require(try answer.object["number"] as? Int)
    }

    func exposures(_ number: Int) throws -> [[String: Any]] {
      let answer = bench.asAdmin("POST", "/v1/operator/cases/\(number)/exposures", #"{"reason": "case 9"}"#)
      #expect(answer.status == 200, "\(answer.text)")
      return try #require(try answer.object["exposures"] as? [[String: Any]])
    }
  }

  @Test func aCaseListsItsExposuresByItsRule() throws {
    let scene = try Scene()
    let number = try scene.make()
    let found = try scene.exposures(number)
    #expect(found.map { $0["device"] as? String } == ["bea"])
    #expect(found[0]["is_exposure"] as? Bool == true)
    #expect(found[0]["status"] as? String == "open")
    #expect(found[0]["assertable"] as? Bool == true, "fixes of 0.3 m, 1 m apart")
    #expect(try #require(found[0]["probability"] as? Double) > 0.95)
    let change = scene.bench.asAdmin(
      "PUT", "/v1/operator/cases/\(number)", #"{"reason": "case 9", "threshold_minutes": 30}"#)
    #expect(change.status == 200)
    #expect(try scene.exposures(number)[0]["is_exposure"] as? Bool == false)
  }

  @Test func theTreeFollowsTimeForward() throws {
    let scene = try Scene()
    let number = try scene.make()
    func tree(_ generations: Int) throws -> [String] {
      let answer = scene.bench.asAdmin(
        "POST", "/v1/operator/cases/\(number)/tree", #"{"reason": "case 9", "generations": \#(generations)}"#)
      #expect(answer.status == 200)
      let devices = try #require(try answer.object["devices"] as? [[String: Any]])
      return devices.map { "\($0["generation"] ?? "") \($0["parent"] as? String ?? "-")>\($0["device"] ?? "")" }
    }
    #expect(try tree(1) == ["0 ->ada", "1 ada>bea"])
    #expect(try tree(3) == ["0 ->ada", "1 ada>bea", "2 bea>cem"])
  }

  @Test func statusesAreKeptAndCounted() throws {
    let scene = try Scene()
    let number = try scene.make()
    let answer = scene.bench.asAdmin(
      "PUT", "/v1/operator/cases/\(number)/status",
      #"{"reason": "case 9", "device": "bea", "status": "reached", "note": "by phone"}"#)
    #expect(answer.status == 204)
    let entry = try #require(try scene.exposures(number).first)
    #expect(entry["status"] as? String == "reached" && entry["note"] as? String == "by phone")
    let list = scene.bench.asAdmin("GET", "/v1/operator/cases?venue=small-venue")
    #expect(!list.text.contains("\"ada\"") && !list.text.contains("bea"), "the list names no device")
    #expect(list.text.contains(#""reached":1"#))
    let foreign = scene.bench.send(
      "GET", "/v1/operator/cases?venue=small-venue", "", Bench.basic("op-other", "other's"))
    #expect(foreign.status == 403)
    let hidden = scene.bench.send(
      "POST", "/v1/operator/cases/\(number)/exposures", #"{"reason": "case 9"}"#, Bench.basic("op-other", "other's"))
    #expect(hidden.status == 404, "a case elsewhere is as good as none")
  }

  /// A device gets a notice once, without who, where and the time of day; an erased one gets none.
  @Test func aNoticeNamesTheDayOnly() throws {
    let scene = try Scene()
    let bench = scene.bench
    let number = try scene.make()
    func notify(_ devices: String) throws -> Int {
      let answer = bench.asAdmin(
        "POST", "/v1/operator/cases/\(number)/notices",
        #"{"reason": "case 9", "devices": [\#(devices)], "advice": "Please take a test.", "exposed": "\#(scene.start.milliseconds)"}"#
      )
      #expect(answer.status == 201, "\(answer.text)")
      return try #require(try answer.object["made"] as? Int)
    }
    #expect(try notify(#""bea", "nobody""#) == 1)
    #expect(try notify(#""bea""#) == 1)
    func notices() throws -> [[String: Any]] {
      let answer = bench.send("GET", "/v1/devices/bea/notices", "", scene.phones[1].bearer)
      #expect(answer.status == 200, "\(answer.text)")
      #expect(!answer.text.contains("ada") && !answer.text.contains("2026-17"))
      return try #require(try answer.object["notices"] as? [[String: Any]])
    }
    let found = try notices()
    #expect(found.count == 1, "one of a case and day")
    #expect(found[0]["exposed_day"] as? String == String(scene.start.rfc3339.prefix(10)))
    #expect(try scene.exposures(number)[0]["status"] as? String == "notified")
    #expect(try scene.exposures(number)[0]["notice"] as? String == "delivered")
    let done = bench.send(
      "POST", "/v1/devices/bea/notices", #"{"number": \#(found[0]["number"] ?? 0)}"#, scene.phones[1].bearer)
    #expect(done.status == 204)
    #expect(try scene.exposures(number)[0]["notice"] as? String == "acknowledged")
    let others = bench.send("GET", "/v1/devices/bea/notices", "", scene.phones[0].bearer)
    #expect(others.status == 403)
    #expect(bench.asAdmin("DELETE", "/v1/devices/bea", #"{"reason": "case 9"}"#).status == 200)
    #expect(try notify(#""bea""#) == 0, "never to an erased device")
    #expect(try scene.exposures(number).isEmpty)
    #expect(bench.asAdmin("DELETE", "/v1/devices/ada", #"{"reason": "case 9"}"#).status == 200)
    #expect(!bench.asAdmin("GET", "/v1/operator/cases?venue=small-venue").text.contains("2026-17"))
  }

  @Test func closedCasesEnd() throws {
    let scene = try Scene()
    let number = try scene.make()
    _ = scene.bench.asAdmin("PUT", "/v1/operator/cases/\(number)", #"{"reason": "case 9", "state": "closed"}"#)
    scene.bench.now = scene.bench.now + .days(29)
    scene.bench.ingest.tick(now: scene.bench.now)
    #expect(scene.bench.asAdmin("GET", "/v1/operator/cases?venue=small-venue").text.contains("2026-17"))
    scene.bench.now = scene.bench.now + .days(2)
    scene.bench.ingest.tick(now: scene.bench.now)
    #expect(!scene.bench.asAdmin("GET", "/v1/operator/cases?venue=small-venue").text.contains("2026-17"))
  }

  /// Both stores behave alike, and a file keeps what it has.
  @Test func storesBehaveAlike() throws {
    let scratch = try TemporaryFolder()
    let path = scratch.path("cases.sqlite")
    for store in [MemoryCaseStore(), try SQLiteCaseStore(path: path)] as [any CaseStore] {
      let (ada, bea) = (try #require(DeviceID("ada")), try #require(DeviceID("bea")))
      let venue = try #require(VenueID("v"))
      let time = Instant(milliseconds: 1_000_000)
      var record = CaseRecord(
        venue: venue, label: "A", device: ada, onset: nil, from: time, to: time + .days(1), thresholdMinutes: 15,
        wallPercent: 50, note: "n", created: time, creator: "op", closed: nil)
      record.number = try store.save(record)
      record.onset = time
      record.closed = time + .days(2)
      #expect(try store.save(record) == record.number)
      #expect(try store.record(record.number) == record)
      let contact = CaseContact(device: bea, status: .declined, note: "x", changed: time, operator: "op")
      try store.save(contact, of: record.number)
      #expect(try store.contacts(of: record.number) == [contact])
      var notice = CaseNotice(
        caseNumber: record.number, device: bea, exposed: time, template: "test", advice: "a", created: time,
        expires: time + .days(1))
      notice.number = try store.save(notice)
      #expect(
        try store.save(
          CaseNotice(
            caseNumber: record.number, device: bea, exposed: time, template: "test", advice: "b", created: time,
            expires: time + .days(1))) == notice.number)
      notice.delivered = time
      #expect(try store.save(notice) == notice.number)
      #expect(try store.notices(to: bea, now: time) == [notice])
      #expect(try store.notices(to: bea, now: time + .days(1)).isEmpty)
      try store.forget(bea)
      #expect(try store.notices(of: record.number).isEmpty && store.contacts(of: record.number).isEmpty)
      #expect(try store.expire(before: time + .days(2)) == 0)
      #expect(try store.expire(before: time + .days(3)) == 1)
      #expect(try store.records(of: venue).isEmpty)
      record.number = 0
      _ = try store.save(record)
    }
    #expect(try SQLiteCaseStore(path: path).records(of: try #require(VenueID("v"))).map(\.label) == ["A"])
  }
}
