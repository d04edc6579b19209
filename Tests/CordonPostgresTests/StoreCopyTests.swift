import CordonCore
import CordonIngest
import CordonPostgres
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
