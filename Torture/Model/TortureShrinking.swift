/// Shortens a failing plan to the fewest faults that still break the same promise.
package struct TortureShrinking {
  private let runs: (TorturePlan) -> [String]

  /// - Parameter runs: runs a plan and returns its violations.
  package init(runs: @escaping (TorturePlan) -> [String]) { self.runs = runs }

  /// Leaves out halves, then quarters and so on of the faults as long as the run still fails (Zeller's ddmin), then
  /// single ones. It usually needs O(n log n) runs.
  ///
  /// A plan that breaks nothing stays the same.
  package func shrink(_ plan: TorturePlan) -> TorturePlan {
    guard let promise = runs(plan).first.map(TortureShrinking.promise) else { return plan }
    return plan.with(
      TortureShrinking.shrink(plan.faults) { faults in
        runs(plan.with(faults)).contains { TortureShrinking.promise(of: $0) == promise }
      })
  }

  /// Returns the fewest of some faults that still fail, see ``shrink(_:)``.
  package static func shrink<Fault>(_ all: [Fault], fails: ([Fault]) -> Bool) -> [Fault] {
    var faults = all
    var size = max(1, faults.count / 2)
    while true {
      var index = 0
      var changed = false
      while index < faults.count {
        var fewer = faults
        fewer.removeSubrange(index..<min(index + size, faults.count))
        if fails(fewer) {
          faults = fewer
          changed = true
        } else {
          index += size
        }
      }
      if size == 1, !changed { return faults }
      size = max(1, size / 2)
    }
  }

  /// The broken promise of a violation: its first words, without time, place, numbers and names.
  package static func promise(of violation: String) -> String {
    let text = violation.firstRange(of: ": ").map { violation[$0.upperBound...] } ?? violation[...]
    return text.prefix { $0 != "," && $0 != "(" && $0 != ":" }.split(separator: " ")
      .filter { !$0.contains(where: \.isNumber) }.joined(separator: " ")
  }
}
