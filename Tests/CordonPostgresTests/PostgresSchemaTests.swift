import CordonCore
import CordonIngest
import CordonTestSupport
import Foundation
import Testing

@testable import CordonPostgres

@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct PostgresSchemaTests {
  private static let venue = VenueID("hall")

  private func fill(_ store: PostgresPositionStore, days: [Int64]) throws -> Int64 {
    let venue = try #require(Self.venue)
    let number = try store.number(of: venue, origin: Coordinate(longitude: 8, latitude: 47))
    var device = StoredDevice(
      id: try #require(DeviceID("phone-of-ada")), kind: .secret, venue: venue, type: "t", created: .testStart)
    device.number = try store.save(device)
    for day in days {
      let time = UInt64(day * 86_400_000 + 1_000)
      let row = NewPosition(
        id: FixID(high: time << 16 | 0x7000, low: 0x8000_0000_0000_0000), longitude: 80_000_100, latitude: 470_000_200,
        accuracy: 4_000, floor: 1_000, space: SpaceID("lobby"), venueHash: "h")
      #expect(try store.insert([row], device: device.number, venue: number) == [.stored])
    }
    return device.number
  }

  private func limits(_ time: Instant) -> RetentionLimits {
    RetentionLimits(
      positions: time, contacts: .epoch, audit: .epoch, tombstones: .epoch, batches: .epoch, invites: .epoch,
      unusedInvites: .epoch, devices: .epoch, maximumPositions: 100)
  }

  /// The names of partitions are dates of the calendar.
  @Test func partitionsAreNamedByTheirDay() {
    #expect(PostgresPositionStore.partition(of: 0) == "position_1970_01_01")
    #expect(PostgresPositionStore.partition(of: 11_016) == "position_2000_02_29")
    #expect(PostgresPositionStore.partition(of: 20_783) == "position_2026_11_26")
    let calendar = Calendar(identifier: .gregorian)
    for day in stride(from: Int64(0), to: 60_000, by: 97) {
      var utc = calendar
      utc.timeZone = .gmt
      let parts = utc.dateComponents([.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
      let words = PostgresPositionStore.partition(of: day).split(separator: "_").dropFirst().compactMap { Int($0) }
      #expect(words == [parts.year, parts.month, parts.day], "day \(day)")
    }
  }

  /// Days that are past as a whole are dropped; of the day of the limit rows are deleted.
  @Test func retentionDropsWholeDays() throws {
    let database = try Database()
    let store = try database.store()
    let device = try fill(store, days: [20_000, 20_001, 20_002])
    #expect(try store.partitions().map(\.name) == [20_000, 20_001, 20_002].map(PostgresPositionStore.partition(of:)))
    let limit = Instant(milliseconds: 20_002 * 86_400_000)
    try store.begin()
    let dropped = try store.expire(limits(limit))
    try store.commit()
    #expect(dropped.positions == 2)
    #expect(dropped.isPartial)
    #expect(try store.partitions().map(\.name) == [PostgresPositionStore.partition(of: 20_002)])
    try store.begin()
    let rest = try store.expire(limits(limit + .seconds(2)))
    try store.commit()
    #expect(rest.positions == 1)
    #expect(!rest.isPartial)
    #expect(try store.positions(of: device, after: nil, limit: 9).isEmpty)
  }

  /// A query that runs does not hold up retention: the days stay until nobody uses the table.
  @Test func retentionDoesNotWaitForQueries() throws {
    let database = try Database()
    let store = try database.store()
    _ = try fill(store, days: [20_000, 20_002])
    let reader = try database.store(isReadOnly: true)
    try reader.begin()
    #expect(try reader.positionCount() == 2)
    let limit = Instant(milliseconds: 20_001 * 86_400_000)
    try store.begin()
    let report = try store.expire(limits(limit))
    try store.commit()
    #expect(report.positions == 1, "deleted row by row")
    #expect(try store.partitions().count == 2)
    try reader.commit()
    try store.begin()
    _ = try store.expire(limits(limit))
    try store.commit()
    #expect(try store.partitions().count == 1)
  }

  /// A database of a later program is left as it is, by writers and by readers.
  @Test func aLaterSchemaIsRefused() throws {
    let database = try Database()
    try database.store().connect()
    try database.sql("INSERT INTO schema_version (number) VALUES (\(PostgresPositionStore.schemaVersion + 1))")
    for isReadOnly in [false, true] {
      let store = try database.store(isReadOnly: isReadOnly)
      let fault = #expect(throws: StoreFault.self) { try store.connect() }
      #expect(fault?.kind == .newerVersion)
    }
  }

  /// Every earlier version is brought to the current one, with its rows.
  @Test(arguments: 1..<PostgresSchema.steps.count)
  func earlierVersionsAreMigrated(_ version: Int) throws {
    let database = try Database()
    let connection = try PostgresConnection(try PostgresAddress(database.url), patience: .seconds(15))
    let store = try database.store()
    try store.migrate(connection, to: Array(PostgresSchema.steps.prefix(version)))
    try database.sql("INSERT INTO venue VALUES (1, 'hall', 8, 47); UPDATE counter SET last = 1 WHERE name = 'venue'")
    #expect(try store.venues().map(\.id) == [Self.venue])
    #expect(try database.sql("SELECT max(number) FROM schema_version") == "\(PostgresSchema.steps.count)")
  }

  /// Cases, statuses and notices of a version without holders of devices are about the holder in whose time they were made.
  @Test func casesGetTheirHolders() throws {
    let database = try Database()
    let address = try PostgresAddress(database.url)
    let connection = try PostgresConnection(address, patience: .seconds(15))
    let store = try database.store()
    let step = try #require(PostgresSchema.steps.firstIndex(of: PostgresConsole.holders))
    try store.migrate(connection, to: Array(PostgresSchema.steps.prefix(step)))
    try database.sql(
      """
      INSERT INTO case_file VALUES (1, 'hall', 'l', 'ada', NULL, 1, 2, 15, 100, 'n', 1000, 'op', NULL);
      INSERT INTO case_contact VALUES (1, 'bea', 'reached', 'x', 1000, 'op');
      INSERT INTO notice VALUES (1, 1, 'bea', 0, 't', 'a', 1000, 9000, NULL, NULL);
      INSERT INTO alert_rule VALUES (1, 'hall', 'device-silent', 'r', NULL, NULL, 'ada', 0, 60, 1);
      UPDATE counter SET last = 1 WHERE name IN ('case', 'notice', 'rule')
      """)
    try store.connect()
    let (cases, alerts) = (PostgresCaseStore(address), PostgresAlertStore(address))
    let time = Instant(milliseconds: 1_000)
    #expect(try cases.record(1)?.holder == time && cases.contacts(of: 1).map(\.holder) == [time])
    #expect(try cases.notices(of: 1).map(\.holder) == [time] && alerts.rules().map(\.holder) == [nil])
    let bea = try #require(DeviceID("bea"))
    let holder = Instant(milliseconds: 2_000)
    let notice = CaseNotice(
      caseNumber: 1, device: bea, exposed: .epoch, template: "t", advice: "b", created: holder,
      expires: holder + .days(1), holder: holder)
    #expect(try cases.save(notice) == 2)
    try cases.save(
      CaseContact(device: bea, status: .open, note: "y", changed: holder, operator: "op", holder: holder), of: 1)
    try cases.forget(bea, .holders(before: holder))
    #expect(try cases.notices(of: 1).map(\.number) == [2] && cases.contacts(of: 1).map(\.note) == ["y"])
    try alerts.forget(try #require(DeviceID("ada")), .holders(before: holder))
    #expect(try alerts.rules().isEmpty)
  }

  /// The views show places and times, and no device; the role reads them and nothing else.
  @Test func viewsNameNobody() throws {
    let database = try Database()
    try database.sql(
      "DO $$ BEGIN CREATE ROLE cordon_reader LOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
    )
    let hasPostGIS = try database.sql("SELECT count(*) FROM pg_available_extensions WHERE name = 'postgis'") == "1"
    if hasPostGIS { try database.server.sql("CREATE EXTENSION postgis", at: database.url) }
    let store = try database.store()
    _ = try fill(store, days: [20_000])
    let outline = SpaceOutline(
      id: SpaceID("lobby"), floor: FloorOrdinal(1), area: 2,
      text: "MULTIPOLYGON(((8 47, 8.1 47, 8 47.1, 8 47)))")
    for _ in 0..<2 { try store.describe(venue: 1, spaces: [outline]) }
    let url = database.url.replacing("cordon@", with: "cordon_reader@")
    let row = try database.server.sql(
      "SELECT venue, space, floor, longitude, latitude, accuracy, time AT TIME ZONE 'UTC' FROM cordon_view.position",
      at: url)
    #expect(row == "hall|lobby|1|8.00001|47.00002|4|2024-10-04 00:00:01")
    #expect(
      try database.server.sql(
        "SELECT count(*) FROM cordon_view.positions('2024-10-04 00:00Z', '2024-10-04 00:01Z')", at: url) == "1")
    for view in ["contact", "occupancy", "venue", "space"] {
      _ = try database.server.sql("SELECT * FROM cordon_view.\(view)", at: url)
    }
    if hasPostGIS {
      let text = try database.server.sql("SELECT st_astext(geometry) FROM cordon_view.position_geometry", at: url)
      #expect(text == "POINT(8.00001 47.00002)")
      let space = try database.server.sql(
        "SELECT space, floor, st_npoints(geometry) FROM cordon_view.space_geometry", at: url)
      #expect(space == "lobby|1|4")
    }
    #expect(throws: PostgresServer.Failure.self) { try database.server.sql("SELECT * FROM cordon.device", at: url) }
    let columns = try database.sql(
      "SELECT string_agg(column_name, ' ') FROM information_schema.columns WHERE table_schema = 'cordon_view'")
    for word in ["device", "first", "second", "high", "low"] {
      #expect(!columns.split(separator: " ").contains(Substring(word)))
    }
  }
}
