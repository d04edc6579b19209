import CordonCore
import CordonMonitoring

/// Passes every call on to the tested store, and keeps the ledger. After a death every call fails.
final class LedgerStore: Store {
  private let inner: any Store
  /// Disks of the test kill by themselves; a store in memory is killed between calls.
  private let disk: TortureDisk?
  @exclusivity(unchecked) private var callsLeft = Int64.max
  @exclusivity(unchecked) private var isKilled = false
  @exclusivity(unchecked) private(set) var ledger: TortureLedger
  /// Called for each new row, before it is committed.
  var onInsert: (Location) -> Void = { _ in }
  /// Called for each extended stay, before it is committed.
  var onExtend: (Location) -> Void = { _ in }
  /// Called for each row that a limit deleted: whether it was the age limit, and the number of rows before.
  var onExpire: (FixID, _ byAge: Bool, _ count: Int) -> Void = { _, _, _ in }
  /// Called for each leased row that another request holds already.
  var onDoubleLease: (FixID) -> Void = { _ in }

  init(_ inner: any Store, disk: TortureDisk?, ledger: TortureLedger) {
    self.inner = inner
    self.disk = disk
    self.ledger = ledger
  }

  var isDead: Bool { isKilled || disk?.isDead == true }

  func kill(after count: Int64) { callsLeft = max(1, count) }

  func disarm() { callsLeft = .max }

  /// Returns the store after a death: a store in memory survives its process, an open transaction does not.
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

  /// A file's disk fills up by itself; a store in memory is full while this is set.
  var isFull = false

  private func strikeWrite() throws(StoreError) {
    try strike()
    if isFull { throw StoreError(.full, "no room") }
  }

  /// A failed call leaves nothing of its transaction, unless the process died within it.
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
    try strikeWrite()
    try inner.save(device)
  }

  func save(state: [UInt8], of device: DeviceID) throws(StoreError) {
    try strikeWrite()
    try inner.save(state: state, of: device)
  }

  func remove(_ device: DeviceID) throws(StoreError) {
    try strike()
    let before = try inner.device(device) == nil ? [] : inner.locations(of: device).map(\.id)
    try inner.remove(device)
    for id in before { ledger.remove(id, .wiped) }
  }

  func insert(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool {
    try strikeWrite()
    let isNew = try inner.insert(location, sinks: sinks)
    if isNew {
      onInsert(location)
      ledger.insert(location, isReopening: false)
    }
    return isNew
  }

  func extend(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool {
    try strikeWrite()
    let isNew = try inner.extend(location, sinks: sinks)
    onExtend(location)
    if isNew {
      onInsert(location)
      ledger.insert(location, isReopening: true)
    } else {
      ledger.extend(location)
    }
    return isNew
  }

  func lease(
    _ device: DeviceID, sink: SinkID, venue: VenueID?, limit: Int, now: Instant, until: Instant
  ) throws(StoreError) -> [Location] {
    try strike()
    let rows = try inner.lease(device, sink: sink, venue: venue, limit: limit, now: now, until: until)
    for index in rows.indices {
      var isDouble = false
      ledger.change(rows[index].id) { known in
        // A lease longer than the maximum dates from before the clock was set back.
        let end = known.leasedUntil[Int(sink.number & 7)]
        isDouble = end > now.milliseconds && end <= until.milliseconds
        known.leasedUntil[Int(sink.number & 7)] = until.milliseconds
      }
      if isDouble { onDoubleLease(rows[index].id) }
    }
    return rows
  }

  func completeLease(
    _ device: DeviceID, sink: SinkID, rows: [DeliveryResult], required: SinkSet
  ) throws(StoreError) -> DeliveryCounts {
    try strike()
    let counts = try inner.completeLease(device, sink: sink, rows: rows, required: required)
    let isThere = try lookUp(device)
    for row in rows {
      if !isThere(row.id) {
        ledger.remove(row.id, .settled)
      } else {
        ledger.change(row.id) {
          $0.leasedUntil[Int(sink.number & 7)] = 0
          if row.outcome == .acknowledged {
            $0.deliveredUntil[Int(sink.number & 7)] = row.stillUntil?.milliseconds ?? $0.time
          }
          if row.outcome == .refused { $0.isQuarantined = true }
        }
      }
    }
    return counts
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

  /// Returns the identities in the store.
  private func identities(of device: DeviceID) throws(StoreError) -> [FixID] {
    if let memory = inner as? MemoryStore { return memory.identities(of: device) }
    return try inner.locations(of: device).map(\.id)
  }

  /// Returns a function that reports whether a row exists.
  private func lookUp(_ device: DeviceID) throws(StoreError) -> (FixID) -> Bool {
    if let memory = inner as? MemoryStore { return memory.lookUp(device) }
    let left = try Identities(identities(of: device))
    return { left.contains($0) }
  }

  private func tracking<T>(
    _ device: DeviceID, _ cause: TortureLedger.Cause, byAge: Bool = false, _ body: () throws(StoreError) -> T
  ) throws(StoreError) -> T {
    let count = try inner.usage(of: device).rows
    let before = inner is MemoryStore ? try identities(of: device) : []
    let result = try body()
    if try inner.usage(of: device).rows == count { return result }
    // Rows that the ledger has and the store no longer has were removed now.
    let went: [FixID]
    if inner is MemoryStore {
      let isThere = try lookUp(device)
      went = before.filter { !isThere($0) }
    } else {
      var all: [FixID] = []
      for known in try inner.devices() { all += try identities(of: known.id) }
      let left = Identities(all)
      went = ledger.rows.keys.filter { !left.contains($0) }
    }
    for id in went {
      if cause == .expired { onExpire(id, byAge, count) }
      ledger.remove(id, cause)
    }
    return result
  }

  func expire(_ device: DeviceID, before time: Instant) throws(StoreError) -> DeletionCount {
    try strike()
    return try tracking(device, .expired, byAge: true) { () throws(StoreError) in
      try inner.expire(device, before: time)
    }
  }

  func expire(_ device: DeviceID, oldest count: Int) throws(StoreError) -> DeletionCount {
    try strike()
    return try tracking(device, .expired) { () throws(StoreError) in try inner.expire(device, oldest: count) }
  }

  func wipe(_ device: DeviceID) throws(StoreError) -> DeletionCount {
    try strike()
    return try tracking(device, .wiped) { () throws(StoreError) in try inner.wipe(device) }
  }

  func wipe(_ device: DeviceID, venue: VenueID) throws(StoreError) -> DeletionCount {
    try strike()
    return try tracking(device, .wiped) { () throws(StoreError) in try inner.wipe(device, venue: venue) }
  }

  func locations(of device: DeviceID) throws(StoreError) -> [Location] { try inner.locations(of: device) }

  func scrub() throws(StoreError) {
    try strike()
    try inner.scrub()
  }

  func takeOver() throws(StoreError) {
    try strike()
    try inner.takeOver()
  }

  /// Compares the ledger with the store after a relaunch.
  func reconcile(
    _ actual: [Location], counts: TortureLedger.Counts?, quarantined: Int?, lostPower: Bool
  ) -> String? {
    ledger.reconcile(with: actual, counts: counts, quarantined: quarantined, lostPower: lostPower)
  }
}

/// A sorted list of identities. A store returns them in order, so a binary search is faster than hashing.
private struct Identities {
  private var sorted: [FixID]

  init(_ list: [FixID]) {
    sorted = list
    for (one, next) in zip(list, list.dropFirst()) where next < one {
      sorted.sort()
      break
    }
  }

  func contains(_ id: FixID) -> Bool {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low < sorted.count && sorted[low] == id
  }
}
