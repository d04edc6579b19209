/// Contacts as disjoint intervals of time for each pair of devices, in rising order.
package struct PairIntervals {
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

  package init(_ contacts: [Contact], among devices: Set<Int32>? = nil) {
    var sink = PairIntervalSink(devices: devices)
    sink.receive(contacts)
    self = sink.intervals
  }

  fileprivate init(_ parts: [PairIntervalSink.Part]) {
    for part in parts.sorted(by: PairIntervalSink.Part.precedes) {
      if let pair = pairs.last, pair.key == part.key {
        if part.start <= intervals[intervals.count - 1].end {
          intervals[intervals.count - 1].end = max(intervals[intervals.count - 1].end, part.end)
          continue
        }
        pairs[pairs.count - 1].range = pair.range.lowerBound..<(intervals.count + 1)
      } else {
        pairs.append(Pair(key: part.key, range: intervals.count..<(intervals.count + 1)))
      }
      intervals.append(Interval(start: part.start, end: part.end))
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

/// Gathers contacts for ``PairIntervals``, a quarter of their size.
struct PairIntervalSink: ContactSink {
  let devices: Set<Int32>?
  private var parts: [Part] = []
  var needsOrder: Bool { false }

  fileprivate struct Part {
    var key: UInt64
    var start: Int64
    var end: Int64

    static func precedes(_ lhs: Part, _ rhs: Part) -> Bool {
      if lhs.key != rhs.key { return lhs.key < rhs.key }
      return lhs.start != rhs.start ? lhs.start < rhs.start : lhs.end < rhs.end
    }
  }

  init(devices: Set<Int32>?) { self.devices = devices }

  mutating func receive(_ contacts: [Contact]) {
    for contact in contacts {
      if let devices, !devices.contains(contact.first) || !devices.contains(contact.second) { continue }
      parts.append(
        Part(key: PairIntervals.key(contact.first, contact.second), start: contact.start, end: contact.end))
    }
  }

  var intervals: PairIntervals { PairIntervals(parts) }
}
