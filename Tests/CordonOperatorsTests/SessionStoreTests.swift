import CordonCore
import CordonIngest
import CordonTestSupport
import Foundation
import Testing

@testable import CordonOperators

@Suite("The store of sessions") struct SessionStoreTests {
  /// The same steps in memory and in a file give the same answers.
  @Test func bothStoresDoTheSame() throws {
    var transcripts: [[String]] = []
    for store in [MemorySessionStore(), try SQLiteSessionStore(path: ":memory:")] as [any SessionStore] {
      var lines: [String] = []
      let now = Instant(milliseconds: 1_700_000_000_000)
      for k in 0..<6 {
        var session = OperatorSession(
          tokenHash: [UInt8(k)], operator: "op-\(k % 2)", method: k == 3 ? .openID : .password,
          now: now + .minutes(Int64(k)), sealedToken: k == 3 ? [1, 2] : nil)
        lines.append("\(try store.save(session))")
        session.number = Int64(k + 1)
        session.lastSeen = now + .minutes(Int64(2 * k))
        try store.save(session)
      }
      lines.append("\(try store.sessions(of: "op-0"))")
      lines.append("\(String(describing: try store.session([3])))")
      lines.append("\(String(describing: try store.session([9])))")
      lines.append("\(try store.removeSession(2)) \(try store.removeSession(2))")
      try store.removeSessions(createdBefore: now + .minutes(1), lastSeenBefore: now + .minutes(6))
      lines.append("\(try store.sessions(of: "op-0")) \(try store.sessions(of: "op-1"))")
      // A code counts once, and none that is earlier.
      lines.append("\(try [5, 5, 6, 4, 6, 7].map { try store.useCode($0, of: "op-0") })")
      let attempt = PendingSignIn(key: [1], value: [2, 0], created: now)
      lines.append("\(try store.save(attempt, maximum: 1)) \(try store.save(attempt, maximum: 1))")
      lines.append("\(try (0..<2).map { _ in try store.takeAttempt([1]) })")
      for k in 0..<5 {
        try store.save(
          AccountEvent(
            time: now + .days(Int64(k)), operator: "op-0", action: .signIn, subject: k == 2 ? "op-1" : nil))
      }
      lines.append("\(try store.events(before: nil, limit: 2)) \(try store.events(before: 4, limit: 2))")
      try store.removeEvents(before: now + .days(2))
      lines.append("\(try store.events(before: nil, limit: 9).count)")
      try store.forget("op-0")
      lines.append("\(try store.sessions(of: "op-0").count) \(try store.useCode(1, of: "op-0"))")
      #expect(lines.contains("[true, false, true, false, false, true]") && lines.contains("true false"))
      transcripts.append(lines)
    }
    #expect(transcripts[0] == transcripts[1])
  }

  /// Neither the cookie nor the provider's token stands in the file.
  @Test func theFileHoldsNoToken() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("sessions.sqlite")
    let bench = try SignInBench(try SQLiteSessionStore(path: path))
    let token = try bench.sessions.start(
      try #require(bench.sessions.known["op-1"]), .openID, idToken: "header.payload.signature", now: bench.now)
    #expect(try bench.present(token) != nil)
    var bytes = Data()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      bytes += try Data(contentsOf: folder.url.appendingPathComponent(name))
    }
    #expect(bytes.range(of: Data("op-1".utf8)) != nil)
    for secret in [token.text, token.proof, "header.payload.signature", "Example"] {
      #expect(bytes.range(of: Data(secret.utf8)) == nil)
    }
    // A restart of the server ends no session.
    let again = try SignInBench(try SQLiteSessionStore(path: path))
    #expect(try again.present(token)?.operator.id == "op-1")
  }
}
