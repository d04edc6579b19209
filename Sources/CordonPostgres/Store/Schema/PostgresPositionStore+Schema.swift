internal import CordonIngest

extension PostgresPositionStore {
  /// The keys of advisory locks of the whole database.
  enum AdvisoryLock {
    static let migration: Int64 = 0x4372_646e_0001
    static let partition: Int64 = 0x4372_646e_0002
    static let alone: Int64 = 0x4372_646e_0003
    static let maintenance: Int64 = 0x4372_646e_0004
    /// Beside the number of a venue; these keys are pairs.
    static let venues: Int64 = 0x4372_646e
  }

  /// Selects the schema, and brings its tables to the current version. A store that only reads changes nothing.
  /// - Throws: ``StoreFault/Kind/newerVersion`` for tables of a later version.
  func prepare(_ connection: PostgresConnection) throws(StoreFault) {
    guard connection.serverVersion >= 150_000 else {
      throw StoreFault(.failed, "PostgreSQL \(connection.serverVersion / 10_000): version 15 or later is required")
    }
    if options.isReadOnly {
      try connection.script("SET search_path = \(PostgresSchema.name); SET default_transaction_read_only = on")
      return try Self.requireCurrentVersion(connection)
    }
    try migrate(connection, to: PostgresSchema.steps)
    if let keys = options.keys { try compare(keys, connection) }
    if let services = options.services { try services.claim(connection) }
    try agreeOnSealing(connection)
  }

  /// Compares `sealed-columns` with what the database was made with. A store without rows takes the present setting.
  private func agreeOnSealing(_ connection: PostgresConnection) throws(StoreFault) {
    let wanted = options.sealing == nil ? "no" : "yes"
    try connection.run(
      """
      INSERT INTO setting SELECT 'sealed', CASE WHEN EXISTS (SELECT 1 FROM position) THEN 'no' ELSE $1 END
      ON CONFLICT (name) DO UPDATE SET value = $1
      WHERE NOT EXISTS (SELECT 1 FROM position) AND NOT EXISTS (SELECT 1 FROM contact)
      """, [.text(wanted)])
    guard try connection.run("SELECT value FROM setting WHERE name = 'sealed'").text(0, 0) == wanted else {
      throw StoreFault(
        .failed,
        wanted == "yes"
          ? "the database has rows that are not sealed; copy them out and in again with 'cordon-server migrate-store'"
          : "the rows of the database are sealed; set 'sealed-columns = yes' and put its sealing.json into the data folder"
      )
    }
    guard let key = options.sealing?.keys.first?.id, !options.isResealing else { return }
    try connection.run(
      """
      INSERT INTO setting VALUES ('sealing_key', $1) ON CONFLICT (name) DO UPDATE SET value = $1
      WHERE NOT EXISTS (SELECT 1 FROM device_key)
      """, [.text(key)])
    guard try connection.run("SELECT value FROM setting WHERE name = 'sealing_key'").text(0, 0) == key else {
      throw StoreFault(
        .failed, "sealing.json is not that of the database; all servers of a database have the same one")
    }
  }

  /// Compares the keys with those of the first server. Tokens and receipts of servers with different keys would contradict each other.
  private func compare(_ keys: String, _ connection: PostgresConnection) throws(StoreFault) {
    try connection.run("INSERT INTO setting VALUES ('keys', $1) ON CONFLICT DO NOTHING", [.text(keys)])
    guard try connection.run("SELECT value FROM setting WHERE name = 'keys'").text(0, 0) == keys else {
      throw StoreFault(
        .failed,
        "keys.json is not that of the server that made the database; all servers of a database have the same keys")
    }
  }

  static func version(_ connection: PostgresConnection) throws(StoreFault) -> Int {
    guard try connection.run("SELECT to_regclass('schema_version') IS NOT NULL").int(0, 0) != 0 else { return 0 }
    return Int(try connection.run("SELECT coalesce(max(number), 0) FROM schema_version").int(0, 0))
  }

  /// Throws unless the tables have the version of this program; its writer brings them there.
  static func requireCurrentVersion(_ connection: PostgresConnection) throws(StoreFault) {
    let version = try version(connection)
    guard version != PostgresSchema.steps.count else { return }
    if version > PostgresSchema.steps.count { throw newer(version) }
    throw StoreFault(.unavailable, "the tables have schema \(version); the server that writes brings them up to date")
  }

  static func newer(_ version: Int) -> StoreFault {
    StoreFault(
      .newerVersion,
      "the database has schema \(version), written by a newer version; this one knows \(PostgresSchema.steps.count)")
  }

  /// Does the missing steps, each in a transaction of its own. Servers that start at the same time take turns.
  func migrate(_ connection: PostgresConnection, to steps: [String]) throws(StoreFault) {
    try connection.script(
      "CREATE SCHEMA IF NOT EXISTS \(PostgresSchema.name); SET search_path = \(PostgresSchema.name)")
    try connection.run("SELECT pg_advisory_lock($1)", [.int(AdvisoryLock.migration)])
    defer { do throws(StoreFault) { try connection.run("SELECT pg_advisory_unlock_all()") } catch {} }
    try connection.script(
      """
      CREATE TABLE IF NOT EXISTS schema_version (
        number integer PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now(), probed bigint NOT NULL DEFAULT 0)
      """)
    let version = try Self.version(connection)
    guard version <= steps.count else { throw Self.newer(version) }
    for step in version..<steps.count {
      // One message is one transaction.
      try connection.script("\(steps[step]); INSERT INTO schema_version (number) VALUES (\(step + 1))")
    }
    if steps.count >= PostgresSchema.stepOfViews { try connection.script(PostgresViews.additions) }
  }

  // MARK: Partitions

  /// Milliseconds of a day.
  static let dayLength: Int64 = 86_400_000

  /// The name of the partition of a day, such as `position_2026_01_31`.
  /// - Parameter day: days since 1970.
  static func partition(of day: Int64) -> String {
    // Days to a date of the Gregorian calendar (Richards 2013, algorithm of the Explanatory Supplement, for days since 1970).
    let julian = day + 2_440_588
    let f = julian + 1_401 + (4 * julian + 274_277) / 146_097 * 3 / 4 - 38
    let e = 4 * f + 3
    let g = e % 1_461 / 4
    let h = 5 * g + 2
    let dayOfMonth = h % 153 / 5 + 1
    let month = (h / 153 + 2) % 12 + 1
    let year = e / 1_461 - 4_716 + (14 - month) / 12
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "position_\(year)_\(two(month))_\(two(dayOfMonth))"
  }

  /// Makes the partition of a day unless it is there. Belongs into a transaction.
  ///
  /// A table is made and then attached: that holds up neither readers nor other writers.
  func makePartition(of day: Int64) throws(StoreFault) {
    guard !days.contains(day) else { return }
    let name = Self.partition(of: day)
    if try run("SELECT to_regclass($1) IS NOT NULL", [.text(name)]).int(0, 0) == 0 {
      try run("SELECT pg_advisory_xact_lock($1)", [.int(AdvisoryLock.partition)])
      if try run("SELECT to_regclass($1) IS NOT NULL", [.text(name)]).int(0, 0) == 0 {
        let (first, end) = (day * Self.dayLength << 16, (day + 1) * Self.dayLength << 16)
        try run("CREATE TABLE \(name) (LIKE position INCLUDING ALL)")
        try run("ALTER TABLE position ATTACH PARTITION \(name) FOR VALUES FROM (\(first)) TO (\(end))")
      }
    }
    days.insert(day)
  }

  /// The partitions by name, oldest first, each with the first identity behind it.
  func partitions() throws(StoreFault) -> [(name: String, end: Int64)] {
    // A bound reads FOR VALUES FROM ('a') TO ('b').
    let rows = try run(
      """
      SELECT c.relname::text, substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''(-?[0-9]+)''\\)')::bigint AS bound
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'position'::regclass ORDER BY bound
      """)
    return rows.indices.map { (rows.text($0, 0), rows.int($0, 1)) }
  }
}
