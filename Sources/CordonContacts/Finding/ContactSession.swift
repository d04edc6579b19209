package import CordonCore

/// Finds contacts window after window of time, so that only the points of one window need be in memory.
///
/// Give each window the points of its time and, for each device, the last one before it and the first one
/// after it. The contacts are the same as from all points at once, whatever the windows.
package final class ContactSession {
  /// How contacts are found.
  package let finder: ContactFinder
  private let join: ContactJoin
  private var end = Int64.min

  /// A session without contacts.
  package init(finder: ContactFinder) {
    self.finder = finder
    join = ContactJoin(rule: finder.rule, threads: finder.threads)
  }

  /// Works on a window, which must begin where the last one ended or later, and hands over the contacts that
  /// nothing can change any more.
  package func run<Sink: ContactSink>(
    _ tracks: ObservedTracks, from start: Instant, to end: Instant, into sink: inout Sink
  ) throws(Sink.Failure) {
    try run(feed: tracks, from: start.milliseconds, to: end.milliseconds, into: &sink)
  }

  /// Works on a window of known segments.
  package func run<Sink: ContactSink>(
    _ segments: SegmentWindows, from start: Instant, to end: Instant, into sink: inout Sink
  ) throws(Sink.Failure) {
    try run(feed: segments.table, from: start.milliseconds, to: end.milliseconds, into: &sink)
  }

  private func run<Feed: SlabFeed, Sink: ContactSink>(
    feed: Feed, from start: Int64, to end: Int64, into sink: inout Sink
  ) throws(Sink.Failure) {
    let from = max(start, self.end)
    guard from < end, finder.distance >= 0 else { return }
    let isOrdered = sink.needsOrder
    try finder.handing(to: &sink) { emit in
      join.run(feed, span: from..<end, slab: finder.slab?.milliseconds, isOrdered: isOrdered, emit: emit)
    }
    self.end = end
  }

  /// Since when each device has been in a contact that may go on, milliseconds.
  package var openStarts: DeviceTimes {
    let open = join.open
    var times = DeviceTimes(devices: Set(open.map(\.second)))
    for contact in open {
      let start = contact.start.flooredMultiple(of: 1_000_000) / 1_000_000
      times.lower(contact.first, to: start)
      times.lower(contact.second, to: start)
    }
    return times
  }

  /// Hands over what was still open at the end of the last window.
  package func finish<Sink: ContactSink>(into sink: inout Sink) throws(Sink.Failure) {
    try finder.handing(to: &sink) { emit in
      join.finish(emit: emit)
    }
  }
}
