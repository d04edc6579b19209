import CordonCore
import CordonStoreConformance
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@testable import CordonIngest

/// Cases, notices and alerts of a device that an administrator reset, so that somebody else got its name.
@Suite("Holders of a device in cases and alerts") struct CaseHolderTests {
  /// Two holders of "shared", an hour apart; "bea" is with the first for twenty minutes, and perhaps with the second as well.
  private final class Scene {
    let bench: Bench
    let start: Instant
    var bea: Bench.Phone
    let former: Bench.Phone
    private(set) var next: Bench.Phone

    init() throws {
      let made = try Bench()
      let holder = try made.phone("shared")
      bea = try made.phone("bea")
      (bench, start, former, next) = (made, made.now, holder, holder)
    }

    /// Twenty minutes beside bea.
    func meet(_ phone: Bench.Phone) throws {
      let begin = bench.now
      bench.now = begin + .minutes(20)
      bea.token = try bench.token("bea", secret: bea.secret)
      for (phone, east) in [(phone, 0.0), (bea, 1.0)] {
        try bench.post(
          [try bench.location(phone.id, at: begin, east: east, accuracy: 0.3, still: .minutes(20))], by: phone)
      }
      while bench.ingest.tick(now: bench.now) {}
    }

    /// Somebody else gets the device.
    func handOn() throws {
      bench.now = bench.now + .minutes(30)
      #expect(bench.asAdmin("POST", "/v1/operator/devices/shared/reset", #"{"reason": "handed on"}"#).status == 204)
      bench.now = bench.now + .minutes(1)
      next = try bench.phone("shared")
      bench.now = bench.now + .minutes(30)
    }

    func make(_ device: String, label: String, to: Instant? = nil) throws -> Int {
      let answer = ask(device, label: label, to: to)
      #expect(answer.status == 201, "\(answer.text)")
      return try #require(try answer.object["number"] as? Int)
    }

    func ask(_ device: String, label: String, to: Instant? = nil) -> IngestResponse {
      bench.asAdmin(
        "POST", "/v1/operator/cases",
        #"{"venue": "small-venue", "device": "\#(device)", "label": "\#(label)", "reason": "case 9", "from": \#((start - .hours(1)).milliseconds), "to": \#((to ?? bench.now).milliseconds)}"#
      )
    }

    /// The exposures of a case as "device holder minutes status notice".
    func exposures(_ number: Int) throws -> [String] {
      let answer = bench.asAdmin("POST", "/v1/operator/cases/\(number)/exposures", #"{"reason": "case 9"}"#)
      #expect(answer.status == 200, "\(answer.text)")
      return try #require(try answer.object["exposures"] as? [[String: Any]]).map { row in
        let minutes = (row["total_s"] as? Double).map { "\(Int(($0 / 60).rounded()))" } ?? "-"
        let holder = row["is_of_former_holder"] as? Bool == true ? "former" : "present"
        let (device, status) = (row["device"] as? String ?? "", row["status"] as? String ?? "")
        return "\(device) \(holder) \(minutes) \(status) \(row["notice"] as? String ?? "-")"
      }.sorted()
    }

    func notify(_ number: Int) throws -> Int {
      let answer = bench.asAdmin(
        "POST", "/v1/operator/cases/\(number)/notices", #"{"reason": "case 9", "devices": ["shared"]}"#)
      #expect(answer.status == 201, "\(answer.text)")
      return try #require(try answer.object["made"] as? Int)
    }

    func notices() throws -> [Int] {
      let answer = bench.send("GET", "/v1/devices/shared/notices", "", next.bearer)
      #expect(answer.status == 200, "\(answer.text)")
      return try #require(try answer.object["notices"] as? [[String: Any]]).compactMap { $0["number"] as? Int }
    }

    func labels() throws -> [String] {
      let answer = bench.asAdmin("GET", "/v1/operator/cases?venue=small-venue")
      return try #require(try answer.object["cases"] as? [[String: Any]]).compactMap { $0["label"] as? String }.sorted()
    }

    func eraseFormer() {
      let answer = bench.send("DELETE", "/v1/devices/shared", #"{"secret": "\#(former.secret)"}"#)
      #expect(answer.status == 200, "\(answer.text)")
    }
  }

  /// An exposure of the former holder makes no notice to the present one, also when the case is made after the device was handed on.
  @Test(arguments: [true, false]) func anExposureIsOfTheHolderWhoHadIt(isCaseBefore: Bool) throws {
    let scene = try Scene()
    try scene.meet(scene.former)
    let before = isCaseBefore ? try scene.make("bea", label: "B") : nil
    try scene.handOn()
    let number = try before ?? scene.make("bea", label: "B")
    #expect(try scene.notify(number) == 0)
    #expect(try scene.notices().isEmpty && scene.exposures(number) == ["shared former 20 open -"])
    let status = scene.bench.asAdmin(
      "PUT", "/v1/operator/cases/\(number)/status", #"{"reason": "case 9", "device": "shared", "status": "reached"}"#)
    #expect(status.status == 204)
    #expect(try scene.exposures(number) == ["shared former 20 reached -"])
    scene.eraseFormer()
    #expect(try scene.exposures(number).isEmpty)
  }

  /// Both holders were exposed on one day: each has a status and a notice, and only the former one's go with them.
  @Test func holdersHaveNoticesOfTheirOwn() throws {
    let scene = try Scene()
    try scene.meet(scene.former)
    let number = try scene.make("bea", label: "B")
    #expect(try scene.notify(number) == 1)
    let formers = try scene.notices()
    try scene.handOn()
    #expect(try scene.notices().isEmpty)
    try scene.meet(scene.next)
    let change = scene.bench.asAdmin(
      "PUT", "/v1/operator/cases/\(number)", #"{"reason": "case 9", "to": \#(scene.bench.now.milliseconds)}"#)
    #expect(change.status == 200)
    #expect(try scene.exposures(number) == ["shared former 20 notified delivered", "shared present 20 open -"])
    #expect(try scene.notify(number) == 1 && scene.notify(number) == 1)
    let own = try scene.notices()
    #expect(own.count == 1 && own != formers)
    let foreign = scene.bench.send(
      "POST", "/v1/devices/shared/notices", #"{"number": \#(formers[0])}"#, scene.next.bearer)
    #expect(foreign.status == 404)
    for (holder, status) in [("former", "declined"), ("present", "reached")] {
      let answer = scene.bench.asAdmin(
        "PUT", "/v1/operator/cases/\(number)/status",
        #"{"reason": "case 9", "device": "shared", "holder": "\#(holder)", "status": "\#(status)"}"#)
      #expect(answer.status == 204)
    }
    #expect(
      try scene.exposures(number) == ["shared former 20 declined delivered", "shared present 20 reached delivered"])
    scene.eraseFormer()
    #expect(try scene.exposures(number) == ["shared present 20 reached delivered"])
    #expect(try scene.notices() == own)
    #expect(try scene.bench.ingest.cases.notices(of: Int64(number)).map { Int($0.number) } == own)
  }

  /// A case is about one person: it lists what they had, and goes with them alone.
  @Test func aCaseIsAboutOneHolder() throws {
    let scene = try Scene()
    try scene.meet(scene.former)
    let first = try scene.make("shared", label: "former")
    let end = scene.bench.now
    try scene.handOn()
    try scene.meet(scene.next)
    let second = try scene.make("shared", label: "present")
    let late = try scene.make("shared", label: "former, made later", to: end)
    for number in [first, second, late] {
      #expect(try scene.exposures(number) == ["bea present 20 open -"], "case \(number)")
    }
    let tree = scene.bench.asAdmin(
      "POST", "/v1/operator/cases/\(second)/tree", #"{"reason": "case 9", "generations": 2}"#)
    let devices = try #require(try tree.object["devices"] as? [[String: Any]])
    let starts = devices.compactMap { $0["start"] as? Int }
    #expect(starts.count == 1 && starts.allSatisfy { $0 > Int((scene.bench.now - .minutes(30)).milliseconds) })
    // Nor does the present holder read why operators looked at cases about the former one.
    let data = scene.bench.send("GET", "/v1/devices/shared/data", "", scene.next.bearer)
    let accesses = try #require(try data.object["accesses"] as? [[String: Any]])
    let actions = accesses.compactMap { $0["action"] as? String }.sorted()
    #expect(actions == ["exposures of case", "make case", "tree of case"])
    scene.eraseFormer()
    #expect(try scene.labels() == ["present"])
    #expect(try scene.exposures(second) == ["bea present 20 open -"])
    #expect(scene.ask("shared", label: "too late", to: end).status == 404, "there is no data of the former holder")
    let erased = scene.bench.asAdmin("DELETE", "/v1/devices/shared", #"{"reason": "case 9"}"#)
    #expect(erased.status == 200)
    #expect(try scene.labels().isEmpty)
  }

  /// A case that was widened over the time of two holders stays one about the former.
  @Test func aWidenedCaseStaysOneOfItsHolder() throws {
    let scene = try Scene()
    try scene.meet(scene.former)
    let number = try scene.make("shared", label: "former")
    try scene.handOn()
    try scene.meet(scene.next)
    let change = scene.bench.asAdmin(
      "PUT", "/v1/operator/cases/\(number)", #"{"reason": "case 9", "to": \#(scene.bench.now.milliseconds)}"#)
    #expect(change.status == 200)
    #expect(try scene.exposures(number) == ["bea present 20 open -"])
  }

  /// A rule watches the holder for whom it was made, and its alerts are about that holder.
  @Test func aRuleWatchesOneHolder() throws {
    let scene = try Scene()
    let bench = scene.bench
    func make(_ name: String) throws -> Int64 {
      let answer = bench.asAdmin(
        "POST", "/v1/operator/alerts",
        #"{"venue": "small-venue", "kind": "device-silent", "name": "\#(name)", "device": "shared", "lasting_s": 60, "reason": "case 9"}"#
      )
      #expect(answer.status == 201, "\(answer.text)")
      return Int64(try #require(try answer.object["number"] as? Int))
    }
    func alerts(_ rule: Int64) throws -> Int { try bench.ingest.alerts.alerts(of: rule, limit: 9).count }
    func pass() {
      for _ in 0..<40 {
        bench.now = bench.now + .seconds(15)
        bench.ingest.tick(now: bench.now)
      }
    }
    let first = try make("former")
    pass()
    #expect(try alerts(first) == 1)
    try scene.handOn()
    let second = try make("present")
    pass()
    #expect(try alerts(first) == 1 && alerts(second) == 1)
    #expect(try bench.ingest.alerts.openAlerts().map(\.rule) == [second], "the alert of the former holder ended")
    #expect(try bench.ingest.alerts.rules().map(\.isOn) == [false, true])
    let again = bench.asAdmin("PUT", "/v1/operator/alerts/\(first)", #"{"state": "on"}"#)
    #expect(again.status == 409 && again.code == "former-holder")
    #expect(bench.asAdmin("PUT", "/v1/operator/alerts/\(second)", #"{"state": "on"}"#).status == 204)
    scene.eraseFormer()
    #expect(try bench.ingest.alerts.rules().map(\.name) == ["present"])
    #expect(try alerts(second) == 1)
  }

  /// Files of the version before holders: what was made before a device was handed on is the former holder's.
  @Test func filesFromBeforeHoldersAreBroughtUpToDate() throws {
    let scratch = try TemporaryFolder()
    let (path, alertPath) = (scratch.path("cases.sqlite"), scratch.path("alerts.sqlite"))
    try FormerConsole.make(cases: path, alerts: alertPath)
    let time = FormerConsole.time
    for _ in 0..<2 {
      let cases = try SQLiteCaseStore(path: path)
      let record = try #require(try cases.record(3))
      #expect(record.holder == time && record.label == "former")
      let contacts = try cases.contacts(of: 3).map { "\($0.device) \($0.status) \($0.note)" }
      #expect(contacts == ["bea reached x", "cem open y"])
      #expect(try cases.notices(of: 3).map(\.number) == [5, 7])
      #expect(try cases.notices(of: 3).map(\.holder) == [time, time])
      let alerts = try SQLiteAlertStore(path: alertPath)
      #expect(try alerts.rules().map(\.holder) == [nil, nil] && alerts.alerts(of: 2, limit: 9).count == 1)
    }
    let cases = try SQLiteCaseStore(path: path)
    let (ada, bea) = (try #require(DeviceID("ada")), try #require(DeviceID("bea")))
    try cases.forget(bea, .holders(before: time))
    try cases.forget(bea, .holders(before: time + .hours(1), receivedUntil: time - .seconds(1)))
    #expect(try cases.notices(of: 3).count == 2)
    // The holder from an hour later has a status of their own, and numbers go on.
    let holder = time + .hours(1)
    let notice = CaseNotice(
      caseNumber: 3, device: bea, exposed: .epoch, template: "test", advice: "d", created: holder,
      expires: holder + .days(1), holder: holder)
    #expect(try cases.save(notice) == 10 && cases.save(notice) == 10)
    try cases.save(
      CaseContact(device: bea, status: .open, note: "z", changed: holder, operator: "op", holder: holder), of: 3)
    try cases.forget(bea, .holders(before: holder))
    #expect(try cases.notices(of: 3).map(\.number) == [7, 10])
    #expect(try cases.contacts(of: 3).map(\.note) == ["z", "y"])
    try cases.forget(ada, .holders(before: holder))
    #expect(try cases.record(3) == nil && cases.notices(of: 3).isEmpty)
    // A rule whose holder is not known goes with each former one.
    let alerts = try SQLiteAlertStore(path: alertPath)
    try alerts.forget(ada, .holders(before: holder))
    #expect(try alerts.rules().map(\.number) == [3])
  }

  /// A rule of the version before holders ends when its device is handed on.
  @Test func aRuleFromBeforeHoldersEndsWithTheirs() throws {
    let scene = try Scene()
    let rule = AlertRule(
      venue: scene.bench.venue.venue, kind: .deviceSilent, name: "r", device: DeviceID("shared"),
      threshold: 0, lasting: 60, isOn: true)
    _ = try scene.bench.ingest.alerts.save(rule)
    try scene.handOn()
    let rules = try scene.bench.ingest.alerts.rules()
    #expect(rules.map(\.isOn) == [false] && rules.map(\.holder) == [.epoch])
  }

  /// The stores answer alike, by call.
  @Test(arguments: UInt64(1)...4) func filesAnswerAsMemoryDoes(_ seed: UInt64) throws {
    let scratch = try TemporaryFolder()
    var comparison = ConsoleComparison(
      cases: try SQLiteCaseStore(path: ":memory:"), alerts: try SQLiteAlertStore(path: scratch.path("alerts.sqlite")),
      seed: seed)
    comparison.run()
    #expect(comparison.differences.isEmpty, "\(comparison.differences.prefix(3))")
  }

  /// A span over both holders shows the present one. One that ends before shows the former, and the present holder does not
  /// read that somebody looked.
  @Test(arguments: ["contacts", "exposures", "track"])
  func aLookShowsOneHolder(_ kind: String) throws {
    let scene = try Scene()
    try scene.meet(scene.former)
    let before = scene.bench.now
    try scene.handOn()
    let after = scene.bench.now
    try scene.meet(scene.next)
    func look(to end: Instant, _ reason: String) throws -> [[String: Any]] {
      let answer = scene.bench.asAdmin(
        "POST", "/v1/operator/\(kind)",
        #"{"venue": "small-venue", "device": "shared", "from": \#((scene.start - .hours(1)).milliseconds), "to": \#(end.milliseconds), "reason": "\#(reason)"}"#
      )
      #expect(answer.status == 200, "\(answer.text)")
      return try #require(try answer.object[kind == "track" ? "positions" : kind] as? [[String: Any]])
    }
    let (present, former) = (try look(to: scene.bench.now, "of the present"), try look(to: before, "of the former"))
    #expect(present.count == 1 && former.count == 1)
    if kind == "exposures" {
      #expect(present.first?["total_s"] as? Double == 1_200 && former.first?["total_s"] as? Double == 1_200)
    } else if kind == "track" {
      #expect(present.first?["time"] as? Int == Int(after.milliseconds))
      #expect(former.first?["time"] as? Int == Int(scene.start.milliseconds))
    }
    var holder = scene.next
    holder.token = try scene.bench.token("shared", secret: holder.secret)
    let data = try scene.bench.send("GET", "/v1/devices/shared/data", "", holder.bearer).object
    let reasons = try #require(data["accesses"] as? [[String: Any]]).compactMap { $0["reason"] as? String }
    #expect(reasons == ["of the present"])
  }
}
