package import CordonCore

/// Joins points that come window after window of time to tracks, and keeps of each device what the next window needs.
///
/// ```swift
/// var windows = TrackWindows(maximumGap: .seconds(30))
/// let tracks = windows.tracks(adding: points)      // all points up to `end` and the gap
/// session.run(tracks, from: start, to: end, into: &sink)
/// windows.release(before: end)
/// ```
package struct TrackWindows: Sendable {
  /// The longest time between two fixes that are joined.
  package let maximumGap: TimeSpan
  /// The counts of the joining, over all windows.
  package private(set) var report = ObservedTracks.Report()
  private var held: ObservedTracks
  /// The devices that ever had a point.
  private var known = DeviceSet()

  /// No points.
  package init(maximumGap: TimeSpan = ObservedTracks.defaultMaximumGap) {
    self.maximumGap = maximumGap
    held = ObservedTracks([], maximumGap: maximumGap)
  }

  /// The tracks of what was kept and of new points, which may come in any order.
  /// - Parameters:
  ///   - points: later than all points that were given before.
  ///   - accuracies: as in ``ObservedTracks/init(_:accuracies:stillUntil:maximumGap:threads:)``.
  ///   - stillUntil: likewise.
  package mutating func tracks(
    adding points: consuming [TrackPoint], accuracies: [Float] = [], stillUntil: [Int64] = []
  ) -> ObservedTracks {
    let fresh = ObservedTracks(points, accuracies: accuracies, stillUntil: stillUntil, maximumGap: maximumGap)
    count(fresh)
    held = held.points.isEmpty ? fresh : TrackWindows.joined(held, fresh)
    return held
  }

  /// Adds what the new points say to the report.
  private mutating func count(_ fresh: ObservedTracks) {
    report.points += fresh.report.points
    report.unusable += fresh.report.unusable
    report.duplicates += fresh.report.duplicates
    report.add(conflicting: fresh.report.conflicting, fresh.report.conflicts)
    report.conflictingAlike += fresh.report.conflictingAlike
    report.wasSorted = report.wasSorted && fresh.report.wasSorted
    report.intervals += fresh.report.intervals
    report.intervalsBeyondGap += fresh.report.intervalsBeyondGap
    report.floorChanges += fresh.report.floorChanges
    var row = 0
    for begin in fresh.offsets.dropLast() {
      let point = fresh.points[begin]
      if known.insert(point.device) {
        report.devices += 1
        continue
      }
      report.intervals += 1
      while row + 1 < held.offsets.count, held.points[held.offsets[row]].device < point.device { row += 1 }
      guard row + 1 < held.offsets.count, held.points[held.offsets[row]].device == point.device else {
        // A point that is no longer kept was too long ago.
        report.intervalsBeyondGap += 1
        continue
      }
      let last = held.offsets[row + 1] - 1
      if point.time - held.restEnd(last, before: point.time) > maximumGap.milliseconds {
        report.intervalsBeyondGap += 1
      } else if held.points[last].floor != point.floor {
        report.floorChanges += 1
      }
    }
  }

  /// Forgets what no window from `end` on needs: all but the last point of each device before it, and that as well when
  /// it is too long ago.
  /// - Parameter end: milliseconds; the end of the window. All points up to it and the gap have been given.
  package mutating func release(before end: Int64) { release(before: end, keeping: nil) }

  /// The same, but the points of some devices are kept from other times on, such as the start of a contact that goes on.
  package mutating func release(before end: Int64, keeping starts: DeviceTimes?) {
    var kept: [Range<Int>] = []
    for row in 0..<(held.offsets.count - 1) {
      let (first, last) = (held.offsets[row], held.offsets[row + 1] - 1)
      let from = min(end, starts?[held.points[first].device] ?? .max)
      // The last point that is not after it.
      var (low, high) = (first, last + 1)
      while high - low > 1 {
        let middle = (low + high) / 2
        if held.points[middle].time <= from { low = middle } else { high = middle }
      }
      // The rest of the one before may end with the window.
      if !held.stillUntil.isEmpty, low > first, held.points[low].time == from { low -= 1 }
      // None that is to come is joined to this one, and what is known of it ends in this window.
      if low == last, from == end, held.restEnd(last, before: .max) < end { continue }
      kept.append(low..<(last + 1))
    }
    held = held.keeping(kept)
  }

  /// Tracks of two lots of points, of which the second are later.
  private static func joined(_ early: ObservedTracks, _ late: ObservedTracks) -> ObservedTracks {
    let total = early.points.count + late.points.count
    let hasAccuracies = !early.accuracies.isEmpty || !late.accuracies.isEmpty
    let hasRests = !early.stillUntil.isEmpty || !late.stillUntil.isEmpty
    var points: [TrackPoint] = []
    var accuracies: [Float] = []
    var rests: [Int64] = []
    points.reserveCapacity(total)
    if hasAccuracies { accuracies.reserveCapacity(total) }
    if hasRests { rests.reserveCapacity(total) }
    func take(_ row: Int, of tracks: ObservedTracks) {
      let range = tracks.offsets[row]..<tracks.offsets[row + 1]
      points.append(contentsOf: tracks.points[range])
      if hasAccuracies {
        if tracks.accuracies.isEmpty {
          accuracies.append(contentsOf: repeatElement(.nan, count: range.count))
        } else {
          accuracies.append(contentsOf: tracks.accuracies[range])
        }
      }
      if hasRests {
        if tracks.stillUntil.isEmpty {
          rests.append(contentsOf: repeatElement(.min, count: range.count))
        } else {
          rests.append(contentsOf: tracks.stillUntil[range])
        }
      }
    }
    let (earlyRows, lateRows) = (early.offsets.count - 1, late.offsets.count - 1)
    var (i, j) = (0, 0)
    while i < earlyRows || j < lateRows {
      let a = i < earlyRows ? early.points[early.offsets[i]].device : .max
      let b = j < lateRows ? late.points[late.offsets[j]].device : .max
      if i < earlyRows, a <= b {
        take(i, of: early)
        i += 1
      }
      if j < lateRows, b <= a {
        take(j, of: late)
        j += 1
      }
    }
    return ObservedTracks(points, accuracies: accuracies, stillUntil: rests, maximumGap: early.maximumGap)
  }
}

extension ObservedTracks {
  /// The tracks of some stretches of points, in rising order.
  fileprivate func keeping(_ ranges: [Range<Int>]) -> ObservedTracks {
    let total = ranges.reduce(0) { $0 + $1.count }
    var kept: [TrackPoint] = []
    kept.reserveCapacity(total)
    for range in ranges { kept.append(contentsOf: points[range]) }
    return ObservedTracks(
      kept, accuracies: accuracies.isEmpty ? [] : ranges.flatMap { accuracies[$0] },
      stillUntil: stillUntil.isEmpty ? [] : ranges.flatMap { stillUntil[$0] }, maximumGap: maximumGap)
  }

  /// The segments that begin in a window of time, by device and time.
  public func segments(beginningIn window: Range<Int64>) -> [Segment] {
    var list: [Segment] = []
    for device in 0..<(offsets.count - 1) {
      for k in offsets[device]..<offsets[device + 1] where points[k].time < window.upperBound {
        forEachSegment(after: k, last: offsets[device + 1] - 1) { segment in
          if window.contains(segment.start) { segment.cut(into: &list) }
        }
      }
    }
    return list
  }
}
