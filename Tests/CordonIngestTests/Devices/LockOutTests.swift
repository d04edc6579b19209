import CordonCore
import CordonIngest
import CordonTesting
import Foundation
import Testing

/// An attacker who shares an address with honest devices and operators, and one who tries names.
@Suite("Failed attempts")
struct LockOutTests {
  private static let address = "192.0.2.7"

  private static func bench() throws -> Bench {
    var settings = IngestSettings()
    settings.published = .init(user: "user", password: "a password of the owner")
    return try Bench(settings)
  }

  /// Every request that needs no secret, also under the names of the others.
  private func flood(_ bench: Bench, _ names: [String]) {
    for k in 0..<400 {
      let name = k % 2 == 0 ? names[k / 2 % names.count] : "made-up-\(k)"
      for (method, path, body) in [
        ("POST", "/v1/devices/\(name)/token", #"{"secret": "guess"}"#),
        ("POST", "/v1/devices/\(name)/activate", #"{"code": "GUESS"}"#),
        ("DELETE", "/v1/devices/\(name)", #"{"secret": "guess"}"#), ("DELETE", "/v1/devices/\(name)", ""),
        ("POST", "/device/\(name)/activate", #"{"code":"GUESS","deviceType":"x"}"#),
      ] { bench.send(method, path, body, peer: Self.address) }
      for user in [name, "op-admin", "op-desk", "user"] {
        let wrong = Bench.basic(user, "guess")
        bench.send("POST", "/overland", "{}", wrong, peer: Self.address)
        bench.send("GET", "/v1/operator/me", "", wrong, peer: Self.address)
        bench.send("POST", "/invite-code/small-venue", #"{"maxUses":1}"#, wrong, peer: Self.address)
      }
    }
  }

  @Test func validCredentialsPassDespiteFailuresAtTheAddress() throws {
    let bench = try Self.bench()
    let (phone, leaving) = (try bench.phone("phone-1"), try bench.phone("phone-2"))
    let code = try bench.invite()
    flood(bench, ["phone-1", "phone-2", "phone-3"])
    func send(_ method: String, _ path: String, _ body: String, _ headers: IngestRequest.Header...) -> Int {
      bench.ingest.handle(
        IngestRequest(method, path, headers: headers, body: Array(body.utf8), peer: Self.address), now: bench.now
      ).status
    }
    // The attacker is slowed down, under names of others and under any other.
    for name in ["phone-1", "made-up", "nobody"] {
      #expect(send("POST", "/v1/devices/\(name)/token", #"{"secret": "guess"}"#) == 429)
    }
    #expect(send("GET", "/v1/operator/me", "", Bench.basic("op-desk", "guess")) == 429)
    #expect(send("POST", "/v1/devices/phone-1/token", #"{"secret": "\#(phone.secret)"}"#) == 200)
    #expect(send("POST", "/v1/devices/phone-3/activate", #"{"code": "\#(code)"}"#) == 200)
    #expect(
      send("POST", "/overland?device=phone-1", #"{"locations": []}"#, Bench.basic("phone-1", phone.secret)) == 200)
    #expect(send("POST", "/owntracks", "{}", Bench.basic("phone-1", phone.secret)) == 200)
    #expect(
      send(
        "PUT", "/v1/devices/phone-1/consent", #"{"version": "1", "purposes": [], "time": 5}"#,
        Bench.basic("phone-1", phone.secret)) == 204)
    #expect(send("DELETE", "/v1/devices/phone-2", #"{"secret": "\#(leaving.secret)"}"#) == 200)
    // The same secret gets the receipt of the erased device.
    #expect(send("DELETE", "/v1/devices/phone-2", #"{"secret": "\#(leaving.secret)"}"#) == 200)
    #expect(send("GET", "/v1/operator/me", "", Bench.basic("op-admin", bench.admin)) == 200)
    let owner = Bench.basic("user", "a password of the owner")
    #expect(send("POST", "/invite-code/small-venue", #"{"maxUses":1}"#, owner) == 201)
    // Other addresses are unaffected, and a minute later the limit is lifted.
    #expect(bench.send("POST", "/v1/devices/phone-1/token", #"{"secret": "guess"}"#, peer: "192.0.2.8").status == 403)
    bench.now = bench.now + .minutes(1)
    #expect(send("POST", "/v1/devices/phone-1/token", #"{"secret": "guess"}"#) == 403)
  }

  /// The published API asks only for a name. A client that tries many learns of thirty a minute at most, and not
  /// whether the next one exists.
  @Test func publishedNamesCannotBeEnumerated() throws {
    let bench = try Self.bench()
    let code = try bench.send(
      "POST", "/invite-code/small-venue", #"{"maxUses":9}"#, Bench.basic("user", "a password of the owner")
    ).string("code")
    for k in [500, 777] {
      let body = #"{"code":"\#(code)","deviceType":"x"}"#
      #expect(bench.send("POST", "/device/phone-\(k)/activate", body, peer: "198.51.100.1").status == 200)
    }
    var answers: [Int: Int] = [:]
    for k in 0..<1_500 {
      answers[bench.send("GET", "/device/phone-\(k)/token", peer: Self.address).status, default: 0] += 1
    }
    #expect(answers == [400: 30, 429: 1_470])
    #expect(bench.send("GET", "/device/phone-500/token", peer: "198.51.100.1").status == 200)
    bench.now = bench.now + .minutes(1)
    #expect(bench.send("GET", "/device/phone-777/token", peer: Self.address).status == 200)
    // A valid code does not help to find names that are in use.
    let elsewhere = try bench.send(
      "POST", "/invite-code/elsewhere", #"{"maxUses":9}"#, Bench.basic("user", "a password of the owner")
    ).string("code")
    let probe = #"{"code":"\#(elsewhere)","deviceType":"x"}"#
    let taken = (0..<40).map { _ in bench.send("POST", "/device/phone-500/activate", probe, peer: Self.address).status }
    #expect(taken == Array(repeating: 400, count: 30) + Array(repeating: 429, count: 10))
  }

  /// The same for /v1, whose codes reveal that a name is in use.
  @Test func takenNamesAreReported30TimesAMinute() throws {
    let bench = try Self.bench()
    let code = try bench.invite()
    _ = try bench.activate("phone-1", code: code)
    let other = try bench.invite()
    let statuses = (0..<40).map { _ in
      bench.send("POST", "/v1/devices/phone-1/activate", #"{"code": "\#(other)"}"#, peer: Self.address).status
    }
    #expect(statuses == Array(repeating: 409, count: 30) + Array(repeating: 429, count: 10))
  }

  /// Without a limit on their number, attempts of one address would fill the memory for the counters of the others.
  @Test func oneAddressDoesNotFillTheAttemptTable() throws {
    let bench = try Self.bench()
    for k in 0..<25_000 {
      bench.send("POST", "/v1/devices/made-up-\(k)/token", #"{"secret": "guess"}"#, peer: Self.address)
    }
    let statuses = (0..<31).map { _ in
      bench.send("POST", "/v1/devices/a/token", #"{"secret": "guess"}"#, peer: "192.0.2.8").status
    }
    #expect(statuses == Array(repeating: 403, count: 30) + [429])
  }

  /// Many devices at one address are counted, whatever they use; one device counts once.
  @Test func devicesOfOneAddressAreCounted() throws {
    let bench = try Self.bench()
    var secrets: [String] = []
    for k in 0..<12 { secrets.append(try bench.activate("phone-\(k)")) }
    for _ in 0..<5 {
      for (k, secret) in secrets.enumerated() {
        let peer = k < 8 ? Self.address : "192.0.2.\(k)"
        bench.send("POST", "/v1/devices/phone-\(k)/token", #"{"secret": "\#(secret)"}"#, peer: peer)
        bench.send("POST", "/owntracks", "{}", Bench.basic("phone-\(k)", secret), peer: peer)
        bench.send("POST", "/v1/devices/phone-\(k)/token", #"{"secret": "guess"}"#, peer: "203.0.113.1")
      }
    }
    #expect(bench.ingest.metrics.devicesOfOneAddress == 8)
    // Counts of another hour are not added.
    bench.now = bench.now + .hours(1)
    for k in 8..<12 {
      bench.send("POST", "/v1/devices/phone-\(k)/token", #"{"secret": "\#(secrets[k])"}"#, peer: Self.address)
    }
    #expect(bench.ingest.metrics.devicesOfOneAddress == 8)
  }
}
