import CordonCore
import CordonSupport
import CordonTestSupport
import Foundation
import GRDB
import Testing

@testable import CordonRun

@Suite("The tables of a run")
struct RunSchemaTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  /// Tables and columns with their types, as docs/reference/run-folder.md lists them.
  private static func documentedTables() throws -> [String: [String]] {
    let root = Places.package
    let text = try String(contentsOf: root.appendingPathComponent("docs/reference/run-folder.md"), encoding: .utf8)
    var tables: [String: [String]] = [:]
    var current: String?
    for line in text.split(separator: "\n") {
      if line.hasPrefix("### `") {
        current = String(line.dropFirst(5).prefix { $0 != "`" })
      } else if line.hasPrefix("#") || line.hasPrefix("`") && line.contains(".csv`") {
        current = line.hasPrefix("`") ? String(line.dropFirst().prefix { $0 != "`" }) : nil
      } else if line.hasPrefix("| `"), let current {
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        let name = cells[0].trimmingCharacters(in: CharacterSet(charactersIn: "`"))
        tables[current, default: []].append(current.hasSuffix(".csv") ? name : "\(name) \(cells[1])")
      }
    }
    return tables
  }

  @Test func theSchemaIsDocumented() throws {
    try scratch.write(SampleRun().contents, to: "run")
    let documented = try RunSchemaTests.documentedTables()
    let queue = try DatabaseQueue(path: scratch.path("run/run.sqlite"))
    try queue.read { db in
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'grdb_migrations' ORDER BY name")
      #expect(tables == documented.keys.filter { !$0.hasSuffix(".csv") }.sorted())
      for table in tables {
        let columns = try db.columns(in: table).map { "\($0.name) \($0.type)" }
        #expect(documented[table] == columns, "\(table)")
      }
      #expect(try Int32.fetchOne(db, sql: "PRAGMA user_version") == RunSchema.currentVersion)
      #expect(try Int32.fetchOne(db, sql: "PRAGMA application_id") == 0x4352_4452)
    }
    #expect(documented["contacts.csv"] == ContactsCSV.header)
    #expect(documented["occupancy.csv"] == OccupancyCSV.header)
    #expect(documented["spaces.csv"] == SpacesCSV.header)
    #expect(documented["groups.csv"] == GroupsCSV.header)
    #expect(documented["queues.csv"] == QueuesCSV.header)
    #expect(documented["flows.csv"] == FlowsCSV.header)
    #expect(documented["people.csv"] == PeopleCSV.header)
    #expect(documented["pairs.csv"] == PairsCSV.header)
  }

  /// A file of version 2 reads as one without what version 3 adds.
  @Test func aFileOfVersionTwoIsRead() throws {
    let queue = try DatabaseQueue(path: scratch.path("old.sqlite"))
    try RunSchema.migrator().migrate(queue, upTo: "v2")
    try queue.write { db in
      try db.execute(
        sql: "INSERT INTO venue VALUES ('mall', 'Mall', 'geojson', '00', 'UTC')")
      try db.execute(sql: "INSERT INTO people VALUES (0, 'phone-1', 'staff')")
      try db.execute(sql: "INSERT INTO queues VALUES (0, 'desk', 'lobby', 3, 0.5, 2, 10, 20)")
    }
    let run = try RunReader(path: scratch.path("old.sqlite"))
    #expect(try run.people() == [RunPerson(device: DeviceID("phone-1"), population: "staff")])
    #expect(try run.venue().openings.isEmpty)
  }

  /// Files of version 1 exist: a change of its tables needs a new version.
  @Test func versionOneNeverChanges() throws {
    let queue = try DatabaseQueue()
    try RunSchema.migrator().migrate(queue, upTo: "v1")
    let statements = try queue.read { db in
      try String.fetchAll(
        db, sql: "SELECT sql FROM sqlite_schema WHERE name <> 'grdb_migrations' AND sql IS NOT NULL ORDER BY name")
    }
    #expect(
      SHA256.hexDigest(of: Array(statements.joined(separator: "\n").utf8))
        == "c05f106e00f7b187728a9eac468ad00228836cf9319726d76072ddf9acc92f88")
  }

  @Test func anOlderFileIsMigratedInACopy() throws {
    let contents = SampleRun().contents
    try scratch.write(contents, to: "run")
    let file = scratch.path("run/run.sqlite")
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    var migrator = RunSchema.migrator()
    migrator.registerMigration("next") { db in
      try db.execute(sql: "ALTER TABLE people ADD COLUMN age INTEGER")
      try db.execute(sql: "PRAGMA user_version = 99")
    }
    let run = try RunReader(path: file, migrator: migrator, version: 99)
    #expect(try run.people() == contents.people)
    #expect(try Set(run.truth()) == Set(contents.truth))
    #expect(try run.contentHash() != RunReader(path: file).contentHash())
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
  }

  @Test func filesThatAreNotRunsAreRefused() throws {
    func code(_ path: String) -> RunFolderError.Code? {
      do {
        _ = try RunReader(path: path)
        return nil
      } catch {
        return (error as? RunFolderError)?.code
      }
    }
    #expect(code(scratch.path("nothing")) == .notFound)
    #expect(code(scratch.url.path) == .notARun)
    try Data("not a database, but long enough to be read".utf8).write(
      to: URL(fileURLWithPath: scratch.path("text.sqlite")))
    #expect(code(scratch.path("text.sqlite")) == .notARun)
    let other = try DatabaseQueue(path: scratch.path("other.sqlite"))
    try other.write { try $0.execute(sql: "CREATE TABLE truth (a)") }
    #expect(code(scratch.path("other.sqlite")) == .notARun)
    try scratch.write(SampleRun().contents, to: "run")
    let queue = try DatabaseQueue(path: scratch.path("run/run.sqlite"))
    try queue.write { try $0.execute(sql: "PRAGMA user_version = 100") }
    #expect(code(scratch.path("run")) == .tooNew)
  }

  @Test func aDamagedRunIsAnErrorWithItsPlace() throws {
    try scratch.write(SampleRun().contents, to: "run")
    let queue = try DatabaseQueue(path: scratch.path("run/run.sqlite"))
    try queue.write { db in
      try db.execute(sql: "UPDATE contacts SET source = 'dreamt' WHERE contact = 0")
      try db.execute(sql: "UPDATE locations SET fix = x'00' WHERE location = 0")
      try db.execute(sql: "UPDATE spaces SET outline = '[[[1,2'")
      try db.execute(sql: "UPDATE parameters SET value = 'many' WHERE name = 'start_ms'")
      try db.execute(sql: "DROP TABLE people")
    }
    let run = try RunReader(path: scratch.path("run"))
    #expect(throws: RunFolderError.self) { try run.contacts() }
    #expect(throws: RunFolderError.self) { try run.locations() }
    #expect(throws: RunFolderError.self) { try run.venue() }
    #expect(throws: RunFolderError.self) { try run.parameters() }
    #expect(throws: RunFolderError.self) { try run.people() }
  }
}
