import CordonCore
import CordonMonitoring
import CordonStorage
import CordonTesting
import Foundation
import Testing

@Suite("Promises hold through accidents")
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

  // 900 seeds in memory, 100 on files; every tenth of a block runs by itself, so that a failure names its seeds.
  @Test(arguments: 0..<18)
  func inMemory(block: Int) throws {
    for seed in block * 50..<block * 50 + 50 {
      let violations = try Self.run(UInt64(seed), on: MemoryStore())
      #expect(violations.isEmpty)
    }
  }

  @Test(arguments: 0..<10)
  func onFiles(block: Int) throws {
    for seed in 10_000 + block * 10..<10_000 + block * 10 + 10 {
      let folder = try TemporaryFolder()
      let violations = try Self.run(UInt64(seed), on: try SQLiteStore(path: folder.path()))
      #expect(violations.isEmpty)
    }
  }
}
