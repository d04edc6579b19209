import CordonCore
import CordonIngest
import CordonTesting
import Foundation
import Testing

@Suite("Devices: codes, secrets, tokens")
struct DeviceTests {
  @Test func activationRepeatsItsAnswerUntilTheSecretIsUsed() throws {
    let bench = try Bench()
    let code = try bench.invite(uses: 1)
    let first = try bench.activate("phone-1", code: code)
    // The answer was lost: the same device with the same code consumes no second use.
    #expect(try bench.activate("phone-1", code: code) == first)
    #expect(
      bench.send("POST", "/v1/devices/phone-2/activate", #"{"code": "\#(code)"}"#).status == 403, "the code had one use"
    )
    _ = try bench.token("phone-1", secret: first)
    // From now on the device needs its secret.
    let again = bench.send("POST", "/v1/devices/phone-1/activate", #"{"code": "\#(code)"}"#)
    #expect(again.status == 403)
    let other = try bench.invite()
    let takeover = bench.send("POST", "/v1/devices/phone-1/activate", #"{"code": "\#(other)"}"#)
    #expect(takeover.status == 409)
    #expect(takeover.code == "already-active")
    let proved = bench.send(
      "POST", "/v1/devices/phone-1/activate", #"{"code": "\#(other)", "secret": "\#(first)"}"#)
    #expect(proved.status == 200)
    #expect(try proved.object["secret"] as? String != first)
  }

  @Test func tokensNeedTheSecret() throws {
    let bench = try Bench()
    let secret = try bench.activate("phone-1")
    #expect(bench.send("POST", "/v1/devices/phone-1/token", #"{"secret": "guess"}"#).status == 403)
    #expect(bench.send("POST", "/v1/devices/nobody/token", #"{"secret": "\#(secret)"}"#).status == 403)
    let token = try bench.token("phone-1", secret: secret)
    let parts = token.split(separator: ".")
    var text = parts[1].replacing("-", with: "+").replacing("_", with: "/")
    while text.count % 4 != 0 { text += "=" }
    let data = try #require(Data(base64Encoded: String(text)))
    let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    let claims = try #require(object)
    #expect(claims["sub"] as? String == "phone-1")
    #expect(claims["venue"] as? String == "small-venue")
    for name in ["scope", "iat", "exp", "jti"] { #expect(claims[name] != nil, "\(name)") }
  }

  @Test func tokensExpireAreRevokedAndRotate() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let row = try bench.location("phone-1", at: bench.now)
    #expect(try bench.post([row], by: phone) == [.stored])
    let path = "/v1/operator/devices/phone-1/revoke?reason=lost%20phone"
    #expect(bench.asAdmin("POST", path).status == 204)
    let revoked = bench.send("POST", "/v1/positions", #"{"rows":[]}"#, phone.bearer)
    #expect(revoked.status == 401)
    #expect(revoked.code == "token-revoked")
    let next = Bench.Phone(id: "phone-1", secret: phone.secret, token: try bench.token("phone-1", secret: phone.secret))
    #expect(try bench.post([row], by: next) == [.known])
    // A new first key: tokens of the old one are accepted until it is dropped.
    bench.keys.tokens.insert(TokenKey(id: "k2", secret: Array("a second key of thirty-two bytes".utf8)), at: 0)
    bench.restart()
    #expect(try bench.post([row], by: next) == [.known])
    bench.keys.tokens.removeLast()
    bench.restart()
    #expect(bench.send("POST", "/v1/positions", #"{"rows":[]}"#, next.bearer).code == "token-header")
    let fresh = Bench.Phone(id: "phone-1", secret: "", token: try bench.token("phone-1", secret: phone.secret))
    bench.now = bench.now + .minutes(61)
    #expect(bench.send("POST", "/v1/positions", #"{"rows":[]}"#, fresh.bearer).code == "token-expired")
  }

  @Test func forgedTokensAreRefused() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let parts = phone.token.split(separator: ".").map(String.init)
    func encoded(_ text: String) -> String {
      Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
    let claims = encoded(
      #"{"sub":"phone-2","venue":"small-venue","scope":"device","iat":1,"exp":9999999999,"jti":"x","gen":0}"#)
    let forged = [
      "\(encoded(#"{"alg":"none"}"#)).\(claims).", "\(parts[0]).\(claims).\(parts[2])",
      "\(encoded(#"{"alg":"HS384","typ":"JWT","kid":"k1"}"#)).\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1]).",
      "\(parts[0]).\(parts[1])", "", "a.b.c", String(repeating: "x", count: 5_000),
    ]
    for token in forged {
      let response = bench.send(
        "POST", "/v1/positions", #"{"rows":[]}"#, .init("authorization", "Bearer \(token)"))
      #expect(response.status == 401, "\(token.prefix(80))")
      #expect(response.header("www-authenticate")?.hasPrefix("Bearer") == true)
    }
  }

  @Test func codesAreListedRevokedAndExpire() throws {
    let bench = try Bench()
    let code = try bench.invite()
    let list = bench.asAdmin("GET", "/v1/operator/invite-codes?venue=small-venue")
    #expect(!list.text.contains(code), "the code is returned once")
    let entries = try list.object["invite_codes"] as? [[String: Any]]
    let entry = try #require(entries?.first)
    #expect(entry["begins_with"] as? String == String(code.prefix(4)))
    let number = try #require(entry["number"] as? Int)
    #expect(bench.asAdmin("DELETE", "/v1/operator/invite-codes/\(number)").status == 204)
    #expect(bench.send("POST", "/v1/devices/a/activate", #"{"code": "\#(code)"}"#).status == 403)
    let second = try bench.invite()
    bench.now = bench.now + .days(31)
    #expect(bench.send("POST", "/v1/devices/a/activate", #"{"code": "\#(second)"}"#).status == 403)
    for body in [
      #"{"venue": "small-venue", "maximum_uses": 0}"#, #"{"venue": "small-venue", "maximum_uses": -1}"#,
      #"{"venue": "nowhere"}"#, #"{"venue": "small-venue", "expires": 5}"#, "{}", "[]", "",
    ] {
      #expect(bench.asAdmin("POST", "/v1/operator/invite-codes", body).status == 400, "\(body)")
    }
  }

  @Test func guessingIsRateLimited() throws {
    let bench = try Bench()
    for _ in 0..<30 { bench.send("POST", "/v1/devices/a/activate", #"{"code": "guess"}"#, peer: "10.0.0.1") }
    let response = bench.send("POST", "/v1/devices/a/activate", #"{"code": "guess"}"#, peer: "10.0.0.1")
    #expect(response.status == 429)
    #expect(response.header("retry-after") != nil)
    #expect(
      bench.send("POST", "/v1/devices/a/activate", #"{"code": "guess"}"#, peer: "10.0.0.2").status == 403,
      "others are not hindered")
  }

  /// Phones behind one address share it: a phone that fails for ever affects the others only after it has tried many
  /// names.
  @Test func failedAttemptsLockOutNobodyElse() throws {
    let bench = try Bench()
    let phone = try bench.phone("good")
    func fail(_ name: String) -> Int {
      bench.send("POST", "/v1/devices/\(name)/token", #"{"secret": "guess"}"#, peer: "10.0.0.1").status
    }
    for _ in 0..<30 { #expect(fail("bad") == 403) }
    #expect(fail("bad") == 429)
    let proof = #"{"secret": "\#(phone.secret)"}"#
    func works() -> Int { bench.send("POST", "/v1/devices/good/token", proof, peer: "10.0.0.1").status }
    #expect(works() == 200)
    #expect(
      bench.send("POST", "/owntracks", "{}", Bench.basic("good", phone.secret), peer: "10.0.0.1").status == 200)
    #expect(
      bench.send("GET", "/v1/operator/me", "", Bench.basic("op-desk", "desk's"), peer: "10.0.0.1").status == 200)
    for k in 0..<270 { #expect(fail("name-\(k)") == 403) }
    #expect(fail("another") == 429, "so many names are not one phone")
    #expect(works() == 200)
    bench.now = bench.now + .minutes(1)
    #expect(fail("another") == 403)
  }

  /// Device and use are written together or not at all, also when the disk fills up between them.
  @Test func aCodeIsUsedOnlyWithADevice() throws {
    let bench = try Bench(inFile: true)
    let code = try bench.invite(uses: 1_000)
    var options = SQLitePositionStore.Options()
    options.maximumPages = 34
    let small = try SQLitePositionStore(path: bench.path, options: options)
    let ingest = Ingest(
      preprocessor: bench.ingest.preprocessor, store: small, random: RandomBits(RandomStream(seed: 9, stream: 9)))
    var statuses: [Int] = []
    for k in 0..<400 {
      let body = #"{"code": "\#(code)", "type": "\#(String(repeating: "x", count: 60))"}"#
      let name = "phone-\(k)-" + String(repeating: "y", count: 100)
      statuses.append(
        ingest.handle(
          IngestRequest("POST", "/v1/devices/\(name)/activate", body: Array(body.utf8)), now: bench.now
        ).status)
    }
    #expect(statuses.contains(200) && statuses.contains(503), "the test must see a full disk")
    let made = statuses.count { $0 == 200 }
    #expect(try small.deviceCount() == made)
    #expect(try small.invites(of: bench.venue.venue).first?.uses == Int64(made))
  }

  @Test func rowsWithoutConsentAreNotStored() throws {
    let bench = try Bench()
    let secret = try bench.activate("phone-1")
    let phone = Bench.Phone(id: "phone-1", secret: secret, token: try bench.token("phone-1", secret: secret))
    let row = try bench.location("phone-1", at: bench.now)
    // Consent is never assumed: the rows stay on the phone until it arrives.
    #expect(try bench.post([row], by: phone) == [.retry])
    #expect(bench.ingest.metrics.refused["no-consent"] == 1)
    for some in [#""record""#, #""share""#, ""] {
      bench.now = bench.now + .milliseconds(1)
      #expect(bench.agree(phone, to: some).status == 204)
      #expect(try bench.post([row], by: phone) == [.retry], "\(some)")
    }
    #expect(try bench.store.positionCount() == 0)
    bench.now = bench.now + .milliseconds(1)
    #expect(bench.agree(phone).status == 204)
    #expect(try bench.post([row], by: phone) == [.stored])
    // After the withdrawal no row is accepted.
    bench.now = bench.now + .seconds(5)
    #expect(bench.agree(phone, to: #""record""#).status == 204)
    #expect(try bench.post([try bench.location("phone-1", at: bench.now)], by: phone) == [.retry])
    #expect(try bench.store.positionCount() == 1)
    let data = try bench.send("GET", "/v1/devices/phone-1/data", "", phone.bearer).object
    #expect((data["consents"] as? [Any])?.count == 5)
  }

  /// A consent that arrives again or late, after its withdrawal, changes nothing; a clock that was ahead does not
  /// count.
  @Test func aWithdrawnConsentDoesNotComeBack() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let given = bench.now
    func tell(_ purposes: String, _ time: Instant) {
      let body = #"{"version": "1", "purposes": [\#(purposes)], "time": \#(time.milliseconds)}"#
      #expect(bench.send("PUT", "/v1/devices/phone-1/consent", body, phone.bearer).status == 204)
    }
    func isKept() throws -> Bool {
      bench.now = bench.now + .seconds(1)
      return try bench.post([try bench.location("phone-1", at: bench.now)], by: phone)[0].isKept
    }
    #expect(try isKept())
    bench.now = bench.now + .seconds(10)
    tell(#""record""#, bench.now)
    #expect(try !isKept())
    tell(#""record", "share""#, given)
    #expect(try !isKept(), "an old one, repeated")
    bench.now = bench.now + .seconds(10)
    tell(#""record", "share""#, bench.now)
    #expect(try isKept(), "a new one")
    tell("", bench.now + .days(3))
    #expect(try !isKept(), "taken back by a clock that is ahead")
    bench.now = bench.now + .seconds(10)
    tell(#""record", "share""#, bench.now)
    #expect(try isKept(), "and given by one that is right")
  }

  /// A consent belongs to its holder and venue: neither the next holder of a device nor another venue inherits it.
  @Test func consentIsNeitherInheritedNorMoved() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let other = try bench.phone("phone-2")
    for k in 0..<6 {
      bench.now = bench.now + .seconds(10)
      for (name, sender) in [("phone-1", phone), ("phone-2", other)] {
        try bench.post([try bench.location(name, at: bench.now, east: name == "phone-1" ? 0 : 1)], by: sender)
      }
      #expect(try bench.store.positionCount() == Int64(2 * k + 2))
    }
    #expect(
      bench.send(
        "GET", "/v1/operator/contacts?venue=small-venue&device=phone-1&reason=case%201", "",
        Bench.basic("op-desk", "desk's")
      ).status == 200)
    // The device moves to another venue; any holder of a code can do that.
    let code = try bench.invite(venue: "elsewhere")
    let moved = bench.send(
      "POST", "/v1/devices/phone-2/activate", #"{"code": "\#(code)", "secret": "\#(other.secret)"}"#)
    var away = Bench.Phone(id: "phone-2", secret: try moved.string("secret"), token: "")
    away.token = try bench.token("phone-2", secret: away.secret)
    var row = try bench.location("phone-2", at: bench.now)
    row.venue = SmallVenue("elsewhere").venue
    #expect(try bench.post([row], by: away) == [.retry])
    bench.agree(away)
    #expect(try bench.post([row], by: away) == [.stored])
    // An administrator gives the device to another holder.
    bench.now = bench.now + .seconds(30)
    #expect(bench.asAdmin("POST", "/v1/operator/devices/phone-1/reset?reason=asked%20to").status == 204)
    bench.now = bench.now + .seconds(1)
    let secret = try bench.activate("phone-1")
    let next = Bench.Phone(id: "phone-1", secret: secret, token: try bench.token("phone-1", secret: secret))
    #expect(try bench.post([try bench.location("phone-1", at: bench.now)], by: next) == [.retry])
    bench.now = bench.now + .seconds(1)
    bench.agree(next)
    #expect(try bench.post([try bench.location("phone-1", at: bench.now)], by: next) == [.stored])
    let data = try bench.send("GET", "/v1/devices/phone-1/data", "", next.bearer).object
    for (part, count) in [("positions", 1), ("contacts", 0), ("accesses", 0), ("consents", 1)] {
      #expect((data[part] as? [Any])?.count == count, "\(part) of the former holder")
    }
    let zero = "00000000-0000-7000-8000-000000000000"
    let all = try bench.send("GET", "/v1/devices/phone-1/data?after=\(zero)", "", next.bearer).object
    #expect((all["positions"] as? [Any])?.count == 1)
  }

  @Test func aConsentBelongsToItsDevice() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let other = try bench.phone("phone-2")
    let given = #"{"version": "2", "purposes": ["record", "share"], "time": \#(bench.now.milliseconds)}"#
    func put(_ body: String, _ header: IngestRequest.Header) -> IngestResponse {
      bench.send("PUT", "/v1/devices/phone-1/consent", body, header)
    }
    #expect(put(given, phone.bearer).status == 204)
    #expect(put(given, Bench.basic("phone-1", phone.secret)).status == 204)
    #expect(put(given, other.bearer).status == 403)
    #expect(put(given, Bench.basic("phone-2", other.secret)).status == 403)
    #expect(put(given, Bench.basic("phone-1", "guess")).status == 401)
    for body in [
      #"{"version": "2", "purposes": ["sell"], "time": 5}"#, #"{"version": "2", "purposes": "record", "time": 5}"#,
      #"{"purposes": [], "time": 5}"#, #"{"version": "2", "purposes": []}"#, "[]",
    ] { #expect(put(body, phone.bearer).status == 400, "\(body)") }
  }

  /// A secret that was used for more than a token is never returned again.
  @Test func aSecretIsRepeatedOnlyUntilItIsUsed() throws {
    let bench = try Bench()
    let code = try bench.invite(uses: 5)
    let secret = try bench.activate("phone-1", code: code)
    #expect(try bench.activate("phone-1", code: code) == secret)
    #expect(bench.send("POST", "/owntracks", "{}", Bench.basic("phone-1", secret)).status == 200)
    #expect(bench.send("POST", "/v1/devices/phone-1/activate", #"{"code": "\#(code)"}"#).status == 409)
  }

  /// A device's name is short and printable, wherever it is used.
  @Test func namesAreShortAndPrintable() throws {
    let bench = try Bench()
    let code = try bench.invite()
    for name in [String(repeating: "x", count: 129), "a%00b", "a%0Ab", "%1b%5B31m", "a%E2%80%AEb"] {
      for (method, path, body) in [
        ("POST", "/v1/devices/\(name)/activate", #"{"code": "\#(code)"}"#),
        ("POST", "/v1/devices/\(name)/token", #"{"secret": "x"}"#),
        ("DELETE", "/v1/devices/\(name)", #"{"secret": "x"}"#),
      ] {
        let answer = bench.send(method, path, body)
        #expect(answer.status == 400 && answer.code == "bad-device", "\(method) \(path): \(answer.text)")
        #expect(try answer.string("field") == "device")
      }
    }
    #expect(try bench.store.deviceCount() == 0)
    _ = try bench.activate("x" + String(repeating: "y", count: 127), code: code)
  }
}
