import CordonCore
import CordonTesting
import Foundation
import Testing

@testable import CordonIngest

@Suite("What operators see")
struct OperatorTests {
  /// Ten devices, two of which meet for ten minutes.
  static func crowd() throws -> Bench {
    let bench = try Bench()
    for index in 0..<10 {
      let phone = try bench.phone("phone-\(index)")
      let east = index < 2 ? Double(index) : -28 + 6 * Double(index)
      let rows = try (0..<61).map {
        try bench.location(
          "phone-\(index)", at: bench.now - .seconds(Int64(600 - 10 * $0)), east: east, north: index < 2 ? -15 : 5)
      }
      try bench.post(rows, by: phone)
    }
    return bench
  }

  private func ask(_ bench: Bench, _ path: String, as user: (String, String)) -> IngestResponse {
    // A request about many devices needs a reason, as one about a single device does; the latter carries it in the
    // path.
    let isOnMany = ["devices?", "contacts?"].contains { path.hasPrefix($0) } && !path.contains("device=")
    let reason = IngestRequest.Header("x-reason", isOnMany ? "round of the month" : "")
    return bench.send("GET", "/v1/operator/" + path, "", Bench.basic(user.0, user.1), reason)
  }

  private let desk = ("op-desk", "desk's")
  private let viewer = ("op-viewer", "viewer's")
  private let other = ("op-other", "other's")

  @Test func rolesAndVenuesLimitAccess() throws {
    let bench = try Self.crowd()
    let admin = ("op-admin", bench.admin)
    for (path, least) in [
      ("occupancy?venue=small-venue", 0), ("devices?venue=small-venue", 1), ("contacts?venue=small-venue", 1),
      ("exposures?venue=small-venue&device=phone-0&reason=test", 1), ("audit", 2),
      ("invite-codes?venue=small-venue", 2),
    ] {
      for (rank, user) in [viewer, desk, admin].enumerated() {
        #expect(ask(bench, path, as: user).status == (rank >= least ? 200 : 403), "\(path) \(user.0)")
      }
      #expect([403].contains(ask(bench, path, as: other).status), "\(path)")
      #expect(ask(bench, path, as: ("op-desk", "wrong")).status == 401)
      #expect(bench.send("GET", "/v1/operator/" + path).status == 401)
    }
  }

  /// An administrator of one venue cannot change another, by any request.
  @Test func administratorsAreLimitedToTheirVenue() throws {
    let bench = try Self.crowd()
    let bound = ("op-bound", "bound's")
    func order(_ method: String, _ path: String, _ body: String = "") -> IngestResponse {
      bench.send(method, path, body, Bench.basic(bound.0, bound.1))
    }
    // A device of the other venue, requested for the own one, does not exist.
    for path in ["contacts", "exposures"] {
      let answer = ask(bench, "\(path)?venue=elsewhere&device=phone-0&reason=case%201", as: bound)
      #expect(answer.status == 404, "\(path)")
    }
    for path in ["revoke", "reset"] {
      #expect(order("POST", "/v1/operator/devices/phone-0/\(path)?reason=case%201").status == 404)
    }
    #expect(order("DELETE", "/v1/devices/phone-0?reason=case%201").status == 404)
    #expect(try bench.store.deviceCount() == 10)
    // Codes.
    #expect(order("POST", "/v1/operator/invite-codes", #"{"venue": "small-venue"}"#).status == 403)
    #expect(ask(bench, "invite-codes?venue=small-venue", as: bound).status == 403)
    let number = try #require(try bench.store.invites(of: bench.venue.venue).first?.number)
    #expect(order("DELETE", "/v1/operator/invite-codes/\(number)").status == 404)
    #expect(try bench.store.invites(of: bench.venue.venue).contains { $0.number == number })
    let own = order("POST", "/v1/operator/invite-codes", #"{"venue": "elsewhere"}"#)
    #expect(own.status == 201)
    let ownNumber = try #require(try own.object["number"] as? Int)
    #expect(order("DELETE", "/v1/operator/invite-codes/\(ownNumber)").status == 204)
    // The audit log lists requests about the own venue only.
    #expect(ask(bench, "contacts?venue=small-venue", as: desk).status == 200)
    #expect(ask(bench, "contacts?venue=elsewhere", as: other).status == 200)
    func venues(_ user: (String, String)) throws -> Set<String?> {
      let list = try ask(bench, "audit", as: user).object["entries"] as? [[String: Any]]
      return Set(try #require(list).map { $0["venue"] as? String })
    }
    #expect(try venues(bound) == ["elsewhere"])
    #expect(try venues(("op-admin", bench.admin)).contains("small-venue"))
    #expect(ask(bench, "audit?device=phone-0&reason=case%201", as: bound).status == 404)
  }

  @Test func contactsThatOverlapTheSpanAreIncluded() throws {
    let bench = try Self.crowd()
    let middle = bench.now - .minutes(5)
    func count(_ from: Instant, _ to: Instant) throws -> Int? {
      let path = "contacts?venue=small-venue&from=\(from.milliseconds)&to=\(to.milliseconds)"
      return (try ask(bench, path, as: desk).object["contacts"] as? [Any])?.count
    }
    #expect(try count(middle, middle + .seconds(1)) == 1)
    #expect(try count(middle, bench.now + .hours(1)) == 1)
    #expect(try count(bench.now - .hours(2), middle) == 1)
    #expect(try count(bench.now + .hours(1), bench.now + .hours(2)) == 0)
    #expect(try count(bench.now - .hours(2), bench.now - .hours(1)) == 0)
    let rows = try ask(bench, "contacts?venue=small-venue", as: desk).object["contacts"] as? [[String: Any]]
    let row = try #require(rows?.first)
    #expect(row["duration_s"] as? Double == 600)
    let distance = try #require(row["minimum_distance_m"] as? Double)
    #expect(abs(distance - 1) < 0.02)
    #expect([row["first"] as? String, row["second"] as? String] == ["phone-0", "phone-1"])
    #expect(ask(bench, "contacts?venue=small-venue&from=5&to=3", as: desk).code == "bad-parameter")
    #expect(ask(bench, "contacts?venue=small-venue&from=yesterday", as: desk).code == "bad-parameter")
    #expect(
      (try ask(bench, "contacts?venue=small-venue&minimum_duration_s=601", as: desk).object["contacts"] as? [Any])?
        .count
        == 0)
  }

  @Test func lookingUpADeviceNeedsAReasonAndIsLogged() throws {
    let bench = try Self.crowd()
    for path in [
      "contacts?venue=small-venue&device=phone-0", "exposures?venue=small-venue&device=phone-0",
      "exposures?venue=small-venue&device=phone-0&reason=x",
    ] { #expect(ask(bench, path, as: desk).code == "no-reason") }
    let exposures =
      try ask(
        bench, "exposures?venue=small-venue&device=phone-0&reason=case%209&threshold_minutes=10", as: desk
      ).object["exposures"] as? [[String: Any]]
    #expect(exposures?.count == 1)
    #expect(exposures?.first?["device"] as? String == "phone-1")
    #expect(exposures?.first?["is_exposure"] as? Bool == true)
    #expect(ask(bench, "exposures?venue=small-venue&device=nobody&reason=case%209", as: desk).status == 404)
    let list = try ask(bench, "audit?device=phone-0&reason=review", as: ("op-admin", bench.admin)).object["entries"]
    let entries = try #require(list as? [[String: Any]])
    #expect(entries.map { $0["action"] as? String } == ["read audit", "exposures of device"])
    #expect(entries.last?["reason"] as? String == "case 9")
  }

  /// Three times six minutes within a day exceed a quarter of an hour.
  @Test func timeNearADeviceIsSummed() throws {
    let bench = try Bench()
    let (a, b) = (try bench.phone("a"), try bench.phone("b"))
    let start = bench.now
    for hour in 0..<3 {
      let from = start + .hours(Int64(hour))
      bench.now = from + .minutes(6)
      let times = (0...36).map { from + .seconds(Int64(10 * $0)) }
      let (ta, tb) = (try bench.token("a", secret: a.secret), try bench.token("b", secret: b.secret))
      try bench.post(times.map { try bench.location("a", at: $0) }, by: .init(id: "a", secret: "", token: ta))
      try bench.post(times.map { try bench.location("b", at: $0, east: 1) }, by: .init(id: "b", secret: "", token: tb))
    }
    func exposures(_ query: String) throws -> [[String: Any]] {
      let path = "exposures?venue=small-venue&device=a&reason=case%209&" + query
      return try #require(try ask(bench, path, as: desk).object["exposures"] as? [[String: Any]])
    }
    let found = try exposures("threshold_minutes=15")
    #expect(found.map { $0["device"] as? String } == ["b"])
    #expect(found.first?["contacts"] as? Int == 3)
    #expect(found.first?["maximum_in_window_s"] as? Double == 1_080)
    #expect(found.first?["is_exposure"] as? Bool == true)
    #expect(try exposures("threshold_minutes=19").first?["is_exposure"] as? Bool == false)
    let table = ask(
      bench, "exposures?venue=small-venue&device=a&reason=case%209&format=csv", as: desk)
    #expect(table.header("content-type") == "text/csv; charset=utf-8")
    #expect(table.text.split(separator: "\r\n").last?.hasPrefix("b,3,1080.0,1080.0,") == true, "\(table.text)")
  }

  @Test func lookingUpManyDevicesNeedsAReasonAndIsReportedToEach() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    bench.now = bench.now + .seconds(5)
    for path in ["devices?venue=small-venue", "contacts?venue=small-venue", "contacts?venue=small-venue&format=csv"] {
      #expect(bench.send("GET", "/v1/operator/\(path)", "", Bench.basic(desk.0, desk.1)).code == "no-reason")
      #expect(ask(bench, path, as: desk).status == 200)
    }
    #expect(ask(bench, "contacts?venue=elsewhere", as: other).status == 200)
    bench.now = bench.now + .seconds(5)
    let late = try bench.phone("phone-2")
    func accesses(_ phone: Bench.Phone) throws -> [String?] {
      let data = try bench.send("GET", "/v1/devices/\(phone.id)/data", "", phone.bearer).object
      return (data["accesses"] as? [[String: Any]] ?? []).map { $0["action"] as? String }
    }
    #expect(try accesses(phone) == ["list contacts", "list contacts", "list devices"])
    #expect(try accesses(late) == [], "it was not there yet")
  }

  @Test func devicesAreFoundByPrefixAndPage() throws {
    let bench = try Self.crowd()
    _ = try bench.phone("Zoë’s <script>")
    func names(_ query: String) throws -> [String] {
      let list = try ask(bench, "devices?venue=small-venue&" + query, as: desk).object["devices"] as? [[String: Any]]
      return (list ?? []).compactMap { $0["device"] as? String }
    }
    #expect(try names("prefix=phone-").count == 10)
    #expect(try names("prefix=phone-3") == ["phone-3"])
    #expect(try names("prefix=hone") == [])
    #expect(try names("prefix=Zo%C3%AB") == ["Zoë’s <script>"])
    #expect(try names("prefix=phone&limit=4") == ["phone-0", "phone-1", "phone-2", "phone-3"])
    #expect(try names("prefix=phone&limit=4&after=phone-7") == ["phone-8", "phone-9"])
    // Text that clients chose is escaped where a page could interpret it as markup.
    #expect(!ask(bench, "devices?venue=small-venue", as: desk).text.contains("<script>"))
  }

  /// Operators with the right to counts get them exactly; `ViewerTests` attack the rounded ones of viewers.
  @Test func operatorsSeeSmallCounts() throws {
    let few = try Bench()
    for index in 0..<3 {
      let phone = try few.phone("phone-\(index)")
      try few.post(
        (0..<31).map { try few.location("phone-\(index)", at: few.now - .seconds(Int64(300 - 10 * $0))) }, by: phone)
    }
    let path = "occupancy?venue=small-venue&from=\(few.now.milliseconds - 300_000)&to=\(few.now.milliseconds)"
    #expect(!ask(few, path, as: viewer).text.contains("_devices"))
    #expect(ask(few, path, as: desk).text.contains(#""peak_devices":3"#))
    #expect(ask(few, path + "&bin_s=60", as: viewer).status == 400, "finer bins could be subtracted")
  }

  @Test func exportsAreSafeInASpreadsheet() throws {
    let bench = try Bench()
    let names = ["=HYPERLINK(\"http://x\")", "a,\"b\""]
    for (index, name) in names.enumerated() {
      let phone = try bench.phone(name)
      try bench.post(
        (0..<30).map { try bench.location(name, at: bench.now - .seconds(Int64(300 - 10 * $0)), east: Double(index)) },
        by: phone)
    }
    let response = ask(bench, "contacts?venue=small-venue&format=csv", as: desk)
    #expect(response.header("content-type") == "text/csv; charset=utf-8")
    #expect(response.header("content-disposition")?.hasPrefix("attachment") == true)
    let lines = response.text.split(separator: "\r\n")
    #expect(lines.count == 2)
    #expect(lines[1].hasPrefix(#""'=HYPERLINK(""http://x"")","a,""b""","#), "\(lines[1])")
    #expect(ask(bench, "contacts?venue=small-venue&format=xml", as: desk).status == 400)
  }

  /// An order with an unknown part is refused as a whole, and the answer names that part.
  @Test func unknownMembersOfOrdersAreRefused() throws {
    let bench = try Bench()
    _ = try bench.phone("phone-1")
    let before = try bench.store.invites(of: bench.venue.venue).count
    for (body, field) in [
      (#"{"venue": "small-venue", "maxUses": 5}"#, "maxUses"),
      (#"{"venue": "small-venue", "uses": null, "x": 1}"#, "x"),
      (#"{"venue": "small-venue", "maximum_uses": true}"#, "maximum_uses"),
      (#"{"venue": "small-venue", "maximum_uses": 2.5}"#, "maximum_uses"),
      (#"{"venue": "small-venue", "expires": [1]}"#, "expires"), (#"{"venue": 7}"#, "venue"),
    ] {
      let response = bench.asAdmin("POST", "/v1/operator/invite-codes", body)
      #expect(response.status == 400, "\(body)")
      #expect(response.header("content-type") == "application/problem+json")
      #expect(try response.string("field") == field)
    }
    #expect(try bench.store.invites(of: bench.venue.venue).count == before)
    for path in ["revoke", "reset"] {
      let address = "/v1/operator/devices/phone-1/\(path)"
      let response = bench.asAdmin("POST", address, #"{"reason": "a reason", "dry_run": true}"#)
      #expect(response.code == "unknown-field")
      #expect(try response.string("field") == "dry_run")
      #expect(bench.asAdmin("POST", address, "{}").code == "no-reason")
      #expect(bench.asAdmin("POST", address, #"{"reason": "a reason"}"#).status == 204)
    }
    let erasure = bench.asAdmin("DELETE", "/v1/devices/phone-1?reason=asked%20to", #"{"dry_run": true}"#)
    #expect(erasure.code == "unknown-field")
    #expect(try bench.store.deviceCount() == 1)
  }

  /// A page that refreshes every ten seconds leaves one entry an hour with a count; other requests have their own
  /// entries.
  @Test func aPollingPageLogsOneEntryAnHour() throws {
    let bench = try Bench()
    let start = bench.now
    func ask(_ user: String, _ key: String, reason: String? = nil) {
      let fields = [Bench.basic(user, key)] + (reason.map { [.init("x-reason", $0)] } ?? [])
      let request = IngestRequest("GET", "/v1/operator/occupancy?venue=small-venue", headers: fields, peer: "test")
      #expect(bench.ingest.handle(request, now: bench.now).status == 200)
    }
    for k in 0..<8_640 {
      bench.now = start + .seconds(Int64(10 * k))
      ask("op-desk", "desk's")
      if k % 1_000 == 0 { ask("op-viewer", "viewer's") }
    }
    let entries = try bench.store.audit(device: nil, before: nil, limit: 10_000)
    let desk = entries.filter { $0.operator == "op-desk" }
    #expect(desk.count == 24 || desk.count == 25, "\(desk.count)")
    #expect(desk.reduce(0) { $0 + $1.count } == 8_640)
    #expect(desk.allSatisfy { $0.last - $0.time < .hours(1) && $0.action == "occupancy" })
    #expect(entries.filter { $0.operator == "op-viewer" }.reduce(0) { $0 + $1.count } == 9)
    // Another reason makes another entry; entries from before a restart stay separate.
    let before = entries.count
    ask("op-desk", "desk's", reason: "case 9")
    bench.restart()
    ask("op-desk", "desk's")
    #expect(try bench.store.audit(device: nil, before: nil, limit: 10_000).count == before + 2)
    // An entry that was deleted meanwhile is written anew.
    try bench.store.connection.script("DELETE FROM audit")
    ask("op-desk", "desk's")
    let answer = bench.asAdmin("GET", "/v1/operator/audit")
    let list = try #require(try answer.object["entries"] as? [[String: Any]])
    #expect(list.count == 2)
    #expect(list.last?["count"] as? Int == 1)
    #expect(list.last?["last_time"] as? Int64 == bench.now.milliseconds)
  }

  /// Proxies log addresses: names and reasons in an address are refused first, and the answer says where they belong.
  @Test func namesAndReasonsAreNotTakenFromAddresses() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let access = "venue=small-venue&device=phone-1&reason=case%209"
    func ask(_ method: String, _ target: String, _ body: String = "") -> IngestResponse {
      bench.ingest.handle(
        IngestRequest(
          method, target, headers: [Bench.basic("op-admin", bench.admin)], body: Array(body.utf8), peer: "test"),
        now: bench.now)
    }
    for path in ["devices", "contacts", "exposures", "audit"] {
      #expect(ask("GET", "/v1/operator/\(path)?\(access)").status == 405, "\(path)")
      #expect(ask("POST", "/v1/operator/\(path)?\(access)").code == "in-address", "\(path)")
    }
    for (method, path) in [
      ("POST", "/v1/operator/devices/phone-1/revoke"), ("POST", "/v1/operator/devices/phone-1/reset"),
      ("DELETE", "/v1/devices/phone-1"),
    ] { #expect(ask(method, path + "?reason=case%209").code == "in-address", "\(path)") }
    #expect(try bench.store.audit(device: nil, before: nil, limit: 9).allSatisfy { $0.action == "make invite code" })
    #expect(try bench.token("phone-1", secret: phone.secret) != "")
    // In the body they are accepted, numbers as well; an unknown parameter is named.
    let body =
      #"{"venue": "small-venue", "device": "phone-1", "reason": "case 9", "limit": 5, "from": "2025-12-31T00:00:00Z"}"#
    #expect(ask("POST", "/v1/operator/contacts", body).status == 200)
    #expect(try bench.store.audit(device: nil, before: nil, limit: 1).first?.reason == "case 9")
    for (body, code) in [
      (#"{"venue": "small-venue", "reason": "case 9", "devise": "x"}"#, "unknown-field"),
      (#"{"venue": "small-venue", "reason": ["case 9"]}"#, "bad-field"), (#"{"venue": "small-venue"}"#, "no-reason"),
      ("[]", "bad-json"),
    ] { #expect(ask("POST", "/v1/operator/contacts", body).code == code, "\(body)") }
  }

  @Test func unknownRoutesAndMethodsAreReported() throws {
    let bench = try Bench()
    #expect(bench.asAdmin("GET", "/v1/operator/nothing").status == 404)
    #expect(bench.asAdmin("PUT", "/v1/operator/devices").status == 405)
    #expect(bench.send("GET", "/v1/positions").status == 405)
    #expect(bench.send("GET", "/v1/devices/a/activate").status == 405)
    #expect(bench.send("GET", "/nothing").status == 404)
    #expect(bench.send("GET", "/v1/devices/%ff/data").status == 400)
    #expect(bench.send("GET", "/v1/devices/%zz/data").status == 400)
  }
}
