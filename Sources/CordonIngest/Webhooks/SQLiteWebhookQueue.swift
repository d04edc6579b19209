package import CordonCore
package import CordonSQLite

/// A queue in a SQLite file of its own, `webhooks.sqlite` in the data folder.
package final class SQLiteWebhookQueue: WebhookQueue {
  private let connection: Connection
  private var pauses: [String: WebhookPause] = [:]

  /// The versions of the tables.
  package static let versions = Migrations([
    .init(
      "v1",
      """
      CREATE TABLE delivery (
        number INTEGER PRIMARY KEY AUTOINCREMENT, receiver TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL,
        created INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, reason TEXT, next INTEGER NOT NULL, died INTEGER,
        body BLOB NOT NULL);
      CREATE INDEX deliveryDue ON delivery (receiver, number) WHERE died IS NULL;
      CREATE INDEX deliveryDead ON delivery (died) WHERE died IS NOT NULL;
      CREATE TABLE mark (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
      """),
    .init(
      "v2",
      """
      ALTER TABLE delivery ADD COLUMN device TEXT;
      UPDATE delivery SET device = json_extract(CAST(body AS TEXT), '$.data.device')
        WHERE kind = 'cordon.devices.silent' AND json_valid(CAST(body AS TEXT));
      CREATE INDEX deliveryDevice ON delivery (device) WHERE device IS NOT NULL;
      """),
  ])

  /// Opens the file, and makes it if it is not there.
  package init(path: String) throws(WebhookQueueFault) {
    do throws(SQLiteFault) {
      connection = try Connection(path: path, mode: .create, timeout: 5_000)
      try connection.execute(
        """
        PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;
        PRAGMA journal_size_limit = 4194304;
        """)
      if try Self.versions.isOlder(than: connection) { throw SQLiteFault(1, "written by a newer version") }
      try Self.versions.apply(to: connection)
    } catch {
      throw WebhookQueueFault(description: "\(path): \(error)")
    }
  }

  private func work<Value>(_ body: () throws(SQLiteFault) -> Value) throws(WebhookQueueFault) -> Value {
    do throws(SQLiteFault) {
      return try body()
    } catch {
      throw WebhookQueueFault(description: "\(error)")
    }
  }

  private func transaction(_ body: () throws(SQLiteFault) -> Void) throws(WebhookQueueFault) {
    try work { () throws(SQLiteFault) in
      try connection.execute("BEGIN IMMEDIATE")
      do throws(SQLiteFault) {
        try body()
        try connection.execute("COMMIT")
      } catch {
        connection.rollBack()
        throw error
      }
    }
  }

  // MARK: Events and marks

  package func claim(_ task: String) throws(WebhookQueueFault) -> Bool { true }

  package func leave() {}

  package func pause(of receiver: String) throws(WebhookQueueFault) -> WebhookPause? { pauses[receiver] }

  package func set(_ pause: WebhookPause?, of receiver: String) throws(WebhookQueueFault) { pauses[receiver] = pause }

  package func add(
    _ events: [QueuedEvent], to receivers: [String], marks: [WebhookMark], now: Instant
  ) throws(WebhookQueueFault) {
    try transaction { () throws(SQLiteFault) in
      let mark = try connection.prepare(
        """
        INSERT INTO mark (name, value) SELECT ?1, ?2 WHERE (SELECT value FROM mark WHERE name = ?1) IS ?3
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """)
      var names: Set<String> = []
      for change in marks {
        mark.bind(1, change.name)
        mark.bind(2, change.value)
        mark.bind(3, change.former)
        if try mark.finish() > 0 { names.insert(change.name) }
      }
      let row = try connection.prepare(
        "INSERT INTO delivery (receiver, id, kind, created, next, body, device) VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6)")
      for event in events where event.mark.map(names.contains) ?? true {
        for receiver in receivers {
          row.bind(1, receiver)
          row.bind(2, event.id)
          row.bind(3, event.kind)
          row.bind(4, now.milliseconds)
          row.bind(5, event.body)
          row.bind(6, event.device?.rawValue)
          try row.finish()
        }
      }
      guard !events.isEmpty else { return }
      let overflow = try connection.prepare(
        """
        UPDATE delivery SET died = ?1, reason = ?2 WHERE died IS NULL AND receiver = ?3 AND number <= (
          SELECT number FROM delivery WHERE died IS NULL AND receiver = ?3 ORDER BY number DESC LIMIT 1 OFFSET ?4)
        """)
      for receiver in receivers {
        overflow.bind(1, now.milliseconds)
        overflow.bind(2, WebhookDelivery.overflow)
        overflow.bind(3, receiver)
        overflow.bind(4, Int64(WebhookLimits.maximumWaiting))
        try overflow.finish()
      }
    }
  }

  package func mark(_ name: String) throws(WebhookQueueFault) -> Int64? {
    try work { () throws(SQLiteFault) in
      let row = try connection.prepare("SELECT value FROM mark WHERE name = ?")
      defer { row.reset() }
      row.bind(1, name)
      return try row.advance() ? row.int(0) : nil
    }
  }

  // MARK: Deliveries

  private static let columns = "number, receiver, id, kind, created, attempts, reason, body"

  private func deliveries(_ row: PreparedStatement) throws(SQLiteFault) -> [WebhookDelivery] {
    defer { row.reset() }
    var found: [WebhookDelivery] = []
    while try row.advance() {
      found.append(
        WebhookDelivery(
          number: row.int(0), receiver: row.text(1), id: row.text(2), kind: row.text(3),
          created: Instant(milliseconds: row.int(4)), attempts: Int(row.int(5)), reason: row.optionalText(6),
          body: row.blob(7)))
    }
    return found
  }

  package func due(for receiver: String, now: Instant, limit: Int) throws(WebhookQueueFault) -> [WebhookDelivery] {
    try work { () throws(SQLiteFault) in
      let row = try connection.prepare(
        """
        SELECT \(Self.columns) FROM delivery WHERE died IS NULL AND receiver = ? AND next <= ? ORDER BY number LIMIT ?
        """)
      row.bind(1, receiver)
      row.bind(2, now.milliseconds)
      row.bind(3, Int64(limit))
      return try deliveries(row)
    }
  }

  package func complete(_ number: Int64) throws(WebhookQueueFault) {
    try work { () throws(SQLiteFault) in
      let row = try connection.prepare("DELETE FROM delivery WHERE number = ?")
      row.bind(1, number)
      try row.finish()
    }
  }

  package func delay(_ number: Int64, until: Instant, reason: String) throws(WebhookQueueFault) {
    try work { () throws(SQLiteFault) in
      let row = try connection.prepare(
        "UPDATE delivery SET attempts = attempts + 1, next = ?, reason = ? WHERE number = ?")
      row.bind(1, until.milliseconds)
      row.bind(2, reason)
      row.bind(3, number)
      try row.finish()
    }
  }

  package func bury(_ number: Int64, reason: String, now: Instant) throws(WebhookQueueFault) {
    try work { () throws(SQLiteFault) in
      let row = try connection.prepare(
        "UPDATE delivery SET attempts = attempts + 1, died = ?, reason = ? WHERE number = ?")
      row.bind(1, now.milliseconds)
      row.bind(2, reason)
      row.bind(3, number)
      try row.finish()
    }
  }

  package func buryOthers(than receivers: [String], now: Instant) throws(WebhookQueueFault) {
    try work { () throws(SQLiteFault) in
      let places = receivers.indices.map { "?\($0 + 3)" }.joined(separator: ", ")
      let row = try connection.prepareOnce(
        "UPDATE delivery SET died = ?1, reason = ?2 WHERE died IS NULL AND receiver NOT IN (\(places))")
      row.bind(1, now.milliseconds)
      row.bind(2, WebhookDelivery.noReceiver)
      for (index, receiver) in receivers.enumerated() { row.bind(Int32(index + 3), receiver) }
      try row.finish()
    }
  }

  // MARK: Dead letters

  package func deadLetters(after number: Int64, limit: Int) throws(WebhookQueueFault) -> [WebhookDelivery] {
    try work { () throws(SQLiteFault) in
      let row = try connection.prepare(
        "SELECT \(Self.columns) FROM delivery WHERE died IS NOT NULL AND number > ? ORDER BY number LIMIT ?")
      row.bind(1, number)
      row.bind(2, Int64(limit))
      return try deliveries(row)
    }
  }

  package func resend(_ numbers: [Int64]?, now: Instant) throws(WebhookQueueFault) -> Int {
    let change = "UPDATE delivery SET died = NULL, next = ?1, created = ?1, attempts = 0 WHERE died IS NOT NULL"
    var count = 0
    try transaction { () throws(SQLiteFault) in
      let row = try connection.prepare(numbers == nil ? change : change + " AND number = ?2")
      row.bind(1, now.milliseconds)
      guard let numbers else {
        count = try row.finish()
        return
      }
      for number in numbers {
        row.bind(2, number)
        count += try row.finish()
      }
    }
    return count
  }

  package func expire(before: Instant) throws(WebhookQueueFault) {
    try transaction { () throws(SQLiteFault) in
      let old = try connection.prepare("DELETE FROM delivery WHERE died < ?")
      old.bind(1, before.milliseconds)
      try old.finish()
      let many = try connection.prepare(
        """
        DELETE FROM delivery WHERE died IS NOT NULL AND number <= (
          SELECT number FROM delivery WHERE died IS NOT NULL ORDER BY number DESC LIMIT 1 OFFSET ?)
        """)
      many.bind(1, Int64(WebhookLimits.maximumDead))
      try many.finish()
      let marks = try connection.prepare("DELETE FROM mark WHERE name GLOB ?1 || '*' AND value < ?2")
      marks.bind(1, WebhookLimits.alertMarks)
      marks.bind(2, before.milliseconds)
      try marks.finish()
    }
  }

  /// See ``WebhookQueue/forget(_:before:)``. The bytes are overwritten in the file, and the log is emptied.
  package func forget(_ device: DeviceID, before: Instant?) throws(WebhookQueueFault) {
    let limit: Int64 = before?.milliseconds ?? .max
    try work { () throws(SQLiteFault) in
      let row = try connection.prepare("DELETE FROM delivery WHERE device = ?1 AND created < ?2")
      row.bind(1, device.rawValue)
      row.bind(2, limit)
      if try row.finish() > 0 { try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    }
  }

  package func counts() throws(WebhookQueueFault) -> (waiting: Int, dead: Int) {
    try work { () throws(SQLiteFault) in
      let row = try connection.prepare("SELECT count(*), count(died) FROM delivery")
      defer { row.reset() }
      guard try row.advance() else { return (0, 0) }
      return (Int(row.int(0) - row.int(1)), Int(row.int(1)))
    }
  }
}
