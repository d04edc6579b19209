internal import CContactKernel
internal import CordonCore

/// Buffers that are used again for each batch.
final class StreamScratch {
  let slab = SlabTracks()
  var pairA: [UInt32] = []
  var pairB: [UInt32] = []
  var runs: [contact_run] = []
  var near: [UInt32] = []
  var nearUnknown: [UInt32] = []
  var added: [StreamSlab.Addition] = []
}

extension ContactStream {
  private static func slabs(of segment: Segment) -> StrideTo<Int64> {
    stride(
      from: segment.start.flooredMultiple(of: slabWidth), to: segment.end,
      by: Int64.Stride(slabWidth))
  }

  private var isFlagged: Bool { finder.unknownFloors == .flagged }

  /// Takes in new segments, which are of one device and in order of time, and adds their contacts to the rows.
  mutating func solve(_ segments: [Segment]) {
    guard let first = segments.first, let last = segments.map(\.end).max() else { return }
    var start = first.start.flooredMultiple(of: ContactStream.slabWidth)
    var begin = 0
    while start < last {
      let end = start + ContactStream.slabWidth
      while begin < segments.count, segments[begin].end <= start { begin += 1 }
      var stop = begin
      while stop < segments.count, segments[stop].start < end { stop += 1 }
      if begin < stop { solve(segments[begin..<stop], of: first.device, slab: start) }
      start = end
    }
  }

  private mutating func solve(_ segments: ArraySlice<Segment>, of device: Int32, slab start: Int64) {
    // Out of the table while it changes, so that it is not copied.
    var slab = slabs.removeValue(forKey: start) ?? StreamSlab(start: start)
    scratch.added.removeAll(keepingCapacity: true)
    slab.add(segments, of: device, into: &scratch.added)
    let distance = Float(finder.distance).nextUp
    for addition in scratch.added {
      scratch.near.removeAll(keepingCapacity: true)
      scratch.nearUnknown.removeAll(keepingCapacity: true)
      slab.near(
        addition.box, of: device, floor: addition.floor, distance: distance, flagged: isFlagged,
        same: &scratch.near, unknown: &scratch.nearUnknown)
      if !scratch.near.isEmpty { solve(addition.chunk, against: scratch.near, in: slab, floor: addition.floor) }
      if !scratch.nearUnknown.isEmpty {
        solve(addition.chunk, against: scratch.nearUnknown, in: slab, floor: Segment.unknownFloor)
      }
    }
    slabs[start] = slab
  }

  private mutating func solve(_ chunk: UInt32, against others: [UInt32], in slab: StreamSlab, floor: Int32) {
    scratch.pairA.removeAll(keepingCapacity: true)
    scratch.pairA.append(contentsOf: repeatElement(chunk, count: others.count))
    let own = slab.chunks[Int(chunk)]
    let longest = others.reduce(0) { max($0, slab.chunks[Int($1)].end - slab.chunks[Int($1)].begin) }
    reserveRuns(Int(own.end - own.begin) + Int(longest) + 1_024)
    var position = 0
    while position < others.count {
      let level = finder.rule.kernelLevel
      let limit = finder.distance * finder.distance
      let count = slab.withKernelForm { segments, chunks in
        scratch.runs.withUnsafeMutableBufferPointer { runs in
          contact_solve(
            level, segments, chunks, scratch.pairA, others, others.count, &position, limit, runs.baseAddress,
            runs.count, nil)
        }
      }
      for k in 0..<count { take(scratch.runs[k], base: slab.start * 1_000_000, floor: floor) }
    }
  }

  private func reserveRuns(_ count: Int) {
    if scratch.runs.count < count { scratch.runs = Array(repeating: contact_run(), count: count) }
  }

  /// Solves segments of one device against all segments of others whose overlap with them begins in the span, from
  /// the points: for rows that were taken away.
  private mutating func solve(
    _ segments: ArraySlice<Segment>, device: Int32, against others: [Int32], start: Int64,
    end: Int64
  ) {
    guard !others.isEmpty else { return }
    let slab = scratch.slab
    slab.begin(start: start, end: end)
    var writer = SlabWriter(slab)
    for s in segments {
      writer.add(
        device: device, floor: s.floor, start: s.start, end: s.end, x0: s.x0, y0: s.y0, x1: s.x1,
        y1: s.y1)
    }
    writer.closeTrack(of: device)
    let own = slab.trackCount
    for other in others {
      tracks[other]?.forEachSegment(in: start..<end, gap: maximumGap.milliseconds) { s in
        writer.add(
          device: other, floor: s.floor, start: s.start, end: s.end, x0: s.x0, y0: s.y0, x1: s.x1,
          y1: s.y1)
      }
      writer.closeTrack(of: other)
    }
    writer.finish()
    scratch.pairA.removeAll(keepingCapacity: true)
    scratch.pairB.removeAll(keepingCapacity: true)
    for a in 0..<own {
      for b in own..<slab.trackCount {
        let isUnknown =
          slab.floors[a] == Segment.unknownFloor || slab.floors[b] == Segment.unknownFloor
        guard isUnknown ? finder.unknownFloors == .flagged : slab.floors[a] == slab.floors[b] else {
          continue
        }
        scratch.pairA.append(UInt32(a))
        scratch.pairB.append(UInt32(b))
      }
    }
    solvePairs()
  }

  private mutating func solvePairs() {
    let slab = scratch.slab
    reserveRuns(slab.segmentCount * 2 + 1_024)
    // Pair by pair of floors, since a run does not say which track it came from.
    var position = 0
    let total = scratch.pairA.count
    while position < total {
      let floor = rowFloor(position)
      var stop = position + 1
      while stop < total, rowFloor(stop) == floor { stop += 1 }
      while position < stop {
        let segments = slab.segments
        let level = finder.rule.kernelLevel
        let limit = finder.distance * finder.distance
        let count = withUnsafePointer(to: segments) { segments in
          scratch.runs.withUnsafeMutableBufferPointer { runs in
            contact_solve(
              level, segments, slab.tracks, scratch.pairA, scratch.pairB, stop, &position, limit,
              runs.baseAddress,
              runs.count, nil)
          }
        }
        for k in 0..<count { take(scratch.runs[k], base: slab.start * 1_000_000, floor: floor) }
      }
    }
  }

  private func rowFloor(_ pair: Int) -> Int32 {
    let (a, b) = (
      scratch.slab.floors[Int(scratch.pairA[pair])], scratch.slab.floors[Int(scratch.pairB[pair])]
    )
    return a == b ? a : Segment.unknownFloor
  }

  /// Joins a run to the rows of its pair.
  private mutating func take(_ run: contact_run, base: Int64, floor: Int32) {
    var contact = OpenContact(
      first: run.first, second: run.second, floor: floor, isHead: false, start: base + run.start,
      end: base + run.end,
      closest: base + run.closest, squaredDistance: run.squared, x: run.x, y: run.y,
      dx: Float(run.dx),
      dy: Float(run.dy), obstructed: -1)
    let key = PairIntervals.key(run.first, run.second)
    var list = rows.removeValue(forKey: key) ?? []
    remember(key, list)
    // After all the others, as most are.
    if let last = list.last, last.floor == floor, last.end + OpenContact.join < contact.start {
      list.append(contact)
      rows[key] = list
      return
    }
    // Whatever it touches becomes one with it; rows are in rising order and few of them are late.
    var low = list.count
    while low > 0,
      list[low - 1].end + OpenContact.join >= contact.start || list[low - 1].floor != floor
    { low -= 1 }
    var kept: [OpenContact] = []
    for row in list[low...] {
      if row.floor == floor, row.start <= contact.end + OpenContact.join,
        row.end + OpenContact.join >= contact.start
      {
        contact.merge(row)
      } else {
        kept.append(row)
      }
    }
    let place =
      kept.firstIndex { ($0.start, $0.floor) > (contact.start, contact.floor) } ?? kept.count
    kept.insert(contact, at: place)
    list.replaceSubrange(low..., with: kept)
    rows[key] = list
  }

  private mutating func remember(_ key: UInt64, _ list: [OpenContact]) {
    if before[key] == nil { before[key] = list }
  }

  /// A row that was taken away: the other device, and from when to when in nanoseconds.
  typealias LostRow = (other: Int32, start: Int64, end: Int64)

  /// Takes away the rows that rest on segments of a device that are gone.
  mutating func forget(_ removed: [Segment]) -> [LostRow] {
    guard let first = removed.first, let last = removed.map(\.end).max() else { return [] }
    let device = first.device
    var near = Set<Int32>()
    for segment in removed {
      for start in ContactStream.slabs(of: segment) {
        guard var slab = slabs.removeValue(forKey: start) else { continue }
        scratch.near.removeAll(keepingCapacity: true)
        scratch.nearUnknown.removeAll(keepingCapacity: true)
        slab.near(
          StreamBox(segment), of: device, floor: segment.floor, distance: Float(finder.distance).nextUp,
          flagged: isFlagged, same: &scratch.near, unknown: &scratch.nearUnknown)
        for chunk in scratch.near + scratch.nearUnknown { near.insert(slab.chunks[Int(chunk)].device) }
        slab.remove(segment)
        slabs[start] = slab
      }
    }
    let (from, to) = (first.start * 1_000_000, last * 1_000_000)
    var lost: [LostRow] = []
    for other in near.sorted() {
      let key = PairIntervals.key(min(device, other), max(device, other))
      guard let list = rows[key] else { continue }
      let hit = list.filter { $0.end >= from && $0.start <= to }
      guard !hit.isEmpty else { continue }
      remember(key, list)
      let kept = list.filter { $0.end < from || $0.start > to }
      rows[key] = kept.isEmpty ? nil : kept
      lost.append(contentsOf: hit.map { (other, $0.start, $0.end) })
    }
    return lost
  }

  /// Solves again what the rows that were taken away rested on.
  mutating func restore(_ lost: [LostRow], of device: Int32) {
    guard !lost.isEmpty, let track = tracks[device] else { return }
    for row in lost {
      // Whole segments, from the millisecond before to the one after.
      let span =
        (row.start.flooredMultiple(of: 1_000_000) / 1_000_000 - 1)..<(row.end / 1_000_000 + 2)
      var own: [Segment] = []
      track.forEachSegment(in: span, gap: maximumGap.milliseconds) { own.append($0) }
      guard let first = own.first, let last = own.map(\.end).max() else { continue }
      var start = min(first.start, span.lowerBound)
      tracks[row.other]?.forEachSegment(in: span, gap: maximumGap.milliseconds) {
        start = min(start, $0.start)
      }
      solve(own[...], device: device, against: [row.other], start: start, end: last)
    }
  }
}
