import CordonCore
public import CordonMonitoring
import GRDBSQLite

/// What a store knows of its ownership of the file.
///
/// The lock keeps a file to one owner. Where a file system or a program ignores locks, the file's number of owners does: a store
/// whose number is not the last one any more read the file before somebody else wrote to it, so it writes nothing.
struct Ownership {
  /// The number of the last owner as this store knows it; its own once it has claimed the file.
  var epoch: Int64 = 0
  /// SQLite's number for what other connections had written when the file was opened.
  var version: Int64 = 0
  var isClaimed = false
  var isSuperseded = false
}

extension SQLiteStore {
  /// Becomes the owner of the file: a store that had it before can write no more.
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

  /// Notes who the owner is, before anything is read.
  func observeOwner() throws(StoreError) {
    ownership = Ownership(
      epoch: try column("SELECT epoch FROM owner").first ?? 0, version: try column("PRAGMA data_version").first ?? 0)
  }

  /// Starts a transaction, in which nobody else can write.
  /// - Throws: `StoreError.Kind.superseded` when another store has become the owner; nothing is begun then.
  func beginWriting() throws(StoreError) {
    if !ownership.isClaimed { try claim() }
    try writing { () throws(StoreError) in try checkOwner() }
  }

  /// Starts a transaction, and undoes it when the body fails.
  private func writing(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    if ownership.isSuperseded { throw supersede() }
    try run("BEGIN IMMEDIATE")
    do throws(StoreError) {
      try body()
    } catch {
      if sqlite3_get_autocommit(connection) == 0 { sqlite3_exec(connection, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// - Throws: `StoreError.Kind.superseded` when another store has become the owner.
  func checkOwner() throws(StoreError) {
    #if CORDON_BUGS
      if DeliberateBug.lastWriterWins.isActive { return }
    #endif
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
