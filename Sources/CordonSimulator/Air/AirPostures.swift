import CordonCore
import CordonCrowd

/// The postures of one person over time: seated in stays, standing in queues elsewhere, otherwise walking.
struct AirPostures: Sendable {
  private let stays: [Range<Int64>]
  private let waits: [Range<Int64>]
  /// The times at which the posture may change, in ascending order.
  private let boundaries: [Int64]

  init(_ person: PersonTruth) {
    func ranges(_ list: [(Instant, Instant)]) -> [Range<Int64>] {
      list.compactMap { $0.0 < $0.1 ? $0.0.milliseconds..<$0.1.milliseconds : nil }
        .sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    }
    stays = ranges(person.stays.map { ($0.start, $0.end) })
    waits = ranges(person.waits.map { ($0.start, $0.end) })
    boundaries = (stays + waits).flatMap { [$0.lowerBound, $0.upperBound] }.sorted()
  }

  /// Returns the posture at a time. Complexity: O(log n).
  func posture(at time: Int64) -> AirEmissions.Posture {
    if Self.covers(stays, time) { return .seated }
    return Self.covers(waits, time) ? .standing : .walking
  }

  private static func covers(_ ranges: [Range<Int64>], _ time: Int64) -> Bool {
    let next = ranges.partitionIndex { $0.lowerBound > time }
    return next > 0 && ranges[next - 1].contains(time)
  }

  /// Calls `body` with the parts of a stretch of time and their postures.
  func forEach(from start: Int64, to end: Int64, _ body: (Int64, Int64, AirEmissions.Posture) -> Void) {
    var time = start
    var next = boundaries.partitionIndex { $0 > start }
    while time < end {
      let stop = next < boundaries.count ? min(end, boundaries[next]) : end
      if stop > time { body(time, stop, posture(at: time)) }
      time = max(time, stop)
      next += 1
    }
  }
}

extension Array {
  /// Returns the index of the first element that satisfies a predicate, which holds for all after it.
  fileprivate func partitionIndex(where isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
