public import CordonCore

extension Runtime {
  /// Rows of other venues than that of the credentials cannot be sent to who asks for credentials.
  func venue(for sink: SinkID) -> VenueID? {
    let needsActivation = monitor.configuration.sinks.first { $0.id == sink }?.needsActivation ?? false
    return needsActivation ? record.venue : nil
  }

  func queue(_ sink: SinkID, at now: ClockReading) throws(StoreError) -> QueueSummary {
    try store.queue(of: record.id, sink: sink, venue: venue(for: sink), now: now.wall)
  }

  /// What can be sent to each sink, in the order of the sinks' numbers.
  public func queues(at now: ClockReading) throws(StoreError) -> [QueueSummary] {
    var queues: [QueueSummary] = []
    for sink in sinks.members { queues.append(try queue(sink, at: now)) }
    return queues
  }

  /// When the device's token ends; `nil` when it has none.
  public var tokenEnd: Instant? { record.authToken == nil ? nil : record.expiresAt }
}
