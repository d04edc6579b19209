import Cordon
import Foundation
import Testing

/// The connections of the transport on Linux, over real HTTP.
@Suite("Connections", .timeLimit(.minutes(5)))
struct ConnectionTests {
  @Test func aConnectionThatEndsWithoutAnAnswerFailsAtOnce() async throws {
    let server = try LoopbackServer()
    // Far longer than the limit of this test: only an immediate failure passes.
    let transport = URLSessionTransport(timeout: 3_600)
    let address = try #require(URL(string: "\(server.address)/v1/health"))
    let message = HTTPRequest(method: "POST", url: address, body: Array("{}".utf8))
    #expect(await transport.send(message).status == 200)
    server.isDown = true
    for _ in 0..<3 {
      let answer = await transport.send(message)
      #expect(answer.status == 0)
      #expect(answer.failure != nil)
    }
    server.isDown = false
    #expect(await transport.send(message).status == 200)
  }
}
