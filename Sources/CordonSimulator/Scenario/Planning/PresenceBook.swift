/// The planned number of people over time, in each place with a limit.
struct PresenceBook {
  private let limits: [Int?]
  private var crowds: [Int: Headcount] = [:]

  /// The number of people from one time to the next.
  private struct Headcount {
    var times: [Int64] = []
    /// The number of people from the time with the same index on.
    var counts: [Int] = []

    /// Returns the index of the last time that is not after `time`; -1 if there is none.
    func index(at time: Int64) -> Int {
      var low = 0
      var high = times.count
      while low < high {
        let middle = (low + high) / 2
        if times[middle] <= time { low = middle + 1 } else { high = middle }
      }
      return low - 1
    }

    /// Inserts `time` if it is missing, and returns its index.
    mutating func mark(_ time: Int64) -> Int {
      let index = index(at: time)
      if index >= 0, times[index] == time { return index }
      times.insert(time, at: index + 1)
      counts.insert(index >= 0 ? counts[index] : 0, at: index + 1)
      return index + 1
    }
  }

  /// Creates an empty book with the maximum number of people at each destination; `nil` for no limit.
  init(limits: [Int?]) { self.limits = limits }

  /// Checks whether a destination has a limit.
  func isLimited(_ destination: Int) -> Bool { limits[destination] != nil }

  /// Returns the number of additional people that fit during a whole span.
  func room(at destination: Int, _ span: Range<Int64>) -> Int {
    guard let limit = limits[destination] else { return .max }
    guard let crowd = crowds[destination], !span.isEmpty else { return limit }
    var maximum = 0
    var index = max(crowd.index(at: span.lowerBound), 0)
    while index < crowd.times.count, crowd.times[index] < span.upperBound {
      maximum = max(maximum, crowd.counts[index])
      index += 1
    }
    return limit - maximum
  }

  /// Adds people during a span; places without a limit are ignored.
  mutating func add(_ people: Int, at destination: Int, _ span: Range<Int64>) {
    guard limits[destination] != nil, people > 0, !span.isEmpty else { return }
    var crowd = crowds.removeValue(forKey: destination) ?? Headcount()
    let first = crowd.mark(span.lowerBound)
    let end = crowd.mark(span.upperBound)
    for index in first..<end { crowd.counts[index] += people }
    crowds[destination] = crowd
  }
}
