import CordonSQLite
import CordonTestSupport
import Testing

@Suite("Prepared statements of SQLite")
struct PreparedStatementTests {
  private static let cells = "CREATE TABLE cell (number INTEGER PRIMARY KEY, value)"

  private func memory() throws -> Connection {
    let connection = try Connection(path: ":memory:", mode: .create, timeout: 0)
    try connection.execute(Self.cells)
    return connection
  }

  private func kind(_ body: () throws(SQLiteFault) -> Void) -> SQLiteFault.Kind? {
    do throws(SQLiteFault) {
      try body()
      return nil
    } catch {
      return error.kind
    }
  }

  @Test func valuesComeBackAsTheyWereBound() throws {
    let connection = try memory()
    let insertion = try connection.prepare("INSERT INTO cell (value) VALUES (?)")
    insertion.bind(1, Int64.min)
    #expect(try insertion.finish() == 1)
    insertion.bind(1, 0.1)
    try insertion.finish()
    insertion.bind(1, "ü\u{0}a")
    try insertion.finish()
    insertion.bind(1, [0, 255, 0] as [UInt8])
    try insertion.finish()
    insertion.bindNull(1)
    try insertion.finish()
    #expect(connection.changes == 1 && connection.lastInsertNumber == 5)
    let row = try connection.prepare("SELECT value FROM cell ORDER BY number")
    var types: [PreparedStatement.ColumnType] = []
    func next() throws {
      #expect(try row.advance())
      types.append(row.columnType(0))
    }
    try next()
    #expect(row.int(0) == .min && row.optionalInt(0) == .min)
    try next()
    #expect(row.double(0) == 0.1)
    try next()
    #expect(row.text(0) == "ü\u{0}a" && row.withText(0) { Array($0) } == [0xc3, 0xbc, 0, 0x61])
    try next()
    #expect(row.blob(0) == [0, 255, 0] && row.withBlob(0) { $0.count } == 3)
    try next()
    #expect(row.optionalInt(0) == nil && row.optionalText(0) == nil && row.optionalBlob(0) == nil)
    #expect(row.text(0) == "" && row.blob(0) == [])
    #expect(try !row.advance())
    #expect(types == [.integer, .real, .text, .blob, .null])
  }

  @Test func emptyIsNotNull() throws {
    let connection = try memory()
    let insertion = try connection.prepare("INSERT INTO cell (value) VALUES (?)")
    insertion.bind(1, "")
    try insertion.finish()
    insertion.bind(1, [] as [UInt8])
    try insertion.finish()
    insertion.bind(1, nil as String?)
    try insertion.finish()
    insertion.bind(1, nil as [UInt8]?)
    try insertion.finish()
    insertion.bind(1, nil as Int64?)
    try insertion.finish()
    let row = try connection.prepare("SELECT value FROM cell ORDER BY number")
    var types: [PreparedStatement.ColumnType] = []
    while try row.advance() { types.append(row.columnType(0)) }
    #expect(types == [.text, .blob, .null, .null, .null])
  }

  @Test func aFailedStatementCanBeBoundAgain() throws {
    let connection = try memory()
    let insertion = try connection.prepare("INSERT INTO cell (number) VALUES (?)")
    var kinds: [SQLiteFault.Kind?] = []
    for number: Int64 in [1, 1, 2] {
      insertion.bind(1, number)
      kinds.append(kind { () throws(SQLiteFault) in try insertion.finish() })
    }
    #expect(kinds == [nil, .failed, nil])
    let count = try connection.prepare("SELECT count(*) FROM cell")
    #expect(try count.advance() && count.int(0) == 2)
  }

  @Test func errorsHaveKinds() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    #expect(
      kind { () throws(SQLiteFault) in _ = try Connection(path: path, mode: .readWrite, timeout: 0) } == .inaccessible)
    let connection = try Connection(path: path, mode: .create, timeout: 0)
    try connection.execute(Self.cells)
    let reader = try Connection(path: path, mode: .readOnly, timeout: 0)
    #expect(kind { () throws(SQLiteFault) in try reader.execute("DELETE FROM cell") } == .inaccessible)
    let other = try Connection(path: path, mode: .readWrite, timeout: 0)
    try other.execute("BEGIN IMMEDIATE")
    #expect(kind { () throws(SQLiteFault) in try connection.execute("BEGIN IMMEDIATE") } == .busy)
    #expect(other.isInTransaction)
    other.rollBack()
    other.rollBack()
    #expect(!other.isInTransaction)
    try connection.execute("PRAGMA max_page_count = 2")
    #expect(
      kind { () throws(SQLiteFault) in try connection.execute("INSERT INTO cell (value) VALUES (zeroblob(100000))") }
        == .full)
    #expect(kind { () throws(SQLiteFault) in _ = try connection.prepare("SELECT nothing") } == .failed)
  }

  @Test func aLongStatementCanBeInterrupted() throws {
    let connection = try memory()
    let statement = try connection.prepare(
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000000) SELECT count(*) FROM n")
    var calls = 0
    connection.interruption = {
      calls += 1
      return calls == 3
    }
    #expect(kind { () throws(SQLiteFault) in _ = try statement.advance() } == .interrupted)
    #expect(calls == 3)
    connection.interruption = nil
    let short = try connection.prepare("SELECT 1")
    #expect(try short.advance())
  }

  @Test func aCopyIsWhole() throws {
    let connection = try memory()
    try connection.execute("INSERT INTO cell (value) VALUES ('a'), (2)")
    let other = try Connection(path: ":memory:", mode: .create, timeout: 0)
    try connection.copy(into: other)
    let row = try other.prepare("SELECT value FROM cell ORDER BY number")
    #expect(try row.advance() && row.text(0) == "a")
    let insertion = try other.prepare("INSERT INTO cell (value) VALUES (?)")
    insertion.bind(1, row, 0)
    row.reset()
    try insertion.finish()
    let last = try other.prepareOnce("SELECT value FROM cell WHERE number = 3")
    #expect(try last.advance() && last.text(0) == "a")
  }

  @Test func testsCanFailAnyStatement() throws {
    let connection = try memory()
    connection.refusal = { $0.hasPrefix("INSERT") }
    let insertion = try connection.prepare("INSERT INTO cell (value) VALUES (1)")
    #expect(kind { () throws(SQLiteFault) in try insertion.finish() } == .failed)
    connection.refusal = nil
    #expect(try insertion.finish() == 1)
  }
}
