import CordonCore
import CordonMonitoring
import CordonStorage
import CordonTestSupport
import Foundation
import Glibc
import Testing

@Suite("A process is killed while it writes")
struct KilledProcessTests {
  /// The executable lies beside the one that runs the tests.
  static var writer: URL? {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    for _ in 0..<4 {
      let url = folder.appendingPathComponent("CordonCrashWriter")
      if FileManager.default.isExecutableFile(atPath: url.path) { return url }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  /// Starts a writer, kills it after a number of lines, and returns its output.
  static func kill(_ writer: URL, on path: String, start: Instant, after lines: Int) throws -> [String] {
    let child = try Child(writer.path, [path, "\(start.milliseconds)"])
    var text: [UInt8] = []
    var count = 0
    var buffer = [UInt8](repeating: 0, count: 4_096)
    func listen() -> Bool {
      let length = read(child.output, &buffer, buffer.count)
      guard length > 0 else { return length < 0 && errno == EINTR }
      count += buffer[0..<length].count { $0 == UInt8(ascii: "\n") }
      text.append(contentsOf: buffer[0..<length])
      return true
    }
    while count < lines, listen() {}
    // SIGKILL runs no handler of the process.
    child.signal(SIGKILL)
    #expect(child.wait() == 128 + SIGKILL)
    while listen() {}
    // A truncated last line is ignored.
    let whole = text.prefix(text.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
    return String(decoding: whole, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test(.enabled(if: writer != nil, "the writer is built"))
  func acceptedRowsSurviveSIGKILL() throws {
    let writer = try #require(Self.writer)
    let folder = try TemporaryFolder()
    let device = try #require(DeviceID("phone"))
    var accepted: Set<FixID> = []
    var delivered: Set<FixID> = []
    for round in 0..<25 {
      let start = Instant.testStart + .days(Int64(round) / 8) + .hours(Int64(round) % 8)
      let lines = try Self.kill(writer, on: folder.path("store.sqlite"), start: start, after: 3 + round * round % 190)
      for line in lines {
        let id = try #require(FixID(String(line.dropFirst(2))))
        if line.hasPrefix("+") { accepted.insert(id) } else { delivered.insert(id) }
      }
      let store = try SQLiteStore(path: folder.path("store.sqlite"))
      let record = try #require(try store.device(device))
      let state = try #require(MonitorState(decoding: record.state))
      let rows = try store.locations(of: device)
      let a = state.accounting
      #expect(UInt64(rows.count) == a.onPhone + a.quarantined, "round \(round)")
      #expect(a.fixes >= a.refused + a.thinned + a.stored, "round \(round)")
      #expect(a.expired + a.erased + a.quarantined == 0, "round \(round)")
      let found = Set(rows.map(\.id))
      #expect(found.count == rows.count, "round \(round): nothing twice")
      // The server of a killed process is gone with it; its rows were counted before they were removed.
      let gone = accepted.subtracting(found).subtracting(delivered)
      #expect(UInt64(gone.count) <= a.acknowledged, "round \(round)")
      #expect(state.consent != nil, "round \(round)")
    }
    #expect(accepted.count > 500)
    #expect(!delivered.isEmpty)
  }
}
