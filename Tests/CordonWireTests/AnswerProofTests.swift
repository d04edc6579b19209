import CordonCore
import CordonWire
import Testing

@Suite("The proof of an answer")
struct AnswerProofTests {
  static let nonce = "0123456789abcdef0123456789abcdef"
  static let body = Array(#"{"results":[]}"#.utf8)

  /// Computed independently: Python's hmac and hashlib over the bytes that docs/reference/server.md describes.
  @Test func proofsMatchTheDocumentation() {
    let value = AnswerProof.value(
      secret: "s3cret", nonce: Self.nonce, method: "POST", path: "/v1/positions", status: 207, body: Self.body)
    #expect(value == "v1=c316cda5a39480cdd3355fb5e13effd7a9748b6be90d497d0dce22a846fba10c")
  }

  private func isValid(
    _ text: String?, secret: String = "s3cret", nonce: String = nonce, method: String = "POST",
    path: String = "/v1/positions", status: Int = 207, body: [UInt8] = body
  ) -> Bool {
    AnswerProof.isValid(
      text,
      message: AnswerProof.message(nonce: nonce, method: method, path: path, status: status, body: body),
      key: AnswerProof.key(ofSecret: secret))
  }

  /// A proof is valid for one request, one address, one status, one body and one device.
  @Test func proofsAreInvalidForOtherAnswers() {
    let value = AnswerProof.value(
      secret: "s3cret", nonce: Self.nonce, method: "POST", path: "/v1/positions", status: 207, body: Self.body)
    #expect(isValid(value))
    #expect(!isValid(value, secret: "another"), "another device")
    #expect(!isValid(value, nonce: "1123456789abcdef0123456789abcdef"), "another request: the answer is an old one")
    #expect(!isValid(value, method: "PUT"))
    #expect(!isValid(value, path: "/v1/devices/a/token"))
    #expect(!isValid(value, status: 410))
    #expect(!isValid(value, body: Self.body + [10]))
    #expect(!isValid(nil) && !isValid("") && !isValid("v1=") && !isValid(String(value.dropLast())))
    #expect(!isValid(value + "0") && !isValid("v2" + value.dropFirst(2)))
  }

  /// Line ends separate the parts, so no part may contain one.
  @Test func noncesAreSingleWords() {
    #expect(AnswerProof.isNonce(Self.nonce) && AnswerProof.isNonce("AZaz09_-AZaz09_-"))
    let long = String(repeating: "a", count: 65)
    for text in ["", "short", long, Self.nonce + "\n", Self.nonce + "é", "0123456789abcde "] {
      #expect(!AnswerProof.isNonce(text))
    }
  }
}
