public import CordonCore
public import CordonMonitoring
import GRDB
import GRDBSQLite

/// A store in one SQLite file, for one device or for many.
///
/// The file is in WAL mode; a transaction survives a killed process, and those of ``Durability/full`` survive a power
/// loss. Deleted rows are overwritten in the file (`secure_delete`), and ``scrub()`` empties the log.
///
/// A store belongs to one thread at a time, like every ``Store``; it has the file for itself.
public final class SQLiteStore: Store {
  // GRDB migrates the file. The statements of every fix then go to a connection of our own, without boxing of values.
  let connection: OpaquePointer
  var statements: [String: Statement] = [:]
  var numbers: [DeviceID: Int64] = [:]
  var bundles: [Bundle: Int64] = [:]
  var bundleNames: [Int64: Bundle] = [:]
  /// Sinks that any row may be meant for.
  var sinks: Set<UInt8> = []
  private var isOpen = false
  private var isGrouped = false
  private var groupFailed = false
  private var isFull = false
  /// States that changed in a group; only the last of each device is worth writing.
  var states: [DeviceID: [UInt8]] = [:]

  struct Bundle: Hashable {
    var venue: VenueID
    var hash: String
  }

  /// Opens a file, makes it if it is not there, and brings it to the current version.
  public init(path: String) throws(StoreError) {
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
      let statement = try Statement(connection, "PRAGMA \(setting)")
      try statement.run()
    }
    sinks = Set(try column("SELECT DISTINCT sink FROM delivery").map { UInt8(truncatingIfNeeded: $0) })
  }

  deinit {
    // Statements must be gone before their connection.
    statements.removeAll()
    sqlite3_close_v2(connection)
  }

  private static func migrate(_ path: String) throws(StoreError) {
    do {
      var configuration = Configuration()
      configuration.journalMode = .wal
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

  private func column(_ sql: String) throws(StoreError) -> [Int64] {
    let statement = try self.statement(sql)
    var values: [Int64] = []
    while try statement.step() { values.append(statement.int(0)) }
    return values
  }

  func statement(_ sql: StaticString) throws(StoreError) -> Statement { try statement("\(sql)") }

  func statement(_ sql: String) throws(StoreError) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try Statement(connection, sql)
    statements[sql] = statement
    return statement
  }

  func run(_ sql: String) throws(StoreError) { try statement(sql).run() }

  // MARK: Transactions

  /// See ``Store/begin(_:)``.
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
      try run("BEGIN IMMEDIATE")
    } catch {
      isOpen = false
      throw error
    }
  }

  /// See ``Store/commit()``.
  public func commit() throws(StoreError) {
    if !isGrouped { try run("COMMIT") }
    isOpen = false
  }

  /// See ``Store/rollback()``.
  public func rollback() {
    guard isOpen else { return }
    isOpen = false
    numbers.removeAll()
    bundles.removeAll()
    bundleNames.removeAll()
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
    try run("BEGIN IMMEDIATE")
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

  /// Empties the log into the file, so that nothing that was deleted is left in it.
  public func scrub() throws(StoreError) {
    guard !isGrouped, !isOpen else { return }
    let statement = try self.statement("PRAGMA wal_checkpoint(TRUNCATE)")
    _ = try statement.step()
    statement.reset()
  }

  // MARK: Devices

  private static let fields = "id, authToken, expiresAt, isActivated, type, venue, secret, state"

  /// See ``Store/device(_:)``.
  public func device(_ id: DeviceID) throws(StoreError) -> DeviceRecord? {
    let statement = try self.statement("SELECT \(SQLiteStore.fields) FROM device WHERE id = ?")
    statement.bind(1, id.rawValue)
    defer { statement.reset() }
    return try statement.step() ? record(statement) : nil
  }

  /// See ``Store/devices()``.
  public func devices() throws(StoreError) -> [DeviceRecord] {
    let statement = try self.statement("SELECT \(SQLiteStore.fields) FROM device ORDER BY id")
    var devices: [DeviceRecord] = []
    while try statement.step() {
      if let record = record(statement) { devices.append(record) }
    }
    return devices
  }

  private func record(_ row: Statement) -> DeviceRecord? {
    guard let id = row.text(0).flatMap(DeviceID.init) else { return nil }
    var record = DeviceRecord(id: id, type: row.text(4) ?? "")
    record.authToken = row.text(1)
    record.expiresAt = row.optionalInt(2).map(Instant.init(milliseconds:))
    record.isActivated = row.int(3) != 0
    record.venue = row.text(5).flatMap(VenueID.init(_:))
    record.secret = row.text(6)
    record.state = states[id] ?? row.blob(7)
    return record
  }

  /// See ``Store/save(_:)``.
  public func save(_ device: DeviceRecord) throws(StoreError) {
    let statement = try self.statement(
      """
      INSERT INTO device (\(SQLiteStore.fields)) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
      authToken = excluded.authToken, expiresAt = excluded.expiresAt, isActivated = excluded.isActivated,
      type = excluded.type, venue = excluded.venue, secret = excluded.secret, state = excluded.state
      """)
    statement.bind(1, device.id.rawValue)
    statement.bind(2, device.authToken)
    statement.bind(3, device.expiresAt?.milliseconds)
    statement.bind(4, Int64(device.isActivated ? 1 : 0))
    statement.bind(5, device.type)
    statement.bind(6, device.venue?.rawValue)
    statement.bind(7, device.secret)
    statement.bind(8, device.state)
    states[device.id] = nil
    try statement.run()
  }

  /// See ``Store/save(state:of:)``.
  public func save(state: [UInt8], of device: DeviceID) throws(StoreError) {
    if isGrouped { states[device] = state } else { try write(state, of: device) }
  }

  private func write(_ state: [UInt8], of device: DeviceID) throws(StoreError) {
    let statement = try self.statement("UPDATE device SET state = ? WHERE number = ?")
    statement.bind(1, state)
    statement.bind(2, try number(of: device))
    try statement.run()
  }

  /// See ``Store/remove(_:)``.
  public func remove(_ device: DeviceID) throws(StoreError) {
    guard try self.device(device) != nil else { return }
    _ = try wipe(device)
    let statement = try self.statement("DELETE FROM device WHERE id = ?")
    statement.bind(1, device.rawValue)
    try statement.run()
    numbers[device] = nil
    states[device] = nil
  }

  /// The number that stands for a device in the file.
  func number(of device: DeviceID) throws(StoreError) -> Int64 {
    if let number = numbers[device] { return number }
    let statement = try self.statement("SELECT number FROM device WHERE id = ?")
    statement.bind(1, device.rawValue)
    defer { statement.reset() }
    guard try statement.step() else { throw StoreError(.failed, "device \(device) was never saved") }
    let number = statement.int(0)
    numbers[device] = number
    return number
  }

  /// The number that stands for a venue as it was in one bundle.
  func number(of bundle: Bundle) throws(StoreError) -> Int64 {
    if let number = bundles[bundle] { return number }
    let insertion = try statement("INSERT OR IGNORE INTO bundle (venueId, venueHash) VALUES (?, ?)")
    insertion.bind(1, bundle.venue.rawValue)
    insertion.bind(2, bundle.hash)
    try insertion.run()
    let statement = try self.statement("SELECT number FROM bundle WHERE venueId = ? AND venueHash = ?")
    statement.bind(1, bundle.venue.rawValue)
    statement.bind(2, bundle.hash)
    defer { statement.reset() }
    guard try statement.step() else { throw StoreError(.failed, "bundle of \(bundle.venue) is not there") }
    bundles[bundle] = statement.int(0)
    return statement.int(0)
  }

  /// The venue that a number stands for.
  func bundle(_ number: Int64) throws(StoreError) -> Bundle {
    if let bundle = bundleNames[number] { return bundle }
    let statement = try self.statement("SELECT venueId, venueHash FROM bundle WHERE number = ?")
    statement.bind(1, number)
    defer { statement.reset() }
    guard try statement.step(), let venue = statement.text(0).flatMap(VenueID.init(_:)), let hash = statement.text(1)
    else { throw StoreError(.corrupt, "bundle \(number) is not there") }
    let bundle = Bundle(venue: venue, hash: hash)
    bundleNames[number] = bundle
    return bundle
  }
}
