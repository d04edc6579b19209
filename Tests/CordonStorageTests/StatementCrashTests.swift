import CordonCore
import CordonMonitoring
import CordonStorage
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@Suite("A process may die before any statement")
struct StatementCrashTests {
  /// Counts statements, and prevents all from a certain one on.
  final class Death {
    var left: Int
    var isDead: Bool { left <= 0 }

    init(after count: Int) { left = count }

    func strike(_ sql: String) -> Bool {
      left -= 1
      // The process has ended, so no later statement runs either.
      return left <= 0
    }
  }

  /// A short day with uploads, rest, an exceeded limit, and a withdrawal.
  static func live(_ store: SQLiteStore, _ sink: InProcessSink, _ death: Death) throws {
    var configuration = MonitorConfiguration()
    configuration.thinning = .zero
    configuration.flushAfter = .seconds(30)
    configuration.stillAfter = .seconds(30)
    configuration.maximumRows = 6
    let phone = try TestPhone(configuration: configuration, store: store, sink: sink, device: DeviceID("phone"))
    phone.consentAndStart()
    phone.send(.invite(code: "CODE"))
    for step in 0..<4 where !death.isDead { phone.stay(at: (east: Double(step) * 3, north: 0), for: .seconds(10)) }
    phone.isOnline = false
    for step in 0..<4 where !death.isDead { phone.stay(at: (east: Double(step) * 3, north: 0), for: .seconds(10)) }
    phone.isOnline = true
    if !death.isDead { phone.stay(at: (east: 20, north: 5), for: .minutes(1)) }
    if !death.isDead { phone.send(.withdraw) }
    if !death.isDead { phone.wait(.seconds(10)) }
  }

  @Test func theFileIsConsistentAfterEveryCrashPoint() throws {
    var count = 1
    var statements = 0
    while true {
      let folder = try TemporaryFolder()
      let sink = InProcessSink(needsToken: true)
      sink.inviteCodes = ["CODE"]
      let death = Death(after: count)
      do {
        let store = try SQLiteStore(path: folder.path("store.sqlite"))
        store.failStatements(where: death.strike)
        do {
          try Self.live(store, sink, death)
        } catch {
          #expect(death.isDead, "\(error)")
        }
      }
      let store = try SQLiteStore(path: folder.path("store.sqlite"))
      for record in try store.devices() {
        let state = record.state.isEmpty ? MonitorState() : try #require(MonitorState(decoding: record.state))
        let rows = try store.locations(of: record.id)
        #expect(UInt64(rows.count) == state.accounting.onPhone + state.accounting.quarantined, "statement \(count)")
        if state.consent == nil { #expect(rows.isEmpty, "statement \(count)") }
        // Every location has a pending delivery, and every delivery has a location.
        let ways = try store.deliveries(of: record.id)
        #expect(Set(ways.map(\.id)) == Set(rows.map(\.id)), "statement \(count)")
      }
      #expect(try store.devices().count <= 1, "statement \(count)")
      if !death.isDead {
        statements = count
        break
      }
      count += 1
    }
    #expect(statements > 250, "the day has more statements than that: \(statements)")
  }
}
