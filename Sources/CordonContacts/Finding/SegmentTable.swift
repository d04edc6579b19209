/// Segments sorted by device and time, and what had to be left out.
///
/// A caller with several queries about the same segments builds the table once.
package struct SegmentTable: SlabFeed {
  package private(set) var segments: [Segment] = []
  /// Where each device's segments begin, and one past the last one.
  private(set) var offsets: [Int] = [0]
  private(set) var rejected = RejectedSegments()
  private(set) var span: Range<Int64>?
  private(set) var typicalLength: Int64 = 1_000

  var estimatedCount: Int { segments.count }

  package init(_ input: [Segment]) {
    if SegmentTable.isReady(input) {
      // No copy of what may be gigabytes.
      segments = input
      for index in input.indices.dropFirst() where input[index].device != input[index - 1].device {
        offsets.append(index)
      }
    } else {
      sort(input)
    }
    if !segments.isEmpty { offsets.append(segments.count) }
    if let first = segments.lazy.map(\.start).min(), let last = segments.lazy.map(\.end).max() {
      // The last instant is a moment too.
      span = first..<(last + 1)
    }
    typicalLength = max(medianLength(), meanLength / 16)
  }

  /// Whether segments are in order, with none to be left out or cut.
  private static func isReady(_ input: [Segment]) -> Bool {
    input.withUnsafeBufferPointer { input in
      for index in input.indices {
        let segment = input[index]
        guard segment.isUsable, segment.end - segment.start <= Segment.longest else { return false }
        guard index > 0 else { continue }
        let last = input[index - 1]
        guard last.device < segment.device || last.device == segment.device && !last.overlaps(later: segment) else {
          return false
        }
      }
      return true
    }
  }

  private mutating func sort(_ input: [Segment]) {
    var kept: [Segment] = []
    kept.reserveCapacity(input.count)
    for segment in input {
      if !segment.isUsable {
        rejected.unusable += 1
      } else {
        segment.cut(into: &kept)
      }
    }
    if !kept.indices.dropFirst().allSatisfy({ !Segment.isSortedBefore(kept[$0], kept[$0 - 1]) }) {
      kept.sort(by: Segment.isSortedBefore)
    }
    segments.reserveCapacity(kept.count)
    for segment in kept {
      if let last = segments.last, last.device == segment.device {
        if last.overlaps(later: segment) {
          rejected.overlapping += 1
          continue
        }
      } else if !segments.isEmpty {
        offsets.append(segments.count)
      }
      segments.append(segment)
    }
  }

  /// Where most devices rest and a few walk, nearly all segments are short, but nearly all of the time is in long ones: slabs
  /// made for the short ones alone would ask every device for its place again and again.
  private var meanLength: Int64 {
    segments.isEmpty ? 0 : segments.reduce(0) { $0 + ($1.end - $1.start) } / Int64(segments.count)
  }

  private func medianLength() -> Int64 {
    guard !segments.isEmpty else { return 1_000 }
    let step = max(segments.count / 1_000, 1)
    let lengths = stride(from: 0, to: segments.count, by: step).map {
      segments[$0].end - segments[$0].start
    }.sorted()
    return lengths[lengths.count / 2]
  }

  func cursor(at time: Int64) -> [Int] {
    Array(offsets.dropLast())
  }

  func load(_ cursor: inout [Int], into slab: SlabTracks) {
    var writer = SlabWriter(slab)
    segments.withUnsafeBufferPointer { segments in
      cursor.withUnsafeMutableBufferPointer { cursor in
        for device in cursor.indices {
          let end = offsets[device + 1]
          // Those that end just when the slab starts may end a stretch there.
          var k = segments.firstEnding(after: slab.start - 1, from: cursor[device], to: end)
          cursor[device] = k
          while k < end, segments[k].start < slab.end {
            let s = segments[k]
            if s.end > slab.start, s.end > s.start {
              writer.add(
                device: s.device, floor: s.floor, start: s.start, end: s.end, x0: s.x0, y0: s.y0,
                x1: s.x1, y1: s.y1)
            }
            k += 1
            let goesOn = k < end && segments[k].start == s.end && segments[k].floor == s.floor
            if !goesOn, s.end >= slab.start, s.end < slab.end {
              writer.addInstant(device: s.device, floor: s.floor, time: s.end, x: s.x1, y: s.y1)
            }
          }
          if k > cursor[device] { writer.closeTrack(of: segments[cursor[device]].device) }
        }
      }
    }
    writer.finish()
  }

  func nextStart(_ cursor: [Int], from time: Int64) -> Int64? {
    var first: Int64?
    for device in cursor.indices {
      let own = segments[cursor[device]..<offsets[device + 1]]
      let next = own.partitioningIndex { $0.start >= time }
      if next < own.endIndex { first = min(first ?? .max, own[next].start) }
    }
    return first
  }
}

/// Segments that the engine could not use.
public struct RejectedSegments: Hashable, Sendable {
  /// A coordinate that is not finite or beyond 10⁹ m, a time beyond the years 1678 ... 2261, an end before the
  /// start, or a negative device index.
  public var unusable = 0
  /// Segments that begin before the end of an earlier one of the same device: a device cannot be in two
  /// places at once, so the one that began first is kept.
  public var overlapping = 0

  /// Nothing rejected.
  public init() {}
}

extension Segment {
  /// Nanoseconds since 1970 fit 64 bits up to here, in milliseconds.
  static let timeLimit: Int64 = 9_200_000_000_000
  static let coordinateLimit = 1e9
  /// Longer ones are cut: offsets in nanoseconds must be exact in double precision.
  static let longest: Int64 = 2_000_000_000

  var isUsable: Bool {
    device >= 0 && start >= -Segment.timeLimit && end <= Segment.timeLimit && start <= end
      && abs(x0) <= Segment.coordinateLimit && abs(y0) <= Segment.coordinateLimit
      && abs(x1) <= Segment.coordinateLimit && abs(y1) <= Segment.coordinateLimit
  }

  /// Whether no moment of it is at or after `time`: a segment holds its start and not its end, an instant its only moment.
  @inline(__always)
  func isOver(at time: Int64) -> Bool { end < time || end == time && start < time }

  /// Whether a segment that does not start before this one shares some time with it, or is the same instant.
  @inline(__always)
  fileprivate func overlaps(later other: Segment) -> Bool {
    other.start < end || other.end == start && start == end
  }

  /// The instant at which it starts.
  var beginning: Segment {
    Segment(device: device, floor: floor, start: start, end: start, x0: x0, y0: y0, x1: x0, y1: y0)
  }

  /// Whether a moment of it is in a span of time.
  @inline(__always)
  func isPart(of span: Range<Int64>) -> Bool { start < span.upperBound && !isOver(at: span.lowerBound) }

  static func isSortedBefore(_ lhs: Segment, _ rhs: Segment) -> Bool {
    if lhs.device != rhs.device { return lhs.device < rhs.device }
    if lhs.start != rhs.start { return lhs.start < rhs.start }
    if lhs.end != rhs.end { return lhs.end < rhs.end }
    if lhs.floor != rhs.floor { return lhs.floor < rhs.floor }
    return (lhs.x0, lhs.y0, lhs.x1, lhs.y1) < (rhs.x0, rhs.y0, rhs.x1, rhs.y1)
  }

  /// Adds the segment, in parts when it is longer than three weeks.
  func cut(into list: inout [Segment]) {
    var rest = self
    while rest.end - rest.start > Segment.longest {
      let share = Double(Segment.longest) / Double(rest.end - rest.start)
      var part = rest
      part.end = rest.start + Segment.longest
      part.x1 = rest.x0 + (rest.x1 - rest.x0) * share
      part.y1 = rest.y0 + (rest.y1 - rest.y0) * share
      list.append(part)
      (rest.start, rest.x0, rest.y0) = (part.end, part.x1, part.y1)
    }
    list.append(rest)
  }
}

extension UnsafeBufferPointer<Segment> {
  /// The first of a device's segments that ends after `time`, by galloping from `low`.
  fileprivate func firstEnding(after time: Int64, from low: Int, to high: Int) -> Int {
    var (low, step) = (low, 1)
    while low + step < high, self[low + step - 1].end <= time {
      low += step
      step *= 2
    }
    var top = Swift.min(low + step, high)
    while low < top {
      let middle = (low + top) / 2
      if self[middle].end <= time { low = middle + 1 } else { top = middle }
    }
    return low
  }
}
