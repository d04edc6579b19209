import CordonCore
public import CordonMonitoring
import CordonSQLite

/// A store in one SQLite file, for one device or several.
///
/// The file is in WAL mode. A transaction survives the end of the process, and one with `Durability.full` survives a
/// power failure. Deleted rows are overwritten in the file (`secure_delete`). ``scrub()`` removes the copies that
/// SQLite leaves in the log and in rearranged pages.
///
/// With a `Sealer`, positions, floors, spaces, tokens and secrets are sealed. Times, the venue's name and the monitor's
/// state are not. The file has mode 0600 and is excluded from backups.
///
/// Like every `Store`, it must be used by one thread at a time. A file has one owner: opening a second store on it
/// fails, in this process and in others, until the first is released or its process ends. Other programs may read the
/// file.
public final class SQLiteStore: Store {
  let connection: Connection
  /// Released after the connection is closed.
  private let lock: StoreLock?
  var ownership = Ownership()
  var numbers: [DeviceID: Int64] = [:]
  var bundles: [Bundle: Int64] = [:]
  var bundleNames: [Int64: Bundle] = [:]
  /// The sinks that any row can be queued for.
  var sinks: Set<UInt8> = []
  private var isOpen = false
  private(set) var isGrouped = false
  private var groupFailed = false
  private var isFull = false
  /// Whether something other than locations was deleted. Initially true because an earlier process may have done so.
  var needsRewrite = true
  /// Changed states of a group; only the last state of each device is written.
  var states: [DeviceID: [UInt8]] = [:]
  /// The seal of positions and tokens; `nil` for a store that is readable for everybody with access to the file.
  var seal: Seal?

  struct Bundle: Hashable {
    var venue: VenueID
    var hash: String
  }

  /// Opens a file, creates it if it does not exist, and migrates it to the current version.
  ///
  /// A readable file that is opened with a sealer becomes sealed. Rows under a lost key are removed, and
  /// `Store.takeUnreadableRows(of:)` returns their number.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - sealer: the sealer of positions and tokens; `nil` leaves them readable to everybody with access to the file.
  /// - Throws: `StoreError`, with these kinds among others:
  ///   - `locked` if the sealer's keys are not accessible, or if a sealed file is opened without a sealer. No row is
  ///     changed then, and the caller may try again later.
  ///   - `inUse` if another store has the file open. Nothing is changed then.
  ///   - `newerVersion` if a newer version of the program wrote the file.
  public convenience init(path: String, sealer: (any Sealer)? = nil) throws(StoreError) {
    try self.init(path: path, sealer: sealer, locks: true)
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - sealer: the sealer of positions and tokens.
  ///   - locks: whether the file is locked. For tests, `false` imitates a program that ignores locks.
  package init(path: String, sealer: (any Sealer)?, locks: Bool) throws(StoreError) {
    try StoreFile.make(path)
    lock = locks ? try StoreLock(path) : nil
    try StoreFile.protect(path)
    try SQLiteStore.migrate(path)
    do throws(SQLiteFault) {
      connection = try Connection(path: path, mode: .readWrite, timeout: 2_000)
    } catch {
      throw StoreError(error)
    }
    for setting in [
      "secure_delete = ON", "synchronous = NORMAL", "temp_store = MEMORY", "journal_size_limit = 4194304",
    ] {
      // Some settings return their new value.
      try runOnce("PRAGMA \(setting)")
    }
    try observeOwner()
    do throws(StoreError) {
      try claim()
    } catch {
      // A full disk must not prevent reading the file; it is claimed before anything is written.
      guard error.kind == .full else { throw error }
    }
    sinks = try knownSinks()
    try adopt(sealer)
  }

  /// For tests: calls a closure before every step of every statement from now on; the statement fails if it returns `true`.
  package func failStatements(where isRefused: ((_ sql: String) -> Bool)?) { connection.refusal = isRefused }

  deinit { connection.close() }

  private static func migrate(_ path: String) throws(StoreError) {
    let isNewer: Bool
    do throws(SQLiteFault) {
      let file = try Connection(path: path, mode: .create, timeout: 0)
      defer { file.close() }
      isNewer = try Schema.migrations.isOlder(than: file)
      if !isNewer {
        try file.execute("PRAGMA secure_delete = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        try Schema.migrations.apply(to: file)
      }
    } catch {
      throw StoreError(StoreError(error).kind, "\(path): \(error)")
    }
    if isNewer { throw StoreError(.newerVersion, "\(path): written by a newer version of this program") }
  }

  /// Returns all sinks with queued rows.
  func knownSinks() throws(StoreError) -> Set<UInt8> {
    Set(try column("SELECT DISTINCT sink FROM delivery").map { UInt8(truncatingIfNeeded: $0) })
  }

  /// Clears the cached numbers, which may have changed in the file.
  func forgetNumbers() {
    numbers.removeAll()
    bundles.removeAll()
    bundleNames.removeAll()
  }

  func column(_ sql: String) throws(StoreError) -> [Int64] {
    let statement = try self.statement(sql)
    var values: [Int64] = []
    while try statement.step() { values.append(statement.int(0)) }
    return values
  }

  func statement(_ sql: StaticString) throws(StoreError) -> PreparedStatement { try statement("\(sql)") }

  func statement(_ sql: String) throws(StoreError) -> PreparedStatement {
    do throws(SQLiteFault) {
      return try connection.prepare(sql)
    } catch {
      throw StoreError(error)
    }
  }

  func run(_ sql: String) throws(StoreError) { try statement(sql).run() }

  private func runOnce(_ sql: String) throws(StoreError) {
    do throws(SQLiteFault) {
      try connection.prepareOnce(sql).finish()
    } catch {
      throw StoreError(error)
    }
  }

  // MARK: Transactions

  /// See `Store.begin(_:)`.
  public func begin(_ durability: Durability) throws(StoreError) {
    if isOpen { throw StoreError(.failed, "begin: a transaction is open") }
    if groupFailed { throw StoreError(.failed, "begin: a transaction of this group failed") }
    isOpen = true
    if isGrouped { return }
    do {
      if (durability == .full) != isFull {
        try run(durability == .full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
        isFull = durability == .full
      }
      try beginWriting()
    } catch {
      isOpen = false
      throw error
    }
  }

  /// See `Store.commit()`.
  public func commit() throws(StoreError) {
    if !isGrouped { try run("COMMIT") }
    isOpen = false
  }

  /// See `Store.rollback()`.
  public func rollback() {
    guard isOpen else { return }
    isOpen = false
    forgetNumbers()
    if isGrouped {
      groupFailed = true
    } else {
      connection.rollBack()
    }
  }

  /// Combines all transactions until ``endGroup()`` into one, for simulations, which need no durability.
  ///
  /// A failure inside fails the whole group.
  public func beginGroup() throws(StoreError) {
    if isGrouped || isOpen { throw StoreError(.failed, "beginGroup: a transaction is open") }
    try beginWriting()
    isGrouped = true
    groupFailed = false
  }

  /// Commits a group.
  ///
  /// - Throws: `StoreError` if there is no group, or if a transaction of it failed; the group is then rolled back.
  public func endGroup() throws(StoreError) {
    guard isGrouped else { throw StoreError(.failed, "endGroup: no group") }
    isGrouped = false
    let waiting = states
    states = [:]
    do throws(StoreError) {
      if groupFailed { throw StoreError(.failed, "endGroup: a transaction of this group failed") }
      for (device, state) in waiting { try write(state, of: device) }
      try run("COMMIT")
    } catch {
      groupFailed = false
      connection.rollBack()
      throw error
    }
  }

  /// Overwrites the remains of deleted rows in the file, and checkpoints and truncates the log.
  ///
  /// `secure_delete` overwrites a deleted row, but not the copies that remain in the free space of pages when SQLite
  /// moves rows. Emptying a whole table overwrites its pages. If rows remain, or if a device was removed, the file is
  /// rebuilt. A file of more than 16 MiB is rebuilt only if at least half of it is free. This keeps the cost in
  /// proportion to the amount deleted.
  ///
  /// - Throws: `StoreError` if another connection is reading the file, or if the file cannot be written.
  public func scrub() throws(StoreError) { try scrub(everything: false) }

  /// Overwrites the remains of deleted rows.
  ///
  /// - Parameter everything: whether the file is rebuilt at any size.
  func scrub(everything: Bool) throws(StoreError) {
    guard !isGrouped, !isOpen else { return }
    try checkOwner()
    // First, because a full disk prevents a rebuild.
    try emptyLog()
    let rows = "SELECT EXISTS (SELECT 1 FROM locationRow) OR EXISTS (SELECT 1 FROM delivery)"
    let hasRows = try column(rows) != [0]
    if !everything, !needsRewrite, !hasRows {
      try transaction(.normal) { () throws(StoreError) in
        try run("DELETE FROM locationRow")
        try run("DELETE FROM delivery")
      }
    } else {
      let pages = try column("PRAGMA page_count").first ?? 0
      let free = try column("PRAGMA freelist_count").first ?? 0
      guard everything || pages <= 4_096 || free >= pages / 2 else { return }
      try run("VACUUM")
      needsRewrite = false
    }
    try emptyLog()
  }

  private func emptyLog() throws(StoreError) {
    let statement = try self.statement("PRAGMA wal_checkpoint(TRUNCATE)")
    let isBusy = try statement.step() && statement.int(0) != 0
    statement.reset()
    if isBusy { throw StoreError(.failed, "the log cannot be emptied while somebody else reads the file") }
  }
}
