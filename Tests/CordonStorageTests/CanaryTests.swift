import CordonCore
import CordonMonitoring
import CordonStorage
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@Suite("Deleted means gone from the file")
struct CanaryTests {
  static let space = "CANARY-SPACE-7f3a"
  static let token = "CANARY-TOKEN-91bd"

  /// Every file of the store that holds one of the canaries.
  static func sightings(in folder: TemporaryFolder, of canaries: [[UInt8]]) throws -> [String] {
    var found: [String] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() {
      let data = try Data(contentsOf: folder.url.appendingPathComponent(name))
      for canary in canaries where data.contains(bytes: canary) { found.append(name) }
    }
    return found
  }

  static func bytes(of value: Double) -> [UInt8] { withUnsafeBytes(of: value.bitPattern.bigEndian) { Array($0) } }

  /// A phone with rows, and the byte sequences that must not be found after their deletion.
  static func phone(_ folder: TemporaryFolder) throws -> (TestPhone, [[UInt8]]) {
    var venue = SmallVenue()
    venue.rooms = [.init(space, x: -30...30, y: -20...20)]
    let sink = InProcessSink()
    let phone = try TestPhone(in: venue, store: try SQLiteStore(path: folder.path("store.sqlite")), sink: sink)
    phone.isOnline = false
    phone.consentAndStart()
    for step in 0..<50 { phone.stay(at: (east: Double(step % 25), north: 3), for: .seconds(10)) }
    let rows = try phone.store.locations(of: phone.runtime.device)
    try #require(rows.count > 80)
    var canaries = rows.prefix(40).map { bytes(of: $0.coordinate.longitude) }
    canaries.append(Array(space.utf8))
    #expect(try !sightings(in: folder, of: canaries).isEmpty, "the canaries are there to begin with")
    return (phone, canaries)
  }

  @Test func afterAcknowledgement() throws {
    let folder = try TemporaryFolder()
    let (phone, canaries) = try Self.phone(folder)
    phone.isOnline = true
    phone.wait(.hours(1))
    phone.send(.stop)
    #expect(phone.accounting.onPhone == 0)
    #expect(phone.accounting.acknowledged > 80)
    #expect(try Self.sightings(in: folder, of: canaries) == [])
  }

  @Test func afterWithdrawal() throws {
    let folder = try TemporaryFolder()
    let (phone, canaries) = try Self.phone(folder)
    let device = phone.runtime.device
    phone.send(.withdraw)
    #expect(phone.accounting.erased > 80)
    #expect(try Self.sightings(in: folder, of: canaries) == [])
    #expect(phone.runtime.device != device)
    // The old pseudonym is kept only in the request for its erasure, and is deleted with the receipt.
    phone.isOnline = true
    phone.wait(.hours(1))
    #expect(phone.sink.erased == [device])
    #expect(try Self.sightings(in: folder, of: [Array(device.rawValue.utf8)]) == [])
  }

  @Test func afterExpiry() throws {
    let folder = try TemporaryFolder()
    let (phone, canaries) = try Self.phone(folder)
    phone.send(.pause(until: nil))
    phone.wait(.days(15))
    #expect(phone.accounting.expired > 80)
    #expect(try Self.sightings(in: folder, of: canaries) == [])
  }

  /// SQLite moves rows between pages as others are added and removed, and leaves copies in the free space.
  @Test(arguments: [0, 40])
  func afterPagesWereRearranged(rowsThatStay: Int) throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path("store.sqlite"))
    let device = try #require(DeviceID("a-device"))
    var random = RandomStream(seed: 7, stream: 1)
    let venue = SmallVenue()
    let sinks = SinkSet([.cordon])
    try store.begin(.normal)
    try store.save(DeviceRecord(id: device, type: "phone"))
    try store.commit()
    try store.scrub()
    var kept: [FixID: [UInt8]] = [:]
    var gone: [[UInt8]] = []
    func insert() throws {
      let place = venue.place(east: Double(random.nextIndex(below: 50_000)) / 1_000, north: 1)
      let time = Instant(milliseconds: Instant.testStart.milliseconds + Int64(random.nextIndex(below: 40_000_000)))
      let id = FixID(device: device, time: time, coordinate: place, accuracy: 5, floor: nil)
      let row = Location(
        id: id, device: device, venue: venue.venue, coordinate: place, accuracy: 5, floor: nil, time: time)
      if try store.insert(row, sinks: sinks) { kept[id] = Self.bytes(of: place.longitude) }
    }
    func remove(_ count: Int) throws {
      let ids = kept.keys.sorted().filter { _ in random.nextIndex(below: 3) > 0 }.prefix(count)
      let rows = ids.map { DeliveryResult(id: $0, stillUntil: nil, outcome: .acknowledged) }
      _ = try store.completeLease(device, sink: .cordon, rows: rows, required: sinks)
      for id in ids { if let trace = kept.removeValue(forKey: id) { gone.append(trace) } }
    }
    for _ in 0..<30 {
      try store.begin(.normal)
      for _ in 0..<200 { try insert() }
      try store.commit()
      try store.begin(.normal)
      try remove(180)
      try store.commit()
    }
    while kept.count > rowsThatStay {
      try store.begin(.normal)
      try remove(kept.count - rowsThatStay)
      try store.commit()
    }
    try store.scrub()
    #expect(try store.locations(of: device).count == rowsThatStay)
    // A longitude that another row has too may stay.
    let there = Set(kept.values)
    var file = Data()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() {
      file += try Data(contentsOf: folder.url.appendingPathComponent(name))
    }
    let left = gone.filter { !there.contains($0) && file.contains(bytes: $0) }
    #expect(gone.count > 5_000)
    #expect(left.isEmpty, "\(left.count) of \(gone.count) rows that are gone are still in the file")
  }
}
