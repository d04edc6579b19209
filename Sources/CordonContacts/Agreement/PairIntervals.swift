/// Contacts as disjoint intervals of time for each pair of devices, in rising order.
struct PairIntervals {
  struct Interval: Hashable {
    /// Microseconds.
    var start: Int64
    var end: Int64
    var length: Int64 { end - start }
  }

  struct Pair {
    /// The two devices: the first in the upper half.
    var key: UInt64
    var range: Range<Int>
    var first: Int32 { Int32(truncatingIfNeeded: key >> 32) }
    var second: Int32 { Int32(truncatingIfNeeded: key) }
  }

  private(set) var intervals: [Interval] = []
  private(set) var pairs: [Pair] = []

  init(_ contacts: [Contact], among devices: Set<Int32>? = nil) {
    var sorted = contacts
    if let devices { sorted.removeAll { !devices.contains($0.first) || !devices.contains($0.second) } }
    sorted.sort {
      if $0.first != $1.first { return $0.first < $1.first }
      if $0.second != $1.second { return $0.second < $1.second }
      return $0.start != $1.start ? $0.start < $1.start : $0.end < $1.end
    }
    for contact in sorted {
      let key = PairIntervals.key(contact.first, contact.second)
      if let pair = pairs.last, pair.key == key {
        if contact.start <= intervals[intervals.count - 1].end {
          intervals[intervals.count - 1].end = max(intervals[intervals.count - 1].end, contact.end)
          continue
        }
        pairs[pairs.count - 1].range = pair.range.lowerBound..<(intervals.count + 1)
      } else {
        pairs.append(Pair(key: key, range: intervals.count..<(intervals.count + 1)))
      }
      intervals.append(Interval(start: contact.start, end: contact.end))
    }
  }

  static func key(_ first: Int32, _ second: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: first)) << 32 | UInt64(UInt32(bitPattern: second))
  }

  /// The time that two lists of disjoint intervals share.
  static func overlap(_ one: ArraySlice<Interval>, _ two: ArraySlice<Interval>) -> Int64 {
    var (i, j) = (one.startIndex, two.startIndex)
    var total: Int64 = 0
    while i < one.endIndex && j < two.endIndex {
      total += max(0, min(one[i].end, two[j].end) - max(one[i].start, two[j].start))
      if one[i].end < two[j].end { i += 1 } else { j += 1 }
    }
    return total
  }
}
