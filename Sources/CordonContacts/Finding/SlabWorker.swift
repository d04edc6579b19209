internal import CContactKernel

/// Works through slabs in order of time, one thread's worth: loads a slab, sweeps each floor, solves the
/// candidates and joins their pieces to the contacts that are still open.
final class SlabWorker {
  private let rule: ContactRule
  private let slab = SlabTracks()
  private let sweep = SlabSweep()
  private var members: [[UInt32]] = []
  private var memberFloors: [Int32] = []
  private var runs: UnsafeMutablePointer<cordon_contact_run>
  private var runCapacity = 1 << 10
  private var unknownRuns: [cordon_contact_run] = []
  private var next: [OpenContact] = []

  /// The contacts of each floor that reach the end of the last slab.
  private(set) var open: [Int32: OpenContacts] = [:]
  /// Contacts that nothing can change any more.
  private(set) var closed: [Contact] = []
  /// Closed contacts that may continue one of an earlier span, when ``headLimit`` is set.
  private(set) var heads: [OpenContact] = []
  /// Contacts that start at or before this instant may continue one of an earlier span, nanoseconds since 1970.
  private var headLimit = Int64.min
  /// No segment begins after the last slab and before this time, milliseconds since 1970.
  private var quietUntil = -Segment.timeLimit

  init(rule: ContactRule) {
    self.rule = rule
    runs = .allocate(capacity: runCapacity)
  }

  deinit {
    runs.deallocate()
  }

  /// Starts with nothing open, at a place where contacts may continue earlier ones.
  func beginApart(reusing room: [Contact] = []) {
    open = [:]
    closed = room
    heads = []
    headLimit = Int64.max
    quietUntil = -Segment.timeLimit
  }

  /// Takes the closed contacts out.
  func takeClosed() -> [Contact] {
    var taken: [Contact] = []
    swap(&taken, &closed)
    return taken
  }

  /// Shows the closed contacts and forgets them, keeping their room; answers what `emit` does.
  func drain(_ emit: ([Contact]) -> Bool) -> Bool {
    guard !closed.isEmpty else { return true }
    let goesOn = emit(closed)
    closed.removeAll(keepingCapacity: true)
    return goesOn
  }

  /// Works on the slabs of `length` milliseconds that cover `span`.
  /// - Parameter early: shown the closed contacts whenever a few thousand of them are there, while they are
  ///   in the cache; those of a slab come in no order then.
  func run<Feed: SlabFeed>(
    _ feed: Feed, cursor: inout Feed.Cursor, span: Range<Int64>, length: Int64,
    early: (([Contact]) -> Bool)? = nil
  ) {
    var start = span.lowerBound
    while start < span.upperBound {
      start = runSlab(feed, cursor: &cursor, at: start, of: span, length: length, early: early)
    }
  }

  /// Works on the slab that begins at `start`. Returns where the next one begins. A slab in which no segment begins is longer,
  /// and stretches without segments are skipped, so that the work does not follow the length of the record.
  func runSlab<Feed: SlabFeed>(
    _ feed: Feed, cursor: inout Feed.Cursor, at start: Int64, of span: Range<Int64>, length: Int64,
    early: (([Contact]) -> Bool)?
  ) -> Int64 {
    let quiet = min(quietUntil.flooredMultiple(of: length), start + Segment.longest)
    let end = min(max(start.flooredMultiple(of: length) + length, quiet), span.upperBound)
    slab.begin(start: start, end: end)
    feed.load(&cursor, into: slab)
    if headLimit == Int64.max { headLimit = latestStraddler() }
    solve(early)
    guard end < span.upperBound, nothingBegan else { return end }
    quietUntil = min(feed.nextStart(cursor, from: end) ?? span.upperBound, span.upperBound)
    guard slab.segmentCount == 0 else { return end }
    // An empty slab has closed every contact.
    return quietUntil < span.upperBound ? max(end, quietUntil.flooredMultiple(of: length)) : span.upperBound
  }

  /// Whether all segments of the slab began before it.
  private var nothingBegan: Bool {
    let segments = slab.segments
    for k in 0..<slab.segmentCount where segments.start[k] >= 0 { return false }
    return true
  }

  /// The latest end of the segments that began before the slab, nanoseconds since 1970.
  private func latestStraddler() -> Int64 {
    var latest = 0.0
    let segments = slab.segments
    for k in 0..<slab.segmentCount where segments.start[k] < 0 {
      latest = max(latest, segments.end[k])
    }
    return (slab.start + Int64(latest)) * 1_000_000
  }

  private func solve(_ early: (([Contact]) -> Bool)?) {
    groupByFloor()
    for group in memberFloors.indices {
      let floor = memberFloors[group]
      guard floor != Segment.unknownFloor else { continue }
      solve(floor: floor, members: members[group], onlyUnknown: false, early)
    }
    if rule.unknownFloors == .flagged, memberFloors.contains(Segment.unknownFloor) {
      solve(
        floor: Segment.unknownFloor, members: (0..<slab.trackCount).map { UInt32($0) },
        onlyUnknown: true, early)
    }
    for floor in open.keys.sorted() where !memberFloors.contains(floor) {
      settle(floor: floor)
    }
  }

  private func groupByFloor() {
    // Locals, so that the loop does not ask for access to the object at every turn.
    var members: [[UInt32]] = []
    var floors: [Int32] = []
    swap(&members, &self.members)
    swap(&floors, &memberFloors)
    for k in members.indices { members[k].removeAll(keepingCapacity: true) }
    floors.removeAll(keepingCapacity: true)
    let (trackFloors, count) = (slab.floors, slab.trackCount)
    var (lastFloor, lastGroup) = (Int32.min, -1)
    for k in 0..<count {
      let floor = trackFloors[k]
      if lastGroup < 0 || floor != lastFloor {
        lastFloor = floor
        lastGroup = floors.firstIndex(of: floor) ?? floors.count
        if lastGroup == floors.count {
          floors.append(floor)
          if members.count < floors.count { members.append([]) }
        }
      }
      members[lastGroup].append(UInt32(truncatingIfNeeded: k))
    }
    swap(&members, &self.members)
    swap(&floors, &memberFloors)
  }

  private func solve(
    floor: Int32, members: [UInt32], onlyUnknown: Bool, _ early: (([Contact]) -> Bool)?
  ) {
    var contacts = open.removeValue(forKey: floor) ?? OpenContacts()
    next.removeAll(keepingCapacity: true)
    unknownRuns.removeAll(keepingCapacity: true)
    members.withUnsafeBufferPointer { sweep.begin(slab, members: $0, rule: rule) }
    let segments = slab.segments
    let walls = onlyUnknown ? nil : rule.walls[floor]
    while true {
      let pairCount = sweep.next(
        level: rule.kernelLevel, tracks: slab.tracks, onlyUnknown: onlyUnknown)
      if pairCount == 0 { break }
      var position = 0
      while position < pairCount {
        let before = position
        let count = withUnsafePointer(to: segments) { segments in
          SightFloor.withKernelForm(of: walls) { walls in
            cordon_contact_solve(
              rule.kernelLevel, segments, slab.tracks, sweep.pairA, sweep.pairB, pairCount, &position,
              rule.distance * rule.distance, runs, runCapacity, walls)
          }
        }
        if onlyUnknown {
          unknownRuns.append(contentsOf: UnsafeBufferPointer(start: runs, count: count))
        } else {
          take(UnsafeBufferPointer(start: runs, count: count), floor: floor, into: &contacts)
        }
        if count == 0 && position == before { growRuns() }
        if let early, closed.count >= 1_024 { _ = drain(early) }
      }
    }
    if onlyUnknown {
      joinUnknownRuns()
      unknownRuns.withUnsafeBufferPointer { take($0, floor: floor, into: &contacts) }
    }
    settle(&contacts, floor: floor)
  }

  private func growRuns() {
    runs.deallocate()
    runCapacity *= 2
    runs = .allocate(capacity: runCapacity)
  }

  /// A floor on which nobody was in this slab.
  private func settle(floor: Int32) {
    guard var contacts = open.removeValue(forKey: floor) else { return }
    next.removeAll(keepingCapacity: true)
    settle(&contacts, floor: floor)
  }

  /// Keeps what reaches the end of the slab open and closes the rest.
  private func settle(_ contacts: inout OpenContacts, floor: Int32) {
    let reach = slab.end * 1_000_000 - OpenContact.join
    var (closed, kept): ([Contact], [OpenContact]) = ([], [])
    swap(&closed, &self.closed)
    swap(&kept, &next)
    for entry in contacts.entries {
      if entry.end >= reach {
        kept.append(entry)
      } else if entry.isHead {
        heads.append(entry)
      } else {
        closed.append(entry.published)
      }
    }
    contacts.swap(with: &kept)
    swap(&closed, &self.closed)
    swap(&kept, &next)
    if !contacts.entries.isEmpty { open[floor] = contacts }
  }

  private func take(
    _ runs: UnsafeBufferPointer<cordon_contact_run>, floor: Int32, into contacts: inout OpenContacts
  ) {
    let base = slab.start * 1_000_000
    let reach = slab.end * 1_000_000 - OpenContact.join
    let limit = headLimit == Int64.min ? headLimit : headLimit + OpenContact.join
    // Locals, so that the loop does not ask for access to the object at every turn.
    var (closed, next, heads): ([Contact], [OpenContact], [OpenContact]) = ([], [], [])
    swap(&closed, &self.closed)
    swap(&next, &self.next)
    swap(&heads, &self.heads)
    // Contacts lie anywhere in their table: the entries of later runs are prefetched.
    let latest = contacts.entries.isEmpty ? Int64.min : contacts.latestEnd &+ OpenContact.join &- base
    for k in runs.indices {
      if k &+ 16 < runs.count, runs[k &+ 16].start <= latest {
        contacts.prefetchIndex(runs[k &+ 16].first, runs[k &+ 16].second)
      }
      if k &+ 8 < runs.count, runs[k &+ 8].start <= latest {
        contacts.prefetchEntry(runs[k &+ 8].first, runs[k &+ 8].second)
      }
      let run = runs[k]
      let start = base &+ run.start
      let contact = OpenContact(run, base: base, floor: floor, isHead: start <= limit)
      if run.start <= latest, contacts.join(contact) { continue }
      if contact.end >= reach {
        next.append(contact)
      } else if contact.isHead {
        heads.append(contact)
      } else {
        closed.append(contact.published)
      }
    }
    swap(&closed, &self.closed)
    swap(&next, &self.next)
    swap(&heads, &self.heads)
  }

  /// A device of unknown floor may meet another one on two of its floors in turn: the runs of a pair are
  /// put in order and joined across tracks.
  private func joinUnknownRuns() {
    unknownRuns.sort { ($0.first, $0.second, $0.start) < ($1.first, $1.second, $1.start) }
    var joined: [cordon_contact_run] = []
    for run in unknownRuns {
      guard var last = joined.last, last.first == run.first, last.second == run.second,
        run.start <= last.end + OpenContact.join
      else {
        joined.append(run)
        continue
      }
      let closer = cordon_contact_is_nearer(run.squared, last.squared) != 0 ? run : last
      (last.squared, last.closest) = (closer.squared, closer.closest)
      (last.x, last.y, last.dx, last.dy) = (closer.x, closer.y, closer.dx, closer.dy)
      last.end = max(last.end, run.end)
      joined[joined.count - 1] = last
    }
    unknownRuns = joined
  }
}

extension Int64 {
  /// The greatest multiple of `width` that is not more, so that slabs keep their length before 1970.
  package func flooredMultiple(of width: Int64) -> Int64 {
    let remainder = self % width
    return remainder < 0 ? self - remainder - width : self - remainder
  }
}
