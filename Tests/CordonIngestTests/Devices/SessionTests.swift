import CordonCore
import CordonSupport
import CordonTesting
import Testing

@testable import CordonIngest

/// Requests that belong to the session of a browser instead of carrying a key.
@Suite("Sessions in the core") struct SessionTests {
  private let bench: Bench
  private let here: VenueID
  private static let elsewhere = SmallVenue("elsewhere").venue

  init() throws {
    bench = try Bench()
    here = bench.venue.venue
  }

  private func send(
    _ method: String, _ target: String, _ body: String = "", everywhere: Operator.Role? = nil,
    roles: [VenueID: Operator.Role] = [:], isProved: Bool = true, isFresh: Bool = true
  ) -> IngestResponse {
    var request = IngestRequest(method, target, body: Array(body.utf8), peer: "test")
    request.session = PresentedSession(
      operator: Operator(id: "op-browser", everywhere: everywhere, roles: roles, keyHash: []), isProved: isProved,
      isFresh: isFresh, members: [.init("csrf_token", "token")])
    return bench.ingest.handle(request, now: bench.now)
  }

  private var devices: String { #"{"venue": "\#(here)", "reason": "case 17"}"# }

  /// A browser sends cookies with the requests of any page, so they alone change nothing.
  @Test func requestsThatChangeSomethingNeedTheToken() throws {
    let code = #"{"venue": "\#(here)"}"#
    let refused = send("POST", "/v1/operator/invite-codes", code, everywhere: .admin, isProved: false)
    #expect(refused.status == 403 && refused.code == "csrf")
    #expect(send("POST", "/v1/operator/invite-codes", code, everywhere: .admin).status == 201)
    #expect(
      send("GET", "/v1/operator/invite-codes?venue=\(here)", everywhere: .admin, isProved: false).status == 200)
    // A query in a body reads, but is a POST request as well.
    #expect(send("POST", "/v1/operator/devices", devices, everywhere: .admin, isProved: false).code == "csrf")
  }

  @Test func meDescribesTheSession() throws {
    let roles: [VenueID: Operator.Role] = [here: .viewer, Self.elsewhere: .admin]
    let me = try send("GET", "/v1/operator/me", roles: roles).object
    #expect(me["session"] as? Bool == true && me["csrf_token"] as? String == "token")
    #expect(me["role"] as? String == "admin" && me["all_venues"] as? Bool == false)
    let listed = try #require(me["roles"] as? [[String: String]])
    #expect(Set(listed.compactMap { $0["role"] }) == ["viewer", "admin"])
    let plain = try bench.asAdmin("GET", "/v1/operator/me").object
    #expect(plain["session"] as? Bool == false && plain["csrf_token"] == nil)
  }

  /// Erasure, revocation and a reset need a password that was entered a short time ago; a key is entered each time.
  @Test func whatCannotBeUndoneNeedsAFreshPassword() throws {
    _ = try bench.phone("phone-1")
    let reason = #"{"reason": "case 17"}"#
    for (method, path) in [
      ("POST", "/v1/operator/devices/phone-1/revoke"), ("POST", "/v1/operator/devices/phone-1/reset"),
      ("DELETE", "/v1/devices/phone-1"),
    ] {
      let refused = send(method, path, reason, everywhere: .admin, isFresh: false)
      #expect(refused.status == 403 && refused.code == "sign-in-again", "\(path)")
      #expect([200, 204].contains(send(method, path, reason, everywhere: .admin).status), "\(path)")
    }
    _ = try bench.phone("phone-2")
    #expect(bench.asAdmin("DELETE", "/v1/devices/phone-2", reason).status == 200)
  }

  /// Each role at each venue: what it may, and what it may not.
  @Test func rolesHoldWhereTheyWereGiven() throws {
    _ = try bench.phone("phone-1")
    let tracer: [VenueID: Operator.Role] = [here: .contactTracer, Self.elsewhere: .viewer]
    #expect(send("POST", "/v1/operator/devices", devices, roles: tracer).status == 200)
    let there = #"{"venue": "\#(Self.elsewhere)", "reason": "case 17"}"#
    #expect(send("POST", "/v1/operator/devices", there, roles: tracer).code == "role")
    let exposures = #"{"venue": "\#(here)", "device": "phone-1", "reason": "case 17"}"#
    #expect(send("POST", "/v1/operator/exposures", exposures, roles: tracer).status == 200)
    // A person elsewhere is as good as nobody.
    let other: [VenueID: Operator.Role] = [here: .viewer, Self.elsewhere: .contactTracer]
    #expect(send("POST", "/v1/operator/exposures", exposures, roles: other).code == "role")
    let abroad = #"{"venue": "\#(Self.elsewhere)", "device": "phone-1", "reason": "case 17"}"#
    #expect(send("POST", "/v1/operator/exposures", abroad, roles: other).code == "no-such-device")
    #expect(send("POST", "/v1/operator/devices", devices, roles: [Self.elsewhere: .admin]).code == "foreign-venue")
    // Exact counts for who may look at persons, cells for all others.
    let counts = "/v1/operator/occupancy?venue=\(here)"
    #expect(try send("GET", counts, roles: tracer).object["smallest_count"] as? Int == 0)
    #expect(try send("GET", counts, roles: other).object["smallest_count"] as? Int == 5)
    // Neither tracers nor operators erase, invite or read the audit.
    for role in [Operator.Role.viewer, .contactTracer, .operator] {
      #expect(send("DELETE", "/v1/devices/phone-1", #"{"reason": "case 17"}"#, everywhere: role).code == "role")
      #expect(send("POST", "/v1/operator/invite-codes", #"{"venue": "\#(here)"}"#, everywhere: role).code == "role")
      #expect(send("POST", "/v1/operator/audit", "{}", everywhere: role).code == "role")
    }
    for role in [Operator.Role.metrics, .viewer] {
      #expect(send("POST", "/v1/operator/devices", devices, everywhere: role).code == "role")
      #expect(send("POST", "/v1/operator/exposures", exposures, everywhere: role).code == "role")
    }
    #expect(send("GET", counts, everywhere: .metrics).code == "role")
    #expect(send("GET", "/v1/operator/me").status == 200, "operators without a role are known")
    #expect(send("GET", counts).code == "role")
  }

  /// A look at a person needs a reason, is written down with the role at that venue, and the person can read it.
  @Test func thePersonSeesWhoLookedAndWhy() throws {
    let phone = try bench.phone("phone-1")
    let tracer: [VenueID: Operator.Role] = [here: .contactTracer, Self.elsewhere: .admin]
    for reason in ["", #", "reason": "ab""#] {
      let body = #"{"venue": "\#(here)", "device": "phone-1"\#(reason)}"#
      #expect(send("POST", "/v1/operator/exposures", body, roles: tracer).code == "no-reason")
    }
    let reason = "<script>alert('case 17')</script>"
    let body = #"{"venue": "\#(here)", "device": "phone-1", "reason": "\#(reason)"}"#
    #expect(send("POST", "/v1/operator/exposures", body, roles: tracer).status == 200)
    let data = try bench.send("GET", "/v1/devices/phone-1/data", "", phone.bearer).object
    let accesses = try #require(data["accesses"] as? [[String: Any]])
    let access = try #require(accesses.first)
    #expect(accesses.count == 1, "a refused look is none")
    #expect(access["operator"] as? String == "op-browser" && access["role"] as? String == "contact-tracer")
    #expect(access["action"] as? String == "exposures of device" && access["reason"] as? String == reason)
    // An administrator of another venue sees nothing of it.
    let audit = try send("POST", "/v1/operator/audit", "{}", roles: [Self.elsewhere: .admin]).object
    let entries = try #require(audit["entries"] as? [[String: Any]])
    #expect(!entries.contains { $0["action"] as? String == "exposures of device" })
  }

  @Test func rolesAddUp() {
    let who = Operator(id: "op", everywhere: .viewer, roles: [here: .admin, Self.elsewhere: .metrics], keyHash: [])
    #expect(who.role(at: here) == .admin)
    #expect(who.role(at: Self.elsewhere) == .viewer, "a lower role at a venue takes nothing")
    #expect(who.venues(atLeast: .viewer) == nil)
    #expect(who.venues(atLeast: .operator) == [here])
    #expect(who.role == .admin)
    #expect(Operator(id: "op", everywhere: nil, roles: [:], keyHash: []).role == nil)
  }
}
