/// The cumulative exposure of one person to others nearby, after EXPOSED (Ronchi and Lovreglio 2020): for how long the
/// person had how many others within a distance.
package struct CumulativeExposure: Hashable, Sendable {
  /// The time with exactly n others within the distance, in seconds; the index is n - 1.
  package private(set) var secondsByOthers: [Double] = []

  /// Adds up intervals of proximity.
  ///
  /// Complexity: O(n log n) for n intervals.
  /// - Parameter intervals: the times in seconds during which one other was within the distance. Intervals of different
  ///   others overlap; those of one other do not.
  package init(_ intervals: [(start: Double, end: Double)]) {
    var changes: [(time: Double, change: Int)] = []
    for interval in intervals where interval.end > interval.start {
      changes.append((interval.start, 1))
      changes.append((interval.end, -1))
    }
    changes.sort { $0.time < $1.time }
    var others = 0
    for (index, change) in changes.enumerated() {
      others += change.change
      guard others > 0, index + 1 < changes.count else { continue }
      let length = changes[index + 1].time - change.time
      guard length > 0 else { continue }
      while secondsByOthers.count < others { secondsByOthers.append(0) }
      secondsByOthers[others - 1] += length
    }
  }

  /// The time with at least one other within the distance, in seconds.
  package var exposedSeconds: Double { secondsByOthers.reduce(0, +) }
  /// The sum over the others of their times within the distance, in seconds.
  package var personSeconds: Double {
    secondsByOthers.enumerated().reduce(0) { $0 + Double($1.offset + 1) * $1.element }
  }
  /// The maximum number of others within the distance at one time.
  package var maximumOthers: Int { secondsByOthers.count }
}
