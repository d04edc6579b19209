import CordonCore
public import CordonMonitoring
import GRDB
import GRDBSQLite

/// A store in one SQLite file, for one device or for many.
///
/// The file is in WAL mode; a transaction survives a killed process, and those of `Durability.full` survive a power
/// loss. Deleted rows are overwritten in the file (`secure_delete`); ``scrub()`` takes away what SQLite leaves of them in
/// the log and in pages that it has rearranged.
///
/// With a `Sealer`, positions, floors, spaces, tokens and secrets are sealed; times, the venue's name and the monitor's
/// state are not. The file has mode 0600 and is excluded from backups.
///
/// A store belongs to one thread at a time, like every `Store`. It has the file for itself: a second store on the same file is refused,
/// in this process and in any other, until the first is released or its process has ended. Other programs may read the file.
public final class SQLiteStore: Store {
  // GRDB migrates the file. The statements of every fix then go to a connection of our own, without boxing of values.
  let connection: OpaquePointer
  var statements: [String: Statement] = [:]
  private let watch = StatementWatch()
  /// Released after the connection.
  private let lock: StoreLock?
  var ownership = Ownership()
  var numbers: [DeviceID: Int64] = [:]
  var bundles: [Bundle: Int64] = [:]
  var bundleNames: [Int64: Bundle] = [:]
  /// Sinks that any row may be meant for.
  var sinks: Set<UInt8> = []
  private var isOpen = false
  private(set) var isGrouped = false
  private var groupFailed = false
  private var isFull = false
  /// Whether something other than locations was deleted; an earlier process may have done so.
  var needsRewrite = true
  /// States that changed in a group; only the last of each device is worth writing.
  var states: [DeviceID: [UInt8]] = [:]
  /// What seals positions and tokens; `nil` for a store that anybody who has the file can read.
  var seal: Seal?

  struct Bundle: Hashable {
    var venue: VenueID
    var hash: String
  }

  /// Opens a file, makes it if it is not there, and brings it to the current version.
  ///
  /// A readable file that is opened with a sealer is sealed. What a lost key sealed is removed, and
  /// `Store.takeLosses(of:)` says how much that was.
  /// - Parameters:
  ///   - sealer: what seals positions and tokens; `nil` leaves them readable to whoever has the file.
  ///   - path: the path of the file; made if it is not there.
  /// - Throws: `StoreError.Kind.locked` while the sealer's keys are not to be had, or when a sealed file is opened
  ///   without a sealer: no row is changed then, and opening is to be tried again later. `StoreError.Kind.inUse` while
  ///   another store has the file; nothing is changed then.
  public convenience init(path: String, sealer: (any Sealer)? = nil) throws(StoreError) {
    try self.init(path: path, sealer: sealer, locks: true)
  }

  /// - Parameter locks: whether the file is locked. Without, the store is a program that knows no locks, for tests.
  package init(path: String, sealer: (any Sealer)?, locks: Bool) throws(StoreError) {
    try StoreFile.make(path)
    lock = locks ? try StoreLock(path) : nil
    try StoreFile.protect(path)
    try SQLiteStore.migrate(path)
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      sqlite3_close_v2(handle)
      throw StoreError(.failed, "\(path): cannot be opened (SQLite \(code))")
    }
    connection = handle
    sqlite3_busy_timeout(connection, 2_000)
    for setting in [
      "secure_delete = ON", "synchronous = NORMAL", "temp_store = MEMORY", "journal_size_limit = 4194304",
    ] {
      // Some settings answer with their new value.
      let statement = try Statement(connection, "PRAGMA \(setting)", watch)
      try statement.run()
    }
    #if CORDON_BUGS
      if DeliberateBug.secureDeleteOff.isActive {
        _ = try Statement(connection, "PRAGMA secure_delete = OFF", watch).step()
      }
      if DeliberateBug.forgetLease.isActive { try run("UPDATE delivery SET status = 0, leaseEnd = 0 WHERE status = 1") }
    #endif
    try observeOwner()
    do throws(StoreError) {
      try claim()
    } catch {
      // A full disk is no reason not to read the file; it is claimed before anything is written.
      guard error.kind == .full else { throw error }
    }
    sinks = try knownSinks()
    try adopt(sealer)
  }

  /// Calls a closure before every step of every statement from now on; what it throws, the statement throws.
  package func watchStatements(_ before: ((_ sql: String) throws(StoreError) -> Void)?) { watch.before = before }

  deinit {
    // Statements must be gone before their connection.
    statements.removeAll()
    sqlite3_close_v2(connection)
  }

  private static func migrate(_ path: String) throws(StoreError) {
    do {
      var configuration = Configuration()
      configuration.journalMode = .wal
      configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA secure_delete = ON") }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let migrator = Schema.migrator
      if try queue.read({ db in try migrator.hasBeenSuperseded(db) }) {
        throw StoreError(.newerVersion, "\(path): written by a newer version of this program")
      }
      try migrator.migrate(queue)
      try queue.close()
    } catch let error as StoreError {
      throw error
    } catch {
      throw SQLiteStore.error(error, path)
    }
  }

  private static func error(_ error: any Error, _ place: String) -> StoreError {
    guard let error = error as? DatabaseError else { return StoreError(.failed, "\(place): \(error)") }
    let kind: StoreError.Kind =
      switch error.resultCode {
      case .SQLITE_FULL: .full
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt
      default: .failed
      }
    return StoreError(kind, "\(place): \(error)")
  }

  /// Every sink that a row is meant for.
  func knownSinks() throws(StoreError) -> Set<UInt8> {
    Set(try column("SELECT DISTINCT sink FROM delivery").map { UInt8(truncatingIfNeeded: $0) })
  }

  /// Forgets what the file said of numbers; it may be otherwise now.
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

  func statement(_ sql: StaticString) throws(StoreError) -> Statement { try statement("\(sql)") }

  func statement(_ sql: String) throws(StoreError) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try Statement(connection, sql, watch)
    statements[sql] = statement
    return statement
  }

  func run(_ sql: String) throws(StoreError) { try statement(sql).run() }

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
    } else if sqlite3_get_autocommit(connection) == 0 {
      // After some errors SQLite has rolled back by itself.
      sqlite3_exec(connection, "ROLLBACK", nil, nil, nil)
    }
  }

  /// Makes one transaction of everything until ``endGroup()``: for simulations, in which nobody pulls the plug.
  ///
  /// A failure inside fails the whole group.
  public func beginGroup() throws(StoreError) {
    if isGrouped || isOpen { throw StoreError(.failed, "beginGroup: a transaction is open") }
    try beginWriting()
    isGrouped = true
    groupFailed = false
  }

  /// Commits a group.
  public func endGroup() throws(StoreError) {
    guard isGrouped else { throw StoreError(.failed, "endGroup: there is no group") }
    isGrouped = false
    let waiting = states
    states = [:]
    do throws(StoreError) {
      if groupFailed { throw StoreError(.failed, "endGroup: a transaction of this group failed") }
      for (device, state) in waiting { try write(state, of: device) }
      try run("COMMIT")
    } catch {
      groupFailed = false
      sqlite3_exec(connection, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }

  /// Overwrites what is left of deleted rows in the file, and empties the log into it.
  ///
  /// `secure_delete` overwrites the deleted row, but not copies of it that are left in the free space of a page when
  /// SQLite moves rows between pages. Emptying a table as a whole overwrites its pages; when rows are left, or a device
  /// is gone, the file is written anew. One of more than 16 MiB is written anew only when at least half of it is free,
  /// so that the work stays in proportion to what was deleted.
  public func scrub() throws(StoreError) { try scrub(everything: false) }

  /// - Parameter everything: whether the file is written anew, however large it is.
  func scrub(everything: Bool) throws(StoreError) {
    guard !isGrouped, !isOpen else { return }
    try checkOwner()
    // First, because a full disk lets nothing be written anew.
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
