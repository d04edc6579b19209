import CordonCore
import CordonGeometry
import Testing

@testable import CordonTorture

/// The judge itself. Runs share SQLite's one table of disks, so they run one after the other.
@Suite(.serialized) struct TortureTests {
  /// A few seeds; `make torture` has thousands.
  @Test(arguments: TorturePlan.Storage.allCases)
  func promisesHoldUnderFaults(_ storage: TorturePlan.Storage) throws {
    let tally = try TortureSuite(storage: storage).run(1...4)
    #expect(tally.failures.isEmpty, "\(tally.failures)")
    // A planned fault does not count before it has struck.
    #expect(tally.fewest.faults >= 20)
    #expect(tally.fewest.kinds >= 6)
    #expect(tally.counts.rows > 4 * 500)
    #expect(tally.counts.fixes > 4 * 3 * 500)
    #expect(tally.counts.notices > 4 * 3)
  }

  @Test(arguments: TorturePlan.Storage.allCases)
  func aSeedReproducesByteForByte(_ storage: TorturePlan.Storage) throws {
    let plan = TorturePlan(seed: 7, storage: storage)
    let (first, second) = (try TortureRun(plan).run(), try TortureRun(plan).run())
    #expect(first == second)
    #expect(try TortureRun(TorturePlan(seed: 8, storage: storage)).run().digest != first.digest)
  }

  @Test func everySeedPlansTwentyFaultsOfSixKinds() {
    for seed in UInt64(1)...500 {
      let plan = TorturePlan(seed: seed)
      #expect(plan.faults.count >= 20)
      #expect(Set(plan.faults.map(\.fault)).count >= 6)
      #expect(plan.phones >= 3)
      #expect(plan.duration >= 2 * 3_600_000)
    }
  }

  @Test func everyKindOfFaultIsPlannedSometimes() {
    let kinds = Set((UInt64(1)...200).flatMap { TorturePlan(seed: $0).faults.map(\.fault) })
    #expect(kinds == Set(TortureFault.allCases))
  }

  @Test func theScannerFindsPatternsAtAnyByte() {
    var scanner = ByteScanner()
    #expect(scanner.isEmpty)
    scanner.add(0x0102_0304_0506_0708)
    scanner.add(0x0506_0708_090a_0b0c, 0x0d0e_0f10_1112_1314)
    let bytes = [9, 9] + (1...20).map { UInt8($0) }
    #expect(bytes.withUnsafeBufferPointer { scanner.found(in: $0) } == (1, 1))
    // One half alone is not the pair.
    #expect(bytes.dropLast().withContiguousStorageIfAvailable { scanner.found(in: $0) }.map { $0 == (1, 0) } ?? false)
    #expect([UInt8](repeating: 1, count: 20).withUnsafeBufferPointer { scanner.found(in: $0) } == (0, 0))
  }

  @Test func theOracleAgreesWithTheGate() {
    let site = TortureSite()
    for (bundle, gate) in site.gates.enumerated() {
      for x in -80..<80 {
        for y in -80..<80 {
          let place = (x: Double(x) + 0.5, y: Double(y) + 0.5)
          let verdict = gate.judge(site.coordinate(place.x, place.y), floor: FloorOrdinal(0))
          let mayRecord = TortureSite.mayRecord(place.x, place.y, bundle: bundle)
          #expect((verdict.isInside && verdict.recording == .full) == mayRecord)
          if mayRecord {
            #expect(verdict.space == TortureSite.space(place.x, place.y, floor: FloorOrdinal(0)))
            // The second bundle records here; the server, which has the first, accepts it.
            #expect(TortureSite.mayRecord(place.x, place.y, bundle: 0))
          }
        }
      }
    }
  }
}
