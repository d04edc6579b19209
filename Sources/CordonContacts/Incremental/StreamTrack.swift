/// The points of one device in a stream, by time.
struct StreamTrack {
  private(set) var points: [ContactStream.Point] = []
  /// The fixes that report a rest, for moments with several fixes, in order of arrival. The final best fix of a moment takes
  /// over the rests reported at its place.
  private var rests: [Int64: [ContactStream.Point]] = [:]

  /// The change of the segments by inserted points.
  struct Change {
    /// Removed segments, by time.
    var removed: [Segment] = []
    /// Added segments, by time.
    var added: [Segment] = []

    init(removed: [Segment] = [], added: [Segment] = []) { (self.removed, self.added) = (removed, added) }

    /// What differs. Where an instant was, a segment may begin now: what was found in the instant is the beginning of what is
    /// found in the segment, so that it stays.
    init(from old: [Segment], to new: [Segment]) {
      let kept = Set(old).intersection(new)
      let beginnings = Set(new.lazy.map(\.beginning))
      removed = old.filter { !kept.contains($0) && !($0.end == $0.start && beginnings.contains($0)) }
      added = new.filter { !kept.contains($0) }
    }
  }

  /// Inserts points of this device; worse or equal duplicates are counted and left out.
  mutating func insert(
    _ batch: [ContactStream.Point], gap: Int64, refused: inout ContactStream.Refused
  ) -> Change {
    let isAppended =
      zip(batch, batch.dropFirst()).allSatisfy { $0.point.time < $1.point.time }
      && (points.last.map { $0.point.time < batch[0].point.time } ?? true)
    if isAppended { return append(batch, gap: gap) }
    // Segments of the stretch that the batch spans, before and after: what differs changed.
    var sorted = batch
    sorted.sort { $0.point.time < $1.point.time }
    let low = max(firstIndex(atOrAfter: sorted[0].point.time) - 1, 0)
    let last = sorted[sorted.count - 1].point.time
    let old = segments(from: low, through: last, gap: gap)
    for point in sorted { insert(point, refused: &refused) }
    return Change(from: old, to: segments(from: low, through: last, gap: gap))
  }

  private mutating func append(_ batch: [ContactStream.Point], gap: Int64) -> Change {
    // The rest of the last point so far may be cut short by what comes.
    let k = max(points.count - 1, 0)
    let old = points.isEmpty ? [] : segments(from: k, through: .max, gap: gap)
    points.append(contentsOf: batch)
    let new = segments(from: k, through: .max, gap: gap)
    // The instant of a last point that did not rest stays; mostly the first new segment begins there.
    if let last = old.first, old.count == 1, last.end == last.start {
      return Change(added: new.first == last ? Array(new.dropFirst()) : new)
    }
    return Change(from: old, to: new)
  }

  private mutating func insert(_ point: ContactStream.Point, refused: inout ContactStream.Refused) {
    let k = firstIndex(atOrAfter: point.point.time)
    guard k < points.count, points[k].point.time == point.point.time else {
      points.insert(point, at: k)
      return
    }
    refused.duplicates += 1
    let known = points[k]
    if !known.point.isSamePlace(as: point.point) { refused.conflicting += 1 }
    let time = point.point.time
    var others = rests[time] ?? (known.stillUntil > time ? [known] : [])
    if point.stillUntil > time {
      // The same fix again, from a device that has been resting on, needs no room of its own.
      if let same = others.firstIndex(where: { $0.point == point.point }) {
        others[same].stillUntil = max(others[same].stillUntil, point.stillUntil)
      } else {
        others.append(point)
      }
    }
    if point.point.isKept(overOneAt: known.point, accuracy: point.accuracy, otherAccuracy: known.accuracy) {
      points[k] = point
    }
    guard !others.isEmpty else { return }
    rests[time] = others
    let best = points[k].point
    for other in others where other.point.isSamePlace(as: best) {
      points[k].stillUntil = max(points[k].stillUntil, other.stillUntil)
    }
  }

  private func firstIndex(atOrAfter time: Int64) -> Int {
    points.withUnsafeBufferPointer { points in
      guard let first = points.first?.point.time, let last = points.last?.point.time, time <= last else {
        return points.count
      }
      guard time > first else { return 0 }
      // Points come at steady intervals, more or less: begin where the time would be, and gallop.
      let share = Double(time - first) / Double(last - first)
      let guess = min(Int(share * Double(points.count - 1)), points.count - 1)
      var (low, high, step) = (guess, guess, 1)
      if points[guess].point.time < time {
        repeat {
          low = high
          high = min(high + step, points.count - 1)
          step *= 2
        } while points[high].point.time < time
      } else {
        repeat {
          high = low
          low = max(low - step, 0)
          step *= 2
        } while points[low].point.time >= time
      }
      while low < high {
        let middle = (low + high) / 2
        if points[middle].point.time < time { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  /// The segments that begin at point `first` or later and at or before the first point after `time`.
  private func segments(from first: Int, through time: Int64, gap: Int64) -> [Segment] {
    var list: [Segment] = []
    var k = first
    while k < points.count {
      append(after: k, gap: gap, to: &list)
      if points[k].point.time > time { break }
      k += 1
    }
    return list
  }

  /// The rest at point `k` and the way to the next one; the moment at which what is known ends, when there is none.
  private func append(after k: Int, gap: Int64, to list: inout [Segment]) {
    let p = points[k].point
    let next = k + 1 < points.count ? points[k + 1].point : nil
    let rest = max(p.time, min(points[k].stillUntil, next?.time ?? Segment.timeLimit))
    if rest > p.time {
      Segment(
        device: p.device, floor: p.floor, start: p.time, end: rest, x0: p.x, y0: p.y, x1: p.x,
        y1: p.y
      )
      .cut(into: &list)
    }
    if let next, p.isJoined(to: next, after: rest, gap: gap) {
      list.append(
        Segment(
          device: p.device, floor: p.floor, start: rest, end: next.time, x0: p.x, y0: p.y, x1: next.x,
          y1: next.y))
    } else if next?.time != rest || next?.floor != p.floor {
      list.append(p.instant(at: rest))
    }
  }

  /// Calls `body` with the segments that overlap a span of time, and the instants in it.
  func forEachSegment(in span: Range<Int64>, gap: Int64, _ body: (Segment) -> Void) {
    // The rest of the point before may end with the span's beginning.
    let first = max(firstIndex(atOrAfter: span.lowerBound) - 1, 0)
    var list: [Segment] = []
    points.withUnsafeBufferPointer { points in
      var k = first
      while k < points.count, points[k].point.time < span.upperBound {
        let p = points[k].point
        if points[k].stillUntil > p.time {
          list.removeAll(keepingCapacity: true)
          append(after: k, gap: gap, to: &list)
          for segment in list where segment.isPart(of: span) { body(segment) }
        } else if k + 1 < points.count, p.isJoined(to: points[k + 1].point, after: p.time, gap: gap) {
          let q = points[k + 1].point
          if q.time > span.lowerBound {
            body(
              Segment(
                device: p.device, floor: p.floor, start: p.time, end: q.time, x0: p.x, y0: p.y, x1: q.x, y1: q.y))
          }
        } else if p.time >= span.lowerBound {
          body(p.instant(at: p.time))
        }
        k += 1
      }
    }
  }

  /// From when on points at or after `time` may still change segments: the last point before it, unless that is
  /// further away than the gap.
  func changeableStart(at time: Int64, gap: Int64) -> Int64? {
    let k = firstIndex(atOrAfter: time)
    guard k > 0 else { return nil }
    let last = points[k - 1]
    let rest = max(last.point.time, last.stillUntil)
    return rest >= time || time - rest <= gap ? last.point.time : nil
  }

  /// Drops points that no segment after `time` needs.
  mutating func forget(before time: Int64) {
    let k = firstIndex(atOrAfter: time)
    if k > 1 { points.removeFirst(k - 1) }
    if !rests.isEmpty, let first = points.first?.point.time { rests = rests.filter { $0.key >= first } }
  }
}
