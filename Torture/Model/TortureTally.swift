import CordonCore

/// The sum of many runs, with the counts of their kind.
package struct TortureTally<Counts: Sendable>: Sendable {
  /// The minimum number of effective faults in a run, and of their kinds: fewer would prove nothing.
  package typealias Minimum = (count: Int, kinds: Int)

  /// The number of runs.
  package var seeds = 0
  /// The seeds with broken promises, with the first violation of each.
  package var failures: [(seed: UInt64, violation: String)] = []
  /// The number of times each fault had an effect.
  package var faults: [String: Int] = [:]
  /// The minimum number of effective faults in a run, and of their kinds.
  package var fewest = (faults: Int.max, kinds: Int.max)
  /// The counts that only runs of this kind have.
  package var counts: Counts
  private var hash: SipHash128

  init(_ counts: Counts, key: (UInt64, UInt64)) {
    self.counts = counts
    hash = SipHash128(key: key)
  }

  /// A hash of all events of every run: the same for the same seeds and the same program.
  package var digest: String {
    let (high, low) = hash.finalize()
    return String(high, radix: 16) + "-" + String(low, radix: 16)
  }

  /// Adds a run.
  /// - Parameters:
  ///   - seed: the seed of the run.
  ///   - violations: the promises that it broke.
  ///   - faults: how often each fault had an effect.
  ///   - digest: the hash of its events.
  ///   - minimum: the minimum number of faults; `nil` for a short run.
  /// - Returns: the violations; too few faults are one of them.
  mutating func add(
    seed: UInt64, violations: [String], faults: [String: Int], digest: String, minimum: Minimum?
  ) -> [String] {
    var violations = violations
    seeds += 1
    let struck = faults.values.reduce(0, +)
    fewest = (min(fewest.faults, struck), min(fewest.kinds, faults.count))
    if let minimum, struck < minimum.count || faults.count < minimum.kinds {
      violations.append("only \(struck) faults of \(faults.count) kinds struck")
    }
    for byte in digest.utf8 { hash.combine(word: UInt64(byte)) }
    for (fault, count) in faults { self.faults[fault, default: 0] += count }
    if let first = violations.first { failures.append((seed, first)) }
    return violations
  }
}
