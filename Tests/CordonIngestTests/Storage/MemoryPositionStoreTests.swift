import CordonCore
import CordonStoreConformance
import CordonTestSupport
import Testing

@testable import CordonIngest

/// The store in memory and the store in a file give the same answers to the same calls, in any order.
@Suite struct MemoryPositionStoreTests {
  @Test(arguments: UInt64(1)...12)
  func memoryAndFileStoresAnswerAlike(_ seed: UInt64) throws {
    var comparison = StoreComparison(MemoryPositionStore(), try SQLitePositionStore(path: ":memory:"), seed: seed)
    comparison.run()
    #expect(comparison.differences.isEmpty, "\(comparison.differences.prefix(3))")
  }

  @Test func interruptedTransactionsAreUndone() throws {
    let store = MemoryPositionStore()
    let venue = try #require(VenueID("hall"))
    _ = try store.number(of: venue, origin: Coordinate(longitude: 8, latitude: 47))
    let device = StoredDevice(
      id: try #require(DeviceID("phone")), kind: .secret, venue: venue, type: "", created: .epoch)
    try store.begin()
    _ = try store.save(device)
    store.interruption = { moment throws(StoreFault) in
      if moment == .committing { throw StoreFault(.failed, "died") }
    }
    #expect(throws: StoreFault.self) { try store.commit() }
    store.rollback()
    #expect(try store.deviceCount() == 0)
    // A committed change stays, although the caller received an error.
    store.interruption = { moment throws(StoreFault) in
      if moment == .committed { throw StoreFault(.failed, "died") }
    }
    try store.begin()
    _ = try store.save(device)
    #expect(throws: StoreFault.self) { try store.commit() }
    store.rollback()
    #expect(try store.deviceCount() == 1)
  }
}
