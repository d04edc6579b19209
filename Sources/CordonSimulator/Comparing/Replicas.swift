import CordonCore
import CordonRun

/// Runs replicas on several threads.
enum Replicas {
  /// Returns the outcomes of the replicas `first`, `first` + 1 and so on, by study.
  ///
  /// After an interruption, each study has the outcomes of the same replicas.
  static func run(
    studies: [TruthStudy], count: Int, first: Int = 0, threads: Int,
    progress: @escaping @Sendable (Double, Int) -> Void, isInterrupted: @escaping @Sendable () -> Bool
  ) throws -> [[TruthStudy.Outcome]] {
    var outcomes = [[TruthStudy.Outcome]](repeating: [], count: studies.count)
    let total = count * studies.count
    let width = max(threads, 1)
    var next = 0
    let done = SummedProgress { progress($0, total) }
    // Each round contains all studies, so that the results can be compared after an interruption.
    while next < count, !isInterrupted() {
      let round = min(count - next, max(width / studies.count, 1))
      let start = next
      let made = parallelMap(count: round * studies.count, threads: width) { job in
        Result {
          let number = start * studies.count + job
          let outcome = try studies[job % studies.count].run(
            replica: UInt32(first + start + job / studies.count),
            watch: RunControl(isInterrupted: isInterrupted) { done.note($0, of: number) })
          if outcome != nil { done.note(1, of: number) }
          return outcome
        }
      }
      for replica in 0..<round {
        let jobs = replica * studies.count..<(replica + 1) * studies.count
        let results = try jobs.compactMap { try made[$0].get() }
        // A replica without results of every study cannot be compared.
        guard results.count == studies.count else { return outcomes }
        for (study, outcome) in results.enumerated() { outcomes[study].append(outcome) }
      }
      next += round
    }
    return outcomes
  }
}

extension RunOutcome {
  /// Returns the number of people by place and time, as a distribution over runs.
  static func ensemble(_ runs: [[RunOccupancy]]) -> [EnsembleBin] {
    struct Key: Hashable, Comparable {
      var floor: Int32
      var space: Int32
      var bin: Int64

      static func < (a: Key, b: Key) -> Bool { (a.floor, a.space, a.bin) < (b.floor, b.space, b.bin) }
    }
    var bins: [Key: (means: [Double], peak: Int32)] = [:]
    for row in runs.joined() where row.source == .truth {
      let key = Key(floor: row.floor, space: row.space, bin: row.binStart)
      bins[key, default: ([], 0)].means.append(row.mean)
      bins[key, default: ([], 0)].peak = max(bins[key]?.peak ?? 0, row.peak)
    }
    return bins.keys.sorted().map { key in
      let values = bins[key]?.means ?? []
      // Runs without a row had no people there.
      let sample = Sample(values + Array(repeating: 0, count: max(runs.count - values.count, 0)))
      func rounded(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }
      return EnsembleBin(
        floor: key.floor, space: key.space, binStart: key.bin, mean: rounded(sample.mean),
        p05: rounded(sample.quantile(0.05)), p50: rounded(sample.quantile(0.5)), p95: rounded(sample.quantile(0.95)),
        peak: bins[key]?.peak ?? 0)
    }
  }
}
