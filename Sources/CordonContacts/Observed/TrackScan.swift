internal import CordonCore
internal import Dispatch

/// What one pass over fixes says that are usable and rise by device and time.
struct TrackScan {
  /// Where devices begin, but for the first one.
  var starts: [Int] = []
  var earliest = Int64.max
  var latest = Int64.min
  /// As in ``ObservedTracks/Report``.
  var beyondGap = 0
  /// As in ``ObservedTracks/Report``.
  var floorChanges = 0

  /// Adds what was found in the stretch after this one.
  mutating func append(_ other: TrackScan) {
    starts.append(contentsOf: other.starts)
    earliest = min(earliest, other.earliest)
    latest = max(latest, other.latest)
    beyondGap += other.beyondGap
    floorChanges += other.floorChanges
  }
}

extension ObservedTracks {
  /// Looks at all points, a stretch for each thread; `nil` when they are not usable and rising as they are.
  func scan(threads: Int) -> TrackScan? {
    // Below this a second thread costs more than it saves.
    let count = max(min(threads, points.count / 100_000), 1)
    guard count > 1 else { return scan(0..<points.count) }
    let edges = (0...count).map { points.count * $0 / count }
    var found = [TrackScan?](repeating: nil, count: count)
    found.withUnsafeMutableBufferPointer { found in
      // Each stretch is written by one thread only, and the call returns when all have ended.
      nonisolated(unsafe) let found = found
      DispatchQueue.concurrentPerform(iterations: count) { k in
        found[k] = scan(edges[k]..<edges[k + 1])
      }
    }
    var whole = TrackScan()
    for part in found {
      guard let part else { return nil }
      whole.append(part)
    }
    return whole
  }

  /// Looks at the points of a stretch, and from the one before it to its first.
  private func scan(_ range: Range<Int>) -> TrackScan? {
    let gap = maximumGap.milliseconds
    var starts: [Int] = []
    var (earliest, latest) = (Int64.max, Int64.min)
    var (beyond, changes) = (0, 0)
    let isRising = points.withUnsafeBufferPointer { points in
      guard !range.isEmpty else { return true }
      var last = points[max(range.lowerBound - 1, 0)]
      guard last.isUsable else { return false }
      if range.lowerBound == 0 { earliest = last.time }
      for k in max(range.lowerBound, 1)..<max(range.upperBound, 1) {
        let point = points[k]
        guard point.isUsable else { return false }
        if last.device == point.device {
          guard last.time < point.time else { return false }
          if point.time - restEnd(k - 1, before: point.time) > gap {
            beyond += 1
          } else if point.floor != last.floor {
            changes += 1
          }
        } else {
          guard last.device < point.device else { return false }
          starts.append(k)
          latest = max(latest, last.time)
          earliest = min(earliest, point.time)
        }
        last = point
      }
      latest = max(latest, last.time)
      return true
    }
    guard isRising else { return nil }
    return TrackScan(
      starts: starts, earliest: earliest, latest: latest, beyondGap: beyond, floorChanges: changes)
  }
}
