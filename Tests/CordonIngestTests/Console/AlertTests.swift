import CordonCore
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@testable import CordonIngest

@Suite("Alerts") struct AlertTests {
  private static let rule = AlertRule(
    number: 1, venue: SmallVenue().venue, kind: .moreThan, name: "A", threshold: 5, lasting: 60, isOn: true)

  /// A condition must hold for the time of its rule; going up and down at the limit gives one alert.
  @Test func conditionsAreDebounced() throws {
    var watch = AlertWatch()
    let start = Instant(milliseconds: 1_000_000_000)
    func at(_ seconds: Int64) -> Instant { start + .seconds(seconds) }
    func look(_ holds: Bool, _ value: Int64 = 6, open: Alert? = nil, at seconds: Int64) -> AlertWatch.Change? {
      watch.look(Self.rule, .init(holds: holds, value: value), open: open, now: at(seconds))
    }
    #expect(look(true, at: 0) == nil)
    #expect(look(false, at: 45) == nil)
    #expect(look(true, at: 60) == nil, "it began anew")
    #expect(look(true, at: 105) == nil)
    let raised = Alert(
      rule: 1, began: at(60), raised: at(120), ended: nil, peak: 6, space: nil, acknowledged: nil)
    #expect(look(true, at: 120) == .raise(raised))
    var higher = raised
    higher.peak = 9
    #expect(look(true, 9, open: raised, at: 135) == .update(higher))
    #expect(look(false, open: higher, at: 150) == nil, "a moment below the limit")
    #expect(look(true, 7, open: higher, at: 165) == nil)
    #expect(look(false, open: higher, at: 180) == nil)
    var ended = higher
    ended.ended = at(165)
    #expect(look(false, open: higher, at: 225) == .update(ended), "it ends when the condition last held")
  }

  /// After a restart nothing is known of when the condition last held: an alert ends a minute after the first look.
  @Test func anAlertOfAFormerProcessEnds() {
    var watch = AlertWatch()
    let start = Instant(milliseconds: 1_000_000_000)
    let open = Alert(
      number: 3, rule: 1, began: start, raised: start, ended: nil, peak: 6, space: nil, acknowledged: nil)
    let first = watch.look(Self.rule, .init(holds: false, value: 0), open: open, now: start + .seconds(10))
    #expect(first == nil)
    var ended = open
    ended.ended = start + .seconds(10)
    let second = watch.look(Self.rule, .init(holds: false, value: 0), open: open, now: start + .seconds(70))
    #expect(second == .update(ended))
  }

  @Test func rulesRaiseAlertsOfWhatDevicesSend() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    func make(_ members: String) throws -> Int {
      let answer = bench.asAdmin("POST", "/v1/operator/alerts", #"{"venue": "small-venue", \#(members)}"#)
      #expect(answer.status == 201, "\(answer.text)")
      return try #require(try answer.object["number"] as? Int)
    }
    let silent = try make(
      #""kind": "device-silent", "name": "S", "device": "phone-1", "lasting_s": 60, "reason": "case 9""#)
    let crowded = try make(#""kind": "more-than", "name": "M", "threshold": 0, "space": "hall", "lasting_s": 0"#)
    func alerts(_ number: Int) throws -> [[String: Any]] {
      let answer = bench.asAdmin("GET", "/v1/operator/alerts?venue=small-venue")
      #expect(!answer.text.contains("phone-1"), "the list names no device")
      let rules = try #require(try answer.object["rules"] as? [[String: Any]])
      return try #require(rules.first { $0["number"] as? Int == number }?["alerts"] as? [[String: Any]])
    }
    func pass(_ seconds: Int64) {
      for _ in 0..<seconds / 15 {
        bench.now = bench.now + .seconds(15)
        bench.ingest.tick(now: bench.now)
      }
    }
    bench.ingest.tick(now: bench.now)
    pass(90)
    #expect(try alerts(silent).count == 1 && alerts(crowded).isEmpty)
    try bench.post([try bench.location("phone-1", at: bench.now)], by: phone)
    pass(90)
    #expect(try alerts(silent)[0]["ended"] is Int)
    #expect(try alerts(crowded).count == 1)
    #expect(try alerts(crowded)[0]["space"] as? String == "hall")
    let number = try #require(try alerts(crowded)[0]["number"] as? Int)
    let done = bench.asAdmin("PUT", "/v1/operator/alerts/\(crowded)", #"{"acknowledge": \#(number), "state": "off"}"#)
    #expect(done.status == 204)
    #expect(try alerts(crowded)[0]["acknowledged"] as? String == "op-admin")
    #expect(bench.asAdmin("DELETE", "/v1/devices/phone-1", #"{"reason": "case 9"}"#).status == 200)
    #expect(try bench.ingest.alerts.rules().map(\.kind) == [.moreThan], "a rule that names an erased device goes")
    #expect(bench.asAdmin("DELETE", "/v1/operator/alerts/\(crowded)").status == 204)
    #expect(bench.asAdmin("DELETE", "/v1/operator/alerts/\(crowded)").status == 404)
  }

  @Test func storesBehaveAlike() throws {
    let scratch = try TemporaryFolder()
    for store in [MemoryAlertStore(), try SQLiteAlertStore(path: scratch.path("alerts.sqlite"))] as [any AlertStore] {
      var rule = Self.rule
      rule.number = 0
      rule.floor = FloorOrdinal(2)
      rule.space = SpaceID("hall")
      rule.device = DeviceID("ada")
      rule.number = try store.save(rule)
      #expect(try store.rules() == [rule])
      rule.isOn = false
      #expect(try store.save(rule) == rule.number)
      #expect(try store.rules() == [rule])
      let time = Instant(milliseconds: 5_000)
      var alert = Alert(
        rule: rule.number, began: time, raised: time, ended: nil, peak: 7, space: SpaceID("hall"), acknowledged: nil)
      alert.number = try store.save(alert)
      #expect(try store.openAlerts() == [alert])
      alert.ended = time + .seconds(5)
      alert.acknowledged = "op"
      #expect(try store.save(alert) == alert.number)
      #expect(try store.openAlerts().isEmpty)
      #expect(try store.alerts(of: rule.number, limit: 10) == [alert])
      try store.expire(before: time + .seconds(5))
      #expect(try store.alerts(of: rule.number, limit: 10).count == 1)
      try store.expire(before: time + .seconds(6))
      #expect(try store.alerts(of: rule.number, limit: 10).isEmpty)
      let other = try #require(DeviceID("bea"))
      try store.forget(other)
      #expect(try store.rules().count == 1)
      try store.forget(try #require(DeviceID("ada")))
      #expect(try store.rules().isEmpty)
    }
  }
}
