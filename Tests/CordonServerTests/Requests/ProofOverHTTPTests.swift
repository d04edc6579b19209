import CordonCore
import CordonWire
import Foundation
import Testing

@testable import CordonServerCommand

/// The shell passes the nonce on and returns the proof, on each of its paths.
@Suite("Proofs over HTTP", .timeLimit(.minutes(10)))
struct ProofOverHTTPTests {
  @Test func everyPathThroughTheServerProvesItsAnswers() async throws {
    try await LiveServer.with { server in
      let (secret, bearer) = try await server.device("phone-1")
      func expectProof(
        _ method: String, _ path: String, _ body: [UInt8], _ headers: [String: String], status: Int,
        _ comment: Comment
      ) async throws {
        let nonce = UUID().uuidString
        let answer = try await LoopbackClient(port: server.port).send(
          method, path, body, headers: headers.merging([AnswerProof.nonceHeader: nonce]) { $1 })
        #expect(answer.status == status, comment)
        let message = AnswerProof.message(
          nonce: nonce, method: method, path: path, status: answer.status, body: Array(answer.body))
        let isProved = AnswerProof.isValid(
          answer.headers[AnswerProof.header], message: message, key: AnswerProof.key(ofSecret: secret))
        #expect(isProved, comment)
      }
      let held = Array(#"{"secret": "\#(secret)"}"#.utf8)
      let small = PositionBatch.encode(try server.rows("phone-1", 3))
      let large = PositionBatch.encode(try server.rows("phone-1", 1_500))
      #expect(large.count > 128 << 10)
      let packed = bearer.merging(["content-encoding": "gzip"]) { $1 }
      try await expectProof("POST", "/v1/positions", small, bearer, status: 207, "on the event loop")
      try await expectProof("POST", "/v1/positions", large, bearer, status: 207, "in a task")
      try await expectProof("POST", "/v1/positions", Gzip.compress(large), packed, status: 207, "packed")
      try await expectProof("POST", "/v1/positions", Array("{".utf8), bearer, status: 400, "a refusal")
      try await expectProof("POST", "/v1/devices/phone-1/token", held, [:], status: 200, "a token")
      try await expectProof("DELETE", "/v1/devices/phone-1", held, [:], status: 200, "a receipt")
      try await expectProof("POST", "/v1/devices/phone-1/token", held, [:], status: 410, "an erased device")
    }
  }
}
