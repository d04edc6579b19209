/// Makes a failing plan as short as it gets: the fewest faults that still break the same promise, or any.
public struct TortureShrinking {
  private let runs: (TorturePlan) -> [String]

  /// - Parameter runs: runs a plan and answers its violations.
  public init(runs: @escaping (TorturePlan) -> [String]) { self.runs = runs }

  /// Halves, then quarters and so on of the faults are left out as long as the run still fails (Zeller's ddmin), then one by
  /// one. O(n log n) runs as a rule.
  public func shrink(_ plan: TorturePlan) -> TorturePlan {
    var faults = plan.faults
    var size = max(1, faults.count / 2)
    while true {
      var index = 0
      var changed = false
      while index < faults.count {
        var fewer = faults
        fewer.removeSubrange(index..<min(index + size, faults.count))
        if !runs(plan.with(fewer)).isEmpty {
          faults = fewer
          changed = true
        } else {
          index += size
        }
      }
      if size == 1, !changed { return plan.with(faults) }
      size = max(1, size / 2)
    }
  }
}
