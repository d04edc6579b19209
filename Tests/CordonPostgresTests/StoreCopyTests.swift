import CordonCore
import CordonIngest
import CordonPostgres
import CordonSQLite
import CordonStoreConformance
import CordonTestSupport
import Testing

@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct StoreCopyTests {
  /// A file with something of everything.
  private func filledFile() throws -> SQLitePositionStore {
    let file = try SQLitePositionStore(path: ":memory:")
    var comparison = StoreComparison(MemoryPositionStore(), file, seed: 3)
    comparison.run(steps: 200)
    #expect(comparison.differences.isEmpty)
    let place = CountedPlace(floor: .min, space: 0)
    var value = ViewerPlace()
    value.devices = 5
    value.members = [1, 2]
    try file.save(value, at: place, of: 1, time: 7)
    try file.setViewerMark(9, of: 1)
    try file.saveViewerCounts(of: 1, start: 3)
    return file
  }

  /// There and back again, all tables are the same, and numbers go on where they were.
  @Test func copiesAreEqual() throws {
    let file = try filledFile()
    let database = try Database().store()
    let entries = try StoreCopy.run(from: file, to: database)
    #expect(entries.map(\.table) == StoreTable.all.map(\.name))
    for entry in entries { #expect(entry.rows > 0, "the test has no row of \(entry.table)") }
    let again = try SQLitePositionStore(path: ":memory:")
    #expect(try StoreCopy.run(from: database, to: again) == entries)
    for table in StoreTable.counted {
      #expect(try file.lastNumber(in: table) > 0)
      #expect(try again.lastNumber(in: table) == file.lastNumber(in: table))
    }
    let venue = try #require(VenueID("hall"))
    let device = StoredDevice(
      id: try #require(DeviceID("new")), kind: .secret, venue: venue, type: "", created: .testStart)
    #expect(try database.save(device) == file.save(device))
    #expect(try database.number(of: try #require(VenueID("third")), origin: Coordinate(longitude: 1, latitude: 1)) == 3)
  }

  /// A backup of a database knows which messages about alerts were sent, so that a restore sends none again.
  @Test func backupsKnowTheMessagesThatWereSent() throws {
    let (one, other) = (try Database(), try Database())
    let (source, target) = (try one.store(), try other.store())
    try source.connect()
    try target.connect()
    let alerts = PostgresAlertStore(try PostgresAddress(one.url))
    let rule = try alerts.save(
      AlertRule(
        venue: try #require(VenueID("hall")), kind: .moreThan, name: "r", space: nil, floor: nil, device: nil,
        threshold: 1, lasting: 60, isOn: true))
    for number in 0..<4 as Range<Int64> {
      let time = Instant.testStart + .minutes(number)
      var alert = Alert(rule: rule, began: time, raised: time, ended: nil, peak: 3, space: nil, acknowledged: nil)
      alert.number = try alerts.save(alert)
      // One without a message, one with that of its beginning, two with both, of which one message may be lost.
      if number > 0 { alert.sent = time + .seconds(1) }
      if number > 1 { (alert.ended, alert.endSent) = (time + .seconds(8), time + .seconds(9)) }
      if number > 2 { alert.sent = nil }
      _ = try alerts.save(alert)
    }
    let scratch = try TemporaryFolder()
    let files = ConsoleBackup.Files(cases: scratch.path("cases.sqlite"), alerts: scratch.path("alerts.sqlite"))
    try ConsoleBackup.fill(files, from: source)
    let expected = try alerts.alerts(of: rule, limit: 9)
    #expect(expected.map { $0.sent == nil } == [true, false, false, true])
    #expect(try SQLiteAlertStore(path: files.alerts).alerts(of: rule, limit: 9) == expected)
    #expect(try ConsoleBackup.copy(files, isThere: { _ in true }, into: target))
    let restored = PostgresAlertStore(try PostgresAddress(other.url))
    #expect(try restored.alerts(of: rule, limit: 9) == expected)
    #expect(try restored.openAlerts() == alerts.openAlerts())
  }

  /// Files with something of everything that the console keeps.
  private func filledConsole(_ scratch: TemporaryFolder) throws -> ConsoleBackup.Files {
    let files = ConsoleBackup.Files(cases: scratch.path("cases.sqlite"), alerts: scratch.path("alerts.sqlite"))
    let (cases, alerts) = (try SQLiteCaseStore(path: files.cases), try SQLiteAlertStore(path: files.alerts))
    var comparison = ConsoleComparison(cases: cases, alerts: alerts, seed: 2)
    comparison.run()
    let (venue, device) = (try #require(VenueID("hall")), try #require(DeviceID("phone-1")))
    let number = try cases.save(
      CaseRecord(
        number: 0, venue: venue, label: "a", device: device, onset: nil, from: .testStart, to: .testStart + .days(1),
        thresholdMinutes: 15, wallPercent: 40, note: "Grüße", created: .testStart, creator: "op", closed: nil))
    try cases.save(
      CaseContact(device: device, status: .notified, note: "n", changed: .testStart, operator: "op"), of: number)
    _ = try cases.save(
      CaseNotice(
        caseNumber: number, device: device, exposed: .testStart, template: "t", advice: "a", created: .testStart,
        expires: .testStart + .days(1)))
    let rule = try alerts.save(
      AlertRule(
        venue: venue, kind: .moreThan, name: "r", space: SpaceID("s"), floor: FloorOrdinal(1), device: nil,
        threshold: 1,
        lasting: 60, isOn: true))
    var alert = Alert(
      rule: rule, began: .testStart, raised: .testStart, ended: nil, peak: 3, space: SpaceID("s"), acknowledged: "op")
    alert.number = try alerts.save(alert)
    alert.sent = .testStart + .seconds(1)
    _ = try alerts.save(alert)
    return files
  }

  /// Cases, notices, rules and alerts move into a database and back, with the same numbers and digests.
  @Test func casesAndAlertsMoveThereAndBack() throws {
    let scratch = try TemporaryFolder()
    let files = try filledConsole(scratch)
    let database = try Database()
    let store = try database.store()
    let entries = try StoreCopy.run(from: try filledFile(), to: store) {
      try ConsoleCopy.run(from: files, isThere: { _ in true }, to: store)
    }
    let names = (StoreTable.cases + StoreTable.alerts).map(\.name)
    #expect(entries.map(\.table) == StoreTable.all.map(\.name) + names)
    for entry in entries { #expect(entry.rows > 0, "the test has no row of \(entry.table)") }
    let address = try PostgresAddress(database.url)
    #expect(try PostgresAlertStore(address).openAlerts() == SQLiteAlertStore(path: files.alerts).openAlerts())
    let again = ConsoleBackup.Files(cases: scratch.path("cases-2.sqlite"), alerts: scratch.path("alerts-2.sqlite"))
    let back = try StoreCopy.run(from: store, to: try SQLitePositionStore(path: ":memory:")) {
      try ConsoleCopy.run(from: store, to: again)
    }
    #expect(back == entries)
    let (one, other) = (try SQLiteCaseStore(path: again.cases), PostgresCaseStore(address))
    let venue = try #require(VenueID("hall"))
    #expect(try one.records(of: venue) == other.records(of: venue))
    #expect(throws: StoreCopy.Failure.notEmpty("caseFile")) {
      try ConsoleCopy.run(from: files, isThere: { _ in true }, to: store)
    }
  }

  /// A folder without cases and alerts moves as well.
  @Test func missingFilesHaveNoRows() throws {
    let store = try Database().store()
    try store.connect()
    let files = ConsoleBackup.Files(cases: "/nowhere/cases.sqlite", alerts: "/nowhere/alerts.sqlite")
    let entries = try ConsoleCopy.run(from: files, isThere: { _ in false }, to: store)
    #expect(entries.map(\.rows) == [Int64](repeating: 0, count: StoreTable.cases.count + StoreTable.alerts.count))
    let scratch = try TemporaryFolder()
    let made = ConsoleBackup.Files(cases: scratch.path("cases.sqlite"), alerts: scratch.path("alerts.sqlite"))
    #expect(try ConsoleCopy.run(from: store, to: made) == entries)
  }

  /// A copy of cases that differs undoes the copy of the store.
  @Test func aChangedCaseUndoesTheCopy() throws {
    let database = try Database()
    let store = try database.store()
    try store.connect()
    try database.sql(
      """
      CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.note = 'x'; RETURN NEW; END $$;
      CREATE TRIGGER spoil BEFORE INSERT ON case_file FOR EACH ROW EXECUTE FUNCTION spoil()
      """)
    let scratch = try TemporaryFolder()
    let files = try filledConsole(scratch)
    #expect(throws: StoreCopy.Failure.different("caseFile")) {
      try StoreCopy.run(from: try filledFile(), to: store) {
        try ConsoleCopy.run(from: files, isThere: { _ in true }, to: store)
      }
    }
    #expect(try store.venues().isEmpty)
  }

  /// A file of a version without the table is restored all the same.
  @Test func filesWithoutMessagesAreRestored() throws {
    let database = try Database()
    let store = try database.store()
    try store.connect()
    let scratch = try TemporaryFolder()
    let files = ConsoleBackup.Files(cases: scratch.path("cases.sqlite"), alerts: scratch.path("alerts.sqlite"))
    do {
      _ = try SQLiteCaseStore(path: files.cases)
      let alerts = try SQLiteAlertStore(path: files.alerts)
      _ = try alerts.save(
        AlertRule(
          venue: try #require(VenueID("hall")), kind: .moreThan, name: "r", space: nil, floor: nil, device: nil,
          threshold: 1, lasting: 60, isOn: true))
    }
    let connection = try Connection(path: files.alerts, mode: .create, timeout: 1_000)
    try connection.execute("DROP TABLE alertSent")
    #expect(try ConsoleBackup.copy(files, isThere: { _ in true }, into: store))
    #expect(try database.sql("SELECT count(*) FROM alert_rule") == "1")
  }

  /// Files of a version without holders of devices are brought up to date before they move.
  @Test(arguments: ["restore", "migrate"]) func filesWithoutHoldersMove(_ way: String) throws {
    let database = try Database()
    let store = try database.store()
    try store.connect()
    let scratch = try TemporaryFolder()
    let files = ConsoleBackup.Files(cases: scratch.path("cases.sqlite"), alerts: scratch.path("alerts.sqlite"))
    try FormerConsole.make(cases: files.cases, alerts: files.alerts)
    if way == "restore" {
      #expect(try ConsoleBackup.copy(files, isThere: { _ in true }, into: store))
    } else {
      _ = try StoreCopy.run(from: try SQLitePositionStore(path: ":memory:"), to: store) {
        try ConsoleCopy.run(from: files, isThere: { _ in true }, to: store)
      }
    }
    let cases = PostgresCaseStore(try PostgresAddress(database.url))
    #expect(try cases.record(3)?.holder == FormerConsole.time)
    #expect(try cases.notices(of: 3).map(\.number) == [5, 7])
    #expect(try PostgresAlertStore(try PostgresAddress(database.url)).rules().map(\.holder) == [nil, nil])
  }

  @Test func aTargetWithRowsIsRefused() throws {
    let database = try Database().store()
    _ = try database.number(of: try #require(VenueID("hall")), origin: Coordinate(longitude: 8, latitude: 47))
    #expect(throws: StoreCopy.Failure.notEmpty("venue")) { try StoreCopy.run(from: try filledFile(), to: database) }
  }

  /// A copy that differs is not kept.
  @Test func aChangedCopyIsUndone() throws {
    let database = try Database()
    let store = try database.store()
    try store.connect()
    try database.sql(
      """
      CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.type = 'x'; RETURN NEW; END $$;
      CREATE TRIGGER spoil BEFORE INSERT ON device FOR EACH ROW EXECUTE FUNCTION spoil()
      """)
    #expect(throws: StoreCopy.Failure.different("device")) { try StoreCopy.run(from: try filledFile(), to: store) }
    #expect(try store.venues().isEmpty)
  }
}
