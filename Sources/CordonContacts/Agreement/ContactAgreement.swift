package import CordonCore

/// The agreement of observed contacts with the true ones, in seconds and in pairs that a 15-minute rule would warn.
///
/// Both are computed per pair of devices from unions in time. The number of contacts of a meeting and the observed floor
/// therefore do not matter.
package struct ContactAgreement: Hashable, Sendable {
  /// Contact time of all pairs that was observed, microseconds.
  package private(set) var observedMicroseconds: Int64 = 0
  /// True contact time of all pairs, microseconds.
  package private(set) var trueMicroseconds: Int64 = 0
  /// Contact time both true and observed at the same instants, microseconds.
  package private(set) var sharedMicroseconds: Int64 = 0
  /// Pairs with an observed contact.
  package private(set) var observedPairs = 0
  /// Pairs with a true contact.
  package private(set) var truePairs = 0
  /// Pairs with both, at any times.
  package private(set) var sharedPairs = 0
  /// Pairs whose observed contacts reach the threshold.
  package private(set) var observedLongPairs = 0
  /// Pairs whose true contacts reach the threshold.
  package private(set) var trueLongPairs = 0
  /// Pairs that reach the threshold in both.
  package private(set) var sharedLongPairs = 0
  /// The sum over pairs of |observed - true| contact time, microseconds.
  package private(set) var absoluteErrorMicroseconds: Int64 = 0
  /// The minimum total contact time of a long pair.
  package let threshold: TimeSpan

  /// The share of the observed seconds that were true; `nil` when nothing was observed.
  package var precisionSeconds: Double? {
    ContactAgreement.share(sharedMicroseconds, of: observedMicroseconds)
  }
  /// The share of the true seconds that were observed; `nil` when there was no contact.
  package var recallSeconds: Double? {
    ContactAgreement.share(sharedMicroseconds, of: trueMicroseconds)
  }
  /// The share of the pairs observed for 15 minutes (or the threshold) that truly reached it; `nil` at 0 of 0.
  package var precisionPairs15Min: Double? {
    ContactAgreement.share(Int64(sharedLongPairs), of: Int64(observedLongPairs))
  }
  /// The share of the pairs that truly reached 15 minutes (or the threshold) that were found; `nil` at 0 of 0.
  package var recallPairs15Min: Double? {
    ContactAgreement.share(Int64(sharedLongPairs), of: Int64(trueLongPairs))
  }

  /// The number of people correctly warned per 100 who should be warned; `nil` if the latter count is 0.
  package var warnedOf100: Double? { recallPairs15Min.map { $0 * 100 } }
  /// The number of people warned without need per 100 who should be warned; `nil` if the latter count is 0.
  package var needlesslyPer100: Double? {
    guard trueLongPairs > 0 else { return nil }
    return Double(observedLongPairs - sharedLongPairs) * 100 / Double(trueLongPairs)
  }

  private static func share(_ part: Int64, of whole: Int64) -> Double? {
    whole > 0 ? Double(part) / Double(whole) : nil
  }

  /// Compares contacts, which may come in any order. O(n log n).
  /// - Parameters:
  ///   - observed: the contacts of the phones' fixes.
  ///   - truth: the true contacts; device indices mean the same devices.
  ///   - devices: the devices to compare, which are those that could be observed; `nil` for all.
  ///   - threshold: the minimum total contact time of a long pair.
  ///   - onPair: a closure called with each pair's totals in microseconds, in the order of pairs.
  package init(
    observed: [Contact], truth: [Contact], among devices: Set<Int32>? = nil,
    threshold: TimeSpan = .minutes(15),
    onPair: (_ observed: Int64, _ truth: Int64, _ shared: Int64) -> Void = { _, _, _ in }
  ) {
    self.init(
      observed: PairIntervals(observed, among: devices), truth: PairIntervals(truth, among: devices),
      threshold: threshold, onPair: onPair)
  }

  /// Compares the contact times of pairs. O(n).
  package init(
    observed: PairIntervals, truth: PairIntervals, threshold: TimeSpan = .minutes(15),
    onPair: (_ observed: Int64, _ truth: Int64, _ shared: Int64) -> Void = { _, _, _ in }
  ) {
    self.threshold = threshold
    let limit = threshold.milliseconds.multipliedReportingOverflow(by: 1_000)
    let long = limit.overflow ? Int64.max : limit.partialValue
    var (i, j) = (0, 0)
    while i < observed.pairs.count || j < truth.pairs.count {
      let key = min(
        i < observed.pairs.count ? observed.pairs[i].key : .max,
        j < truth.pairs.count ? truth.pairs[j].key : .max)
      var (seen, real) = (
        ArraySlice<PairIntervals.Interval>(), ArraySlice<PairIntervals.Interval>()
      )
      if i < observed.pairs.count, observed.pairs[i].key == key {
        seen = observed.intervals[observed.pairs[i].range]
        i += 1
      }
      if j < truth.pairs.count, truth.pairs[j].key == key {
        real = truth.intervals[truth.pairs[j].range]
        j += 1
      }
      let pair = add(seen: seen, real: real, long: long)
      onPair(pair.observed, pair.truth, pair.shared)
    }
  }

  private mutating func add(
    seen: ArraySlice<PairIntervals.Interval>, real: ArraySlice<PairIntervals.Interval>, long: Int64
  ) -> (observed: Int64, truth: Int64, shared: Int64) {
    let seenTotal = seen.reduce(0) { $0 + $1.length }
    let realTotal = real.reduce(0) { $0 + $1.length }
    observedMicroseconds += seenTotal
    trueMicroseconds += realTotal
    let shared = PairIntervals.overlap(seen, real)
    sharedMicroseconds += shared
    absoluteErrorMicroseconds += abs(seenTotal - realTotal)
    if !seen.isEmpty { observedPairs += 1 }
    if !real.isEmpty { truePairs += 1 }
    if !seen.isEmpty && !real.isEmpty { sharedPairs += 1 }
    let isSeenLong = !seen.isEmpty && seenTotal >= long
    let isRealLong = !real.isEmpty && realTotal >= long
    if isSeenLong { observedLongPairs += 1 }
    if isRealLong { trueLongPairs += 1 }
    if isSeenLong && isRealLong { sharedLongPairs += 1 }
    return (seenTotal, realTotal, shared)
  }
}
