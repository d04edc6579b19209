public import CordonCore

/// Two devices in one space, one after the other: the second was there soon after the first had left.
public struct IndirectContact: Hashable, Sendable {
  /// Index of the device that was there first.
  public var source: Int32
  /// Index of the device that was there later.
  public var target: Int32
  /// Where.
  public var place: Occupancy.Place
  /// When the first left, milliseconds since 1970.
  public var left: Int64
  /// From when the second was there without the first, milliseconds since 1970.
  public var start: Int64
  /// Until when, or until the time after leaving was over.
  public var end: Int64

  /// Takes the values as they are.
  public init(source: Int32, target: Int32, place: Occupancy.Place, left: Int64, start: Int64, end: Int64) {
    self.source = source
    self.target = target
    self.place = place
    self.left = left
    self.start = start
    self.end = end
  }
}

extension Occupancy {
  /// Returns the indirect contacts by place and time: stays in a space within `delay` after another device left it.
  ///
  /// An absence that ends within the delay ends the indirect contact too: they are there together then.
  public func indirectContacts(within delay: TimeSpan) -> [IndirectContact] {
    var found: [IndirectContact] = []
    let delay = max(delay.milliseconds, 0)
    for series in series {
      guard case .space = series.place else { continue }
      let stays = stays(in: series.place)
      let byStart = stays.sorted { ($0.start, $0.device) < ($1.start, $1.device) }
      var returns: [Int32: [Int64]] = [:]
      for stay in byStart { returns[stay.device, default: []].append(stay.start) }
      // The longest stay says how far back a later one may have begun.
      let longest = stays.map { $0.end - $0.start }.max() ?? 0
      for first in stays {
        let back = returns[first.device]?.first { $0 >= first.end } ?? Int64.max
        let limit = min(first.end + delay, back)
        var k = byStart.partitioningIndex { $0.start >= first.end - longest }
        while k < byStart.count, byStart[k].start < limit {
          let second = byStart[k]
          k += 1
          let (start, end) = (max(second.start, first.end), min(second.end, limit))
          guard second.device != first.device, start < end else { continue }
          found.append(
            IndirectContact(
              source: first.device, target: second.device, place: series.place, left: first.end,
              start: start,
              end: end))
        }
      }
    }
    return found.sorted { a, b in
      if a.place != b.place { return Place.isListedBefore(a.place, b.place) }
      return (a.start, a.left, a.source, a.target) < (b.start, b.left, b.source, b.target)
    }
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index at which a condition that is false and then true holds.
  func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
