import CordonCore
import CordonMonitoring

/// A store that forwards every call to another store and records the writes.
final class RecordingStore: Store {
  enum Write {
    case stored(Location)
    case extended(Location)
  }

  private let inner: any Store
  /// The writes since the list was last emptied.
  var writes: [Write] = []

  init(_ inner: any Store) { self.inner = inner }

  func begin(_ durability: Durability) throws(StoreError) { try inner.begin(durability) }
  func commit() throws(StoreError) { try inner.commit() }
  func rollback() {
    inner.rollback()
    writes.removeAll()
  }
  func device(_ id: DeviceID) throws(StoreError) -> DeviceRecord? { try inner.device(id) }
  func devices() throws(StoreError) -> [DeviceRecord] { try inner.devices() }
  func save(_ device: DeviceRecord) throws(StoreError) { try inner.save(device) }
  func save(state: [UInt8], of device: DeviceID) throws(StoreError) { try inner.save(state: state, of: device) }
  func remove(_ device: DeviceID) throws(StoreError) { try inner.remove(device) }
  func insert(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool {
    let isNew = try inner.insert(location, sinks: sinks)
    if isNew { writes.append(.stored(location)) }
    return isNew
  }
  func extend(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool {
    let isNew = try inner.extend(location, sinks: sinks)
    writes.append(.extended(location))
    return isNew
  }
  func lease(
    _ device: DeviceID, sink: SinkID, venue: VenueID?, limit: Int, now: Instant, until: Instant
  ) throws(StoreError) -> [Location] {
    try inner.lease(device, sink: sink, venue: venue, limit: limit, now: now, until: until)
  }
  func completeLease(
    _ device: DeviceID, sink: SinkID, rows: [DeliveryResult], required: SinkSet
  ) throws(StoreError) -> DeliveryCounts {
    try inner.completeLease(device, sink: sink, rows: rows, required: required)
  }
  func queue(of device: DeviceID, sink: SinkID, venue: VenueID?, now: Instant) throws(StoreError) -> QueueSummary {
    try inner.queue(of: device, sink: sink, venue: venue, now: now)
  }
  func deliveries(of device: DeviceID) throws(StoreError) -> [Delivery] { try inner.deliveries(of: device) }
  func takeUnreadableRows(of device: DeviceID) throws(StoreError) -> DeletionCount {
    try inner.takeUnreadableRows(of: device)
  }
  var bytesPerRow: Int { inner.bytesPerRow }
  func usage(of device: DeviceID) throws(StoreError) -> StoreUsage { try inner.usage(of: device) }
  func expire(_ device: DeviceID, before time: Instant) throws(StoreError) -> DeletionCount {
    try inner.expire(device, before: time)
  }
  func expire(_ device: DeviceID, oldest count: Int) throws(StoreError) -> DeletionCount {
    try inner.expire(device, oldest: count)
  }
  func wipe(_ device: DeviceID) throws(StoreError) -> DeletionCount { try inner.wipe(device) }
  func wipe(_ device: DeviceID, venue: VenueID) throws(StoreError) -> DeletionCount {
    try inner.wipe(device, venue: venue)
  }
  func locations(of device: DeviceID) throws(StoreError) -> [Location] { try inner.locations(of: device) }
  func scrub() throws(StoreError) { try inner.scrub() }
  func takeOver() throws(StoreError) { try inner.takeOver() }
}
