#if canImport(Glibc)
  package import Foundation
  import Glibc

  /// gpsd itself, fed by gpsfake from a log, sentence by sentence and only when a test says so: nothing depends on how fast
  /// the machine is.
  ///
  package final class FakeReceiver: Sendable {
    private static let paths = ["/usr/bin/gpsfake", "/usr/sbin/gpsd"]

    /// Whether the two programs are installed.
    package static var isAvailable: Bool { paths.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) } }

    package struct Failure: Error {}

    /// Where gpsd listens.
    package let port: UInt16
    private let gpsfake: Child
    private let client: Int32

    /// Starts the daemon, on a free port by default, and returns when it reads its receiver, which has not sent
    /// anything yet.
    package static func start(log: URL, port: UInt16? = nil) async throws -> FakeReceiver {
      try await withCheckedThrowingContinuation { continuation in
        let thread = Thread {
          // Somebody else may take the port that was free a moment ago.
          for _ in 0..<5 {
            if let receiver = try? FakeReceiver(log: log, port: port ?? Loopback.freePort()) {
              continuation.resume(returning: receiver)
              return
            }
          }
          continuation.resume(throwing: Failure())
        }
        thread.start()
      }
    }

    private init(log: URL, port: UInt16) throws {
      self.port = port
      // Asks before each sentence, and reads the log once.
      let gpsfake = try Child(FakeReceiver.paths[0], ["-1", "-q", "-i", "-P", String(port), log.path])
      guard FakeReceiver.read(gpsfake.output, until: "? "), let client = try? Loopback.connect(port) else {
        gpsfake.destroy()
        throw Failure()
      }
      self.gpsfake = gpsfake
      self.client = client
      // A daemon opens its receiver for the first who watches, and closes it after the last: this one watches all along.
      let watch = Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)
      guard send(client, watch, watch.count, Int32(MSG_NOSIGNAL)) == watch.count,
        FakeReceiver.read(client, until: #""class":"WATCH""#)
      else {
        stop()
        throw Failure()
      }
      // All of them go on talking, and nobody listens.
      for source in [gpsfake.output, gpsfake.errors, client] {
        let ear = dup(source)
        let thread = Thread {
          FakeReceiver.drain(ear)
          close(ear)
        }
        thread.start()
      }
    }

    /// Lets the receiver say its next sentences. More than there are is all of them.
    package func say(_ sentences: Int) {
      let lines = [UInt8](repeating: 0x0A, count: min(sentences, 60_000))
      _ = Glibc.write(gpsfake.input, lines, lines.count)
    }

    /// Ends gpsfake and the daemon, which are a process group of their own.
    package func stop() {
      gpsfake.destroy()
      shutdown(client, Int32(SHUT_RDWR))
    }

    deinit {
      stop()
      close(client)
    }

    private static func read(_ source: Int32, until end: String) -> Bool {
      var text = ""
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while !text.contains(end) {
        let count = Glibc.read(source, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        text += String(decoding: buffer[0..<count], as: UTF8.self)
      }
      return true
    }

    private static func drain(_ source: Int32) {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = Glibc.read(source, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
      }
    }
  }
#endif
