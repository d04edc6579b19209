import CordonCore
import CordonIngest
import CordonMonitoring
import CordonWire
import Foundation
import Testing

/// Proofs for devices that an answer comes from this server.
@Suite("Proofs of answers")
struct ProofTests {
  static let nonce = "0123456789abcdef0123456789abcdef"

  /// Sends a request with a nonce, and checks the proof of its answer with a secret.
  private func isProved(
    _ bench: Bench, _ method: String, _ target: String, _ body: String = "", _ headers: [IngestRequest.Header] = [],
    secret: String, expecting status: Int
  ) throws -> Bool {
    let response = bench.ingest.handle(
      IngestRequest(
        method, target, headers: headers + [.init(AnswerProof.nonceHeader, Self.nonce)], body: Array(body.utf8)),
      now: bench.now)
    #expect(response.status == status, "\(response.text)")
    let path = try #require(target.removingPercentEncoding)
    let message = AnswerProof.message(
      nonce: Self.nonce, method: method, path: path, status: response.status, body: response.body)
    return AnswerProof.isValid(
      response.header(AnswerProof.header), message: message, key: AnswerProof.key(ofSecret: secret))
  }

  @Test func everyAnswerToADeviceIsProved() throws {
    let bench = try Bench()
    let code = try bench.invite()
    let name = "phone%20%C3%BC"
    let activation = #"{"code": "\#(code)", "type": "phone"}"#
    #expect(
      try isProved(bench, "POST", "/v1/devices/\(name)/activate", activation, secret: code, expecting: 200))
    let again = bench.send("POST", "/v1/devices/\(name)/activate", activation)
    let secret = try again.string("secret")
    let held = #"{"secret": "\#(secret)"}"#
    #expect(try isProved(bench, "POST", "/v1/devices/\(name)/token", held, secret: secret, expecting: 200))
    let bearer = IngestRequest.Header("authorization", "Bearer \(try bench.token(name, secret: secret))")
    let consent = #"{"version": "1", "purposes": ["record", "share"], "time": \#(bench.now.milliseconds)}"#
    #expect(
      try isProved(bench, "PUT", "/v1/devices/\(name)/consent", consent, [bearer], secret: secret, expecting: 204))
    let rows = String(decoding: PositionBatch.encode([try bench.location("phone ü", at: bench.now)]), as: UTF8.self)
    #expect(try isProved(bench, "POST", "/v1/positions", rows, [bearer], secret: secret, expecting: 207))
    #expect(
      try isProved(bench, "POST", "/v1/positions", "{", [bearer], secret: secret, expecting: 400),
      "that a body cannot be read")
    #expect(try isProved(bench, "DELETE", "/v1/devices/\(name)", held, secret: secret, expecting: 200))
    // The server no longer has the secret. The request carries it, so the answer can be proved.
    #expect(try isProved(bench, "POST", "/v1/devices/\(name)/token", held, secret: secret, expecting: 410))
    #expect(try isProved(bench, "DELETE", "/v1/devices/\(name)", held, secret: secret, expecting: 200))
    #expect(try isProved(bench, "POST", "/v1/devices/\(name)/activate", activation, secret: code, expecting: 410))
    #expect(try !isProved(bench, "POST", "/v1/positions", rows, [bearer], secret: secret, expecting: 410))
  }

  @Test func refusalsAreProvedToo() throws {
    let bench = try Bench()
    #expect(
      try isProved(
        bench, "POST", "/v1/devices/a/activate", #"{"code": "NOT-A-CODE"}"#, secret: "NOT-A-CODE", expecting: 403))
    #expect(
      try isProved(bench, "POST", "/v1/devices/a/token", #"{"secret": "wrong"}"#, secret: "wrong", expecting: 403))
  }

  /// Only the secret of this device proves an answer to it, and no answer is proved without a nonce.
  @Test func proofsOfOneDeviceAreInvalidForAnother() throws {
    let bench = try Bench()
    let (one, other) = (try bench.phone("one"), try bench.phone("other"))
    let held = #"{"secret": "\#(one.secret)"}"#
    #expect(
      try !isProved(bench, "POST", "/v1/devices/one/token", held, secret: other.secret, expecting: 200))
    let plain = bench.send("POST", "/v1/devices/one/token", held)
    #expect(plain.status == 200 && plain.header(AnswerProof.header) == nil)
    for nonce in ["", "short", "0123456789abcdef\n0123456789abcdef", String(repeating: "a", count: 65)] {
      let answer = bench.send("POST", "/v1/devices/one/token", held, .init(AnswerProof.nonceHeader, nonce))
      #expect(answer.status == 200 && answer.header(AnswerProof.header) == nil)
    }
    // Operators share no such secret.
    let page = bench.send(
      "GET", "/v1/operator/me", "", Bench.basic("op-admin", bench.admin), .init(AnswerProof.nonceHeader, Self.nonce))
    #expect(page.status == 200 && page.header(AnswerProof.header) == nil)
  }

  /// The proof covers the answer only: no secret of the server is part of it or of a description.
  @Test func noSecretLeaves() throws {
    let bench = try Bench()
    let phone = try bench.phone("one")
    let answer = bench.send(
      "POST", "/v1/devices/one/token", #"{"secret": "\#(phone.secret)"}"#, .init(AnswerProof.nonceHeader, Self.nonce))
    #expect(answer.header(AnswerProof.header)?.utf8.count == 67)
    let key = AnswerProof.key(ofSecret: phone.secret)
    #expect(!"\(answer)".contains("\(key)"), "the hash of the secret goes no further than the proof")
  }
}
