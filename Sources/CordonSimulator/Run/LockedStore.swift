import CordonCore
import CordonMonitoring
import Foundation

/// One of several handles of a store that threads share. A transaction of one handle blocks the others.
final class LockedStore: Store {
  private let base: any Store
  private let lock: NSRecursiveLock
  /// Whether a transaction of this handle holds the lock.
  private var isOpen = false

  init(_ base: any Store, lock: NSRecursiveLock) {
    self.base = base
    self.lock = lock
  }

  private func alone<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  func begin(_ durability: Durability) throws(StoreError) {
    lock.lock()
    do throws(StoreError) {
      try base.begin(durability)
      isOpen = true
    } catch {
      lock.unlock()
      throw error
    }
  }

  func commit() throws(StoreError) {
    // A failed commit is rolled back, which releases the lock.
    try base.commit()
    release()
  }

  func rollback() {
    lock.lock()
    base.rollback()
    release()
    lock.unlock()
  }

  private func release() {
    guard isOpen else { return }
    isOpen = false
    lock.unlock()
  }

  var bytesPerRow: Int { base.bytesPerRow }

  func device(_ id: DeviceID) throws(StoreError) -> DeviceRecord? {
    try alone { () throws(StoreError) in try base.device(id) }
  }

  func devices() throws(StoreError) -> [DeviceRecord] {
    try alone { () throws(StoreError) in try base.devices() }
  }

  func save(_ device: DeviceRecord) throws(StoreError) {
    try alone { () throws(StoreError) in try base.save(device) }
  }

  func save(state: [UInt8], of device: DeviceID) throws(StoreError) {
    try alone { () throws(StoreError) in try base.save(state: state, of: device) }
  }

  func remove(_ device: DeviceID) throws(StoreError) {
    try alone { () throws(StoreError) in try base.remove(device) }
  }

  func insert(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool {
    try alone { () throws(StoreError) in try base.insert(location, sinks: sinks) }
  }

  func extend(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool {
    try alone { () throws(StoreError) in try base.extend(location, sinks: sinks) }
  }

  func lease(
    _ device: DeviceID, sink: SinkID, venue: VenueID?, limit: Int, now: Instant, until: Instant
  ) throws(StoreError) -> [Location] {
    try alone { () throws(StoreError) in
      try base.lease(device, sink: sink, venue: venue, limit: limit, now: now, until: until)
    }
  }

  func completeLease(
    _ device: DeviceID, sink: SinkID, rows: [DeliveryResult], required: SinkSet
  ) throws(StoreError) -> DeliveryCounts {
    try alone { () throws(StoreError) in try base.completeLease(device, sink: sink, rows: rows, required: required) }
  }

  func queue(of device: DeviceID, sink: SinkID, venue: VenueID?, now: Instant) throws(StoreError) -> QueueSummary {
    try alone { () throws(StoreError) in try base.queue(of: device, sink: sink, venue: venue, now: now) }
  }

  func usage(of device: DeviceID) throws(StoreError) -> StoreUsage {
    try alone { () throws(StoreError) in try base.usage(of: device) }
  }

  func expire(_ device: DeviceID, before time: Instant) throws(StoreError) -> DeletionCount {
    try alone { () throws(StoreError) in try base.expire(device, before: time) }
  }

  func expire(_ device: DeviceID, oldest count: Int) throws(StoreError) -> DeletionCount {
    try alone { () throws(StoreError) in try base.expire(device, oldest: count) }
  }

  func wipe(_ device: DeviceID) throws(StoreError) -> DeletionCount {
    try alone { () throws(StoreError) in try base.wipe(device) }
  }

  func wipe(_ device: DeviceID, venue: VenueID) throws(StoreError) -> DeletionCount {
    try alone { () throws(StoreError) in try base.wipe(device, venue: venue) }
  }

  func locations(of device: DeviceID) throws(StoreError) -> [Location] {
    try alone { () throws(StoreError) in try base.locations(of: device) }
  }

  func deliveries(of device: DeviceID) throws(StoreError) -> [Delivery] {
    try alone { () throws(StoreError) in try base.deliveries(of: device) }
  }

  func takeUnreadableRows(of device: DeviceID) throws(StoreError) -> DeletionCount {
    try alone { () throws(StoreError) in try base.takeUnreadableRows(of: device) }
  }

  func scrub() throws(StoreError) {
    try alone { () throws(StoreError) in try base.scrub() }
  }

  func takeOver() throws(StoreError) {
    try alone { () throws(StoreError) in try base.takeOver() }
  }
}
