import CordonCore
import CordonMonitoring
import CordonStorage
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@Suite("Conformance of stores")
struct ConformanceTests {
  @Test(arguments: BrokenStore.Fault.allCases)
  func everyFaultIsFound(_ fault: BrokenStore.Fault) throws {
    let differences = try (0..<5).compactMap { seed in
      try StoreConformance.difference(of: BrokenStore(fault), seed: UInt64(seed))
    }
    #expect(!differences.isEmpty)
  }

  @Test(arguments: Seeds.some(of: 0..<60))
  func sqliteStoreConforms(seed: Int) throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path("store.sqlite"))
    let difference = try StoreConformance.difference(of: store, seed: UInt64(seed))
    #expect(difference == nil)
  }

  @Test func committedDataIsThereAfterReopening() throws {
    let folder = try TemporaryFolder()
    let device = try #require(DeviceID("phone"))
    var rows: [Location] = []
    do {
      let store = try SQLiteStore(path: folder.path("store.sqlite"))
      let phone = try TestPhone(store: store, device: device)
      phone.isOnline = false
      phone.consentAndStart()
      for step in 0..<20 { phone.stay(at: (east: Double(step), north: 0), for: .seconds(10)) }
      rows = try store.locations(of: device)
      #expect(rows.count > 30)
    }
    let store = try SQLiteStore(path: folder.path("store.sqlite"))
    #expect(try store.locations(of: device) == rows)
    let phone = try TestPhone(store: store, device: device, start: Instant(milliseconds: 1_767_258_000_000))
    #expect(phone.accounting.stored == UInt64(rows.count))
    #expect(phone.runtime.monitor.state.consent?.version == "test")
  }

  /// The store keeps a row for the slower of two sinks; the faster one gets its longer stay too.
  @Test func aLongerStayIsSentAgainToASinkThatHasTheRow() throws {
    let folder = try TemporaryFolder()
    let device = try #require(DeviceID("phone"))
    let (fast, slow) = (SinkID.cordon, SinkID.overland)
    let sinks = SinkSet([fast, slow])
    let now = Instant(milliseconds: 1_767_254_400_000)
    let place = Coordinate(longitude: 8.5, latitude: 47.25)
    for store in [MemoryStore(), try SQLiteStore(path: folder.path("store.sqlite"))] as [any Store] {
      func lease(_ sink: SinkID) throws -> [Location] {
        try store.lease(device, sink: sink, venue: nil, limit: 9, now: now, until: now + .minutes(1))
      }
      func complete(_ sink: SinkID, _ end: Instant?, _ id: FixID) throws -> Int {
        let result = DeliveryResult(id: id, stillUntil: end, outcome: .acknowledged)
        return try store.completeLease(device, sink: sink, rows: [result], required: sinks).removed
      }
      try store.begin(.normal)
      try store.save(DeviceRecord(id: device, type: "test"))
      var row = Location(
        id: FixID(device: device, time: now, coordinate: place, accuracy: 4, floor: nil), device: device,
        venue: .everywhere, coordinate: place, accuracy: 4, floor: nil, time: now)
      #expect(try store.insert(row, sinks: sinks))
      #expect(try lease(fast).count == 1 && complete(fast, nil, row.id) == 0)
      row.stillUntil = now + .hours(1)
      #expect(try !store.extend(row, sinks: sinks))
      #expect(try lease(fast).map(\.stillUntil) == [row.stillUntil])
      #expect(try complete(fast, row.stillUntil, row.id) == 0 && lease(fast).isEmpty)
      // An end that is not later changes nothing.
      #expect(try !store.extend(row, sinks: sinks) && lease(fast).isEmpty)
      #expect(try lease(slow).map(\.stillUntil) == [row.stillUntil] && complete(slow, row.stillUntil, row.id) == 1)
      #expect(try store.usage(of: device).rows == 0)
      try store.commit()
    }
  }

  @Test func aNewerFileIsRefused() throws {
    let folder = try TemporaryFolder()
    do { _ = try SQLiteStore(path: folder.path("store.sqlite")) }
    try SQLiteFile.execute(folder.path("store.sqlite"), "INSERT INTO grdb_migrations VALUES ('999')")
    let error = #expect(throws: StoreError.self) { try SQLiteStore(path: folder.path("store.sqlite")) }
    #expect(error?.kind == .newerVersion)
  }

  @Test func aFileThatIsNotAStoreIsRefused() throws {
    let folder = try TemporaryFolder()
    try Data(repeating: 7, count: 10_000).write(to: URL(fileURLWithPath: folder.path("store.sqlite")))
    let error = #expect(throws: StoreError.self) { try SQLiteStore(path: folder.path("store.sqlite")) }
    #expect(error?.kind == .corrupt)
  }

  @Test func thePublishedEntitiesCanBeRead() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path("store.sqlite"))
    let phone = try TestPhone(store: store, device: DeviceID("phone"))
    phone.isOnline = false
    phone.consentAndStart()
    phone.stay(at: (east: 1, north: 1), for: .seconds(20))
    let row = try #require(try store.locations(of: phone.runtime.device).first)
    let text = try SQLiteFile.row(
      folder.path("store.sqlite"),
      "SELECT id, longitude, floor, deviceId, venueId, createdAt, uploadStatus FROM location LIMIT 1")
    #expect(
      text == [
        row.id.description, "\(row.coordinate.longitude)", "0.0", "phone", "small-venue", "\(row.time.milliseconds)",
        "0",
      ])
    let device = try SQLiteFile.row(folder.path("store.sqlite"), "SELECT id, isActivated, type FROM device")
    #expect(device == ["phone", "0", "phone"])
  }
}
