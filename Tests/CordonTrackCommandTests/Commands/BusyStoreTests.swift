import Cordon
import CordonTestSupport
import CordonTracking
import Foundation
import Testing

@Suite("Commands while another process has the store", .timeLimit(.minutes(5)))
struct BusyStoreTests {
  private let folder: TemporaryFolder
  private let file: String
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.write(#"{"store": "store.sqlite"}"#, to: "tracker.json")
    path = folder.path("store.sqlite")
  }

  @Test func aCommandWaitsForATrackerThatStarts() async throws {
    let store = try SQLiteStore(path: path)
    let command = try Tracker(["consent", "1", "-c", file], in: folder.url)
    try await command.hears("another process has the store; waiting for it")
    // Now the tracker listens.
    let socket = try ControlSocket(store: path) { line, reply in
      reply(line == ControlCommand.status.line ? "{}" : #"{"is_running": true, "consent": {"version": "1"}}"#)
    }
    #expect(command.wait() == 0)
    #expect(command.text.contains("consent: 1"), "\(command.text)")
    socket.stop()
    withExtendedLifetime(store) {}
  }

  @Test func aCommandThatWaitedInVainSaysWhy() throws {
    let store = try SQLiteStore(path: path)
    let result = try Tracker.run(["consent", "1", "-c", file], in: folder.url)
    #expect(result.status == 2)
    #expect(result.errors.contains("another tracker has the store"), "\(result.errors)")
    withExtendedLifetime(store) {}
  }
}
