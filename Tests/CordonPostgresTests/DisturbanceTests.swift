import CordonContacts
import CordonCore
import CordonIngest
import CordonTestSupport
import Foundation
import Testing

@testable import CordonPostgres

/// A lease that goes to and fro, and a database whose disk is full.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct DisturbanceTests {
  private static func row(_ second: Int64) -> NewPosition {
    let time = UInt64(Instant.testStart.milliseconds + second * 1_000)
    return NewPosition(
      id: FixID(high: time << 16 | 0x7000, low: 0x8000_0000_0000_0000), longitude: 1, latitude: 2, accuracy: 3,
      venueHash: "h")
  }

  /// Whatever holder ends when, at most one server may change the contacts of a venue, and a former holder changes none.
  @Test func aLeaseMayFlap() throws {
    let database = try Database()
    let servers = try (0..<3).map { index in
      var options = PostgresPositionStore.Options()
      options.server = "server-\(index)"
      options.standstill = .patientForTests
      return PostgresPositionStore(try PostgresAddress(database.url), options: options)
    }
    let venue = try servers[0].number(of: try #require(VenueID("hall")), origin: Coordinate(longitude: 8, latitude: 47))
    var random = RandomStream(seed: 5, stream: 1)
    var written = 0
    for round in Int64(0)..<25 {
      for server in servers { try? server.tend() }
      var holders = 0
      for server in servers {
        guard (try? server.begin()) != nil else { continue }
        guard (try? server.lease(of: venue)) != nil else {
          server.rollback()
          continue
        }
        holders += 1
        // The holder loses its lease within the transaction, or not.
        if random.nextIndex(below: 3) == 0, let process = server.process {
          try database.sql("SELECT pg_terminate_backend(\(process), 5000)")
        }
        let contact = Contact(
          first: 1, second: 2, floor: 0, start: round, end: round, minimumDistance: 1, minimumDistanceTime: round, x: 0,
          y: 0)
        do {
          try server.change(contactsOf: venue, removed: [], added: [contact])
          try server.commit()
          written += 1
        } catch {
          server.rollback()
        }
      }
      #expect(holders <= 1)
      // The one that has it now loses it while it stands still; it notices by the epoch.
      if random.nextIndex(below: 4) == 0 {
        try database.sql("UPDATE lease SET owner = 'other', epoch = epoch + 1 WHERE venue = \(venue)")
        for server in servers {
          try? server.begin()
          #expect((try? server.lease(of: venue)) == nil)
          server.rollback()
          server.disconnect()
        }
      }
    }
    #expect(written > 5)
    #expect(try database.sql("SELECT count(*) FROM contact") == "\(written)")
  }

  /// On a full disk of the database rows are refused as a full store, an erasure as well, and what was committed stays; when there is
  /// room again the same connection works.
  @Test(.enabled(if: getuid() == 0, "mounting a small disk needs root"))
  func theDiskOfTheDatabaseMayBeFull() throws {
    // One of its own: a failure must not leave other tests a database without its disk.
    let server = try PostgresServer()
    let disk = server.folder + "-disk"
    func shell(_ words: String...) throws -> TestProcess.Result {
      try TestProcess.run(URL(fileURLWithPath: "/usr/bin/env"), words, in: URL(fileURLWithPath: "/tmp"))
    }
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
    defer {
      _ = try? shell("umount", "-l", disk)
      try? FileManager.default.removeItem(atPath: disk)
    }
    guard try shell("mount", "-t", "tmpfs", "-o", "size=18m", "tmpfs", disk).status == 0 else {
      // A container that may not mount.
      return
    }
    _ = try shell("chown", "postgres", disk)
    let name = "full\(UInt32.random(in: 0 ... .max))"
    let admin = server.url("postgres")
    try server.sql("CREATE TABLESPACE \(name) LOCATION '\(disk)'", at: admin)
    defer {
      _ = try? server.sql("DROP DATABASE \(name)", at: admin)
      _ = try? server.sql("DROP TABLESPACE \(name)", at: admin)
    }
    try server.sql("CREATE DATABASE \(name) TABLESPACE \(name)", at: admin)
    let store = PostgresPositionStore(try PostgresAddress(server.url(name)))
    let venue = try #require(VenueID("hall"))
    let number = try store.number(of: venue, origin: Coordinate(longitude: 8, latitude: 47))
    var device = StoredDevice(
      id: try #require(DeviceID("phone")), kind: .secret, venue: venue, type: "t", created: .testStart)
    device.number = try store.save(device)
    var second: Int64 = 0
    var committed: Int64 = 0
    func add(_ count: Int64) throws {
      let rows = (second..<second + count).map(Self.row)
      try store.begin()
      _ = try store.insert([RowBatch(rows: rows, device: device.number, venue: number)])
      try store.commit()
      second += count
      committed += count
    }
    var fault: StoreFault?
    for _ in 0..<100 where fault == nil {
      do {
        try add(2_000)
      } catch {
        fault = error as? StoreFault
        store.rollback()
      }
    }
    #expect(fault?.kind == .full, "\(String(describing: fault))")
    #expect(try store.positionCount() == committed)
    #expect(committed > 0)
    #expect(try shell("mount", "-o", "remount,size=64m", disk).status == 0)
    try add(2_000)
    #expect(try store.positionCount() == committed)
    try store.begin()
    #expect(try store.erase(device: device.number) == committed)
    try store.commit()
    store.disconnect()
  }
}
