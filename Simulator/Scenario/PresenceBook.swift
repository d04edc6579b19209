/// How many people are planned to be in each place that holds only so many, over time.
struct PresenceBook {
  private let limits: [Int?]
  private var crowds: [Int: Headcount] = [:]

  /// Numbers of people from one time to the next.
  private struct Headcount {
    var times: [Int64] = []
    /// People from the time of the same index on.
    var counts: [Int] = []

    /// The last time that is not after `time`; -1 when all are.
    func index(at time: Int64) -> Int {
      var low = 0
      var high = times.count
      while low < high {
        let middle = (low + high) / 2
        if times[middle] <= time { low = middle + 1 } else { high = middle }
      }
      return low - 1
    }

    /// Makes `time` one of the times, and says which.
    mutating func mark(_ time: Int64) -> Int {
      let index = index(at: time)
      if index >= 0, times[index] == time { return index }
      times.insert(time, at: index + 1)
      counts.insert(index >= 0 ? counts[index] : 0, at: index + 1)
      return index + 1
    }
  }

  /// The most people at each destination; `nil` for no limit.
  init(limits: [Int?]) { self.limits = limits }

  /// Whether only so many may be there.
  func isLimited(_ destination: Int) -> Bool { limits[destination] != nil }

  /// How many more may be there all through a span.
  func room(at destination: Int, _ span: Range<Int64>) -> Int {
    guard let limit = limits[destination] else { return .max }
    guard let crowd = crowds[destination], !span.isEmpty else { return limit }
    var most = 0
    var index = max(crowd.index(at: span.lowerBound), 0)
    while index < crowd.times.count, crowd.times[index] < span.upperBound {
      most = max(most, crowd.counts[index])
      index += 1
    }
    return limit - most
  }

  /// Notes that so many more are there during a span. Only places with a limit are kept.
  mutating func add(_ people: Int, at destination: Int, _ span: Range<Int64>) {
    guard limits[destination] != nil, people > 0, !span.isEmpty else { return }
    var crowd = crowds.removeValue(forKey: destination) ?? Headcount()
    let first = crowd.mark(span.lowerBound)
    let end = crowd.mark(span.upperBound)
    for index in first..<end { crowd.counts[index] += people }
    crowds[destination] = crowd
  }
}
