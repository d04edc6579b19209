import CordonCore
import CordonMonitoring
import CordonTesting

/// A store in memory with one fault, to show that the conformance check finds it.
final class BrokenStore: Store {
  enum Fault: CaseIterable {
    case losesEveryTenthRow, insertsTwice, forgetsRollback, releasesAcknowledgedRows, ignoresTheLeaseLimit
    case keepsExpiredRows, keepsWipedRows, forgetsTheState
  }

  private let inner = MemoryStore()
  private let fault: Fault
  private var inserted = 0

  init(_ fault: Fault) { self.fault = fault }

  func begin(_ durability: Durability) throws(StoreError) { try inner.begin(durability) }
  func commit() throws(StoreError) { try inner.commit() }

  func rollback() {
    if fault == .forgetsRollback { try? inner.commit() } else { inner.rollback() }
  }

  func device(_ id: DeviceID) throws(StoreError) -> DeviceRecord? { try inner.device(id) }
  func devices() throws(StoreError) -> [DeviceRecord] { try inner.devices() }
  func save(_ device: DeviceRecord) throws(StoreError) { try inner.save(device) }

  func save(state: [UInt8], of device: DeviceID) throws(StoreError) {
    if fault != .forgetsTheState { try inner.save(state: state, of: device) }
  }

  func remove(_ device: DeviceID) throws(StoreError) { try inner.remove(device) }

  func insert(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool {
    inserted += 1
    if fault == .losesEveryTenthRow, inserted.isMultiple(of: 10) { return true }
    let isNew = try inner.insert(location, sinks: sinks)
    return isNew || fault == .insertsTwice
  }

  func extend(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool {
    try inner.extend(location, sinks: sinks)
  }

  func lease(
    _ device: DeviceID, sink: SinkID, venue: VenueID?, limit: Int, now: Instant, until: Instant
  ) throws(StoreError) -> [Location] {
    let limit = fault == .ignoresTheLeaseLimit ? limit + 1 : limit
    return try inner.lease(device, sink: sink, venue: venue, limit: limit, now: now, until: until)
  }

  func completeLease(
    _ device: DeviceID, sink: SinkID, rows: [DeliveryResult], required: SinkSet
  ) throws(StoreError) -> DeliveryCounts {
    let rows = fault == .releasesAcknowledgedRows ? [] : rows
    return try inner.completeLease(device, sink: sink, rows: rows, required: required)
  }

  func queue(of device: DeviceID, sink: SinkID, venue: VenueID?, now: Instant) throws(StoreError) -> QueueSummary {
    try inner.queue(of: device, sink: sink, venue: venue, now: now)
  }

  func usage(of device: DeviceID) throws(StoreError) -> StoreUsage { try inner.usage(of: device) }

  func expire(_ device: DeviceID, before time: Instant) throws(StoreError) -> DeletionCount {
    try inner.expire(device, before: fault == .keepsExpiredRows ? Instant(milliseconds: 0) : time)
  }

  func expire(_ device: DeviceID, oldest count: Int) throws(StoreError) -> DeletionCount {
    try inner.expire(device, oldest: count)
  }

  func wipe(_ device: DeviceID) throws(StoreError) -> DeletionCount {
    fault == .keepsWipedRows ? try inner.expire(device, oldest: 0) : try inner.wipe(device)
  }

  func wipe(_ device: DeviceID, venue: VenueID) throws(StoreError) -> DeletionCount {
    try inner.wipe(device, venue: venue)
  }

  func locations(of device: DeviceID) throws(StoreError) -> [Location] { try inner.locations(of: device) }
  func deliveries(of device: DeviceID) throws(StoreError) -> [Delivery] { try inner.deliveries(of: device) }

  func takeUnreadableRows(of device: DeviceID) throws(StoreError) -> DeletionCount {
    try inner.takeUnreadableRows(of: device)
  }

  func scrub() throws(StoreError) { try inner.scrub() }
}
