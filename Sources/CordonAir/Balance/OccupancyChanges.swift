/// The begins and ends of stays in order of time.
struct OccupancyChanges {
  /// One begin or end.
  struct Change {
    var time: Int64
    /// The index of the stay in the input.
    var stay: Int
    var isEnd: Bool
  }

  let changes: [Change]

  /// - Parameters:
  ///   - stays: all stays.
  ///   - indices: those to list.
  ///   - range: the simulated time; stays are cut at its ends, and those outside are left out.
  init(_ stays: [AirStay], among indices: [Int], in range: Range<Int64>) {
    var changes: [Change] = []
    changes.reserveCapacity(indices.count * 2)
    for index in indices {
      let (start, end) = (max(stays[index].start, range.lowerBound), min(stays[index].end, range.upperBound))
      guard start < end else { continue }
      changes.append(Change(time: start, stay: index, isEnd: false))
      changes.append(Change(time: end, stay: index, isEnd: true))
    }
    changes.sort { ($0.time, $0.stay) < ($1.time, $1.stay) }
    self.changes = changes
  }
}

/// The sources of one space: the sum over the people who are present.
struct SourceSum {
  private(set) var co2 = 0.0
  private(set) var quanta = 0.0
  private(set) var people = 0.0
  private(set) var infectious = 0.0
  private var stays = 0
  private var infectiousStays = 0

  /// Adds a stay, or removes one. Without stays the sums are exactly 0, whatever was rounded before.
  mutating func apply(_ stay: AirStay, _ load: AirLoad, isEnd: Bool) {
    let people = isEnd ? -stay.people : stay.people
    stays += isEnd ? -1 : 1
    guard stays > 0 else { return self = SourceSum() }
    self.people += people
    co2 += people * load.co2
    guard load.quanta > 0 else { return }
    infectiousStays += isEnd ? -1 : 1
    infectious = infectiousStays > 0 ? infectious + people : 0
    quanta = infectiousStays > 0 ? quanta + people * load.quanta : 0
  }
}
