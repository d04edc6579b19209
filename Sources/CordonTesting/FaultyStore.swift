public import CordonCore
public import CordonMonitoring

/// A store that fails on request, and records what became durable: the disk of a fault test.
///
/// A failure in the middle of a transaction leaves it open until ``rollback()``. After a kill (``kill(after:)``)
/// every call fails until ``reopen()``, as after the death of a process.
public final class FaultyStore: Store {
  private let inner: any Store
  private var callsLeft = Int.max
  private var isKill = false
  /// Whether the process is dead.
  public private(set) var isDead = false
  /// Every location that ever became durable.
  public private(set) var durable: Set<FixID> = []
  /// Locations that a limit or a wipe removed for good.
  public private(set) var removedByRule: Set<FixID> = []
  /// Locations that were removed because sinks had confirmed them.
  public private(set) var confirmed: Set<FixID> = []
  /// The error of every call while it is set: a disk that stays full, a key that stays locked.
  public var failure: StoreError?
  private var inserted: [FixID] = []
  private var ruled: [FixID] = []
  private var settled: [FixID] = []
  private var durability = Durability.normal
  /// The number of transactions that were committed and that survive a power loss.
  public private(set) var fullCommits = 0
  /// Receives the name of every call that writes.
  public var onWrite: ((String) -> Void)?

  /// Wraps a working store.
  public init(_ inner: any Store) { self.inner = inner }

  /// Lets the `count`-th call from now fail once because the disk is full.
  public func fail(after count: Int) {
    callsLeft = count
    isKill = false
  }

  /// Lets the process die at the `count`-th call from now.
  public func kill(after count: Int) {
    callsLeft = count
    isKill = true
  }

  /// Forgets a failure that has not struck.
  public func disarm() { callsLeft = .max }

  /// Opens the store as another process would: open transactions are lost.
  public func reopen() {
    inner.rollback()
    clear()
    isDead = false
    callsLeft = .max
  }

  private func clear() {
    inserted = []
    ruled = []
    settled = []
  }

  private func strike(_ what: String) throws(StoreError) {
    onWrite?(what)
    if isDead { throw StoreError(.failed, "\(what): the process is dead") }
    if let failure { throw failure }
    guard callsLeft != .max else { return }
    callsLeft -= 1
    guard callsLeft <= 0 else { return }
    callsLeft = .max
    if isKill { isDead = true }
    throw StoreError(isKill ? .failed : .full, "\(what): scripted failure")
  }

  /// See `Store.begin(_:)`.
  public func begin(_ durability: Durability) throws(StoreError) {
    try strike("begin")
    try inner.begin(durability)
    self.durability = durability
  }

  /// See `Store.commit()`.
  public func commit() throws(StoreError) {
    try strike("commit")
    try inner.commit()
    if durability == .full { fullCommits += 1 }
    durable.formUnion(inserted)
    removedByRule.formUnion(ruled)
    confirmed.formUnion(settled)
    // A location that was inserted again after its removal is stored.
    removedByRule.subtract(inserted)
    clear()
  }

  /// See `Store.rollback()`.
  public func rollback() {
    if isDead { return }
    inner.rollback()
    clear()
  }

  /// See `Store.device(_:)`.
  public func device(_ id: DeviceID) throws(StoreError) -> DeviceRecord? { try inner.device(id) }

  /// See `Store.devices()`.
  public func devices() throws(StoreError) -> [DeviceRecord] { try inner.devices() }

  /// See `Store.save(_:)`.
  public func save(_ device: DeviceRecord) throws(StoreError) {
    try strike("save")
    try inner.save(device)
  }

  /// See `Store.save(state:of:)`.
  public func save(state: [UInt8], of device: DeviceID) throws(StoreError) {
    try strike("save state")
    try inner.save(state: state, of: device)
  }

  /// See `Store.remove(_:)`.
  public func remove(_ device: DeviceID) throws(StoreError) {
    try strike("remove")
    ruled += try inner.locations(of: device).map(\.id)
    try inner.remove(device)
  }

  /// See `Store.insert(_:sinks:)`.
  public func insert(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool {
    try strike("insert")
    let isNew = try inner.insert(location, sinks: sinks)
    if isNew { inserted.append(location.id) }
    return isNew
  }

  /// See `Store.extend(_:sinks:)`.
  public func extend(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool {
    try strike("extend")
    let isNew = try inner.extend(location, sinks: sinks)
    if isNew { inserted.append(location.id) }
    return isNew
  }

  /// See `Store.lease(_:sink:venue:limit:now:until:)`.
  public func lease(
    _ device: DeviceID, sink: SinkID, venue: VenueID?, limit: Int, now: Instant, until: Instant
  ) throws(StoreError) -> [Location] {
    try strike("lease")
    return try inner.lease(device, sink: sink, venue: venue, limit: limit, now: now, until: until)
  }

  /// See `Store.completeLease(_:sink:rows:required:)`.
  public func completeLease(
    _ device: DeviceID, sink: SinkID, rows: [DeliveryResult], required: SinkSet
  ) throws(StoreError) -> DeliveryCounts {
    try strike("settle")
    let before = Set(try inner.locations(of: device).map(\.id))
    let counts = try inner.completeLease(device, sink: sink, rows: rows, required: required)
    settled += before.subtracting(try inner.locations(of: device).map(\.id))
    return counts
  }

  /// See `Store.queue(of:sink:venue:now:)`.
  public func queue(
    of device: DeviceID, sink: SinkID, venue: VenueID?, now: Instant
  ) throws(StoreError) -> QueueSummary {
    try inner.queue(of: device, sink: sink, venue: venue, now: now)
  }

  /// See `Store.deliveries(of:)`.
  public func deliveries(of device: DeviceID) throws(StoreError) -> [Delivery] { try inner.deliveries(of: device) }

  /// See `Store.bytesPerRow`.
  public var bytesPerRow: Int { inner.bytesPerRow }

  /// See `Store.takeUnreadableRows(of:)`.
  public func takeUnreadableRows(of device: DeviceID) throws(StoreError) -> DeletionCount {
    try inner.takeUnreadableRows(of: device)
  }

  /// See `Store.usage(of:)`.
  public func usage(of device: DeviceID) throws(StoreError) -> StoreUsage { try inner.usage(of: device) }

  private func ruling(
    _ device: DeviceID, _ body: () throws(StoreError) -> DeletionCount
  ) throws(StoreError) -> DeletionCount {
    let before = Set(try inner.locations(of: device).map(\.id))
    let removal = try body()
    ruled += before.subtracting(try inner.locations(of: device).map(\.id))
    return removal
  }

  /// See `Store.expire(_:before:)`.
  public func expire(_ device: DeviceID, before time: Instant) throws(StoreError) -> DeletionCount {
    try strike("expire")
    return try ruling(device) { () throws(StoreError) in try inner.expire(device, before: time) }
  }

  /// See `Store.expire(_:oldest:)`.
  public func expire(_ device: DeviceID, oldest count: Int) throws(StoreError) -> DeletionCount {
    try strike("expire")
    return try ruling(device) { () throws(StoreError) in try inner.expire(device, oldest: count) }
  }

  /// See `Store.wipe(_:)`.
  public func wipe(_ device: DeviceID) throws(StoreError) -> DeletionCount {
    try strike("wipe")
    return try ruling(device) { () throws(StoreError) in try inner.wipe(device) }
  }

  /// See `Store.wipe(_:venue:)`.
  public func wipe(_ device: DeviceID, venue: VenueID) throws(StoreError) -> DeletionCount {
    try strike("wipe")
    return try ruling(device) { () throws(StoreError) in try inner.wipe(device, venue: venue) }
  }

  /// See `Store.locations(of:)`.
  public func locations(of device: DeviceID) throws(StoreError) -> [Location] { try inner.locations(of: device) }

  /// See `Store.scrub()`.
  public func scrub() throws(StoreError) { try inner.scrub() }

  /// See `Store.takeOver()`.
  public func takeOver() throws(StoreError) { try inner.takeOver() }
}
