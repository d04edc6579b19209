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

  @Test(arguments: 0..<60)
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
