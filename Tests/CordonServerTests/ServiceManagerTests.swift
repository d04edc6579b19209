import CordonTestSupport
import Foundation
import Testing

@testable import CordonServerCommand

/// The states that a service manager and a container receive from the server.
@Suite("Service manager", .timeLimit(.minutes(10)))
struct ServiceManagerTests {
  /// A Unix datagram socket that receives messages, as systemd's.
  final class Receiver: Sendable {
    private let descriptor: Int32

    /// - Parameter name: a path, or "@" and an abstract name.
    init(_ name: String) throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      var limit = timeval(tv_sec: 60, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      var bytes = Array(name.utf8)
      if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      let length = socklen_t(2 + bytes.count + (name.hasPrefix("@") ? 0 : 1))
      let status = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
      }
      try #require(status == 0)
    }

    deinit { close(descriptor) }

    /// Waits for the next message on a thread of its own; `nil` after a minute.
    func next() async -> String? {
      let descriptor = descriptor
      return await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          var buffer = [UInt8](repeating: 0, count: 4_096)
          let count = recv(descriptor, &buffer, buffer.count, 0)
          continuation.resume(returning: count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil)
        }
      }
    }
  }

  /// READY=1 comes when the server listens, STOPPING=1 when it begins to stop.
  @Test(arguments: [false, true])
  func theServerReportsThatItIsReadyAndThatItStops(isAbstract: Bool) async throws {
    let scratch = try TemporaryFolder()
    let name = isAbstract ? "@cordon-test-\(UInt32.random(in: 0 ... .max))" : scratch.path("notify")
    let receiver = try Receiver(name)
    try await LiveServer.with(["NOTIFY_SOCKET": name], endsItself: true) { server in
      #expect(await receiver.next() == "READY=1\nSTATUS=Ready")
      server.program.signal(SIGTERM)
      #expect(await receiver.next() == "STOPPING=1\nSTATUS=Stopping")
    }
  }

  /// A missing or unreachable socket does not keep the server from its work.
  @Test func aMissingManagerIsIgnored() async throws {
    #expect(ServiceManager(environment: [:]) == nil)
    #expect(ServiceManager(environment: ["NOTIFY_SOCKET": ""]) == nil)
    #expect(ServiceManager(environment: ["NOTIFY_SOCKET": "relative"]) == nil)
    let long = "/" + String(repeating: "x", count: 200)
    #expect(ServiceManager(environment: ["NOTIFY_SOCKET": long])?.report(.ready) == false)
    try await LiveServer.with(["NOTIFY_SOCKET": "/nowhere/notify"]) { server in
      let answer = try await server.send("GET", "/livez")
      #expect(answer.status == 200)
    }
  }

  /// `cordon-server health` ends with 0 for a ready server and with 1 for none.
  @Test func healthReportsAReadyServer() async throws {
    var port = 0
    try await LiveServer.with { server in
      port = server.port
      let end = try await Program.run(Program.server, ["health", "--port", "\(port)"])
      #expect(end.status == 0 && end.output == "ready\n", "\(end)")
      let config = server.folder + "/tls.conf"
      try Data("port = \(port)\ncertificate = chain.pem\nkey = key.pem\n".utf8).write(to: URL(fileURLWithPath: config))
      let sealed = try await Program.run(Program.server, ["health", "--config", config])
      #expect(sealed.status == 0 && sealed.output == "accepts connections\n", "\(sealed)")
    }
    let end = try await Program.run(Program.server, ["health", "--port", "\(port)"])
    #expect(end.status == 1 && end.errors.contains("no connection to 127.0.0.1:\(port)"), "\(end)")
    #expect(try await Program.run(Program.server, ["health", "--port", "0"]).status == 2)
  }
}
