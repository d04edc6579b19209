package import CordonCore

extension Runtime {
  /// Returns the venue to which a sink's rows are limited. A sink that needs credentials accepts only their venue's
  /// rows.
  func venue(for sink: SinkID) -> VenueID? {
    let needsActivation = monitor.configuration.sinks.first { $0.id == sink }?.needsActivation ?? false
    return needsActivation ? record.venue : nil
  }

  func queue(_ sink: SinkID, at now: ClockReading) throws(StoreError) -> QueueSummary {
    try store.queue(of: record.id, sink: sink, venue: venue(for: sink), now: now.wall)
  }

  /// Returns the queue of each sink, in the order of the sinks' numbers.
  package func queues(at now: ClockReading) throws(StoreError) -> [QueueSummary] {
    var queues: [QueueSummary] = []
    for sink in sinks.members { queues.append(try queue(sink, at: now)) }
    return queues
  }

  /// The expiry of the device's token; `nil` without one.
  package var tokenEnd: Instant? { record.authToken == nil ? nil : record.expiresAt }
}
