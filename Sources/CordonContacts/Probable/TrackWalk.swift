/// One device's way through its observed points, for rising times.
struct TrackWalk {
  private let tracks: ObservedTracks
  private var k: Int
  private let last: Int

  init(_ tracks: ObservedTracks, row: Int, from time: Int64) {
    self.tracks = tracks
    last = tracks.offsets[row + 1] - 1
    var (low, high) = (tracks.offsets[row], last + 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if tracks.points[middle].time <= time { low = middle } else { high = middle }
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
    if !tracks.stillUntil.isEmpty, Double(tracks.restEnd(k, before: tracks.points[k + 1].time)) > time {
      return here >= 0 ? here * here * TrackWalk.perSquaredRadius : .nan
    }
    let next = Double(tracks.accuracies[k + 1])
    return here >= 0 && next >= 0 ? (here * here + next * next) / 2 * TrackWalk.perSquaredRadius : .nan
  }

  private static let perSquaredRadius: Double = {
    let sigma = ContactProbability.sigma(accuracy: 1)
    return sigma * sigma
  }()
}
