package import CordonCore

/// A finder that counts contacts by ticks: time is divided into buckets, and each device has one fix in a bucket. Two
/// devices are in contact for the whole bucket if those fixes are close.
///
/// It serves comparison with, and migration from, systems that work this way. Buckets lose every meeting between two
/// ticks, and differences between two clocks are ignored; ``ContactFinder`` has neither flaw.
package struct SampledFinder: Hashable, Sendable {
  /// The criterion for two close fixes of one bucket.
  package enum Rule: Hashable, Sendable {
    /// At most this many metres apart.
    case within(metres: Double)
    /// Closer than the sum of the two accuracy radii and this many metres. Fixes with a radius larger than `threshold`, or
    /// with an unknown radius, are skipped.
    case accuracies(plus: Double, threshold: Double)
  }

  /// The width of a bucket; bucket n is n x width ..< (n + 1) x width since 1970.
  package var bucket: TimeSpan
  /// The criterion for two close fixes of one bucket.
  package var rule: Rule
  /// The handling of fixes with an unknown floor.
  package var unknownFloors: ContactFinder.UnknownFloors

  /// Creates a rule for buckets of a width.
  package init(bucket: TimeSpan, rule: Rule, unknownFloors: ContactFinder.UnknownFloors = .flagged) {
    self.bucket = max(bucket, .milliseconds(1))
    self.rule = rule
    self.unknownFloors = unknownFloors
  }

  /// The published rule of minute buckets: the first fix of each minute whose accuracy radius is at most 5 m, and a
  /// contact when two are closer than both radii and 5 m. Two fixes of 5 m count as a contact at 15 m.
  package static let publishedMinutes = SampledFinder(
    bucket: .minutes(1), rule: .accuracies(plus: 5, threshold: 5))

  /// The counts of a run.
  package struct Result: Hashable, Sendable {
    /// Runs of consecutive buckets of a pair on one floor, by start, devices and floor; from the start of the first
    /// bucket to the end of the last one.
    package internal(set) var contacts: [Contact] = []
    /// Pairs of devices that were close in a bucket, summed over buckets.
    package internal(set) var pairTicks = 0
  }

  /// Counts the contacts of observed devices.
  package func contacts(in tracks: ObservedTracks) -> Result {
    var session = SampledSession(self)
    var result = Result()
    if let first = tracks.points.lazy.map(\.time).min(), let last = tracks.points.lazy.map(\.time).max() {
      let start = first.flooredMultiple(of: bucket.milliseconds)
      result.contacts = session.contacts(in: tracks, from: start, to: last + 1) + session.finish()
    }
    result.contacts.sort(by: Contact.isListedBefore)
    result.pairTicks = session.pairTicks
    return result
  }

  /// Calls `body` with the start of each bucket and the points that represent their devices in it.
  fileprivate func forEachBucket(
    of tracks: ObservedTracks, in span: Range<Int64>, _ body: (_ start: Int64, _ points: [Int]) -> Void
  ) {
    var chosen: [(bucket: Int64, point: Int)] = []
    for k in tracks.points.indices where span.contains(tracks.points[k].time) && isUsable(k, in: tracks) {
      let bucket = tracks.points[k].time.flooredMultiple(of: bucket.milliseconds)
      if let last = chosen.last, last.bucket == bucket,
        tracks.points[last.point].device == tracks.points[k].device
      {
        continue
      }
      chosen.append((bucket, k))
    }
    chosen.sort { ($0.bucket, $0.point) < ($1.bucket, $1.point) }
    var k = 0
    while k < chosen.count {
      var end = k
      while end < chosen.count, chosen[end].bucket == chosen[k].bucket { end += 1 }
      body(chosen[k].bucket, chosen[k..<end].map(\.point))
      k = end
    }
  }

  private func isUsable(_ k: Int, in tracks: ObservedTracks) -> Bool {
    guard tracks.points[k].floor != Segment.elsewhere else { return false }
    if unknownFloors == .never, tracks.points[k].floor == Segment.unknownFloor { return false }
    guard case .accuracies(_, let threshold) = rule else { return true }
    guard !tracks.accuracies.isEmpty, tracks.accuracies[k] >= 0 else { return false }
    return Double(tracks.accuracies[k]) <= threshold
  }

  fileprivate func visitClosePairs(
    _ tracks: ObservedTracks, _ fixes: [Int],
    _ body: (_ one: Int, _ two: Int, _ distance: Double) -> Void
  ) {
    let points = tracks.points
    let known = fixes.filter { points[$0].floor != Segment.unknownFloor }
    let sorted = known.sorted { (points[$0].floor, points[$0].x, $0) < (points[$1].floor, points[$1].x, $1) }
    sweep(tracks, sorted, whileTrue: { points[$0].floor == points[$1].floor }, body)
    guard known.count < fixes.count else { return }
    // A fix that may be on any floor is compared with all others.
    let all = fixes.sorted { (points[$0].x, $0) < (points[$1].x, $1) }
    sweep(tracks, all, whileTrue: { _, _ in true }) { one, two, distance in
      if points[one].floor == Segment.unknownFloor || points[two].floor == Segment.unknownFloor {
        body(one, two, distance)
      }
    }
  }

  /// Visits the close pairs of fixes that go from west to east as long as a condition of two holds.
  private func sweep(
    _ tracks: ObservedTracks, _ sorted: [Int], whileTrue isComparable: (_ one: Int, _ two: Int) -> Bool,
    _ body: (_ one: Int, _ two: Int, _ distance: Double) -> Void
  ) {
    let points = tracks.points
    let widest = sorted.map { tracks.accuracies.isEmpty ? 0 : Double(tracks.accuracies[$0]) }.max() ?? 0
    for (k, one) in sorted.enumerated() {
      let p = points[one]
      for two in sorted[(k + 1)...] {
        let q = points[two]
        let reach: Double
        switch rule {
        case .within(let metres): reach = metres
        case .accuracies(let plus, _): reach = Double(tracks.accuracies[one]) + widest + plus
        }
        guard isComparable(one, two), q.x - p.x <= reach else { break }
        let (dx, dy) = (q.x - p.x, q.y - p.y)
        let distance = (dx * dx + dy * dy).squareRoot()
        let isClose =
          switch rule {
          case .within(let metres): dx * dx + dy * dy <= metres * metres
          case .accuracies(let plus, _):
            distance < Double(tracks.accuracies[one]) + Double(tracks.accuracies[two]) + plus
          }
        if isClose { body(one, two, distance) }
      }
    }
  }
}

/// A session that counts contacts window by window.
///
/// Each window begins where the previous one ended, at the start of a bucket, so that no bucket is split.
package struct SampledSession {
  /// The counting rule.
  package let finder: SampledFinder
  /// The pairs and buckets counted as close so far.
  package private(set) var pairTicks = 0
  private var open: [UInt64: Contact] = [:]

  /// Creates a session without contacts.
  package init(_ finder: SampledFinder) { self.finder = finder }

  /// Counts the buckets that begin in a window, and returns the final contacts in the order of their ends.
  package mutating func contacts(in tracks: ObservedTracks, from start: Int64, to end: Int64) -> [Contact] {
    var closed: [Contact] = []
    finder.forEachBucket(of: tracks, in: start..<max(start, end)) { bucket, fixes in
      take(bucket, fixes, of: tracks, closed: &closed)
    }
    let over = open.filter { $0.value.end < end * 1_000 }
    for key in over.keys { open[key] = nil }
    closed.append(contentsOf: over.values)
    return closed.sorted(by: Contact.isClosedBefore)
  }

  /// Returns the contacts that were still open, in the order of their ends.
  package mutating func finish() -> [Contact] {
    defer { open = [:] }
    return open.values.sorted(by: Contact.isClosedBefore)
  }

  private mutating func take(_ start: Int64, _ fixes: [Int], of tracks: ObservedTracks, closed: inout [Contact]) {
    let end = start + finder.bucket.milliseconds
    finder.visitClosePairs(tracks, fixes) { one, two, distance in
      pairTicks += 1
      let (a, b) = tracks.points[one].device < tracks.points[two].device ? (one, two) : (two, one)
      let (p, q) = (tracks.points[a], tracks.points[b])
      let contact = Contact(
        first: p.device, second: q.device, floor: p.floor == q.floor ? p.floor : Segment.unknownFloor,
        start: start * 1_000, end: end * 1_000,
        minimumDistance: distance, minimumDistanceTime: max(p.time, q.time) * 1_000,
        x: (p.x + q.x) / 2,
        y: (p.y + q.y) / 2, separationX: Float(q.x - p.x), separationY: Float(q.y - p.y))
      let key = PairIntervals.key(p.device, q.device)
      guard var earlier = open[key], earlier.end == contact.start, earlier.floor == contact.floor
      else {
        if let earlier = open[key] { closed.append(earlier) }
        open[key] = contact
        return
      }
      if contact.minimumDistance < earlier.minimumDistance {
        let start = earlier.start
        earlier = contact
        earlier.start = start
      }
      earlier.end = contact.end
      open[key] = earlier
    }
  }
}
