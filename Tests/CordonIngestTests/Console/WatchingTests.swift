import CordonCore
import CordonTesting
import CordonVenueTools
import CordonVenues
import Foundation
import Testing

@testable import CordonIngest

@Suite("What pages ask about a venue") struct WatchingTests {
  private func moment(_ bench: Bench, at time: Instant? = nil, reason: String? = nil) throws -> [[String: Any]] {
    var members = [#""venue": "small-venue""#]
    if let time { members.append(#""time": \#(time.milliseconds)"#) }
    if let reason { members.append(#""reason": "\#(reason)""#) }
    let answer = bench.asAdmin("POST", "/v1/operator/moment", "{\(members.joined(separator: ", "))}")
    #expect(answer.status == 200, "\(answer.text)")
    return try #require(try answer.object["devices"] as? [[String: Any]])
  }

  /// A device is present for five minutes after its last fix or the end of its stay.
  @Test func aDeviceIsPresentForFiveMinutes() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let start = bench.now
    try bench.post([try bench.location("phone-1", at: start)], by: phone)
    #expect(try moment(bench).count == 1)
    bench.now = start + .minutes(5)
    #expect(try moment(bench).count == 1)
    bench.now = start + .minutes(5) + .milliseconds(1)
    #expect(try moment(bench).isEmpty)
    #expect(try moment(bench, at: start + .minutes(1)).first?["age_s"] as? Int == 60)
    #expect(try moment(bench, at: start - .milliseconds(1)).isEmpty, "before its first fix")
    let still = try bench.location("phone-1", at: start + .minutes(6), still: .minutes(30))
    bench.now = start + .minutes(36)
    try bench.post([still], by: phone)
    #expect(try moment(bench, at: start + .minutes(30)).first?["age_s"] as? Int == 0)
    #expect(try moment(bench, at: start + .minutes(41)).count == 1)
    #expect(try moment(bench, at: start + .minutes(42)).isEmpty)
  }

  /// Without a reason devices have numbers; with one they have names, and the audit keeps that.
  @Test func namesNeedAReason() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    try bench.post([try bench.location("phone-1", at: bench.now)], by: phone)
    let unnamed = try #require(try moment(bench).first)
    #expect(unnamed["device"] is NSNull)
    #expect(unnamed["space"] as? String == "hall")
    let named = try #require(try moment(bench, reason: "case 9").first)
    #expect(named["device"] as? String == "phone-1")
    #expect(named["key"] as? Int == unnamed["key"] as? Int)
    #expect(unnamed["key"] as? Int != Int(try bench.number(of: "phone-1")))
    let audit = bench.asAdmin("GET", "/v1/operator/audit?reason=looking").text
    #expect(audit.contains("list devices"))
    bench.restart()
    #expect(try moment(bench).first?["key"] as? Int != unnamed["key"] as? Int, "numbers last as long as the process")
    let viewer = bench.send(
      "POST", "/v1/operator/moment", #"{"venue": "small-venue"}"#, Bench.basic("op-viewer", "viewer's"))
    #expect(viewer.status == 403)
  }

  @Test func theOverviewNamesWhatIsMissing() throws {
    let bench = try Bench()
    func overview() throws -> [String: Any] {
      try bench.asAdmin("GET", "/v1/operator/overview?venue=small-venue").object
    }
    func gaps() throws -> [String] { try overview()["gaps"] as? [String] ?? [] }
    #expect(try gaps() == ["no-devices"])
    var phone = try bench.phone("phone-1")
    bench.agree(phone, to: #""record""#)
    #expect(try gaps() == ["no-consent"])
    bench.now = bench.now + .seconds(1)
    bench.agree(phone)
    #expect(try gaps() == ["no-fix"])
    let start = bench.now
    try bench.post([try bench.location("phone-1", at: start)], by: phone)
    #expect(try gaps().isEmpty)
    let now = try overview()
    #expect(now["present"] as? Int == 1)
    #expect(now["last_fix"] as? Int == Int(start.milliseconds))
    #expect((now["spaces"] as? [[String: Any]])?.first?["space"] as? String == "hall")
    #expect((now["floors"] as? [[String: Any]])?.first?["devices"] as? Int == 1)
    bench.now = start + .minutes(10)
    #expect(try gaps() == ["old-fix"])
    bench.now = start + .minutes(61)
    #expect(try gaps() == ["no-fix"])
    phone.token = try bench.token("phone-1", secret: phone.secret)
    try bench.post([try bench.location("phone-1", at: bench.now, east: 5_000)], by: phone)
    #expect(try gaps() == ["no-fix", "refused"])
  }

  @Test func aTrackHasPagesAndItsDeviceOnly() throws {
    let bench = try Bench()
    let (one, two) = (try bench.phone("phone-1"), try bench.phone("phone-2"))
    let start = bench.now
    bench.now = start + .minutes(10)
    try bench.post((0..<10).map { try bench.location("phone-1", at: start + .minutes(Int64($0))) }, by: one)
    try bench.post([try bench.location("phone-2", at: start)], by: two)
    func page(_ more: String) throws -> [String: Any] {
      let answer = bench.asAdmin(
        "POST", "/v1/operator/track",
        #"{"venue": "small-venue", "device": "phone-1", "reason": "case 9", "limit": 4, "from": \#(start.milliseconds), "to": \#((start + .minutes(8)).milliseconds)\#(more)}"#
      )
      #expect(answer.status == 200, "\(answer.text)")
      return try answer.object
    }
    var times: [Int] = []
    var after = ""
    for _ in 0..<3 {
      let found = try page(after.isEmpty ? "" : #", "after": "\#(after)""#)
      times += (found["positions"] as? [[String: Any]] ?? []).compactMap { $0["time"] as? Int }
      guard let next = found["next_after"] as? String else { break }
      after = next
    }
    #expect(times == (0..<9).map { Int((start + .minutes(Int64($0))).milliseconds) })
  }

  @Test func theQualityCountsGapsAccuraciesAndRefusals() throws {
    let bench = try Bench()
    var phone = try bench.phone("phone-1")
    let start = bench.now
    bench.now = start + .hours(2)
    phone.token = try bench.token("phone-1", secret: phone.secret)
    let rows = [
      try bench.location("phone-1", at: start, accuracy: 3),
      try bench.location("phone-1", at: start + .minutes(4), accuracy: 5),
      try bench.location("phone-1", at: start + .minutes(20), accuracy: 40, floor: nil),
      try bench.location("phone-1", at: start + .minutes(21), accuracy: 5, still: .minutes(30)),
      try bench.location("phone-1", at: start + .minutes(55), accuracy: 5),
      try bench.location("phone-1", at: start + .minutes(56), east: 5_000),
    ]
    try bench.post(rows, by: phone)
    let found = try bench.asAdmin("GET", "/v1/operator/quality?venue=small-venue").object
    #expect(found["rows"] as? Int == 5)
    #expect(found["devices"] as? Int == 1)
    #expect(found["accuracy_median_m"] as? Double == 5)
    #expect(found["accuracy_p90_m"] as? Double == 40)
    #expect(found["usable"] as? Int == 4)
    #expect(found["with_floor"] as? Int == 4)
    #expect(found["gaps"] as? Int == 1, "a stay is not a gap")
    #expect(found["gap_s"] as? Int == 16 * 60)
    let refused = try #require(found["refused"] as? [[String: Any]])
    #expect(refused.count == 1 && refused[0]["reason"] as? String == "outside" && refused[0]["rows"] as? Int == 1)
    let earlier = try bench.asAdmin(
      "GET",
      "/v1/operator/quality?venue=small-venue&from=\((start - .days(2)).milliseconds)&to=\((start - .days(1)).milliseconds)"
    ).object
    #expect(earlier["rows"] as? Int == 0 && (earlier["refused"] as? [Any])?.isEmpty == true)
  }

  /// The plan has names of spaces, whole centimetres, and no points of interest, which may name people.
  @Test func thePlanHasNoPointsOfInterest() throws {
    var map = try VenueGenerator.generate(kind: .office, floors: 2, area: 400, seed: 7)
    map.timeZone = "Europe/Berlin"
    let document = PlanDocument(map, packed: try map.packed())
    let text = String(decoding: document.bytes, as: UTF8.self)
    let plan = try #require(try JSONSerialization.jsonObject(with: Data(document.bytes)) as? [String: Any])
    #expect(plan["time_zone"] as? String == "Europe/Berlin")
    #expect((plan["floors"] as? [Any])?.count == 2)
    #expect((plan["spaces"] as? [Any])?.count == map.spaces.count)
    for point in map.pointsOfInterest where !map.spaces.contains(where: { $0.name == point.name }) {
      let name = point.name.text() ?? ""
      #expect(name.isEmpty || !text.contains("\"\(name)\""))
    }
    #expect(document.bytes == PlanDocument(map, packed: try map.packed()).bytes)
  }
}
