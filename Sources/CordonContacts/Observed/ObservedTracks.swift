public import CordonCore

/// Observed fixes joined to segments: the input for the contacts of real devices.
///
/// Two consecutive fixes of a device on the same floor form a segment if at most ``maximumGap`` lies between them.
/// A fix with a `stillUntil` is a segment at rest up to then, of any length; the way to the next fix begins there.
/// Fixes may come in any order. Of several fixes with one device and time, the one with the lowest accuracy radius is
/// kept. Among equally accurate fixes the choice does not depend on their order: a known floor comes first, then the
/// lower floor, then further west, then further south. All fixes are of one venue: devices of different venues never
/// meet, so each venue has tracks of its own.
///
/// The engine requests segments on demand, so tracks need little more memory than their points.
public struct ObservedTracks: Sendable {
  /// The counts of the join.
  public struct Report: Hashable, Sendable {
    /// The number of given fixes.
    public var points = 0
    /// The number of devices with at least one usable fix.
    public var devices = 0
    /// Rejected fixes: a coordinate that is not finite or beyond 10⁹ m, a time beyond 1678 ... 2261, or a negative device
    /// index.
    public var unusable = 0
    /// Rejected fixes whose device has another, kept fix of the same time.
    public var duplicates = 0
    /// The duplicates at another place (more than 1 mm away, or on another floor): the device seems to be in two places at
    /// once.
    public var conflicting = 0
    /// The conflicting fixes with the same accuracy as the kept one, or where both accuracies are unknown: their places
    /// decide.
    public var conflictingAlike = 0
    /// The earliest conflicts, at most ``maximumConflicts``, by time and device. They do not depend on the order of the fixes.
    public private(set) var conflicts: [Conflict] = []
    /// Whether the fixes came sorted by device and time.
    public var wasSorted = true
    /// Pairs of consecutive fixes of a device.
    public var intervals = 0
    /// The intervals longer than the maximum gap. They contain no contacts.
    public var intervalsBeyondGap = 0
    /// The intervals within the gap that change floors. They contain no contacts either.
    public var floorChanges = 0

    /// A device that seems to be in two places at once.
    public struct Conflict: Hashable, Sendable {
      /// The device, as its index.
      public var device: Int32
      /// The time, milliseconds since 1970.
      public var time: Int64
    }

    /// The maximum number of listed conflicts.
    public static let maximumConflicts = 5

    /// Counts further conflicts, and lists them while there is room or if they are earlier than listed ones.
    package mutating func add(conflicting count: Int, _ more: [Conflict]) {
      conflicting += count
      for conflict in more {
        let place = conflicts.firstIndex { (conflict.time, conflict.device) < ($0.time, $0.device) } ?? conflicts.count
        guard place < Report.maximumConflicts else { continue }
        conflicts.insert(conflict, at: place)
        if conflicts.count > Report.maximumConflicts { conflicts.removeLast() }
      }
    }

    /// The share of the intervals that are longer than the gap; 0 without intervals.
    public var shareBeyondGap: Double {
      intervals > 0 ? Double(intervalsBeyondGap) / Double(intervals) : 0
    }

    /// Nothing found.
    public init() {}
  }

  /// The maximum time between two joined fixes.
  public let maximumGap: TimeSpan
  /// The counts of the join.
  public internal(set) var report: Report
  /// The used fixes, by device and time.
  public internal(set) var points: [TrackPoint]
  /// The start index of each device's points, and one past the last point.
  var offsets: [Int] = [0]
  /// The end of the device's rest at each point; empty if no fix has one.
  var stillUntil: [Int64] = []
  /// The accuracy radius (68 %) of each point, metres, NaN when unknown; empty when none is known.
  public internal(set) var accuracies: [Float] = []
  var spanOfTime: Range<Int64>?
  var medianInterval: Int64 = 1_000

  /// The default of ``maximumGap``.
  public static let defaultMaximumGap = TimeSpan.seconds(30)

  /// Joins fixes.
  /// - Parameters:
  ///   - points: the fixes, in any order.
  ///   - accuracies: radius at 68 % in metres for each point, NaN when unknown; or empty.
  ///   - stillUntil: for each point, milliseconds since 1970 until when the device rested there; a value not
  ///     after the point's time says nothing. Or empty.
  ///   - maximumGap: the maximum time between two joined fixes.
  ///   - threads: the number of threads that read the points; the tracks do not depend on it.
  public init(
    _ points: consuming [TrackPoint], accuracies: [Float] = [], stillUntil: [Int64] = [],
    maximumGap: TimeSpan = defaultMaximumGap, threads: Int = 1
  ) {
    self.maximumGap = maximumGap
    report = Report()
    report.points = points.count
    let hasAccuracy = accuracies.count == points.count && accuracies.contains { !$0.isNaN }
    let hasStill =
      stillUntil.count == points.count && zip(stillUntil, points).contains { $0 > $1.time }
    self.points = points
    self.accuracies = hasAccuracy ? accuracies : []
    self.stillUntil = hasStill ? stillUntil : []
    if !index(threads: threads) {
      // Fixes that can be grouped are usable and have no duplicates, and so were not sorted.
      if groupByDevice() { report.wasSorted = false } else { arrange() }
      _ = index(threads: threads)
    }
    report.devices = offsets.count - 1
    medianInterval = sampledMedian()
  }

  /// Sorts the fixes, and drops unusable ones and duplicates.
  private mutating func arrange() {
    let (points, accuracies) = (points, accuracies)
    let usable = points.indices.filter { points[$0].isUsable }
    report.unusable = points.count - usable.count
    report.wasSorted = !zip(usable, usable.dropFirst()).contains {
      (points[$1].device, points[$1].time) < (points[$0].device, points[$0].time)
    }
    let accuracy = { (k: Int) -> Float in accuracies.isEmpty ? .nan : accuracies[k] }
    let order = DeviceOrder.sorted(usable, of: points) {
      let (a, b) = (points[$0], points[$1])
      if a.time != b.time { return a.time < b.time }
      return a.isKept(overOneAt: b, accuracy: accuracy($0), otherAccuracy: accuracy($1))
    }
    var kept: [Int] = []
    kept.reserveCapacity(order.count)
    for k in order {
      if let last = kept.last, points[last].device == points[k].device,
        points[last].time == points[k].time
      {
        report.duplicates += 1
        if !points[last].isSamePlace(as: points[k]) {
          report.add(conflicting: 1, [.init(device: points[k].device, time: points[k].time)])
          if TrackPoint.radius(of: accuracy(last)) == TrackPoint.radius(of: accuracy(k)) {
            report.conflictingAlike += 1
          }
        } else if !stillUntil.isEmpty {
          // The same fix again, from a device that has been resting on.
          stillUntil[last] = max(stillUntil[last], stillUntil[k])
        }
      } else {
        kept.append(k)
      }
    }
    self.points = kept.map { points[$0] }
    if !accuracies.isEmpty { self.accuracies = kept.map { accuracies[$0] } }
    if !stillUntil.isEmpty { stillUntil = kept.map { stillUntil[$0] } }
  }

  /// Finds where devices begin, and counts intervals, in one pass; false when the points are not usable and in rising
  /// order as they are.
  private mutating func index(threads: Int = 1) -> Bool {
    guard let scan = scan(threads: threads) else { return false }
    offsets = [0] + scan.starts
    if !points.isEmpty { offsets.append(points.count) }
    report.intervals = points.isEmpty ? 0 : points.count - (offsets.count - 1)
    report.intervalsBeyondGap = scan.beyondGap
    report.floorChanges = scan.floorChanges
    var latest = scan.latest
    for still in stillUntil { latest = max(latest, min(still, Segment.timeLimit)) }
    // The last fix is a moment too.
    spanOfTime = scan.earliest <= latest ? scan.earliest..<(latest + 1) : nil
    return true
  }

  /// Returns the end of the rest at a point: its own time or a later one, never after the next point.
  @inline(__always)
  func restEnd(_ k: Int, before next: Int64) -> Int64 {
    guard !stillUntil.isEmpty else { return points[k].time }
    return max(points[k].time, min(stillUntil[k], next))
  }

  /// The median time between two fixes of a device, from a sample.
  public var typicalInterval: TimeSpan { .milliseconds(medianInterval) }

  private func sampledMedian() -> Int64 {
    let step = max(points.count / 1_000, 1)
    var lengths: [Int64] = []
    for k in stride(from: 1, to: points.count, by: step)
    where points[k].device == points[k - 1].device {
      lengths.append(points[k].time - points[k - 1].time)
    }
    lengths.sort()
    return lengths.isEmpty ? 1_000 : max(lengths[lengths.count / 2], 1)
  }
}
