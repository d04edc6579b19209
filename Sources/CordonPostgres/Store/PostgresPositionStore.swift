internal import CordonCore
package import CordonIngest
internal import Crypto

/// The store in a PostgreSQL database, version 15 or later.
///
/// A commit is on the database's disk before it comes back (`synchronous_commit`). A store that only reads may lie beside one that
/// writes, in other threads and on other machines. The connection is made when it is needed first, and again after it ended:
/// meanwhile calls throw ``StoreFault/Kind/unavailable``, at once while the pause before the next attempt lasts.
package final class PostgresPositionStore: PositionStore {
  /// How a database is used.
  package struct Options: Hashable, Sendable {
    /// For queries beside a writer.
    package var isReadOnly = false
    /// The maximum time for an answer of the database.
    package var patience = Duration.seconds(15)
    /// The name of this server among those that share the database; `nil` for a store that takes no part in leases.
    package var server: String?
    /// How long a server with a name may stand still before the database gives its leases to others.
    package var standstill = Duration.seconds(6)
    /// A digest of the keys of this server, which all servers of a database have in common; `nil` for a store that has none.
    package var keys: String?
    /// The services of this server whose records are files; `nil` for a program that has none.
    package var services: FileServices?
    /// The keys under which keys of devices are kept (`sealed-columns = yes`); `nil` for columns that anybody with access to the
    /// database can read.
    package var sealing: SealingKeys?
    /// For a program that seals keys of devices under another key.
    package var isResealing = false

    /// The defaults.
    package init() {}
  }

  let address: PostgresAddress
  let options: Options
  private var connection: PostgresConnection?
  private var reconnection = Reconnection()
  /// Whether a transaction is open, be its connection still there or not.
  private(set) var isInTransaction = false

  var bundles: [BundleKey: Int64] = [:]
  var spaces: [BundleKey: Int64] = [:]
  var spaceNames: [Int64: SpaceID] = [:]
  var venueNumbers: [VenueID: Int64] = [:]
  /// The days since 1970 that are known to have a partition.
  var days: Set<Int64> = []
  /// The devices that were read in this transaction, which keep them from being erased until it ends.
  var heldDevices: [DeviceID: StoredDevice] = [:]
  /// What ``expect(_:hour:)`` read for this transaction.
  var expected = Expected()
  /// Rows that were counted in this transaction; they are written before its end.
  var countedRows: [Expected.Hour: Int64] = [:]
  /// The keys of devices that were read in this transaction.
  var deviceKeys: [Int64: SymmetricKey] = [:]
  /// How many groups are still stored row by row, after one had rows that were there already.
  var groupsWithoutCopy = 0

  /// The counts of failed attempts.
  var failureCounts = PostgresFailures()
  /// What this server holds of the things that servers share.
  var holdings = Holdings()
  /// Whether a request is handled that no other server may handle one beside.
  var alone = Alone.none

  enum Alone {
    case none, held, lost
  }

  struct BundleKey: Hashable {
    var venue: Int64
    var text: String
  }

  /// The log of decisions; `nil` for a store without one.
  var recording: Recording?
  /// Whether decisions of the log are being applied.
  var isCatchingUp = false

  /// The time of the next search for partitions to vacuum.
  var nextVacuum = ContinuousClock.now + PostgresPositionStore.vacuumPause
  private(set) lazy var vacuum = PostgresVacuum(address, isSealed: isSealed)
  /// When a hint to other servers may be sent again.
  var nextHint = ContinuousClock.now

  /// The version of the schema that this program writes.
  package static var schemaVersion: Int { PostgresSchema.steps.count }

  /// A store; it is connected at its first use.
  package init(_ address: PostgresAddress, options: Options = Options()) {
    self.address = address
    self.options = options
  }

  // MARK: The connection

  /// Asked again and again while a statement runs; `true` breaks it off.
  package func setInterruption(_ interruption: (() -> Bool)?) {
    self.interruption = interruption
    connection?.interruption = interruption
  }

  private var interruption: (() -> Bool)?

  /// Connects, unless it is connected, and brings the tables to the current version.
  /// - Throws: ``StoreFault/Kind/unavailable`` without a database, ``StoreFault/Kind/newerVersion`` for tables of a later version.
  package func connect() throws(StoreFault) { _ = try open() }

  /// The connection, which is made if there is none.
  func open() throws(StoreFault) -> PostgresConnection {
    if alone == .lost { throw StoreFault(.unavailable, "the connection ended within a request") }
    if let connection, connection.isUsable { return connection }
    connection = nil
    if alone == .held { alone = .lost }
    // The rest of a transaction must not be written without its beginning.
    if isInTransaction { throw StoreFault(.unavailable, "the connection ended within a transaction") }
    if alone != .none { throw StoreFault(.unavailable, "the connection ended within a request") }
    try reconnection.begin()
    let opened = try PostgresConnection(address, patience: options.patience)
    try prepare(opened)
    // A server that stands still gives its leases back.
    if options.server != nil {
      let limit = options.standstill.components.seconds * 1_000
      try opened.script("SET idle_session_timeout = \(limit); SET idle_in_transaction_session_timeout = \(limit)")
    }
    reconnection.succeed()
    opened.interruption = interruption
    forget()
    holdings = Holdings()
    connection = opened
    return opened
  }

  /// The connection, if there is one that works.
  var live: PostgresConnection? { connection.flatMap { $0.isUsable ? $0 : nil } }

  /// See ``PositionStore/sharing``.
  package var sharing: (any SharedStore)? { options.server == nil ? nil : self }

  @discardableResult
  func run(_ sql: String, _ parameters: [PostgresParameter] = []) throws(StoreFault) -> PostgresRows {
    try open().run(sql, parameters)
  }

  /// Queues a statement of a transaction; outside of one it is run.
  func post(_ sql: String, _ parameters: [PostgresParameter] = []) throws(StoreFault) {
    let connection = try open()
    if isInTransaction { try connection.post(sql, parameters) } else { try connection.run(sql, parameters) }
  }

  /// The number of the database's process that works for this store; `nil` without a connection.
  var process: Int32? { connection?.process }

  /// Ends the connection; the next call makes another.
  package func disconnect() {
    connection = nil
    forget()
    holdings = Holdings()
  }

  // MARK: Transactions

  /// See ``PositionStore/begin()``.
  package func begin() throws(StoreFault) {
    if !isCatchingUp { try catchUp() }
    try open().begin()
    isInTransaction = true
    heldDevices.removeAll(keepingCapacity: true)
    deviceKeys.removeAll(keepingCapacity: true)
    expected = Expected()
    countedRows.removeAll(keepingCapacity: true)
    holdings.confirmed.removeAll(keepingCapacity: true)
    guard !holdings.epochs.isEmpty else { return }
    do throws(StoreFault) {
      try holdErasures()
    } catch {
      rollback()
      throw error
    }
  }

  /// See ``PositionStore/commit()``.
  ///
  /// When the connection ends meanwhile, the transaction may be committed although this throws. Everything that is stored is
  /// stored once however often it is sent, so the client sends it again.
  package func commit() throws(StoreFault) {
    try flushDecisions()
    try flushCounts()
    try open().commit()
    holdings.used = holdings.confirmed.filter { $0.value }.keys.sorted()
    recording?.isBehind = false
    isInTransaction = false
    heldDevices.removeAll(keepingCapacity: true)
    deviceKeys.removeAll(keepingCapacity: true)
    expected = Expected()
  }

  /// See ``PositionStore/rollback()``.
  package func rollback() {
    isInTransaction = false
    countedRows.removeAll()
    recording?.recorder.discard()
    connection?.rollback()
    forget()
  }

  /// Forgets what was read, of which a transaction that was undone may have been the source.
  func forget() {
    bundles.removeAll()
    spaces.removeAll()
    spaceNames.removeAll()
    venueNumbers.removeAll()
    days.removeAll()
    heldDevices.removeAll()
    deviceKeys.removeAll()
    expected = Expected()
    holdings.confirmed.removeAll()
  }

  /// See ``PositionStore/probe()``.
  package func probe() throws(StoreFault) {
    try run("UPDATE schema_version SET probed = probed + 1 WHERE number = (SELECT max(number) FROM schema_version)")
  }

  /// See ``PositionStore/scrub()``, of the log of decisions. A database overwrites nothing:
  /// `docs/explanation/privacy.md` says what that means.
  package func scrub() throws(StoreFault) -> Bool { try recording?.log.scrub() ?? true }
}
