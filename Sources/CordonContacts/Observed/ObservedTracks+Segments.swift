internal import CContactKernel
internal import CordonCore

extension ObservedTracks {
  /// All segments that take time, by device and time. ``elements()`` has lone fixes as well.
  public func segments() -> [Segment] {
    var list: [Segment] = []
    for device in 0..<(offsets.count - 1) {
      for k in offsets[device]..<offsets[device + 1] {
        forEachSegment(after: k, last: offsets[device + 1] - 1) { $0.cut(into: &list) }
      }
    }
    return list
  }

  /// All segments, by device and time; a lone fix, and the fix that ends a stretch of segments, is an instant. Contacts
  /// found in them are those found in the tracks.
  public func elements() -> [Segment] {
    var list: [Segment] = []
    for device in 0..<(offsets.count - 1) {
      let last = offsets[device + 1] - 1
      for k in offsets[device]...last {
        forEachSegment(after: k, last: last) { $0.cut(into: &list) }
        if let instant = instant(after: k, last: last) { list.append(instant) }
      }
    }
    return list
  }

  /// The rest at point `k`, and the way to the next point.
  @inline(__always)
  func forEachSegment(after k: Int, last: Int, _ body: (Segment) -> Void) {
    let point = points[k]
    let rest = restEnd(k, before: k < last ? points[k + 1].time : Segment.timeLimit)
    if rest > point.time {
      body(
        Segment(
          device: point.device, floor: point.floor, start: point.time, end: rest, x0: point.x,
          y0: point.y,
          x1: point.x, y1: point.y))
    }
    guard k < last else { return }
    let next = points[k + 1]
    if point.isJoined(to: next, after: rest, gap: maximumGap.milliseconds) {
      body(
        Segment(
          device: point.device, floor: point.floor, start: rest, end: next.time, x0: point.x,
          y0: point.y,
          x1: next.x, y1: next.y))
    }
  }

  /// The moment at which what is known after point `k` ends, when no way leads on to the next point.
  @inline(__always)
  func instant(after k: Int, last: Int) -> Segment? {
    let point = points[k]
    let rest = restEnd(k, before: k < last ? points[k + 1].time : Segment.timeLimit)
    if k < last {
      let next = points[k + 1]
      // A rest up to the next fix of its floor goes on with that.
      let goesOn =
        next.time == rest
        ? next.floor == point.floor : point.isJoined(to: next, after: rest, gap: maximumGap.milliseconds)
      if goesOn { return nil }
    }
    return point.floor == Segment.elsewhere ? nil : point.instant(at: rest)
  }
}

extension ObservedTracks: SlabFeed {
  var span: Range<Int64>? { spanOfTime }
  var typicalLength: Int64 { medianInterval }
  var estimatedCount: Int { points.count }

  func cursor(at time: Int64) -> [Int] { Array(offsets.dropLast()) }

  /// Fixes come at steady intervals, more or less: looks where the time would be, instead of at all that lies between.
  func seek(_ cursor: inout [Int], to time: Int64) {
    let interval = Double(medianInterval)
    points.withUnsafeBufferPointer { points in
      guard let base = points.baseAddress else { return }
      var guesses = cursor
      for device in cursor.indices {
        let low = cursor[device]
        let ahead = Double(time) - Double(points[low].time)
        guard ahead > interval * 4 else { continue }
        let guess = min(Double(offsets[device + 1] - 1), Double(low) + (ahead / interval).rounded(.down))
        guesses[device] = max(Int(guess), low)
        cordon_contact_prefetch_lines(base + guesses[device], 1)
      }
      for device in cursor.indices {
        var (guess, step) = (guesses[device], 1)
        while guess > cursor[device], points[guess].time > time {
          guess = max(guess - step, cursor[device])
          step *= 2
        }
        cursor[device] = guess
      }
    }
  }

  func load(_ cursor: inout [Int], into slab: SlabTracks) {
    if stillUntil.isEmpty && maximumGap.milliseconds <= Segment.longest {
      loadMoving(&cursor, into: slab)
    } else {
      loadResting(&cursor, into: slab)
    }
  }

  func nextStart(_ cursor: [Int], from time: Int64) -> Int64? {
    var first: Int64?
    for device in cursor.indices {
      let own = points[cursor[device]..<offsets[device + 1]]
      let next = own.partitioningIndex { $0.time >= time }
      if next < own.endIndex { first = min(first ?? .max, own[next].time) }
    }
    return first
  }

  private func loadMoving(_ cursor: inout [Int], into slab: SlabTracks) {
    var writer = SlabWriter(slab)
    let (from, to, gap) = (slab.start, slab.end, maximumGap.milliseconds)
    // The lines that the points of a device in this slab lie in; the processor sees itself that many follow each other.
    let expected = (to - from) / max(medianInterval, 1) + 2
    let lines = Int32(min(expected * Int64(MemoryLayout<TrackPoint>.stride) / 64 + 1, 4))
    points.withUnsafeBufferPointer { points in
      offsets.withUnsafeBufferPointer { offsets in
        cursor.withUnsafeMutableBufferPointer { cursor in
          for device in cursor.indices {
            // Devices lie far apart in memory: ask for the points of one further on.
            if device &+ 12 < cursor.count {
              cordon_contact_prefetch_lines(
                points.baseAddress.unsafelyUnwrapped.advanced(by: cursor[device &+ 12] &+ 1), lines)
            }
            let last = offsets[device &+ 1] &- 1
            var k = points.lastPoint(notAfter: from, from: cursor[device], to: last)
            cursor[device] = k
            var point = points[k]
            while k < last, point.time < to {
              let next = points[k &+ 1]
              if next.floor == point.floor, next.time &- point.time <= gap {
                if next.time > from {
                  writer.add(
                    device: point.device, floor: point.floor, start: point.time, end: next.time,
                    x0: point.x,
                    y0: point.y, x1: next.x, y1: next.y)
                }
              } else if point.time >= from {
                writer.addInstant(of: point)
              }
              point = next
              k &+= 1
            }
            if k == last, point.time >= from, point.time < to { writer.addInstant(of: point) }
            writer.closeTrack(of: point.device)
          }
        }
      }
    }
    writer.finish()
  }

  private func loadResting(_ cursor: inout [Int], into slab: SlabTracks) {
    var writer = SlabWriter(slab)
    var parts: [Segment] = []
    let (from, to) = (slab.start, slab.end)
    for device in cursor.indices {
      let last = offsets[device + 1] - 1
      // The rest of the point before may end with the slab's beginning.
      var k = points.withUnsafeBufferPointer {
        $0.lastPoint(notAfter: from - 1, from: cursor[device], to: last)
      }
      cursor[device] = k
      while k <= last, points[k].time < to {
        forEachSegment(after: k, last: last) { segment in
          guard segment.end > from, segment.start < to else { return }
          parts.removeAll(keepingCapacity: true)
          segment.cut(into: &parts)
          for part in parts where part.end > from && part.start < to {
            writer.add(
              device: part.device, floor: part.floor, start: part.start, end: part.end, x0: part.x0,
              y0: part.y0,
              x1: part.x1, y1: part.y1)
          }
        }
        if let instant = instant(after: k, last: last), instant.isPart(of: from..<to) {
          writer.addInstant(
            device: instant.device, floor: instant.floor, time: instant.start, x: instant.x0, y: instant.y0)
        }
        k += 1
      }
      writer.closeTrack(of: points[last].device)
    }
    writer.finish()
  }
}

extension SlabWriter {
  /// Adds the moment of a fix in the slab from which no way leads on. Apart from the loop that calls it: such fixes are rare.
  @inline(never)
  fileprivate mutating func addInstant(of point: TrackPoint) {
    // A row that states only that the device was elsewhere is not a fix.
    guard point.floor != Segment.elsewhere else { return }
    addInstant(device: point.device, floor: point.floor, time: point.time, x: point.x, y: point.y)
  }
}

extension UnsafeBufferPointer<TrackPoint> {
  /// The last of a device's points `low ... high` whose time is not after `time`, or `low`, by galloping.
  @inline(__always)
  fileprivate func lastPoint(notAfter time: Int64, from low: Int, to high: Int) -> Int {
    var (low, step) = (low, 1)
    while low &+ step <= high, self[low &+ step].time <= time {
      low &+= step
      step &*= 2
    }
    var top = Swift.min(low &+ step, high &+ 1)
    // The answer is in low ..< top.
    while top &- low > 1 {
      let middle = (low &+ top) / 2
      if self[middle].time <= time { low = middle } else { top = middle }
    }
    return low
  }
}

extension ContactFinder {
  /// The contacts of observed devices, listed by start, devices and floor.
  public func contacts(in tracks: ObservedTracks) -> [Contact] {
    var list = ContactList()
    contacts(in: tracks, into: &list)
    return list.contacts.sorted(by: Contact.isListedBefore)
  }

  /// Hands the contacts of observed devices to `sink` as soon as nothing can change them any more.
  public func contacts<Sink: ContactSink>(in tracks: ObservedTracks, into sink: inout Sink)
    throws(Sink.Failure)
  {
    try run(tracks, into: &sink)
  }
}
