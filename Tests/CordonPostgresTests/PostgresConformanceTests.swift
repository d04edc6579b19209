import CordonCore
import CordonIngest
import CordonPostgres
import CordonStoreConformance
import CordonTestSupport
import Testing

/// The store in PostgreSQL answers as the one in memory does, and so as the one in a file.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct PostgresConformanceTests {
  @Test(arguments: UInt64(1)...8)
  func memoryAndDatabaseAnswerAlike(_ seed: UInt64) throws {
    let store = try Database().store()
    var comparison = StoreComparison(MemoryPositionStore(), store, seed: seed)
    comparison.run(steps: 150)
    #expect(comparison.differences.isEmpty, "\(comparison.differences.prefix(3))")
  }
}
