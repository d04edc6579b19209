import CordonCore
public import CordonMonitoring
import CordonSQLite

/// The state of a store's ownership of its file.
///
/// The lock keeps a file to one owner. Where a file system or a program ignores locks, the epoch in the file protects
/// it. A store with an outdated epoch read the file before another owner wrote to it, so it writes nothing.
struct Ownership {
  /// The last epoch that this store read; its own after it has claimed the file.
  var epoch: Int64 = 0
  /// SQLite's `data_version` at the time the file was opened, which changes when other connections write.
  var version: Int64 = 0
  var isClaimed = false
  var isSuperseded = false
}

extension SQLiteStore {
  /// Makes this store the owner of the file. A previous owner can no longer write.
  func claim() throws(StoreError) {
    try checkOwner()
    try writing { () throws(StoreError) in
      guard try column("PRAGMA data_version") == [ownership.version] else { throw supersede() }
      try run("INSERT INTO owner VALUES (1, 1) ON CONFLICT (number) DO UPDATE SET epoch = epoch + 1")
      let epoch = try column("SELECT epoch FROM owner").first ?? 0
      try run("COMMIT")
      ownership.epoch = epoch
      ownership.isClaimed = true
    }
  }

  /// See `Store.takeOver()`.
  public func takeOver() throws(StoreError) {
    guard ownership.isSuperseded else { return }
    forgetNumbers()
    states = [:]
    try observeOwner()
    try claim()
    sinks = try knownSinks()
    try adopt(seal?.sealer)
  }

  /// Reads the current owner, before anything else is read.
  func observeOwner() throws(StoreError) {
    ownership = Ownership(
      epoch: try column("SELECT epoch FROM owner").first ?? 0, version: try column("PRAGMA data_version").first ?? 0)
  }

  /// Starts a transaction, during which no other connection can write.
  ///
  /// - Throws: `StoreError.Kind.superseded` if another store has become the owner; no transaction is then open.
  func beginWriting() throws(StoreError) {
    if !ownership.isClaimed { try claim() }
    try writing { () throws(StoreError) in try checkOwner() }
  }

  /// Starts a transaction, and rolls it back if the body fails.
  private func writing(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    if ownership.isSuperseded { throw supersede() }
    try run("BEGIN IMMEDIATE")
    do throws(StoreError) {
      try body()
    } catch {
      connection.rollBack()
      throw error
    }
  }

  /// Checks that this store still owns the file.
  ///
  /// - Throws: `StoreError.Kind.superseded` if another store has become the owner.
  func checkOwner() throws(StoreError) {
    if ownership.isSuperseded { throw supersede() }
    let statement = try self.statement("SELECT epoch FROM owner")
    defer { statement.reset() }
    let epoch = try statement.step() ? statement.int(0) : 0
    if epoch != ownership.epoch { throw supersede() }
  }

  private func supersede() -> StoreError {
    ownership.isSuperseded = true
    return StoreError(
      .superseded, "another program has taken the store over, so this one writes nothing more; open the store anew")
  }
}
