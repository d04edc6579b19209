import CordonCore

extension Store {
  /// Removes the queue of one sink: a location that no other required sink wants is removed too. Rows that are leased to a
  /// request are part of the queue; quarantined rows stay.
  ///
  /// Called within a transaction. Time grows with the number of rows in the queue.
  /// - Parameters:
  ///   - device: the device that owns the rows.
  ///   - sink: the sink whose queue is removed.
  ///   - venue: only rows of this venue; `nil` for all.
  ///   - required: the required sinks; `sink` counts as one of them.
  /// - Returns: the number of locations that were removed.
  func discardQueue(
    of device: DeviceID, sink: SinkID, venue: VenueID? = nil, required: SinkSet
  ) throws(StoreError) -> Int {
    // After every lease, so that rows in flight are part of the queue.
    let late = Instant(milliseconds: 1 << 52)
    let wanted = SinkSet(required.members + [sink])
    var removed = 0
    while true {
      let rows = try lease(device, sink: sink, venue: venue, limit: 1_000, now: late, until: late + .days(1))
      if rows.isEmpty { return removed }
      let results = rows.map { DeliveryResult(id: $0.id, stillUntil: $0.stillUntil, outcome: .acknowledged) }
      removed += try completeLease(device, sink: sink, rows: results, required: wanted).removed
    }
  }
}
