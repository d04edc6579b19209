import Foundation
import Testing

/// A short slice of `make kill`: the real server, killed under load, loses nothing that it answered.
@Suite("Killed servers")
struct KillTests {
  /// The server beside the tests; it is there when everything was built.
  static var server: String? {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
    return ["cordon-server", "CordonServerCommand"].map { "\(folder)/\($0)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static var python: String? {
    ["/usr/bin/python3", "/usr/local/bin/python3"].first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  @Test(.enabled(if: server != nil && python != nil), .timeLimit(.minutes(2)))
  func nothingIsLostAndNothingTwice() async throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.python))
    process.arguments = [root.path + "/scripts/kill-server", try #require(Self.server), "--kills", "3", "--seed", "5"]
    let pipe = Pipe()
    process.standardOutput = pipe
    let status = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do {
        try process.run()
      } catch {
        continuation.resume(throwing: error)
      }
    }
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(status == 0, "\(text)")
    #expect(text.contains("\"lost\": 0"), "\(text)")
    #expect(text.contains("\"twice\": 0"), "\(text)")
  }
}
