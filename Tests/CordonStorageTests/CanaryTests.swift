import CordonCore
import CordonMonitoring
import CordonStorage
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
      for canary in canaries where data.range(of: Data(canary)) != nil { found.append(name) }
    }
    return found
  }

  static func bytes(of value: Double) -> [UInt8] { withUnsafeBytes(of: value.bitPattern.bigEndian) { Array($0) } }

  /// A phone with rows on it, and what must not be found once they are gone.
  static func phone(_ folder: TemporaryFolder) throws -> (VirtualPhone, [[UInt8]]) {
    var venue = SmallVenue()
    venue.rooms = [.init(space, x: -30...30, y: -20...20)]
    let sink = InProcessSink()
    let phone = try VirtualPhone(in: venue, store: try SQLiteStore(path: folder.path()), sink: sink)
    phone.isOnline = false
    phone.consentAndStart()
    for step in 0..<50 { phone.stay(at: (east: Double(step % 25), north: 3), for: .seconds(10)) }
    let store = try SQLiteStore(path: folder.path())
    let rows = try store.locations(of: phone.runtime.device)
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
    // The old name is kept only inside the request for its erasure, and goes with the receipt.
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
}
