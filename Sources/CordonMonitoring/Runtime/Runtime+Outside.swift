import CordonCore

/// Locations outside of venues, which have sinks of their own.
extension Runtime {
  /// Takes the sinks apart by the purposes of their locations. Called when sinks change.
  mutating func splitSinks() {
    let all = monitor.configuration.sinks.filter { sinks.contains($0.id) }
    venueSinks = SinkSet(all.filter { $0.purposes.contains(.record) }.map(\.id))
    outsideSinks = SinkSet(all.filter { $0.purposes.contains(.everywhere) }.map(\.id))
  }

  /// Returns the sinks that receive a location.
  func sinks(for location: Location) -> SinkSet { location.purpose == .record ? venueSinks : outsideSinks }

  /// Notes a location that was stored.
  mutating func note(latest location: Location) {
    if location.purpose == .record { latest = location } else { latestOutside = location }
  }

  /// Returns the most recent location that a sink may receive.
  func latest(for sink: SinkID) -> Location? {
    let inVenue = venueSinks.contains(sink) ? latest : nil
    let outside = outsideSinks.contains(sink) ? latestOutside : nil
    guard let inVenue, let outside else { return inVenue ?? outside }
    return inVenue.time > outside.time ? inVenue : outside
  }

  /// Removes every location outside of venues, and forgets the requests that may carry some.
  mutating func purge(_ now: ClockReading, _ work: inout Work, _ output: inout MonitorOutput) throws(StoreError) {
    try open(&work)
    let removal = try store.wipe(record.id, venue: .everywhere)
    latestOutside = nil
    let outsideSinks = outsideSinks
    calls.removeAll { outsideSinks.contains($0.sink) && $0.kind.isOfRows }
    work.calls.removeAll { outsideSinks.contains($0.sink) && $0.kind.isOfRows }
    work.requests.removeAll { request in
      if case .positions = request.body { outsideSinks.contains(request.sink) } else { false }
    }
    work.scrubs = true
    var queues: [QueueSummary] = []
    for sink in outsideSinks.members { queues.append(try queue(sink, at: now)) }
    report(
      .purged(waiting: removal.waiting, quarantined: removal.quarantined, queues: queues), now, into: &output.effects)
  }

  /// Removes locations outside of venues from the queues of sinks that were configured for them once, and no longer
  /// are.
  mutating func discardMisdirectedRows(_ now: ClockReading) throws(StoreError) {
    guard monitor.state.consent?.everywhere != nil else { return }
    try store.begin(.full)
    do throws(StoreError) {
      var removed = 0
      for sink in sinks.members where !outsideSinks.contains(sink) {
        removed += try store.discardQueue(of: record.id, sink: sink, venue: .everywhere, required: required)
      }
      if removed > 0 {
        note(.misdirected(removed), now)
        record.state = monitor.state.encoded()
        try store.save(state: record.state, of: record.id)
      }
      try store.commit()
    } catch {
      store.rollback()
      throw error
    }
  }
}
