import CordonCore
import CordonMonitoring

/// Passes everything on to the store that is tested, and keeps the ledger. After a death nothing works any more.
final class LedgerStore: Store {
  private let inner: any Store
  /// Disks of its own kill by themselves; a store in memory is killed between calls.
  private let disk: TortureDisk?
  private var callsLeft = Int64.max
  private var isKilled = false
  private(set) var ledger: TortureLedger
  /// Called for each new row, before it is committed.
  var onInsert: (Location) -> Void = { _ in }
  /// Called for each lease: rows that another request has already.
  var onDoubleLease: (FixID) -> Void = { _ in }

  init(_ inner: any Store, disk: TortureDisk?, ledger: TortureLedger) {
    self.inner = inner
    self.disk = disk
    self.ledger = ledger
  }

  var isDead: Bool { isKilled || disk?.isDead == true }

  func kill(after count: Int64) { callsLeft = max(1, count) }

  func disarm() { callsLeft = .max }

  /// A store in memory outlives its process; an open transaction does not.
  func abandon() -> any Store {
    inner.rollback()
    return inner
  }

  private func strike() throws(StoreError) {
    if isKilled { throw StoreError(.failed, "the process is dead") }
    guard callsLeft != .max else { return }
    callsLeft -= 1
    if callsLeft <= 0 {
      isKilled = true
      throw StoreError(.failed, "the process died")
    }
  }

  /// What a failed call leaves: nothing of a transaction, unless the process died within it.
  func begin(_ durability: Durability) throws(StoreError) {
    try strike()
    try inner.begin(durability)
    ledger.begin(durability)
  }

  func commit() throws(StoreError) {
    try strike()
    do throws(StoreError) {
      try inner.commit()
    } catch {
      if isDead { ledger.doubt() }
      throw error
    }
    ledger.commit(canLosePower: disk != nil)
  }

  func rollback() {
    if !isDead { inner.rollback() }
    ledger.rollback()
  }

  func device(_ id: DeviceID) throws(StoreError) -> DeviceRecord? { try inner.device(id) }
  func devices() throws(StoreError) -> [DeviceRecord] { try inner.devices() }

  func save(_ device: DeviceRecord) throws(StoreError) {
    try strike()
    try inner.save(device)
  }

  func save(state: [UInt8], of device: DeviceID) throws(StoreError) {
    try strike()
    try inner.save(state: state, of: device)
  }

  func remove(_ device: DeviceID) throws(StoreError) {
    try strike()
    let before = try inner.device(device) == nil ? [] : inner.locations(of: device).map(\.id)
    try inner.remove(device)
    for id in before { ledger.remove(id, .wiped) }
  }

  func insert(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool {
    try strike()
    let isNew = try inner.insert(location, sinks: sinks)
    if isNew {
      onInsert(location)
      ledger.insert(location, isReopening: false)
    }
    return isNew
  }

  func extend(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool {
    try strike()
    let isNew = try inner.extend(location, sinks: sinks)
    if isNew {
      onInsert(location)
      ledger.insert(location, isReopening: true)
    }
    return isNew
  }

  func lease(
    _ device: DeviceID, sink: SinkID, venue: VenueID?, limit: Int, now: Instant, until: Instant
  ) throws(StoreError) -> [Location] {
    try strike()
    let rows = try inner.lease(device, sink: sink, venue: venue, limit: limit, now: now, until: until)
    for row in rows {
      guard let known = ledger.rows[row.id] else { continue }
      // A lease that is longer than any lease can be is of a clock that was set back.
      if known.leasedUntil > now.milliseconds, known.leasedUntil <= until.milliseconds { onDoubleLease(row.id) }
      ledger.change(row.id) { $0.leasedUntil = until.milliseconds }
    }
    return rows
  }

  func settle(
    _ device: DeviceID, sink: SinkID, rows: [Settlement], required: SinkSet
  ) throws(StoreError) -> SettlementCounts {
    try strike()
    let counts = try inner.settle(device, sink: sink, rows: rows, required: required)
    let left = Set(try inner.locations(of: device).map(\.id))
    for row in rows {
      if !left.contains(row.id) {
        ledger.remove(row.id, .settled)
      } else {
        ledger.change(row.id) {
          $0.leasedUntil = 0
          if row.outcome == .refused { $0.isQuarantined = true }
        }
      }
    }
    return counts
  }

  func queue(of device: DeviceID, sink: SinkID, venue: VenueID?, now: Instant) throws(StoreError) -> QueueSummary {
    try inner.queue(of: device, sink: sink, venue: venue, now: now)
  }

  func nextLeaseEnd(of device: DeviceID, sink: SinkID) throws(StoreError) -> Instant? {
    try inner.nextLeaseEnd(of: device, sink: sink)
  }

  func deliveries(of device: DeviceID) throws(StoreError) -> [Delivery] { try inner.deliveries(of: device) }
  func takeLosses(of device: DeviceID) throws(StoreError) -> Removal { try inner.takeLosses(of: device) }
  var bytesPerRow: Int { inner.bytesPerRow }
  func usage(of device: DeviceID) throws(StoreError) -> StoreUsage { try inner.usage(of: device) }

  private func tracking<T>(
    _ device: DeviceID, _ cause: TortureLedger.Cause, _ body: () throws(StoreError) -> T
  ) throws(StoreError) -> T {
    let before = try inner.locations(of: device).map(\.id)
    let result = try body()
    let left = Set(try inner.locations(of: device).map(\.id))
    for id in before where !left.contains(id) { ledger.remove(id, cause) }
    return result
  }

  func expire(_ device: DeviceID, before time: Instant) throws(StoreError) -> Removal {
    try strike()
    return try tracking(device, .expired) { () throws(StoreError) in try inner.expire(device, before: time) }
  }

  func expire(_ device: DeviceID, oldest count: Int) throws(StoreError) -> Removal {
    try strike()
    return try tracking(device, .expired) { () throws(StoreError) in try inner.expire(device, oldest: count) }
  }

  func wipe(_ device: DeviceID) throws(StoreError) -> Removal {
    try strike()
    return try tracking(device, .wiped) { () throws(StoreError) in try inner.wipe(device) }
  }

  func locations(of device: DeviceID) throws(StoreError) -> [Location] { try inner.locations(of: device) }

  func scrub() throws(StoreError) {
    try strike()
    try inner.scrub()
  }

  /// Takes in what is really there after a relaunch.
  func reconcile(_ actual: Set<FixID>, counts: TortureLedger.Counts?, lostPower: Bool) -> String? {
    ledger.reconcile(with: actual, counts: counts, lostPower: lostPower)
  }
}
