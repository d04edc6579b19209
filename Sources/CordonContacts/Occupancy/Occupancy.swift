public import CordonCore

/// The number of devices on each floor and in each space over time, their dwell times, and the time that pairs of devices
/// spent there together.
public struct Occupancy: Sendable {
  /// A place where devices are counted.
  public enum Place: Hashable, Sendable {
    /// A floor, `FloorOrdinal.thousandths` or ``Segment/unknownFloor``.
    case floor(Int32)
    /// A space, by the index of the locator.
    case space(Int)
  }

  /// The counts of one place, bin by bin.
  public struct Series: Hashable, Sendable {
    /// The place.
    public let place: Place
    /// The bins in which devices were present, in order of time.
    package let bins: Bins
    /// The maximum number of devices present at once at any time.
    public let peak: Int32
    /// The earliest time of that maximum, milliseconds since 1970.
    public let peakTime: Int64
    /// The sum over devices of the time they were present, milliseconds.
    public let deviceMilliseconds: Int64
    /// The sum over pairs of devices of the time they were present together, milliseconds.
    public let pairMilliseconds: Int64
    /// The stays.
    public let dwell: Dwell
  }

  /// The dwell times.
  public struct Dwell: Hashable, Sendable {
    /// The number of devices that were here.
    public let devices: Int
    /// The number of stays. A short absence does not end a stay.
    public let visits: Int
    /// Mean length of a stay, seconds, from arrival to departure.
    public let mean: Double
    /// The median length of a stay, seconds.
    public let median: Double
    /// The 90th percentile of the lengths of stays, seconds.
    public let p90: Double
    /// The longest stay, seconds.
    public let longest: Double
  }

  /// The width of a bin.
  public let bin: TimeSpan
  /// The series of each place with at least one device: floors in ascending order, then spaces.
  public let series: [Series]
  let presences: [Place: [Presence]]

  /// Counts devices.
  /// - Parameters:
  ///   - segments: their tracks, in any order.
  ///   - locator: the spaces; `nil` to count on floors only.
  ///   - bin: the width of a bin, at least 1 ms.
  ///   - visitGap: an absence of at most this long is part of a stay.
  public init(
    of segments: [Segment], in locator: (some SpaceLocator)?, bin: TimeSpan = .seconds(60),
    visitGap: TimeSpan = .seconds(60)
  ) {
    self.init(of: SegmentTable(segments), in: locator, bin: bin, visitGap: visitGap)
  }

  /// Counts the devices of segments that are already in order.
  package init(
    of table: SegmentTable, in locator: (some SpaceLocator)?, bin: TimeSpan, visitGap: TimeSpan = .seconds(60)
  ) {
    var count = OccupancyCount(in: locator)
    count.add(table.segments)
    self.init(count, bin: bin, visitGap: visitGap)
  }

  /// Counts the devices of segments that were added one window after the other.
  package init(
    _ count: OccupancyCount<some SpaceLocator>, bin: TimeSpan = .seconds(60), visitGap: TimeSpan = .seconds(60)
  ) {
    self.bin = max(bin, .milliseconds(1))
    let presences = count.presences.mapValues { list in
      list.sorted { ($0.device, $0.start) < ($1.device, $1.start) }
    }
    self.presences = presences
    let places = presences.keys.sorted(by: Place.isListedBefore)
    let width = self.bin.milliseconds
    series = places.map { place in
      Series(
        place: place, presences: presences[place] ?? [], bin: width, visitGap: visitGap.milliseconds
      )
    }
  }

  /// Counts devices on floors only.
  public init(
    of segments: [Segment], bin: TimeSpan = .seconds(60), visitGap: TimeSpan = .seconds(60)
  ) {
    self.init(of: segments, in: FloorSpaces?.none, bin: bin, visitGap: visitGap)
  }

  /// Returns the series of a place; `nil` if it had no devices.
  public subscript(place: Place) -> Series? {
    series.first { $0.place == place }
  }

  /// Counts the devices that were in any of several spaces. A device that goes from one of them to another stays.
  /// - Parameters:
  ///   - spaces: the spaces, by the index of the locator.
  ///   - visitGap: an absence of at most this long is part of a stay.
  /// - Returns: the series, with the first space as its place; `nil` if there were no devices.
  ///
  /// Complexity: O(*n* log *n*) for *n* stretches of time in these spaces.
  package func series(inAnyOf spaces: [Int], visitGap: TimeSpan = .seconds(60)) -> Series? {
    let stretches = spaces.flatMap { presences[.space($0)] ?? [] }.sorted {
      ($0.device, $0.start) < ($1.device, $1.start)
    }
    guard let first = spaces.first, !stretches.isEmpty else { return nil }
    var merged: [Presence] = []
    for stretch in stretches {
      // Spaces that overlap on the map count a device once.
      if let last = merged.last, last.device == stretch.device, stretch.start <= last.end {
        merged[merged.count - 1].end = max(last.end, stretch.end)
      } else {
        merged.append(stretch)
      }
    }
    return Series(place: .space(first), presences: merged, bin: bin.milliseconds, visitGap: visitGap.milliseconds)
  }

  /// The stretches of time that each device spent in a place.
  func stays(in place: Place) -> [Presence] { presences[place] ?? [] }

  /// The time that two devices spent together in one place.
  public struct CoPresence: Hashable, Sendable {
    /// Index of the first device; less than `second`.
    public let first: Int32
    /// Index of the second device.
    public let second: Int32
    /// Milliseconds.
    public let milliseconds: Int64
  }

  /// The pairs that were in a place at the same time, by device. O(n log n + overlaps).
  public func coPresences(in place: Place) -> [CoPresence] {
    let sorted = (presences[place] ?? []).sorted { ($0.start, $0.device) < ($1.start, $1.device) }
    var active: [Presence] = []
    var totals: [UInt64: Int64] = [:]
    for presence in sorted {
      active.removeAll { $0.end <= presence.start }
      for other in active where other.device != presence.device {
        let shared = min(other.end, presence.end) - presence.start
        let key = PairIntervals.key(
          min(other.device, presence.device), max(other.device, presence.device))
        totals[key, default: 0] += shared
      }
      active.append(presence)
    }
    return totals.keys.sorted().map { key in
      CoPresence(
        first: Int32(truncatingIfNeeded: key >> 32), second: Int32(truncatingIfNeeded: key),
        milliseconds: totals[key] ?? 0)
    }
  }
}

extension Occupancy.Place {
  /// Floors by number, then spaces by number.
  static func isListedBefore(_ lhs: Occupancy.Place, _ rhs: Occupancy.Place) -> Bool {
    switch (lhs, rhs) {
    case (.floor(let a), .floor(let b)): a < b
    case (.space(let a), .space(let b)): a < b
    case (.floor, .space): true
    case (.space, .floor): false
    }
  }
}
