import CordonCore
import CordonMonitoring

/// What a phone's store must hold, kept beside it transaction by transaction.
struct TortureLedger {
  struct Row: Hashable {
    var time: Int64
    /// The end of the stay, milliseconds; `nil` when there is none.
    var stillUntil: Int64?
    /// By the wall clock of the phone; 0 when no request has it.
    var leasedUntil: Int64 = 0
    var isQuarantined = false

    init(_ location: Location) {
      time = location.time.milliseconds
      stillUntil = location.stillUntil?.milliseconds
    }
  }

  /// Why a row went.
  enum Cause: Hashable { case settled, expired, wiped }

  /// A row that went: why, and with which end of its stay.
  struct Gone: Hashable {
    var cause: Cause
    var stillUntil: Int64?
  }

  struct Counts: Hashable {
    var stored = 0, settled = 0, expired = 0, wiped = 0
  }

  /// What a transaction did, in order.
  struct Transaction {
    enum Change {
      /// With what was known of it when it had been there before: a row that came again after it was acknowledged.
      case inserted(FixID, Row, isReopening: Bool, before: Gone?)
      case removed(FixID, Row, Cause)
      case changed(FixID, before: Row, after: Row)
    }
    var changes: [Change] = []
    var isFull = false

    var isEmpty: Bool { changes.isEmpty }

    /// Nothing was done; the room for it is kept.
    mutating func clear() {
      if !changes.isEmpty { changes.removeAll(keepingCapacity: true) }
      isFull = false
    }
  }

  /// What is known of a row.
  private enum Known {
    case there(Row)
    case gone(Gone)
  }

  /// Every row there ever was: in one table, for it is looked at with every row that comes and goes.
  private var known: [FixID: Known] = [:]
  /// How many rows are there.
  private(set) var rowCount = 0
  private(set) var counts = Counts()
  /// Since the last transaction that a power loss cannot take back.
  private var history: [Transaction] = []
  private var open = Transaction()
  /// A transaction whose commit was cut short: it may be there, or not.
  private(set) var doubtful: Transaction?

  func has(_ id: FixID) -> Bool { row(id) != nil }

  /// The row, when it is there.
  func row(_ id: FixID) -> Row? {
    if case .there(let row)? = known[id] { row } else { nil }
  }

  /// Why and how a row went; `nil` when it is there, or never was.
  func gone(_ id: FixID) -> Gone? {
    if case .gone(let gone)? = known[id] { gone } else { nil }
  }

  /// The rows that are there. Makes a table of them.
  var rows: [FixID: Row] {
    known.compactMapValues { entry in
      if case .there(let row) = entry { row } else { nil }
    }
  }

  /// The rows that went. Makes a table of them.
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

  /// A stay lasts longer; one that ends earlier changes nothing.
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

  /// Takes in what another process found: each row with the end of its stay. `nil` when it is a state that the store went
  /// through and may be in.
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
        // The rows are the same without its leases, so these may not be there; nor may others, when power was lost.
        for case .changed(let id, let before, let after) in doubtful.changes {
          guard var row = row(id) else { continue }
          row.leasedUntil = min(before.leasedUntil, after.leasedUntil)
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
          // Leases that were written after it may be lost as well.
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
      row.leasedUntil = 0
      return .there(row)
    }
  }
}
