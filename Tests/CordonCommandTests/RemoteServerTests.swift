import CordonTestSupport

#if canImport(Glibc)
  import Foundation
  import Glibc
  import Testing

  /// `cordon simulate --server` with servers that refuse everything.
  @Suite("cordon simulate --server")
  struct RemoteServerTests {
    private func simulate(_ address: String, people: Int = 4, _ more: [String] = []) throws -> CordonProcess.Result {
      let scratch = try TemporaryFolder()
      let result = try CordonProcess.run(
        [
          "simulate", Places.office, "--people", "\(people)", "--duration", "10m", "--sink", "cordon=\(address)",
          "--quiet",
        ]
          + ["-o", scratch.path("run")] + more)
      #expect(FileManager.default.fileExists(atPath: scratch.path("run/report.html")), "the run is kept")
      return result
    }

    @Test func anUnreachableServerIsNamed() throws {
      let port = try Loopback.freePort()
      let result = try simulate("http://127.0.0.1:\(port)", ["--json"])
      #expect(result.status == 1, "\(result.errors)")
      #expect(result.errors.contains("\"code\":\"server\""), "\(result.errors)")
      #expect(result.errors.contains("http://127.0.0.1:\(port) took none of "), "\(result.errors)")
      let json = try result.json()
      #expect(try #require(json["requests"] as? Int) > 0)
      #expect(json["requests"] as? Int == json["failed_requests"] as? Int)
    }

    @Test func requestsToASilentServerEnd() throws {
      let port = try Loopback.freePort()
      let result = try simulate("http://127.0.0.1:\(port)", people: 60, ["--json"])
      #expect(result.status == 1, "\(result.errors)")
      #expect(result.errors.contains("took none of 20 requests: "), "\(result.errors)")
      #expect(try #require(try result.json()["failed_requests"] as? Int) > 20)
    }

    @Test func theServersReasonIsReported() throws {
      let server = try Refusal(status: "403 Forbidden", body: "{\"detail\":\"no such invite code\"}")
      let result = try simulate(server.address)
      #expect(result.status == 1, "\(result.errors)")
      #expect(result.errors.contains(": status 403, no such invite code"), "\(result.errors)")
    }
  }

  /// A server on loopback that gives every request the same answer.
  private final class Refusal: Sendable {
    let address: String
    private let listener: Int32

    init(status: String, body: String) throws {
      let (listener, port) = try Loopback.listen()
      self.listener = listener
      address = "http://127.0.0.1:\(port)"
      let answer =
        "HTTP/1.1 \(status)\r\ncontent-type: application/json\r\ncontent-length: \(body.utf8.count)\r\nconnection: close\r\n\r\n"
        + body
      Thread {
        while true {
          let client = accept(listener, nil, nil)
          guard client >= 0 else { return }
          Refusal.readRequest(client)
          _ = answer.withCString { send(client, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
          close(client)
        }
      }.start()
    }

    deinit {
      shutdown(listener, Int32(SHUT_RDWR))
      close(listener)
    }

    private static func readRequest(_ client: Int32) {
      var text = ""
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = recv(client, &buffer, buffer.count, 0)
        guard count > 0 else { return }
        text += String(decoding: buffer.prefix(count), as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { continue }
        let length =
          text[..<end.lowerBound].lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
          .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        if text[end.upperBound...].utf8.count >= length { return }
      }
    }
  }
#endif
