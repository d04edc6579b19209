import CordonCore
import CordonMonitoring

/// The expected contents of a phone's store, updated transaction by transaction.
struct TortureLedger {
  struct Row: Hashable {
    var time: Int64
    /// The end of the stay in milliseconds; `nil` without one.
    var stillUntil: Int64?
    /// The end of each sink's lease by the phone's wall clock; 0 without a lease. The index is the number of the sink.
    var leasedUntil = SIMD8<Int64>(repeating: 0)
    var isQuarantined = false
    /// The end of the stay up to which each sink acknowledged the row, or its time; 0 for a sink that did not. The index is the
    /// number of the sink.
    var deliveredUntil = SIMD8<Int64>(repeating: 0)

    init(_ location: Location) {
      time = location.time.milliseconds
      stillUntil = location.stillUntil?.milliseconds
    }
  }

  /// The reason why a row was removed.
  enum Cause: Hashable { case settled, expired, wiped }

  /// A removed row: the reason, and the end of its stay at that time.
  struct Gone: Hashable {
    var cause: Cause
    var stillUntil: Int64?
  }

  struct Counts: Hashable {
    var stored = 0, settled = 0, expired = 0, wiped = 0
  }

  /// The changes of a transaction, in order.
  struct Transaction {
    enum Change {
      /// An insertion, with the state of an earlier row of the same identity that had been acknowledged.
      case inserted(FixID, Row, isReopening: Bool, before: Gone?)
      case removed(FixID, Row, Cause)
      case changed(FixID, before: Row, after: Row)
    }
    var changes: [Change] = []
    var isFull = false

    var isEmpty: Bool { changes.isEmpty }

    /// Removes the changes and keeps the memory.
    mutating func clear() {
      if !changes.isEmpty { changes.removeAll(keepingCapacity: true) }
      isFull = false
    }
  }

  /// The known state of a row.
  private enum Known {
    case there(Row)
    case gone(Gone)
  }

  /// Every row ever, in one table, because each insertion and removal looks it up.
  private var known: [FixID: Known] = [:]
  /// The number of rows in the store.
  private(set) var rowCount = 0
  private(set) var counts = Counts()
  /// The transactions since the last one that a power loss cannot undo.
  private var history: [Transaction] = []
  private var open = Transaction()
  /// A transaction whose commit was interrupted: it may be in the store or not.
  private(set) var doubtful: Transaction?

  func has(_ id: FixID) -> Bool { row(id) != nil }

  /// Returns the row, when it exists.
  func row(_ id: FixID) -> Row? {
    if case .there(let row)? = known[id] { row } else { nil }
  }

  /// Returns the removal of a row; `nil` when the row exists, or never did.
  func gone(_ id: FixID) -> Gone? {
    if case .gone(let gone)? = known[id] { gone } else { nil }
  }

  /// The existing rows, as a new table.
  var rows: [FixID: Row] {
    known.compactMapValues { entry in
      if case .there(let row) = entry { row } else { nil }
    }
  }

  /// The removed rows, as a new table.
  var gone: [FixID: Gone] {
    known.compactMapValues { entry in
      if case .gone(let gone) = entry { gone } else { nil }
    }
  }

  mutating func begin(_ durability: Durability) {
    open.clear()
    open.isFull = durability == .full
  }

  mutating func insert(_ location: Location, isReopening: Bool) {
    let row = Row(location)
    var before: Gone?
    if case .gone(let gone)? = known.updateValue(.there(row), forKey: location.id) { before = gone }
    rowCount += 1
    if isReopening { counts.settled -= 1 } else { counts.stored += 1 }
    open.changes.append(.inserted(location.id, row, isReopening: isReopening, before: before))
  }

  mutating func change(_ id: FixID, _ body: (inout Row) -> Void) {
    guard let index = known.index(forKey: id), case .there(let before) = known.values[index] else { return }
    var after = before
    body(&after)
    known.values[index] = .there(after)
    open.changes.append(.changed(id, before: before, after: after))
  }

  /// Extends a stay; an earlier end changes nothing.
  mutating func extend(_ location: Location) {
    guard let row = row(location.id), let end = location.stillUntil?.milliseconds, end > row.stillUntil ?? row.time
    else { return }
    change(location.id) { $0.stillUntil = end }
  }

  mutating func remove(_ id: FixID, _ cause: Cause) {
    guard let index = known.index(forKey: id), case .there(let row) = known.values[index] else { return }
    known.values[index] = .gone(Gone(cause: cause, stillUntil: row.stillUntil))
    rowCount -= 1
    count(cause, 1)
    open.changes.append(.removed(id, row, cause))
  }

  private mutating func count(_ cause: Cause, _ amount: Int) {
    switch cause {
    case .settled: counts.settled += amount
    case .expired: counts.expired += amount
    case .wiped: counts.wiped += amount
    }
  }

  mutating func commit(canLosePower: Bool) {
    if canLosePower {
      // A full commit also syncs everything before it.
      if open.isFull { history.removeAll() } else if !open.isEmpty { history.append(open) }
    }
    open.clear()
  }

  mutating func rollback() {
    undo(open)
    open.clear()
  }

  /// Handles the death of the process during a commit.
  mutating func doubt() {
    doubtful = open
    undo(open)
    open = Transaction()
  }

  private mutating func redo(_ change: Transaction.Change) {
    switch change {
    case .inserted(let id, let row, let isReopening, _):
      known[id] = .there(row)
      rowCount += 1
      if isReopening { counts.settled -= 1 } else { counts.stored += 1 }
    case .removed(let id, let row, let cause):
      known[id] = .gone(Gone(cause: cause, stillUntil: row.stillUntil))
      rowCount -= 1
      count(cause, 1)
    case .changed(let id, _, let after): known[id] = .there(after)
    }
  }

  private mutating func undo(_ transaction: Transaction) {
    for change in transaction.changes.reversed() {
      switch change {
      case .inserted(let id, _, let isReopening, let before):
        known[id] = before.map { .gone($0) }
        rowCount -= 1
        if isReopening { counts.settled += 1 } else { counts.stored -= 1 }
      case .removed(let id, let row, let cause):
        known[id] = .there(row)
        rowCount += 1
        count(cause, -1)
      case .changed(let id, let before, _): known[id] = .there(before)
      }
    }
  }

  /// Compares the ledger with the rows that another process found, with the ends of their stays. Returns `nil` when
  /// they are not a state that the store passed through.
  ///
  /// The sums that were written with the rows distinguish two states with the same rows.
  mutating func reconcile(
    with actual: [Location], counts actualCounts: Counts?, quarantined: Int?, lostPower: Bool
  ) -> String? {
    defer { doubtful = nil }
    func isSame(_ ledger: TortureLedger) -> Bool {
      ledger.rowCount == actual.count && (actualCounts ?? ledger.counts) == ledger.counts
        && quarantined.map { $0 == ledger.rows.values.count(where: \.isQuarantined) } ?? true
        && actual.allSatisfy { location in
          ledger.row(location.id).map { $0.stillUntil == location.stillUntil?.milliseconds } ?? false
        }
    }
    let before = self
    if let doubtful {
      doubtful.changes.forEach { redo($0) }
      if isSame(self) {
        if doubtful.isFull { history.removeAll() } else { history.append(doubtful) }
        // The rows are the same without the leases of this transaction, so these may be missing; after a power loss,
        // others too.
        for case .changed(let id, let before, _) in doubtful.changes {
          guard var row = row(id) else { continue }
          row.leasedUntil = pointwiseMin(row.leasedUntil, before.leasedUntil)
          row.deliveredUntil = pointwiseMin(row.deliveredUntil, before.deliveredUntil)
          known[id] = .there(row)
        }
        if lostPower { forgetLeases() }
        return nil
      }
      undo(doubtful)
    }
    if isSame(self) {
      if lostPower { forgetLeases() }
      return nil
    }
    if lostPower {
      while let last = history.popLast() {
        undo(last)
        if isSame(self) {
          // Later leases may be lost as well.
          forgetLeases()
          return nil
        }
      }
    }
    let there = Set(actual.map(\.id))
    let missing = before.rows.keys.count { !there.contains($0) }
    let strange = there.count { !before.has($0) }
    let stays = actual.count { row in before.row(row.id).map { $0.stillUntil != row.stillUntil?.milliseconds } ?? false
    }
    return
      "after \(lostPower ? "a power loss" : "a kill") \(missing) rows are missing, \(strange) are there that should not be, and \(stays) stays end at another time"
  }

  private mutating func forgetLeases() {
    known = known.mapValues { entry in
      guard case .there(var row) = entry else { return entry }
      row.leasedUntil = .zero
      row.deliveredUntil = .zero
      return .there(row)
    }
  }
}
