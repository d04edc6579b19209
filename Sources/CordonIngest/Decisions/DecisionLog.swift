package import CordonCore
import CordonSQLite
import CordonSupport

/// The log of decisions that must outlive any restore: a separate file beside the store.
///
/// A decision is on the disk here before it is in the store, and so before it is answered. Each record carries a
/// code under the server's key, and the head carries one over all records: a record that was changed, taken away or put in
/// is noticed, and so are records of a server with other keys. The log holds no name of a device.
///
/// Belongs to one thread at a time.
package final class DecisionLog {
  private let connection: Connection
  private let path: String
  private let pseudonyms: Pseudonyms
  private var head = Head()

  /// Sums up the log: how many records there are, the highest number given and deleted, and all codes, added bit by bit.
  private struct Head: Hashable {
    var count: Int64 = 0
    var last: Int64 = 0
    var pruned: Int64 = 0
    var sum = [UInt8](repeating: 0, count: 32)

    var bytes: [UInt8] { Array("head".utf8) + count.bytes + last.bytes + pruned.bytes + sum }

    mutating func add(_ code: [UInt8]) {
      for index in sum.indices where code.indices.contains(index) { sum[index] ^= code[index] }
    }
  }

  /// A decision as it lies in a log.
  struct Record: Hashable, Sendable {
    /// Stays the same when the record is copied, and when it is blanked.
    var id: [UInt8]
    /// Counts on.
    var number: Int64
    /// The number of the first record that was written with it.
    var group: Int64
    var decision: Decision

    var bytes: [UInt8] {
      id + number.bytes + group.bytes + decision.kind.rawValue.bytes + decision.time.milliseconds.bytes
        + (decision.subject.map { [1] + $0 } ?? [0]) + decision.body
    }
  }

  private static let tables = """
    CREATE TABLE IF NOT EXISTS decision (
      id BLOB NOT NULL PRIMARY KEY, number INTEGER NOT NULL, first INTEGER NOT NULL, kind INTEGER NOT NULL,
      time INTEGER NOT NULL, subject BLOB, body BLOB NOT NULL, code BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS decisionBySubject ON decision (subject) WHERE subject IS NOT NULL;
    CREATE INDEX IF NOT EXISTS decisionByNumber ON decision (number);
    CREATE TABLE IF NOT EXISTS decisionHead (
      one INTEGER PRIMARY KEY CHECK (one = 1), count INTEGER NOT NULL, last INTEGER NOT NULL, pruned INTEGER NOT NULL,
      sum BLOB NOT NULL, code BLOB NOT NULL
    );
    """

  /// Opens a log and checks all of it.
  /// - Parameters:
  ///   - path: its file.
  ///   - pseudonyms: the key of the server.
  ///   - isNew: whether it is made; otherwise a file without a log is damaged.
  ///   - vfs: the name of a registered SQLite file layer, for fault tests.
  /// - Throws: ``StoreFault/Kind/corrupt`` for a log that is damaged, or was made with other keys.
  package init(path: String, pseudonyms: Pseudonyms, isNew: Bool, vfs: String? = nil) throws(StoreFault) {
    self.path = path
    self.pseudonyms = pseudonyms
    connection = try Connection(path: path, vfs: vfs, isReadOnly: false)
    let mode = try connection.setting("PRAGMA journal_mode = WAL")
    guard mode == "wal" || mode == "memory" else { throw StoreFault(.failed, "\(path): no write-ahead log (\(mode))") }
    try connection.script("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY")
    if isNew, try connection.int("SELECT count(*) FROM sqlite_master WHERE name = 'decisionHead'") == 0 {
      try connection.script("BEGIN IMMEDIATE; \(Self.tables)")
      try writeHead()
      try connection.script("COMMIT")
    }
    head = try Self.verify(connection, pseudonyms, path).head
  }

  /// Whether nothing was ever written to it.
  package var isUntouched: Bool { head.last == 0 }

  /// The highest number that was given.
  package var last: Int64 { head.last }

  /// The highest number of a record that was deleted for its age.
  package var pruned: Int64 { head.pruned }

  // MARK: Reading

  /// All records of a file, checked: of a log, or of a backup that carries one.
  static func read(
    _ path: String, _ pseudonyms: Pseudonyms
  ) throws(StoreFault) -> (records: [Record], pruned: Int64) {
    let connection = try Connection(path: path, vfs: nil, isReadOnly: true)
    let (records, head) = try verify(connection, pseudonyms, path)
    return (records, head.pruned)
  }

  /// Whether a file holds a log at all, sound or not.
  static func isIn(_ path: String) -> Bool {
    guard let connection = try? Connection(path: path, vfs: nil, isReadOnly: true),
      let count = try? connection.int("SELECT count(*) FROM sqlite_master WHERE name = 'decisionHead'")
    else { return false }
    return count > 0
  }

  private static func verify(
    _ connection: Connection, _ pseudonyms: Pseudonyms, _ path: String
  ) throws(StoreFault) -> (records: [Record], head: Head) {
    func damaged(_ what: String) -> StoreFault { StoreFault(.corrupt, "\(path): \(what)") }
    guard try connection.int("SELECT count(*) FROM sqlite_master WHERE name = 'decisionHead'") == 1 else {
      throw damaged("no log of decisions")
    }
    let summary = try connection.statement("SELECT count, last, pruned, sum, code FROM decisionHead")
    guard try summary.step() else { throw damaged("the log of decisions has no head") }
    let head = Head(
      count: summary.int(0), last: summary.int(1), pruned: summary.int(2), sum: summary.optionalBlob(3) ?? [])
    let code = summary.optionalBlob(4) ?? []
    summary.reset()
    guard head.sum.count == 32, isSameSecret(code, pseudonyms.record(head.bytes)) else {
      throw damaged("the log of decisions is damaged, or was made with other keys (keys.json)")
    }
    var found = Head(last: head.last, pruned: head.pruned)
    var records: [Record] = []
    let statement = try connection.statement(
      "SELECT id, number, first, kind, time, subject, body, code FROM decision ORDER BY number, time, id")
    while try statement.step() {
      guard let record = record(statement) else {
        statement.reset()
        throw damaged("a record of the log of decisions cannot be read")
      }
      let code = statement.optionalBlob(7) ?? []
      guard isSameSecret(code, pseudonyms.record(record.bytes)) else {
        statement.reset()
        throw damaged("record \(record.number) of the log of decisions was changed")
      }
      found.count += 1
      found.add(code)
      records.append(record)
    }
    guard found == head else { throw damaged("records of the log of decisions are missing") }
    return (records, head)
  }

  /// The records with numbers above one, in order.
  func records(after number: Int64) throws(StoreFault) -> [Record] {
    let statement = try connection.statement(
      """
      SELECT id, number, first, kind, time, subject, body FROM decision WHERE number > ? ORDER BY number, time, id
      """)
    statement.bind(1, number)
    return try Self.records(statement)
  }

  private static func records(_ row: PreparedStatement) throws(StoreFault) -> [Record] {
    var list: [Record] = []
    while try row.step() { if let record = record(row) { list.append(record) } }
    return list
  }

  /// Returns the record of a row of `id, number, first, kind, time, subject, body`; `nil` if it cannot be read.
  private static func record(_ row: PreparedStatement) -> Record? {
    Decision(kind: row.int(3), time: row.int(4), subject: row.optionalBlob(5), body: row.optionalBlob(6) ?? []).map {
      Record(id: row.optionalBlob(0) ?? [], number: row.int(1), group: row.int(2), decision: $0)
    }
  }

  // MARK: Writing

  /// Writes decisions and syncs them to the disk. An erasure removes all other records of the device.
  /// - Parameter number: their numbers come after it, and after all that the log has.
  func append(_ decisions: [Decision], after number: Int64 = 0) throws(StoreFault) {
    guard !decisions.isEmpty else { return }
    try change { () throws(StoreFault) in
      head.last = max(head.last, number)
      let group = head.last + 1
      for decision in decisions {
        head.last += 1
        var record = Record(id: [], number: head.last, group: group, decision: decision)
        record.id = Array(pseudonyms.record(Array("id".utf8) + record.bytes).prefix(16))
        if decision.kind == .erasure, let subject = decision.subject { try forget(subject) }
        try insert(record)
      }
    }
  }

  /// Lets numbers begin after one.
  func begin(after number: Int64) throws(StoreFault) {
    try change { () throws(StoreFault) in head.last = max(head.last, number) }
  }

  /// Puts records of other logs in, with the numbers that they have.
  func merge(_ records: [Record], pruned: Int64) throws(StoreFault) {
    try change { () throws(StoreFault) in
      for record in records {
        head.last = max(head.last, record.number)
        try insert(record)
      }
      head.pruned = max(head.pruned, pruned)
      for record in records {
        if record.decision.kind == .erasure, let subject = record.decision.subject { try forget(subject) }
      }
    }
  }

  /// Deletes what is too old.
  package func expire(decisions: Instant, accesses: Instant) throws(StoreFault) {
    let due = try connection.int(
      """
      SELECT count(*) FROM decision WHERE time < \(min(decisions, accesses).milliseconds)
        OR (time < \(decisions.milliseconds) AND kind <> \(Decision.Kind.access.rawValue))
        OR (time < \(accesses.milliseconds) AND kind = \(Decision.Kind.access.rawValue))
      """)
    guard due > 0 else { return }
    try change { () throws(StoreFault) in
      let statement = try connection.statement(
        """
        SELECT id, number, code FROM decision WHERE (time < ?1 AND kind <> ?3) OR (time < ?2 AND kind = ?3)
        """)
      statement.bind(1, decisions.milliseconds)
      statement.bind(2, accesses.milliseconds)
      statement.bind(3, Decision.Kind.access.rawValue)
      var old: [(id: [UInt8], number: Int64, code: [UInt8])] = []
      while try statement.step() {
        old.append((statement.optionalBlob(0) ?? [], statement.int(1), statement.optionalBlob(2) ?? []))
      }
      for record in old {
        try delete(record.id, code: record.code)
        head.pruned = max(head.pruned, record.number)
      }
    }
    _ = try scrub()
  }

  /// Empties the write-ahead log into the file.
  @discardableResult
  package func scrub() throws(StoreFault) -> Bool {
    let statement = try connection.statement("PRAGMA wal_checkpoint(TRUNCATE)")
    defer { statement.reset() }
    return try statement.step() && statement.int(0) == 0
  }

  /// Copies the log to a new file, which must not exist.
  package func backUp(to path: String) throws(StoreFault) { try connection.copy(to: path) }

  /// Writes the log into another file, as it is at one moment.
  func write(into other: Connection) throws(StoreFault) {
    try other.script("BEGIN IMMEDIATE; \(Self.tables)")
    // One moment: the head belongs to the records.
    try connection.script("BEGIN")
    defer { try? connection.script("COMMIT") }
    for (table, columns) in [
      ("decision", "id, number, first, kind, time, subject, body, code"),
      ("decisionHead", "one, count, last, pruned, sum, code"),
    ] {
      let statement = try connection.statement("SELECT \(columns) FROM \(table)")
      let count = columns.split(separator: ",").count
      let insertion = try other.statement(
        "INSERT INTO \(table) (\(columns)) VALUES (\(Array(repeating: "?", count: count).joined(separator: ", ")))")
      while try statement.step() {
        for column in 0..<Int32(count) { insertion.bind(column + 1, statement, column) }
        try insertion.run()
      }
    }
    try other.script("COMMIT")
  }

  /// Deletes what is kept of a device that was erased, except the erasures and the receipts of former holders. Looks at the
  /// device and these receipts no longer name it.
  private func forget(_ subject: [UInt8]) throws(StoreFault) {
    let statement = try connection.statement(
      "SELECT id, number, first, kind, time, subject, body, code FROM decision WHERE subject = ?")
    statement.bind(1, subject)
    var codes: [[UInt8]] = []
    var list: [Record] = []
    while try statement.step() {
      guard let record = Self.record(statement) else { continue }
      list.append(record)
      codes.append(statement.optionalBlob(7) ?? [])
    }
    for (record, code) in zip(list, codes) where record.decision.kind != .erasure {
      try delete(record.id, code: code)
      guard [.access, .formerErasure].contains(record.decision.kind) else { continue }
      var blank = record
      blank.decision.subject = nil
      try insert(blank)
    }
  }

  private func insert(_ record: Record) throws(StoreFault) {
    let code = pseudonyms.record(record.bytes)
    let statement = try connection.statement(
      """
      INSERT OR IGNORE INTO decision (id, number, first, kind, time, subject, body, code)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """)
    statement.bind(1, record.id)
    statement.bind(2, record.number)
    statement.bind(3, record.group)
    statement.bind(4, record.decision.kind.rawValue)
    statement.bind(5, record.decision.time.milliseconds)
    statement.bind(6, record.decision.subject)
    statement.bind(7, record.decision.body)
    statement.bind(8, code)
    guard try statement.run() > 0 else { return }
    head.count += 1
    head.add(code)
  }

  private func delete(_ id: [UInt8], code: [UInt8]) throws(StoreFault) {
    let statement = try connection.statement("DELETE FROM decision WHERE id = ?")
    statement.bind(1, id)
    guard try statement.run() > 0 else { return }
    head.count -= 1
    head.add(code)
  }

  private func change(_ body: () throws(StoreFault) -> Void) throws(StoreFault) {
    let before = head
    try connection.run("BEGIN IMMEDIATE")
    do throws(StoreFault) {
      try body()
      try writeHead()
      try connection.run("COMMIT")
    } catch {
      connection.rollBack()
      head = before
      throw error
    }
  }

  private func writeHead() throws(StoreFault) {
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO decisionHead (one, count, last, pruned, sum, code) VALUES (1, ?, ?, ?, ?, ?)")
    statement.bind(1, head.count)
    statement.bind(2, head.last)
    statement.bind(3, head.pruned)
    statement.bind(4, head.sum)
    statement.bind(5, pseudonyms.record(head.bytes))
    try statement.run()
  }
}
