import CordonCore
import CordonIngest
import CordonTestSupport
import Foundation
import Testing

@testable import CordonPostgres

@Suite struct HintMessageTests {
  @Test func messagesComeBackAndOnesOwnAreLeftOut() throws {
    let venue = try #require(VenueID("hall"))
    let events = (0..<400).map {
      LiveEvent(time: .testStart + .seconds($0), venue: venue, stored: Int($0), refused: 1, contacts: 2)
    }
    let texts = HintMessage.messages(of: "one", events)
    #expect(texts.count > 1)
    var found: [LiveEvent] = []
    for text in texts {
      #expect(text.utf8.count < 8_000)
      #expect(HintMessage(text, of: "one") == nil)
      if case .events(let part) = HintMessage(text, of: "two") { found += part }
    }
    #expect(found == events)
    for text in ["", "one", "one later-word", "one events\n1\t2"] {
      if case .events(let part) = HintMessage(text, of: "two") { #expect(part.isEmpty) }
    }
  }
}

/// Servers wake each other; nothing depends on it.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct HintTests {
  /// The hints that a server received.
  ///
  /// `@unchecked Sendable` holds because a lock protects everything.
  private final class Ear: @unchecked Sendable {
    private let lock = NSLock()
    private var wakes = 0
    private var events: [LiveEvent] = []
    func wake() { lock.withLock { wakes += 1 } }
    func hear(_ list: [LiveEvent]) { lock.withLock { events += list } }
    var heard: (wakes: Int, events: [LiveEvent]) { lock.withLock { (wakes, events) } }
  }

  private func server(_ name: String, _ database: Database) throws -> PostgresPositionStore {
    var options = PostgresPositionStore.Options()
    options.server = name
    options.standstill = .patientForTests
    return PostgresPositionStore(try PostgresAddress(database.url), options: options)
  }

  @Test func rowsLeasesAndEventsAreHintedAt() async throws {
    let database = try Database()
    let (one, two) = (try server("one", database), try server("two", database))
    let venue = try one.number(of: try #require(VenueID("hall")), origin: Coordinate(longitude: 8, latitude: 47))
    try one.tend()
    let ear = Ear()
    let address = try PostgresAddress(database.url)
    let hints = PostgresHints(address, server: "one", onHint: { _ in ear.wake() }, onEvents: { ear.hear($0) })
    let others = PostgresHints(address, server: "two", onHint: { _ in }, onEvents: { _ in })
    defer {
      hints.stop()
      others.stop()
    }
    // The first wake says that it listens.
    try await wait { ear.heard.wakes == 1 }
    try one.markUnsettled(venue: venue, device: 1, span: 1...2)
    try two.markUnsettled(venue: venue, device: 2, span: 1...2)
    try await wait { ear.heard.wakes == 2 }
    let event = LiveEvent(
      time: .testStart, venue: try #require(VenueID("hall")), stored: 3, refused: 0, contacts: 1)
    hints.send([event])
    others.send([event])
    try await wait { ear.heard.events == [event] }
    two.leave()
    try await wait { ear.heard.wakes == 3 }
    // A connection that ends is made again, and says so.
    try database.sql(
      """
      SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """)
    try await wait { ear.heard.wakes == 4 }
  }

  /// A server that stops gives its venues to another at once.
  @Test func aServerThatStopsLeavesItsLeases() throws {
    let database = try Database()
    let (one, two) = (try server("one", database), try server("two", database))
    let venue = try one.number(of: try #require(VenueID("hall")), origin: Coordinate(longitude: 8, latitude: 47))
    try one.tend()
    one.leave()
    try two.tend()
    #expect(two.isMaintainer)
    #expect(try two.lease(of: venue) == VenueLease(epoch: 2, revision: 0))
    #expect(try database.sql("SELECT string_agg(id, ' ') FROM server") == "two")
  }
}
