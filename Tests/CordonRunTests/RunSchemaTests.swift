import CordonCore
import CordonSQLite
import CordonSupport
import CordonTestSupport
import Foundation
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

  private func open(_ name: String) throws -> Connection {
    try Connection(path: scratch.path(name), mode: .create, timeout: 0)
  }

  @Test func theSchemaIsDocumented() throws {
    try scratch.write(SampleRun().contents, to: "run")
    let documented = try RunSchemaTests.documentedTables()
    let file = try open("run/run.sqlite")
    let tables: [String] = try file.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'grdb_migrations' ORDER BY name"
    ) { try $0[0] }
    #expect(tables == documented.keys.filter { !$0.hasSuffix(".csv") }.sorted())
    for table in tables {
      let columns = try file.rows("SELECT name, type FROM pragma_table_info('\(table)') ORDER BY cid") { row in
        "\(try row[0] as String) \(try row[1] as String)"
      }
      #expect(documented[table] == columns, "\(table)")
    }
    #expect(try file.value("PRAGMA user_version") == RunSchema.currentVersion)
    #expect(try file.value("PRAGMA application_id") == 0x4352_4452)
    #expect(documented["contacts.csv"] == ContactsCSV.header)
    #expect(documented["occupancy.csv"] == OccupancyCSV.header)
    #expect(documented["spaces.csv"] == SpacesCSV.header)
    #expect(documented["groups.csv"] == GroupsCSV.header)
    #expect(documented["queues.csv"] == QueuesCSV.header)
    #expect(documented["flows.csv"] == FlowsCSV.header)
    #expect(documented["people.csv"] == PeopleCSV.header)
    #expect(documented["pairs.csv"] == PairsCSV.header)
  }

  /// The tables of the air hold what the reader returns; a run without air has none of their rows.
  @Test func theAirIsStored() throws {
    var contents = SampleRun().contents
    let (count, people) = (contents.venue.spaces.count, contents.people.count)
    let space = RunAir.Space(
      volume: 100.5, airChanges: 3, filtration: 0.5, meanCO2: 600.25, peakCO2: 700, meanQuanta: 0.001, peakQuanta: 0.002
    )
    contents.air = RunAir(
      bin: .minutes(1), outdoorCO2: 420, shortRange: 2, spaces: Array(repeating: space, count: count),
      bins: [
        .init(
          space: 1, start: 60_000, people: 2.5, infectious: 1, co2: 650, co2AtEnd: 700, quanta: 0.002,
          quantaAtEnd: 0.003)
      ],
      people: (0..<people).map { number in
        .init(
          health: .susceptible, wearsMask: number == 1, seconds: number == 0 ? 0 : 60, meanCO2: 650, quanta: 0.01,
          nearbyQuanta: 0.02, longRangeRisk: 0.03, shortRangeRisk: 0.04, risk: 0.05, exposedSeconds: 30,
          exposedPersonSeconds: 45, maximumOthers: 2)
      })
    contents.air?.spaces[2].meanCO2 = nil
    try scratch.write(contents, to: "breathed")
    let run = try RunReader(path: scratch.path("breathed"))
    #expect(try run.airSpaces() == contents.air?.spaces)
    let file = try open("breathed/run.sqlite")
    let bins =
      "SELECT row || '|' || space || '|' || bin_start_ms || '|' || people || '|' || quanta_at_end_per_m3 FROM air"
    #expect(try file.rows(bins) { try $0[0] as String } == ["0|1|60000|2.5|0.003"])
    #expect(try file.value("SELECT count(*) FROM air_people") == people - 1)
    #expect(try file.value("SELECT person FROM air_people WHERE mask = 1") == 1)
    try scratch.write(SampleRun().contents, to: "plain")
    #expect(try RunReader(path: scratch.path("plain")).airSpaces().isEmpty)
    contents.air?.bins[0].space = 999
    #expect(throws: RunContentsError.self) { try contents.check() }
  }

  /// A file of version 2 reads as one without what version 3 adds.
  @Test func aFileOfVersionTwoIsRead() throws {
    let file = try open("old.sqlite")
    try Migrations(Array(RunSchema.migrations.versions.prefix(2))).apply(to: file)
    try file.execute(
      """
      INSERT INTO venue VALUES ('mall', 'Mall', 'geojson', '00', 'UTC');
      INSERT INTO people VALUES (0, 'phone-1', 'staff');
      INSERT INTO queues VALUES (0, 'desk', 'lobby', 3, 0.5, 2, 10, 20);
      """)
    let run = try RunReader(path: scratch.path("old.sqlite"))
    #expect(try run.people() == [RunPerson(device: DeviceID("phone-1"), population: "staff")])
    #expect(try run.venue().openings.isEmpty)
  }

  @Test func minutesOverCapacityAreStoredByReason() throws {
    var contents = SampleRun().contents
    let place = RunOutcome.Place(
      source: .truth, floor: 0, space: 1, mean: 1.25, p95: 3, peak: 4, peakTime: 1_767_600_060_000, capacity: 3,
      minutesOverCapacity: 2, minutesOverCapacityStaying: 0.5, visits: 7, meanVisit: 33)
    contents.outcome.places = [place]
    contents.venue.groups = [RunGroup(name: "Labs", spaces: [1])]
    var group = place
    (group.space, group.minutesOverCapacityStaying) = (ObservedLocation.noSpace, 2)
    contents.outcome.groups = [.init(number: 0, presence: group)]
    try scratch.write(contents, to: "run")
    let run = try RunReader(path: scratch.path("run"))
    #expect(try run.places() == [place])
    #expect(try run.groups().map(\.presence.minutesOverCapacityPassing) == [0])
    let file = try open("run/run.sqlite")
    #expect(try file.value("SELECT minutes_over_capacity_passing FROM places") == 1.5)
    #expect(try file.value("SELECT minutes_over_capacity_staying FROM group_figures") == 2.0)
    guard case .array(let objects) = contents.overCapacity, objects.count == 2 else {
      Issue.record("a group and a space are above their capacity")
      return
    }
    #expect(objects[0]["kind"]?.stringValue == "group" && objects[0]["name"]?.stringValue == "Labs")
    #expect(objects[1]["id"]?.stringValue == contents.venue.spaces[1].id.rawValue)
    #expect(objects[1]["minutes_passing"] == JSONValue(1.5))
    let title = contents.venue.distinctTitles[1]
    #expect(
      contents.overCapacityText == """
        Above capacity: Labs (3), 2 min: 2 by people who stay, 0 by people who pass
        Above capacity: \(title) (3), 2 min: 0.5 by people who stay, 1.5 by people who pass

        """)
    contents.outcome.places = []
    contents.outcome.groups = []
    #expect(contents.overCapacityText.isEmpty)
  }

  /// Files of version 1 exist: a change of its tables needs a new version.
  @Test func versionOneNeverChanges() throws {
    let file = try Connection(path: ":memory:", mode: .create, timeout: 0)
    try Migrations(Array(RunSchema.migrations.versions.prefix(1))).apply(to: file)
    let statements: [String] = try file.rows(
      "SELECT sql FROM sqlite_schema WHERE name <> 'grdb_migrations' AND sql IS NOT NULL ORDER BY name"
    ) { try $0[0] }
    #expect(
      SHA256.hexDigest(of: Array(statements.joined(separator: "\n").utf8))
        == "c05f106e00f7b187728a9eac468ad00228836cf9319726d76072ddf9acc92f88")
  }

  @Test func anOlderFileIsMigratedInACopy() throws {
    let contents = SampleRun().contents
    try scratch.write(contents, to: "run")
    let file = scratch.path("run/run.sqlite")
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    let next = Migrations.Version("next", "ALTER TABLE people ADD COLUMN age INTEGER; PRAGMA user_version = 99")
    let run = try RunReader(path: file, migrations: Migrations(RunSchema.migrations.versions + [next]), version: 99)
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
    try open("other.sqlite").execute("CREATE TABLE truth (a)")
    #expect(code(scratch.path("other.sqlite")) == .notARun)
    try scratch.write(SampleRun().contents, to: "run")
    try open("run/run.sqlite").execute("PRAGMA user_version = 100")
    #expect(code(scratch.path("run")) == .tooNew)
  }

  @Test func aDamagedRunIsAnErrorWithItsPlace() throws {
    try scratch.write(SampleRun().contents, to: "run")
    try open("run/run.sqlite").execute(
      """
      UPDATE contacts SET source = 'dreamt' WHERE contact = 0;
      UPDATE locations SET fix = x'00' WHERE location = 0;
      UPDATE spaces SET outline = '[[[1,2';
      UPDATE parameters SET value = 'many' WHERE name = 'start_ms';
      DROP TABLE people;
      DROP TABLE occupancy;
      CREATE TABLE occupancy (row, source, ordinal, space, bin_start_ms, mean, peak);
      INSERT INTO occupancy VALUES (0, 'truth', NULL, NULL, 0, 1.5, 'many');
      """)
    let run = try RunReader(path: scratch.path("run"))
    #expect(throws: RunFolderError.self) { try run.contacts() }
    #expect(throws: RunFolderError.self) { try run.locations() }
    #expect(throws: RunFolderError.self) { try run.venue() }
    #expect(throws: RunFolderError.self) { try run.parameters() }
    #expect(throws: RunFolderError.self) { try run.people() }
    #expect(throws: RunFolderError.self) { try run.occupancy() }
  }
}
