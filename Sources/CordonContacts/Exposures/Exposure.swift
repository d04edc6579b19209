internal import CordonCore

/// The total contact of two devices.
public struct Exposure: Hashable, Sendable {
  /// Index of the first device; less than ``second``.
  public var first: Int32
  /// Index of the second device.
  public var second: Int32
  /// The number of contacts.
  public var contacts: Int
  /// The total contact time, microseconds.
  public var total: Int64
  /// The maximum contact time in any window of the rule's length, microseconds.
  public var maximumInWindow: Int64
  /// The start of the earliest such window, microseconds since 1970.
  public var windowStart: Int64
  /// The maximum contact time on any one calendar day, microseconds. It differs from ``maximumInWindow`` because midnight
  /// splits a meeting.
  public var maximumOnOneDay: Int64
  /// The smallest distance of all contacts, metres.
  public var minimumDistance: Double
  /// Whether ``maximumInWindow`` reaches the rule's threshold.
  public var isExposure: Bool
  /// Whether ``maximumOnOneDay`` reaches the rule's threshold.
  public var isExposureByDay: Bool
}

extension Exposure {
  /// Sums contacts by pair. They must have been found at the rule's distance. O(n log n).
  /// - Parameters:
  ///   - contacts: in any order.
  ///   - rule: the threshold and the window.
  ///   - days: the calendar days; those of UTC by default.
  /// - Returns: one exposure for each pair that met, by devices.
  public static func list(
    of contacts: [Contact], rule: ExposureRule, days: LocalDays = LocalDays()
  ) -> [Exposure] {
    let intervals = PairIntervals(contacts)
    var nearest: [UInt64: (count: Int, distance: Double)] = [:]
    for contact in contacts {
      let key = PairIntervals.key(contact.first, contact.second)
      let known = nearest[key] ?? (0, .infinity)
      nearest[key] = (known.count + 1, min(known.distance, contact.minimumDistance))
    }
    let window = max(rule.window.milliseconds, 1) * 1_000
    let threshold = rule.threshold.milliseconds * 1_000
    return intervals.pairs.map { pair in
      let list = intervals.intervals[pair.range]
      let (most, start) = mostWithin(window, of: list)
      let day = maximumOnOneDay(list, days)
      let known = nearest[pair.key] ?? (0, .nan)
      return Exposure(
        first: pair.first, second: pair.second, contacts: known.count,
        total: list.reduce(0) { $0 + $1.length },
        maximumInWindow: most, windowStart: start, maximumOnOneDay: day, minimumDistance: known.distance,
        isExposure: most >= threshold, isExposureByDay: day >= threshold)
    }
  }

  /// The largest sum that a window of `width` holds, and the earliest of the intervals with whose start such a window starts.
  ///
  /// A window that starts within an interval loses nothing by moving back to that interval's start: what it gains there is as
  /// much as it can lose at its end. One that starts outside of all of them loses nothing by moving on to the next. So
  /// windows that start where an interval does are enough, which takes two pointers.
  static func mostWithin(_ width: Int64, of intervals: ArraySlice<PairIntervals.Interval>) -> (
    Int64, start: Int64
  ) {
    guard let first = intervals.first else { return (0, 0) }
    var prefix: [Int64] = [0]
    for interval in intervals { prefix.append(prefix[prefix.count - 1] + interval.length) }
    let list = Array(intervals)
    // Contact time before an instant.
    func before(_ time: Int64, from hint: inout Int) -> Int64 {
      while hint < list.count, list[hint].end <= time { hint += 1 }
      return prefix[hint] + (hint < list.count ? max(0, time - list[hint].start) : 0)
    }
    var best: (Int64, start: Int64) = (-1, first.start)
    var (low, high) = (0, 0)
    for interval in list {
      let sum = before(interval.start + width, from: &high) - before(interval.start, from: &low)
      if sum > best.0 { best = (sum, interval.start) }
    }
    return best
  }

  private static func maximumOnOneDay(_ intervals: ArraySlice<PairIntervals.Interval>, _ days: LocalDays) -> Int64 {
    var sums: [Int64: Int64] = [:]
    for interval in intervals {
      days.forEachDay(of: interval) { day, time in sums[day, default: 0] += time }
    }
    return sums.values.max() ?? 0
  }
}
