import Testing

@testable import CordonTorture

extension TortureTests {
  /// Shortens a failing plan.
  @Suite struct Shrinking {
    @Test func shrinkingFindsTheFewestFaults() {
      let plan = TorturePlan(seed: 3)
      let culprits = Set([plan.faults[4], plan.faults[11]])
      let shrunk = TortureShrinking { culprits.isSubset(of: Set($0.faults)) ? ["broken"] : [] }.shrink(plan)
      #expect(Set(shrunk.faults) == culprits)
    }

    @Test func aShrunkPlanBreaksItsOwnPromise() {
      let plan = TorturePlan(seed: 3)
      let culprit = plan.faults[4]
      // Without any fault another promise would be broken.
      let shrunk = TortureShrinking {
        $0.faults.contains(culprit) ? ["7 ms, phone 1: 3 rows without consent"] : ["7 ms, server: two rows of one fix"]
      }.shrink(plan)
      #expect(shrunk.faults == [culprit])
      #expect(plan.only(plan.places(of: shrunk)) == shrunk)
      #expect(TortureShrinking { _ in [] }.shrink(plan) == plan)
    }

    @Test func violationsAreGroupedByTheirPromise() {
      let one = TortureShrinking.promise(of: "7440 ms, server: 12 rows of 97421a1d-1e6e-4356-9038-e07c454330e0, erased")
      let other = TortureShrinking.promise(of: "216 ms, server: 3 rows of 0a421a1d-1e6e-4356-9038-e07c454330e0, gone")
      #expect(one == "rows of")
      #expect(one == other)
      #expect(TortureShrinking.promise(of: "1 ms, phone 2: a row is written without consent") != one)
    }
  }
}
