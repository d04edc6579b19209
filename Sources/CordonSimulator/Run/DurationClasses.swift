import CordonRun

/// Sums of the agreement of pairs, by the duration of contact.
struct DurationClasses {
  /// Lower bounds of the classes, in seconds.
  private static let bounds: [Double] = [0, 60, 300, 900, 3_600]
  private(set) var list: [RunAgreement.DurationClass] = zip(bounds, bounds.dropFirst() + [.infinity]).map {
    RunAgreement.DurationClass(
      lower: $0, upper: $1, truePairs: 0, trueSeconds: 0, foundSeconds: 0, observedPairs: 0, observedSeconds: 0,
      correctSeconds: 0)
  }

  /// Adds the totals of a pair, in microseconds.
  mutating func add(observed: Int64, truth: Int64, shared: Int64) {
    if truth > 0 {
      let index = DurationClasses.index(of: Double(truth) / 1e6)
      list[index].truePairs += 1
      list[index].trueSeconds += Double(truth) / 1e6
      list[index].foundSeconds += Double(shared) / 1e6
    }
    if observed > 0 {
      let index = DurationClasses.index(of: Double(observed) / 1e6)
      list[index].observedPairs += 1
      list[index].observedSeconds += Double(observed) / 1e6
      list[index].correctSeconds += Double(shared) / 1e6
    }
  }

  private static func index(of seconds: Double) -> Int {
    (bounds.lastIndex { $0 <= seconds }) ?? 0
  }
}
