public import CordonCore

extension Runtime {
  /// What waits for each sink, in the order of the sinks' numbers.
  public func queues(at now: Moment) throws(StoreError) -> [QueueSummary] {
    var queues: [QueueSummary] = []
    for sink in sinks.members { queues.append(try store.queue(of: record.id, sink: sink, now: now.wall)) }
    return queues
  }

  /// When the device's token ends; `nil` when it has none.
  public var tokenEnd: Instant? { record.authToken == nil ? nil : record.expiresAt }
}
