import CordonCore
import CordonMonitoring
import CordonStorage
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@Suite("A process may die at any statement")
struct CrashTests {
  /// Five minutes of a phone, with uploads, rest and a withdrawal, killed at the `call`-th call of its store.
  static func live(_ store: FaultyStore, killedAt call: Int) throws -> (phone: TestPhone, struck: Bool) {
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["CODE"]
    var configuration = MonitorConfiguration()
    configuration.flushAfter = .seconds(30)
    configuration.stillAfter = .minutes(1)
    configuration.maximumRows = 30
    let phone = try TestPhone(configuration: configuration, store: store, sink: sink)
    store.kill(after: call)
    phone.consentAndStart()
    phone.send(.invite(code: "CODE"))
    for step in 0..<8 where !store.isDead { phone.stay(at: (east: Double(step) * 3, north: 0), for: .seconds(15)) }
    if !store.isDead { phone.stay(at: (east: 20, north: 5), for: .minutes(2)) }
    if !store.isDead { phone.send(.withdraw) }
    if !store.isDead { phone.wait(.minutes(1)) }
    return (phone, store.isDead)
  }

  @Test func theStoreIsConsistentAfterACrash() throws {
    var call = 1
    while true {
      let folder = try TemporaryFolder()
      var struck = false
      var before = Set<FixID>()
      var taken: (FixID) -> Bool = { _ in true }
      do {
        let store = FaultyStore(try SQLiteStore(path: folder.path("store.sqlite")))
        let (phone, died) = try Self.live(store, killedAt: call)
        struck = died
        before = store.durable.subtracting(store.removedByRule)
        let sink = phone.sink
        taken = { sink.hasTaken($0) }
      }
      // The file as the next process finds it.
      let store = try SQLiteStore(path: folder.path("store.sqlite"))
      let devices = try store.devices()
      #expect(devices.count == 1, "call \(call)")
      let device = try #require(devices.first)
      let rows = try store.locations(of: device.id)
      let state = device.state.isEmpty ? MonitorState() : try #require(MonitorState(decoding: device.state))
      #expect(UInt64(rows.count) == state.accounting.onPhone + state.accounting.quarantined, "call \(call)")
      let found = Set(rows.map(\.id))
      #expect(found.isSubset(of: before), "call \(call)")
      for id in before where !found.contains(id) { #expect(taken(id), "call \(call): lost") }
      if state.consent == nil { #expect(rows.isEmpty, "call \(call)") }
      if !struck { break }
      call += 1
    }
    #expect(call > 100, "the day has more calls than that: \(call)")
  }
}
