/// The planned number of people over time in each place, and the room that is left.
struct PresenceBook {
  private let limits: [Int?]
  /// The number of people for which each place has room, at least 1.
  private let rooms: [Int]
  /// The number of places that belong to people or desks for the whole run.
  private var owned: [Int]
  private var crowds: [Headcount]

  /// The number of people from one time to the next.
  private struct Headcount {
    var times: [Int64] = []
    /// The number of people from the time with the same index on.
    var counts: [Int] = []
    /// The maximum of the counts so far.
    var highest = 0

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

    mutating func add(_ people: Int, _ span: Range<Int64>) {
      let first = mark(span.lowerBound)
      let end = mark(span.upperBound)
      for index in first..<end {
        counts[index] += people
        highest = max(highest, counts[index])
      }
    }
  }

  /// Creates an empty book.
  /// - Parameters:
  ///   - limits: the maximum number of people at each destination; `nil` for no limit.
  ///   - rooms: the number of people for which each destination has room; by default as many as the limit.
  init(limits: [Int?], rooms: [Int]? = nil) {
    self.limits = limits
    self.rooms = zip(limits, rooms ?? limits.map { $0 ?? .max }).map { max(min($0 ?? .max, $1), 1) }
    owned = Array(repeating: 0, count: limits.count)
    crowds = Array(repeating: Headcount(), count: limits.count)
  }

  /// Checks whether a destination has a limit.
  func isLimited(_ destination: Int) -> Bool { limits[destination] != nil }

  /// Returns the number of people for which a destination has room when it is empty, at least 1.
  func room(of destination: Int) -> Int { rooms[destination] }

  /// Returns the free room of a destination at a time; negative if more people are planned than it has room for.
  ///
  /// Complexity: O(log *n*) for *n* planned stays.
  func freeRoom(at destination: Int, _ time: Int64) -> Int {
    let index = crowds[destination].index(at: time)
    return rooms[destination] - owned[destination] - (index >= 0 ? crowds[destination].counts[index] : 0)
  }

  /// Returns the number of additional people that the limit allows during a whole span.
  func room(at destination: Int, _ span: Range<Int64>) -> Int {
    guard let limit = limits[destination] else { return .max }
    let left = limit - owned[destination]
    let crowd = crowds[destination]
    guard !span.isEmpty else { return left }
    var maximum = 0
    var index = max(crowd.index(at: span.lowerBound), 0)
    while index < crowd.times.count, crowd.times[index] < span.upperBound {
      maximum = max(maximum, crowd.counts[index])
      index += 1
    }
    return left - maximum
  }

  /// Returns the number of places that the limit leaves for the whole run.
  func roomForAlways(at destination: Int) -> Int {
    guard let limit = limits[destination] else { return .max }
    return limit - owned[destination] - crowds[destination].highest
  }

  /// Returns the number of places that belong to people or desks for the whole run.
  func owned(at destination: Int) -> Int { owned[destination] }

  /// Adds people during a span.
  mutating func add(_ people: Int, at destination: Int, _ span: Range<Int64>) {
    guard people > 0, !span.isEmpty else { return }
    crowds[destination].add(people, span)
  }

  /// Takes places for the whole run, for their owners.
  mutating func own(_ places: Int, at destination: Int) { owned[destination] += places }
}
