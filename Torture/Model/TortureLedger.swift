import CordonCore
import CordonMonitoring

/// What a phone's store must hold, kept beside it transaction by transaction.
struct TortureLedger {
  struct Row: Hashable {
    var time: Instant
    var longitude: UInt64
    /// By the wall clock of the phone; 0 when no request has it.
    var leasedUntil: Int64 = 0
    var isQuarantined = false
  }

  /// Why a row went.
  enum Cause: Hashable { case settled, expired, wiped }

  struct Counts: Hashable {
    var stored = 0, settled = 0, expired = 0, wiped = 0
  }

  /// What a transaction did.
  struct Transaction {
    var inserted: [(id: FixID, row: Row)] = []
    var removed: [(id: FixID, row: Row, cause: Cause)] = []
    var changed: [(id: FixID, before: Row)] = []
    /// Counts that were given back: a row that came again after it was acknowledged.
    var reopened = 0
    var isFull = false

    var isEmpty: Bool { inserted.isEmpty && removed.isEmpty && changed.isEmpty }

    /// Nothing was done; the room for it is kept.
    mutating func clear() {
      if !inserted.isEmpty { inserted.removeAll(keepingCapacity: true) }
      if !removed.isEmpty { removed.removeAll(keepingCapacity: true) }
      if !changed.isEmpty { changed.removeAll(keepingCapacity: true) }
      reopened = 0
      isFull = false
    }
  }

  private(set) var rows: [FixID: Row] = [:]
  private(set) var counts = Counts()
  /// Rows that are gone, and why.
  private(set) var gone: [FixID: Cause] = [:]
  /// Since the last transaction that a power loss cannot take back.
  private var history: [Transaction] = []
  private var open = Transaction()
  /// A transaction whose commit was cut short: it may be there, or not.
  private(set) var doubtful: Transaction?

  func has(_ id: FixID) -> Bool { rows.index(forKey: id) != nil }

  mutating func begin(_ durability: Durability) {
    open.clear()
    open.isFull = durability == .full
  }

  mutating func insert(_ location: Location, isReopening: Bool) {
    let row = Row(time: location.time, longitude: location.coordinate.longitude.bitPattern)
    open.inserted.append((location.id, row))
    rows[location.id] = row
    if isReopening { open.reopened += 1 } else { counts.stored += 1 }
    if isReopening { counts.settled -= 1 }
  }

  mutating func change(_ id: FixID, _ body: (inout Row) -> Void) {
    guard let index = rows.index(forKey: id) else { return }
    open.changed.append((id, rows.values[index]))
    body(&rows.values[index])
  }

  mutating func remove(_ id: FixID, _ cause: Cause) {
    guard let row = rows.removeValue(forKey: id) else { return }
    open.removed.append((id, row, cause))
    count(cause, 1)
  }

  private mutating func count(_ cause: Cause, _ amount: Int) {
    switch cause {
    case .settled: counts.settled += amount
    case .expired: counts.expired += amount
    case .wiped: counts.wiped += amount
    }
  }

  mutating func commit(canLosePower: Bool) {
    for removal in open.removed { gone[removal.id] = removal.cause }
    if !gone.isEmpty {
      for new in open.inserted { if let index = gone.index(forKey: new.id) { gone.remove(at: index) } }
    }
    if canLosePower {
      // A full commit syncs everything before it, too.
      if open.isFull { history.removeAll() } else if !open.isEmpty { history.append(open) }
    }
    open.clear()
  }

  mutating func rollback() {
    undo(open)
    open.clear()
  }

  /// The process died while it committed.
  mutating func doubt() {
    doubtful = open
    undo(open)
    open = Transaction()
  }

  private mutating func undo(_ transaction: Transaction) {
    for (id, before) in transaction.changed.reversed() { if rows[id] != nil { rows[id] = before } }
    for removal in transaction.removed.reversed() {
      rows[removal.id] = removal.row
      count(removal.cause, -1)
    }
    for new in transaction.inserted { rows[new.id] = nil }
    counts.stored -= transaction.inserted.count - transaction.reopened
    counts.settled += transaction.reopened
  }

  private mutating func redo(_ transaction: Transaction) {
    for new in transaction.inserted { rows[new.id] = new.row }
    counts.stored += transaction.inserted.count - transaction.reopened
    counts.settled -= transaction.reopened
    for removal in transaction.removed {
      rows[removal.id] = nil
      gone[removal.id] = removal.cause
      count(removal.cause, 1)
    }
  }

  /// Takes in what another process found. `nil` when it is a state that the store went through and may be in.
  ///
  /// The sums that were written with the rows tell two states with the same rows apart.
  mutating func reconcile(with actual: Set<FixID>, counts actualCounts: Counts?, lostPower: Bool) -> String? {
    defer { doubtful = nil }
    func isSame(_ rows: [FixID: Row]) -> Bool {
      rows.count == actual.count && (actualCounts ?? counts) == counts && actual.allSatisfy { rows[$0] != nil }
    }
    let before = rows
    if let doubtful {
      redo(doubtful)
      if isSame(rows) {
        if doubtful.isFull { history.removeAll() } else { history.append(doubtful) }
        // The rows are the same without its leases, so these may be lost with the power.
        if lostPower { for id in rows.keys { rows[id]?.leasedUntil = 0 } }
        return nil
      }
      undo(doubtful)
    }
    if isSame(rows) {
      if lostPower { for id in rows.keys { rows[id]?.leasedUntil = 0 } }
      return nil
    }
    if lostPower {
      while let last = history.popLast() {
        undo(last)
        for removal in last.removed { gone[removal.id] = nil }
        if isSame(rows) {
          // Leases that were written after it may be lost as well.
          for id in rows.keys { rows[id]?.leasedUntil = 0 }
          return nil
        }
      }
    }
    let missing = before.keys.count { !actual.contains($0) }
    let strange = actual.count { before[$0] == nil }
    return
      "after \(lostPower ? "a power loss" : "a kill") \(missing) rows are missing and \(strange) are there that should not be"
  }
}
