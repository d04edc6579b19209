package import CordonCore
internal import CordonSQLite

/// The store in one SQLite file: write-ahead log, a commit is on the disk before it comes back, and what is deleted is
/// overwritten, with all copies that SQLite may have made of it.
package final class SQLitePositionStore: DecidedStore {
  let connection: Connection
  var bundles: [BundleKey: Int64] = [:]
  var spaces: [BundleKey: Int64] = [:]
  var spaceNames: [Int64: SpaceID] = [:]
  var venueNumbers: [VenueID: Int64] = [:]
  var venueNames: [Int64: VenueID] = [:]
  /// Devices as they are in the file, for a store that is the only one who writes; `nil` for one that only reads.
  var devices: [DeviceID: StoredDevice]?
  /// Writes decisions to their log before they are committed here; `nil` for a store without one.
  var recorder: DecisionRecorder?

  struct BundleKey: Hashable {
    var venue: Int64
    var text: String
  }

  /// How a file is opened.
  package struct Options: Hashable, Sendable {
    /// The name of a registered SQLite file layer, for fault tests; `nil` for the usual one.
    package var vfs: String?
    /// For queries beside a writer.
    package var isReadOnly = false
    /// Whether a commit waits for the disk. Only measurements turn it off.
    package var waitsForDisk = true
    /// The most pages of the file, for tests of a full disk; `nil` for no limit.
    package var maximumPages: Int?

    /// The defaults.
    package init() {}
  }

  /// The version of the schema that this program writes.
  package static var schemaVersion: Int { Schema.steps.count }

  /// Opens a file, makes it if it is not there, and brings it to the current version.
  package init(path: String, options: Options = Options()) throws(StoreFault) {
    connection = try Connection(path: path, vfs: options.vfs, isReadOnly: options.isReadOnly)
    if options.isReadOnly {
      try connection.script("PRAGMA cache_size = -16384; PRAGMA query_only = ON")
      return
    }
    // First of all, so that a file of a later program is left as it is.
    let version = try version(path)
    let mode = try connection.setting("PRAGMA journal_mode = WAL")
    guard mode == "wal" || mode == "memory" else { throw StoreFault(.failed, "\(path): no write-ahead log (\(mode))") }
    try connection.script(
      """
      PRAGMA synchronous = \(options.waitsForDisk ? "FULL" : "OFF");
      PRAGMA secure_delete = ON;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -131072;
      PRAGMA wal_autocheckpoint = \(Self.checkpointPages);
      PRAGMA journal_size_limit = 67108864;
      """)
    // Below it no page can be taken for one of another kind when its free space is cleared (64 GiB of the usual pages).
    let pages = min(options.maximumPages ?? .max, 1 << 24 - 1)
    devices = [:]
    try migrate(from: version)
    try clean(isNew: version == 0)
    try connection.script("PRAGMA max_page_count = \(pages)")
  }

  /// The application ID of a file that has always been written without copies of rows in free space: "Crdn".
  private static let cleanMark = 0x4372_646e

  /// A file of an earlier version is written anew, once.
  private func clean(isNew: Bool) throws(StoreFault) {
    let isAutomatic = try connection.setting("PRAGMA auto_vacuum") != "0"
    guard Int(try connection.setting("PRAGMA application_id")) != Self.cleanMark || isAutomatic else { return }
    if !isNew || isAutomatic { try connection.script("PRAGMA auto_vacuum = NONE; VACUUM") }
    try connection.script("PRAGMA application_id = \(Self.cleanMark)")
  }

  private func version(_ path: String) throws(StoreFault) -> Int {
    let version = Int(try connection.setting("PRAGMA user_version")) ?? 0
    guard version <= Schema.steps.count else {
      throw StoreFault(
        .newerVersion, "\(path): schema \(version), written by a newer version; this one knows \(Schema.steps.count)")
    }
    return version
  }

  private func migrate(from version: Int) throws(StoreFault) {
    for step in version..<Schema.steps.count {
      try connection.script("BEGIN IMMEDIATE")
      do throws(StoreFault) {
        try connection.script(Schema.steps[step])
        try connection.script("PRAGMA user_version = \(step + 1)")
        try connection.script("COMMIT")
      } catch {
        rollback()
        throw error
      }
    }
  }

  // MARK: Transactions

  /// See ``PositionStore/begin()``.
  package func begin() throws(StoreFault) { try connection.run("BEGIN IMMEDIATE") }

  /// See ``PositionStore/commit()``.
  ///
  /// Decisions are on the disk in their log first: a process that dies in between leaves them to the next start.
  package func commit() throws(StoreFault) {
    if recorder?.isEmpty == false, let last = try recorder?.flush() { try setDecided(last) }
    try connection.run("COMMIT")
  }

  /// From now on decisions are written to a log, before they are committed here.
  package func record(in log: DecisionLog, pseudonyms: Pseudonyms) {
    recorder = DecisionRecorder(log: log, pseudonyms: pseudonyms)
  }

  /// Whether nothing is in it that a log of decisions would know of.
  package func isUntouched() throws(StoreFault) -> Bool {
    for table in ["device", "audit", "tombstone", "inviteCode", "decided"]
    where try connection.int("SELECT EXISTS (SELECT 1 FROM \(table))") != 0 { return false }
    return true
  }

  /// See ``DecidedStore/decided()``.
  package func decided() throws(StoreFault) -> Int64 { try connection.int("SELECT number FROM decided") }

  /// See ``DecidedStore/setDecided(_:)``.
  package func setDecided(_ number: Int64) throws(StoreFault) {
    let statement = try connection.statement("INSERT OR REPLACE INTO decided (one, number) VALUES (1, ?)")
    statement.bind(1, number)
    try statement.run()
  }

  /// See ``PositionStore/rollback()``.
  package func rollback() {
    // Numbers that were given within the transaction are no more.
    bundles.removeAll()
    spaces.removeAll()
    spaceNames.removeAll()
    venueNumbers.removeAll()
    venueNames.removeAll()
    devices?.removeAll()
    recorder?.discard()
    connection.rollBack()
  }

  /// See ``PositionStore/setInterruption(_:)``.
  package func setInterruption(_ interruption: (() -> Bool)?) { connection.interruption = interruption }

  /// See ``PositionStore/probe()``.
  ///
  /// Setting the version to what it is writes the file's first page anew.
  package func probe() throws(StoreFault) {
    try connection.script("PRAGMA user_version = \(Schema.steps.count)")
  }

  /// See ``PositionStore/scrub()``.
  package func scrub() throws(StoreFault) -> Bool {
    let statement = try connection.statement("PRAGMA wal_checkpoint(TRUNCATE)")
    var isEmpty = try statement.step() && statement.int(0) == 0
    statement.reset()
    // The log of decisions deletes records of an erased device as well.
    if let recorder, try !recorder.log.scrub() { isEmpty = false }
    // Pages in memory were not cleared on their way to the file: the next write to one would bring its copies into the log.
    if isEmpty { try connection.script("PRAGMA shrink_memory") }
    return isEmpty
  }

  /// Lets the write-ahead log grow to so many bytes between two checkpoints, at most as many as by default: a full disk must
  /// have room for one.
  package func limitLog(bytes: Int) throws(StoreFault) {
    try connection.script("PRAGMA wal_autocheckpoint = \(min(max(bytes / 4_096, 32), Self.checkpointPages))")
  }

  private static let checkpointPages = 4_000

  // MARK: Backup

  /// Copies the file as it is at one moment, while it is in use.
  /// - Parameters:
  ///   - path: the copy, which must not be there yet.
  ///   - log: the log of decisions, which is put into the copy. It is read after the store, so that it has all of the
  ///     store's decisions.
  ///   - console: files of the console, which are put into the copy as well.
  ///   - isThere: whether there is a file.
  package func backUp(
    to path: String, log: DecisionLog?, console: ConsoleBackup.Files? = nil, isThere: (String) -> Bool = { _ in true }
  ) throws(StoreFault) {
    let copy = try connection.copy(to: path)
    try log?.write(into: copy)
    if let console { try ConsoleBackup.write(console, isThere: isThere, into: copy) }
    try SQLitePositionStore.check(copy, path)
  }

  /// Whether a file is a whole store of a version that can be read; the first check of a restore.
  package static func check(path: String) throws(StoreFault) {
    try check(Connection(path: path, vfs: nil, isReadOnly: true), path)
  }

  /// The version of the schema of the file, which a store that only reads does not migrate.
  package func fileVersion() throws(StoreFault) -> Int { Int(try connection.setting("PRAGMA user_version")) ?? 0 }

  /// The result of a check of all pages.
  package enum Soundness: Hashable, Sendable {
    /// Nothing is damaged.
    case sound
    /// Only a part was checked, and nothing in it is damaged.
    case checkedInPart
    /// SQLite's description of the damage.
    case damaged(String)
  }

  /// Checks all pages, within a time limit. Takes no transaction of the writer's.
  package func check(for limit: Duration) throws(StoreFault) -> Soundness {
    let end = ContinuousClock.now + limit
    var wasReached = false
    connection.interruption = {
      wasReached = wasReached || ContinuousClock.now > end
      return wasReached
    }
    defer { connection.interruption = nil }
    do throws(StoreFault) {
      let answer = try connection.setting("PRAGMA quick_check(1)")
      return answer == "ok" ? .sound : .damaged(answer)
    } catch {
      if wasReached { return .checkedInPart }
      if error.kind == .corrupt { return .damaged(error.message) }
      throw error
    }
  }

  private static func check(_ connection: Connection, _ path: String) throws(StoreFault) {
    let answer = try connection.setting("PRAGMA integrity_check(1)")
    guard answer == "ok" else { throw StoreFault(.corrupt, "\(path): \(answer)") }
    let version = Int(try connection.setting("PRAGMA user_version")) ?? 0
    guard version > 0 else { throw StoreFault(.corrupt, "\(path): no store of this program") }
    guard version <= schemaVersion else {
      throw StoreFault(.newerVersion, "\(path): schema \(version); this version knows \(schemaVersion)")
    }
  }

  // MARK: Venues and spaces

  /// See ``PositionStore/number(of:origin:)``.
  package func number(of venue: VenueID, origin: Coordinate) throws(StoreFault) -> Int64 {
    if let number = try knownNumber(of: venue) { return number }
    let insertion = try connection.statement("INSERT INTO venue (id, longitude, latitude) VALUES (?, ?, ?)")
    insertion.bind(1, venue.rawValue)
    insertion.bind(2, origin.longitude)
    insertion.bind(3, origin.latitude)
    try insertion.run()
    venueNumbers[venue] = connection.lastInsertNumber
    return connection.lastInsertNumber
  }

  func knownNumber(of venue: VenueID) throws(StoreFault) -> Int64? {
    if let number = venueNumbers[venue] { return number }
    let statement = try connection.statement("SELECT number FROM venue WHERE id = ?")
    statement.bind(1, venue.rawValue)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    venueNumbers[venue] = statement.int(0)
    return statement.int(0)
  }

  func venueName(_ number: Int64) throws(StoreFault) -> VenueID? {
    if let name = venueNames[number] { return name }
    let statement = try connection.statement("SELECT id FROM venue WHERE number = ?")
    statement.bind(1, number)
    defer { statement.reset() }
    guard try statement.step(), let name = VenueID(statement.text(0)) else { return nil }
    venueNames[number] = name
    return name
  }

  /// See ``PositionStore/venues()``.
  package func venues() throws(StoreFault) -> [(number: Int64, id: VenueID, origin: Coordinate)] {
    let statement = try connection.statement("SELECT number, id, longitude, latitude FROM venue ORDER BY number")
    var list: [(number: Int64, id: VenueID, origin: Coordinate)] = []
    while try statement.step() {
      guard let id = VenueID(statement.text(1)) else { continue }
      list.append((statement.int(0), id, Coordinate(longitude: statement.double(2), latitude: statement.double(3))))
    }
    return list
  }

  /// See ``PositionStore/space(_:)``.
  package func space(_ number: Int64) throws(StoreFault) -> SpaceID? {
    if let name = spaceNames[number] { return name }
    let statement = try connection.statement("SELECT id FROM space WHERE number = ?")
    statement.bind(1, number)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    spaceNames[number] = SpaceID(statement.text(0))
    return spaceNames[number]
  }

  func number(ofBundle hash: String, venue: Int64) throws(StoreFault) -> Int64 {
    try number(
      of: BundleKey(venue: venue, text: hash), in: \.bundles, "SELECT number FROM bundle WHERE venue = ? AND hash = ?",
      "INSERT INTO bundle (venue, hash) VALUES (?, ?)")
  }

  func number(ofSpace space: SpaceID, venue: Int64) throws(StoreFault) -> Int64 {
    try number(
      of: BundleKey(venue: venue, text: space.rawValue), in: \.spaces,
      "SELECT number FROM space WHERE venue = ? AND id = ?", "INSERT INTO space (venue, id) VALUES (?, ?)")
  }

  private func number(
    of key: BundleKey, in cache: ReferenceWritableKeyPath<SQLitePositionStore, [BundleKey: Int64]>, _ selection: String,
    _ insertion: String
  ) throws(StoreFault) -> Int64 {
    if let number = self[keyPath: cache][key] { return number }
    let statement = try connection.statement(selection)
    statement.bind(1, key.venue)
    statement.bind(2, key.text)
    defer { statement.reset() }
    if try statement.step() {
      self[keyPath: cache][key] = statement.int(0)
      return statement.int(0)
    }
    let new = try connection.statement(insertion)
    new.bind(1, key.venue)
    new.bind(2, key.text)
    try new.run()
    self[keyPath: cache][key] = connection.lastInsertNumber
    return connection.lastInsertNumber
  }
}
