import CordonCore
import CordonMonitoring
import CordonSQLite
import CordonSealing
import CordonStorage
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@Suite("A sealed store")
struct SealedStoreTests {
  static let space = "CANARY-SPACE-7f3a"

  static func sealer(_ keys: ScriptedKeyStore = ScriptedKeyStore()) -> AESGCMSealer { AESGCMSealer(keys: keys) }

  /// Every file of the folder that holds one of the canaries.
  static func sightings(in folder: TemporaryFolder, of canaries: [[UInt8]]) throws -> [String] {
    var found: [String] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() {
      let data = try Data(contentsOf: folder.url.appendingPathComponent(name))
      for canary in canaries where data.contains(bytes: canary) { found.append(name) }
    }
    return found
  }

  /// Bytes that would identify a row: its coordinates in both byte orders, its identity, its space.
  static func canaries(_ rows: [Location]) -> [[UInt8]] {
    var canaries: [[UInt8]] = [Array(space.utf8)]
    for row in rows.prefix(40) {
      for value in [row.coordinate.longitude, row.coordinate.latitude] {
        canaries.append(withUnsafeBytes(of: value.bitPattern.bigEndian) { Array($0) })
        canaries.append(withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) })
      }
      canaries.append(withUnsafeBytes(of: row.id.low.bigEndian) { Array($0) })
    }
    return canaries
  }

  /// A phone that recorded for some minutes offline, with a token.
  static func phone(
    _ store: SQLiteStore, sink: InProcessSink = InProcessSink(needsToken: true), steps: Int = 30
  ) throws -> TestPhone {
    var venue = SmallVenue()
    venue.rooms = [.init(space, x: -30...30, y: -20...20)]
    sink.inviteCodes = ["CODE"]
    let phone = try TestPhone(in: venue, store: store, sink: sink, device: DeviceID("phone"))
    phone.consentAndStart()
    phone.send(.invite(code: "CODE"))
    phone.stay(at: (east: 1, north: 3), for: .seconds(10))
    phone.send(.flush)
    phone.isOnline = false
    for step in 0..<steps { phone.stay(at: (east: Double(step % 25), north: 3), for: .seconds(10)) }
    return phone
  }

  @Test func exposureNoticesAreSealed() throws {
    let folder = try TemporaryFolder()
    let keys = ScriptedKeyStore()
    let advice = "CANARY-ADVICE-19c2"
    let device = try #require(DeviceID("phone"))
    let notice = ExposureNotice(
      id: 3, template: "test", day: "2026-01-05", advice: advice, created: .testStart, expires: .testStart + .days(9))
    do {
      let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer(keys))
      var record = DeviceRecord(id: device, type: "phone")
      record.notices = [notice]
      try store.begin(.full)
      try store.save(record)
      try store.commit()
      #expect(try store.device(device)?.notices == [notice])
      try store.renewKey()
    }
    #expect(try Self.sightings(in: folder, of: [Array(advice.utf8), Array("2026-01-05".utf8)]).isEmpty)
    let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer(keys))
    #expect(try store.device(device)?.notices == [notice])
  }

  /// The text of a refusal may be about the row.
  @Test func textsOfRefusalsAreSealed() throws {
    let folder = try TemporaryFolder()
    let keys = ScriptedKeyStore()
    let text = "CANARY-REFUSAL-52e1"
    let device = try #require(DeviceID("phone"))
    let place = Coordinate(longitude: 8.54, latitude: 47.37)
    let row = Location(
      id: FixID(device: device, time: .testStart, coordinate: place, accuracy: 5, floor: nil), device: device,
      venue: .everywhere, coordinate: place, accuracy: 5, floor: nil, time: .testStart)
    let sinks = SinkSet([.overland])
    do {
      let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer(keys))
      try store.begin(.full)
      try store.save(DeviceRecord(id: device, type: "phone"))
      #expect(try store.insert(row, sinks: sinks))
      let end = Instant.testStart + .hours(1)
      #expect(
        try store.lease(device, sink: .overland, venue: nil, limit: 1, now: .testStart, until: end).map(\.id) == [
          row.id
        ])
      let result = DeliveryResult(id: row.id, stillUntil: nil, outcome: .refused, reason: text)
      #expect(try store.completeLease(device, sink: .overland, rows: [result], required: sinks).quarantined == 1)
      try store.commit()
    }
    #expect(try Self.sightings(in: folder, of: [Array(text.utf8)]).isEmpty)
    let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer(keys))
    #expect(try store.deliveries(of: device).map(\.reason) == [text])
    try store.renewKey()
    #expect(try store.deliveries(of: device).map(\.reason) == [nil])
  }

  @Test(arguments: Seeds.some(of: 0..<40))
  func theSealedStoreConforms(seed: Int) throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer())
    #expect(try StoreConformance.difference(of: store, seed: UInt64(seed)) == nil)
  }

  @Test func neitherPositionsNorTokensAreReadableInAnyFile() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer())
    let phone = try Self.phone(store)
    let rows = try store.locations(of: phone.runtime.device)
    try #require(rows.count > 40)
    let record = try #require(try store.device(phone.runtime.device))
    let token = try #require(record.authToken)
    let secret = try #require(record.secret)
    let canaries = Self.canaries(rows) + [Array(token.utf8), Array(secret.utf8)]
    #expect(try Self.sightings(in: folder, of: canaries) == [])
    #expect(try Self.sightings(in: folder, of: [Array("phone".utf8)]) != [], "the search does find what is there")
    // The folder where SQLite puts data that does not fit into memory.
    let temporary = try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory())
    #expect(!temporary.contains { $0.hasPrefix("etilqs_") })
  }

  @Test func sealedRowsAreDeliveredUnchanged() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer())
    let phone = try Self.phone(store)
    let rows = try store.locations(of: phone.runtime.device)
    phone.isOnline = true
    phone.wait(.hours(1))
    phone.send(.stop)
    #expect(phone.accounting.onPhone == 0)
    let sent = Set(phone.sink.locations)
    #expect(rows.allSatisfy { sent.contains($0) })
    #expect(try Self.sightings(in: folder, of: Self.canaries(rows)) == [])
  }

  @Test func openingAPlainFileWithASealerSealsIt() throws {
    let folder = try TemporaryFolder()
    var rows: [Location] = []
    var record: DeviceRecord?
    do {
      let store = try SQLiteStore(path: folder.path("store.sqlite"))
      let phone = try Self.phone(store)
      rows = try store.locations(of: phone.runtime.device)
      record = try store.device(phone.runtime.device)
    }
    let token = try #require(record?.authToken)
    let canaries = Self.canaries(rows) + [Array(token.utf8)]
    #expect(try Self.sightings(in: folder, of: canaries) != [])
    let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer())
    #expect(try store.locations(of: #require(DeviceID("phone"))) == rows)
    #expect(try store.device(#require(DeviceID("phone"))) == record)
    #expect(try Self.sightings(in: folder, of: canaries) == [], "nothing readable stays in file, log or index")
    #expect(
      try store.queue(of: #require(DeviceID("phone")), sink: .cordon, venue: nil, now: .epoch).pending == rows.count)
  }

  @Test func openingASealedFileWithoutASealerChangesNothing() throws {
    let folder = try TemporaryFolder()
    let keys = ScriptedKeyStore()
    var count = 0
    do {
      let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer(keys))
      count = try store.locations(of: try Self.phone(store).runtime.device).count
    }
    var error = #expect(throws: StoreError.self) { try SQLiteStore(path: folder.path("store.sqlite")) }
    #expect(error?.kind == .locked)
    keys.isLocked = true
    error = #expect(throws: StoreError.self) {
      try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer(keys))
    }
    #expect(error?.kind == .locked)
    keys.isLocked = false
    let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer(keys))
    #expect(try store.locations(of: #require(DeviceID("phone"))).count == count)
  }

  @Test(.timeLimit(.minutes(15))) func openingWaitsForALockedKeyStore() async throws {
    let folder = try TemporaryFolder()
    let keys = ScriptedKeyStore()
    var count = 0
    do {
      let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer(keys))
      count = try store.locations(of: try Self.phone(store).runtime.device).count
    }
    keys.isLocked = true
    let before = keys.requests
    let unlocking = Task {
      defer { keys.isLocked = false }
      try await wait { keys.requests >= before + 3 }
    }
    let store = try await SQLiteStore.whenUnlocked(
      path: folder.path("store.sqlite"), sealer: Self.sealer(keys), retryingEvery: .milliseconds(1))
    try await unlocking.value
    #expect(try store.locations(of: #require(DeviceID("phone"))).count == count)
    #expect(keys.requests > before + 3)
  }

  @Test func aLostKeyEmptiesTheQueueAndIsReported() throws {
    let folder = try TemporaryFolder()
    let keys = ScriptedKeyStore()
    var before = Accounting()
    var end = Instant.epoch
    do {
      let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer(keys))
      let phone = try Self.phone(store)
      before = phone.accounting
      end = phone.now.wall
    }
    try #require(before.onPhone > 40)
    keys.loseKeys()
    let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer(keys))
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["AGAIN"]
    let phone = try TestPhone(store: store, sink: sink, device: DeviceID("phone"), start: end)
    #expect(try store.locations(of: phone.runtime.device).isEmpty)
    #expect(phone.accounting.onPhone == 0)
    #expect(phone.accounting.expiredByKey == before.onPhone)
    #expect(phone.accounting.stored == before.stored, "every location is still accounted for")
    #expect(phone.notices.contains(.expired(.key, count: Int(before.onPhone))))
    #expect(phone.runtime.monitor.state.consent?.version == "test", "consent is not sealed, and not lost")
    // The secret is gone, so the device must be activated again; then it records and delivers as before.
    #expect(phone.runtime.phase == .needsActivation)
    phone.send(.invite(code: "AGAIN"))
    phone.stay(at: (east: 1, north: 1), for: .minutes(2))
    phone.leave()
    #expect(sink.count > 0)
  }

  @Test func aLostOldKeyLosesOnlyItsRows() throws {
    let folder = try TemporaryFolder()
    let keys = ScriptedKeyStore()
    let device = try #require(DeviceID("phone"))
    var count = 0
    do {
      let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer(keys))
      let phone = try Self.phone(store)
      count = try store.locations(of: device).count
      // A renewal that stopped after its first step: the new key exists, and some rows are still under the old one.
      _ = try Self.sealer(keys).renewKey()
      withExtendedLifetime(phone) {}
    }
    do {
      let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer(keys))
      #expect(try store.locations(of: device).count == count, "opening the file finished the renewal")
      #expect(try keys.keys().map(\.number) == [2])
    }
    try keys.remove(2)
    let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer(keys))
    #expect(try store.locations(of: device).isEmpty)
  }

  @Test func aRenewedKeyResealsEverything() throws {
    let folder = try TemporaryFolder()
    let keys = ScriptedKeyStore()
    let device = try #require(DeviceID("phone"))
    let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer(keys))
    let phone = try Self.phone(store)
    let rows = try store.locations(of: device)
    let record = try store.device(device)
    try store.renewKey()
    #expect(try keys.keys().map(\.number) == [2])
    #expect(try store.locations(of: device) == rows)
    #expect(try store.device(device) == record)
    phone.isOnline = true
    phone.wait(.hours(1))
    phone.send(.stop)
    #expect(phone.accounting.onPhone == 0)
    #expect(phone.accounting.expired == 0)
  }

  /// Prevents every statement from the `count`-th on, as after the death of the process.
  static func die(_ store: SQLiteStore, before count: Int) -> () -> Bool {
    var left = count
    store.failStatements { _ in
      left -= 1
      return left <= 0
    }
    return { left <= 0 }
  }

  @Test func aRenewalSurvivesADeathBeforeAnyStatement() throws {
    let device = try #require(DeviceID("phone"))
    var count = 1
    while true {
      let folder = try TemporaryFolder()
      let keys = ScriptedKeyStore()
      var rows: [Location] = []
      var record: DeviceRecord?
      var isDead = false
      do {
        let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer(keys))
        _ = try Self.phone(store, steps: 3)
        rows = try store.locations(of: device)
        record = try store.device(device)
        let hasDied = Self.die(store, before: count)
        try? store.renewKey()
        isDead = hasDied()
      }
      let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer(keys))
      #expect(try store.locations(of: device) == rows, "statement \(count)")
      #expect(try store.device(device) == record, "statement \(count)")
      #expect(try keys.keys().map(\.number) == [2], "statement \(count): the old key is dropped in the end")
      if !isDead { break }
      count += 1
    }
    #expect(count > 20)
  }

  @Test func aLockedKeyStoreLeavesAReadableFileReadable() throws {
    let device = try #require(DeviceID("phone"))
    let folder = try TemporaryFolder()
    var rows: [Location] = []
    do {
      let store = try SQLiteStore(path: folder.path("store.sqlite"))
      _ = try Self.phone(store, steps: 3)
      rows = try store.locations(of: device)
    }
    // A key store that fails: nothing is sealed, nothing is lost, and the store stays readable.
    let keys = ScriptedKeyStore()
    keys.isLocked = true
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer(keys))
    }
    #expect(error?.kind == .locked)
    #expect(try SQLiteStore(path: folder.path("store.sqlite")).locations(of: device) == rows)
  }

  @Test func aDamagedRowIsCountedAndDoesNotBlockTheQueue() throws {
    let folder = try TemporaryFolder()
    let keys = ScriptedKeyStore()
    var end = Instant.epoch
    var before = Accounting()
    let sink = InProcessSink(needsToken: true)
    do {
      let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer(keys))
      let phone = try Self.phone(store, sink: sink)
      end = phone.now.wall
      before = phone.accounting
    }
    let file = try Connection(path: folder.path("store.sqlite"), mode: .readWrite, timeout: 0)
    try file.execute(
      """
      UPDATE locationRow SET sealed = (SELECT sealed FROM locationRow ORDER BY fixHigh DESC LIMIT 1)
      WHERE fixHigh = (SELECT min(fixHigh) FROM locationRow)
      """)
    file.close()
    let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: Self.sealer(keys))
    let phone = try TestPhone(store: store, sink: sink, device: DeviceID("phone"), start: end)
    phone.wait(.hours(1))
    phone.send(.stop)
    #expect(phone.accounting.expiredByKey == 1, "a row moved to another's place does not open there")
    #expect(phone.accounting.onPhone == 0)
    #expect(phone.accounting.acknowledged == before.stored - 1)
  }

  @Test func aStoreLockedMeanwhileKeepsItsRows() throws {
    let folder = try TemporaryFolder()
    let lock = LockableSealer(Self.sealer())
    let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: lock)
    let phone = try Self.phone(store)
    let before = phone.accounting
    lock.isLocked = true
    phone.isOnline = true
    phone.stay(at: (east: 2, north: 2), for: .minutes(3))
    #expect(phone.accounting.stored == before.stored)
    #expect(phone.accounting[.storeFailed] > 0, "what cannot be sealed is refused, and says so")
    #expect(phone.accounting.onPhone == before.onPhone)
    lock.isLocked = false
    phone.wait(.hours(1))
    phone.send(.stop)
    #expect(phone.accounting.onPhone == 0)
    #expect(phone.accounting.expired == 0)
  }

  @Test func storeFilesAreReadableByTheirOwnerOnly() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    try Data().write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
    let store = try SQLiteStore(path: path, sealer: Self.sealer())
    let phone = try Self.phone(store)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(names == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal", "store.sqlite.lock"])
    for name in names {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(name)")
    }
    withExtendedLifetime(phone) {}
  }

  /// The keychain survives an uninstall on some systems; it does not identify the person.
  @Test func anUninstallEndsTheIdentity() throws {
    let keys = ScriptedKeyStore()
    let (before, after) = (try TemporaryFolder(), try TemporaryFolder())
    let now = ClockReading(virtual: Instant.testStart)
    // The first is released before its file is opened again.
    let device = try Runtime(
      store: try SQLiteStore(path: before.path("store.sqlite"), sealer: Self.sealer(keys)), at: now
    ).device
    let second = try Runtime(
      store: try SQLiteStore(path: after.path("store.sqlite"), sealer: Self.sealer(keys)), at: now)
    #expect(device != second.device)
    #expect(second.monitor.state.consent == nil && !second.monitor.state.isActivated)
    // Only the file holds the identity.
    let again = try Runtime(
      store: try SQLiteStore(path: before.path("store.sqlite"), sealer: Self.sealer(keys)), at: now)
    #expect(again.device == device)
  }

  @Test func theFileIsExcludedFromBackups() throws {
    let folder = try TemporaryFolder()
    _ = try SQLiteStore(path: folder.path("store.sqlite"))
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("store.sqlite"))
    let extended = attributes[FileAttributeKey("NSFileExtendedAttributes")] as? [String: Data]
    #expect(extended?["user.xdg.robots.backup"] == Data("false".utf8))
  }
}

/// A sealer whose keys can become unreachable while a store is open.
///
/// `@unchecked Sendable` holds because a test uses it from one thread.
final class LockableSealer: Sealer, @unchecked Sendable {
  private let inner: AESGCMSealer
  var isLocked = false

  init(_ inner: AESGCMSealer) { self.inner = inner }

  private func check() throws(SealingError) {
    if isLocked { throw SealingError(.locked, "scripted lock") }
  }

  func currentKey() throws(SealingError) -> UInt32 { try inner.currentKey() }
  func hasKey(_ number: UInt32) throws(SealingError) -> Bool { try inner.hasKey(number) }
  func key(of sealed: [UInt8]) -> UInt32? { inner.key(of: sealed) }
  func renewKey() throws(SealingError) -> UInt32 { try inner.renewKey() }
  func dropKeys(before number: UInt32) throws(SealingError) { try inner.dropKeys(before: number) }

  func seal(_ plain: [UInt8], at place: [UInt8]) throws(SealingError) -> [UInt8] {
    try check()
    return try inner.seal(plain, at: place)
  }

  func open(_ sealed: [UInt8], at place: [UInt8]) throws(SealingError) -> [UInt8] {
    try check()
    return try inner.open(sealed, at: place)
  }
}
