/// Tracks behind one reference, so that walks cost no counting of five.
final class TrackBox: Sendable {
  let tracks: ObservedTracks

  init(_ tracks: ObservedTracks) { self.tracks = tracks }
}

/// One device's way through its observed points, for rising times.
struct TrackWalk {
  private let box: TrackBox
  /// The point stood at.
  private(set) var k: Int
  private let last: Int

  private var tracks: ObservedTracks { @inline(__always) _read { yield box.tracks } }

  /// Stands at the last point that is not after `time`, looked for round a hint.
  init(_ box: TrackBox, row: Int, from time: Int64, hint: Int) {
    self.box = box
    let first = box.tracks.offsets[row]
    let end = box.tracks.offsets[row + 1]
    last = end - 1
    var (low, high) = (min(max(hint, first), last), end)
    var step = 1
    if box.tracks.points[low].time <= time {
      while low + step < end, box.tracks.points[low + step].time <= time {
        low += step
        step *= 2
      }
      high = min(low + step, end)
    } else {
      high = low
      low = max(high - step, first)
      while low > first, box.tracks.points[low].time > time {
        high = low
        step *= 2
        low = max(high - step, first)
      }
    }
    while high - low > 1 {
      let middle = (low + high) / 2
      if box.tracks.points[middle].time <= time { low = middle } else { high = middle }
    }
    k = low
  }

  /// Moves on to the last point that is not after `time`, in milliseconds.
  @inline(__always)
  mutating func advance(to time: Double) {
    while k < last, Double(tracks.points[k + 1].time) <= time { k += 1 }
  }

  /// The next time after `time` at which the motion changes.
  @inline(__always)
  func nextChange(after time: Double) -> Double {
    guard k < last else { return .infinity }
    if !tracks.stillUntil.isEmpty {
      let rest = Double(tracks.restEnd(k, before: tracks.points[k + 1].time))
      if rest > time { return rest }
    }
    return Double(tracks.points[k + 1].time)
  }

  /// The place at a time between the point stood at and the next one.
  @inline(__always)
  func position(at time: Double) -> (x: Double, y: Double) {
    let p = tracks.points[k]
    guard k < last else { return (p.x, p.y) }
    let q = tracks.points[k + 1]
    let start = tracks.stillUntil.isEmpty ? p.time : tracks.restEnd(k, before: q.time)
    let share = q.time > start ? min(max((time - Double(start)) / Double(q.time - start), 0), 1) : 0
    return (p.x + (q.x - p.x) * share, p.y + (q.y - p.y) * share)
  }

  /// The variance per axis here: the mean of that of the two points; NaN when either is not known.
  @inline(__always)
  func variance(at time: Double) -> Double {
    guard !tracks.accuracies.isEmpty else { return .nan }
    let here = Double(tracks.accuracies[k])
    guard k < last else { return here >= 0 ? here * here * TrackWalk.perSquaredRadius : .nan }
    if !tracks.stillUntil.isEmpty,
      Double(tracks.restEnd(k, before: tracks.points[k + 1].time)) > time
    {
      return here >= 0 ? here * here * TrackWalk.perSquaredRadius : .nan
    }
    let next = Double(tracks.accuracies[k + 1])
    return here >= 0 && next >= 0
      ? (here * here + next * next) / 2 * TrackWalk.perSquaredRadius : .nan
  }

  /// The variance per axis at a moment; at a fix that of the fix, which no way need lead on from.
  func instantVariance(at time: Double) -> Double {
    guard !tracks.accuracies.isEmpty, Double(tracks.points[k].time) == time else { return variance(at: time) }
    let here = Double(tracks.accuracies[k])
    return here >= 0 ? here * here * TrackWalk.perSquaredRadius : .nan
  }

  private static let perSquaredRadius: Double = {
    let sigma = ContactProbability.sigma(accuracy: 1)
    return sigma * sigma
  }()
}
