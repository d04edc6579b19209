internal import CContactKernel
internal import CordonCore

/// Buffers that are used again for each batch.
final class StreamScratch {
  let slab = SlabTracks()
  var pairA: [UInt32] = []
  var pairB: [UInt32] = []
  var runs: [cordon_contact_run] = []
  var near: [UInt32] = []
  var nearUnknown: [UInt32] = []
  var added: [StreamSlab.Addition] = []
}

extension ContactStream {
  /// The slab in which a row starts, milliseconds since 1970.
  static func slab(ofStart nanoseconds: Int64) -> Int64 {
    nanoseconds.flooredMultiple(of: slabWidth * 1_000_000) / 1_000_000
  }

  private static func slabs(of segment: Segment) -> StrideTo<Int64> {
    // An instant is in the slab in which it lies.
    stride(
      from: segment.start.flooredMultiple(of: slabWidth), to: max(segment.end, segment.start + 1),
      by: Int64.Stride(slabWidth))
  }

  private var isFlagged: Bool { finder.unknownFloors == .flagged }

  /// Takes in new segments, which are of one device and in order of time, and adds their contacts to the rows.
  mutating func solve(_ segments: [Segment]) {
    guard let first = segments.first, let last = segments.map(\.end).max() else { return }
    var start = first.start.flooredMultiple(of: ContactStream.slabWidth)
    var begin = 0
    while start <= last {
      let end = start + ContactStream.slabWidth
      while begin < segments.count, segments[begin].isOver(at: start) { begin += 1 }
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
    let walls = walls(on: floor)
    // They lie anywhere in the slab: to wait for them one after the other takes longer than to solve them.
    slab.withKernelForm { cordon_contact_prefetch_tracks($0, $1, others, others.count) }
    var position = 0
    while position < others.count {
      let limit = finder.distance * finder.distance
      let count = slab.withKernelForm { segments, chunks in
        scratch.runs.withUnsafeMutableBufferPointer { runs in
          SightFloor.withKernelForm(of: walls) { walls in
            cordon_contact_solve(
              rule.kernelLevel, segments, chunks, scratch.pairA, others, others.count, &position, limit,
              runs.baseAddress, runs.count, walls)
          }
        }
      }
      for k in 0..<count { take(scratch.runs[k], base: slab.start * 1_000_000, floor: floor) }
    }
  }

  /// A device of unknown floor is behind no wall that is known.
  private func walls(on floor: Int32) -> SightFloor? {
    floor == Segment.unknownFloor ? nil : rule.walls[floor]
  }

  private func reserveRuns(_ count: Int) {
    if scratch.runs.count < count { scratch.runs = Array(repeating: cordon_contact_run(), count: count) }
  }

  /// Solves two devices against each other from their points, and keeps the contacts that touch a span of nanoseconds.
  private mutating func solve(_ device: Int32, against other: Int32, within span: ClosedRange<Int64>) {
    let begin = overlapStart(device, other, at: span.lowerBound)
    let end = span.upperBound / 1_000_000 + 2
    let gap = maximumGap.milliseconds
    let slab = scratch.slab
    slab.begin(start: begin, end: end)
    var writer = SlabWriter(slab)
    var own = 0
    for (k, number) in [device, other].enumerated() {
      tracks[number]?.forEachSegment(in: begin..<end, gap: gap) { s in
        guard s.end > s.start else {
          writer.addInstant(device: number, floor: s.floor, time: s.start, x: s.x0, y: s.y0)
          return
        }
        writer.add(
          device: number, floor: s.floor, start: s.start, end: s.end, x0: s.x0, y0: s.y0, x1: s.x1,
          y1: s.y1)
      }
      writer.closeTrack(of: number)
      if k == 0 { own = slab.trackCount }
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
    solvePairs(within: span)
  }

  /// When the piece of two devices begins in which a time lies, in nanoseconds; the millisecond of the time when none
  /// does.
  private func overlapStart(_ device: Int32, _ other: Int32, at time: Int64) -> Int64 {
    let millisecond = time.flooredMultiple(of: 1_000_000) / 1_000_000
    let near = (millisecond - 1)..<(millisecond + 2)
    var theirs: [Segment] = []
    tracks[other]?.forEachSegment(in: near, gap: maximumGap.milliseconds) { theirs.append($0) }
    var begin = millisecond
    tracks[device]?.forEachSegment(in: near, gap: maximumGap.milliseconds) { own in
      for segment in theirs {
        let (start, end) = (max(own.start, segment.start), min(own.end, segment.end))
        if start < end, start * 1_000_000 <= time, time <= end * 1_000_000 { begin = min(begin, start) }
      }
    }
    return begin
  }

  private mutating func solvePairs(within span: ClosedRange<Int64>) {
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
        let limit = finder.distance * finder.distance
        let count = withUnsafePointer(to: segments) { segments in
          scratch.runs.withUnsafeMutableBufferPointer { runs in
            SightFloor.withKernelForm(of: walls(on: floor)) { walls in
              cordon_contact_solve(
                rule.kernelLevel, segments, slab.tracks, scratch.pairA, scratch.pairB, stop, &position, limit,
                runs.baseAddress, runs.count, walls)
            }
          }
        }
        let base = slab.start * 1_000_000
        for run in scratch.runs[..<count]
        where span.overlaps((base + run.start)...(base + run.end)) { take(run, base: base, floor: floor) }
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
  private mutating func take(_ run: cordon_contact_run, base: Int64, floor: Int32) {
    let contact = OpenContact(run, base: base, floor: floor, isHead: false)
    let key = PairIntervals.key(run.first, run.second)
    rows[key, default: PairRows()].add(contact, key: key, touched: &touched)
    pairsByStart[ContactStream.slab(ofStart: contact.start), default: []].append(key)
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
      guard let index = rows.index(forKey: key) else { continue }
      let hit = rows.values[index].remove(touching: from...to, key: key, touched: &touched)
      lost.append(contentsOf: hit.map { (other, $0.start, $0.end) })
    }
    return lost
  }

  /// Solves again what the rows that were taken away rested on.
  mutating func restore(_ lost: [LostRow], of device: Int32) {
    for row in lost {
      let key = PairIntervals.key(min(device, row.other), max(device, row.other))
      var (start, end) = (row.start, row.end)
      // Rows that touch are made anew as well, so that no piece is counted twice.
      while let index = rows.index(forKey: key) {
        let span = (start - OpenContact.join)...(end + OpenContact.join)
        let hit = rows.values[index].remove(touching: span, key: key, touched: &touched)
        if hit.isEmpty { break }
        for other in hit { (start, end) = (min(start, other.start), max(end, other.end)) }
      }
      solve(device, against: row.other, within: start...end)
    }
  }
}
