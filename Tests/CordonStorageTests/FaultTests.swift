import CordonCore
import CordonMonitoring
import CordonSealing
import CordonStorage
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@Suite("Promises hold under faults")
struct FaultTests {
  static func run(_ seed: UInt64, on store: any Store) throws -> [String] {
    var run = try FaultRun(seed: seed, on: store)
    for _ in 0..<150 {
      run.fix()
      run.accident()
      run.pass(.seconds(Int64(1 + run.random.nextIndex(below: 12))))
    }
    try run.finish()
    return run.violations
  }

  // A thousand seeds on files (CORDON_ALL_SEEDS=1), a quarter of them sealed, and so of every fifth block. Every block runs
  // separately, so that a failure names its seeds.
  @Test(arguments: Seeds.some(of: 0..<40))
  func onFiles(block: Int) throws {
    for seed in block * 25..<block * 25 + 25 {
      let folder = try TemporaryFolder()
      let sealer = block / 5 % 4 == 0 ? AESGCMSealer(keys: ScriptedKeyStore()) : nil
      let violations = try Self.run(
        UInt64(seed), on: try SQLiteStore(path: folder.path("store.sqlite"), sealer: sealer))
      #expect(violations.isEmpty)
    }
  }

  // The store in memory makes the same promises.
  @Test(arguments: Seeds.some(of: 0..<4))
  func inMemory(block: Int) throws {
    for seed in 10_000 + block * 25..<10_000 + block * 25 + 25 {
      let violations = try Self.run(UInt64(seed), on: MemoryStore())
      #expect(violations.isEmpty)
    }
  }
}
