import CordonContacts
import CordonCore
import CordonTestSupport
import Testing

@testable import CordonIngest

/// The store in memory and the store in a file give the same answers to the same calls, in any order.
@Suite struct MemoryPositionStoreTests {
  /// Both stores, which receive the same calls.
  private struct Pair {
    let memory = MemoryPositionStore()
    let file: SQLitePositionStore
    var random: RandomStream

    init(seed: UInt64) throws {
      file = try SQLitePositionStore(path: ":memory:")
      random = RandomStream(seed: seed, stream: 0x31)
    }

    func ask<T>(_ what: String, _ query: (any PositionStore) throws -> T) {
      func answer(_ store: any PositionStore) -> String {
        do {
          return String(describing: try query(store))
        } catch let fault as StoreFault {
          return "fault \(fault.kind)"
        } catch {
          return "\(error)"
        }
      }
      let (one, two) = (answer(memory), answer(file))
      #expect(one == two, "\(what)")
    }

    mutating func below(_ bound: Int) -> Int { random.nextIndex(below: bound) }

    mutating func bytes(_ bound: Int) -> [UInt8] { [UInt8](repeating: UInt8(below(bound)), count: 8) }
  }

  private static let venues = ["hall", "annex"].compactMap { VenueID($0) }
  private static let start: Int64 = Instant.testStart.milliseconds

  @Test(arguments: UInt64(1)...30)
  func memoryAndFileStoresAnswerAlike(_ seed: UInt64) throws {
    var pair = try Pair(seed: seed)
    pair.ask("venue") { try $0.number(of: Self.venues[0], origin: Coordinate(longitude: 8, latitude: 47)) }
    for step in 0..<300 {
      let isGrouped = pair.below(3) == 0
      if isGrouped { pair.ask("begin") { try $0.begin() } }
      for _ in 0..<(isGrouped ? 1 + pair.below(4) : 1) { write(&pair) }
      if isGrouped {
        if pair.below(3) == 0 {
          pair.ask("rollback") { $0.rollback() }
        } else {
          pair.ask("commit") { try $0.commit() }
        }
      }
      if step % 5 == 0 { read(&pair) }
    }
    read(&pair)
  }

  private func write(_ pair: inout Pair) {
    let time = Instant(milliseconds: Self.start + Int64(pair.below(4_000)) * 1_000)
    let number = Int64(1 + pair.below(5))
    let venue = Self.venues[pair.below(2)]
    switch pair.below(14) {
    case 0:
      guard let id = DeviceID("phone-\(pair.below(6))") else { return }
      var device = StoredDevice(id: id, kind: .secret, venue: venue, type: "t", created: time)
      device.number = pair.below(2) == 0 ? 0 : number
      device.pendingSecret = pair.below(2) == 0 ? "s" : nil
      let saved = device
      pair.ask("save device") { try $0.save(saved) }
    case 1, 2, 3, 4:
      let rows = positions(&pair)
      pair.ask("insert") { try $0.insert(rows, device: number, venue: Int64(1 + number % 2)) }
    case 5: pair.ask("erase") { try $0.erase(device: number) }
    case 6:
      let (hash, proof) = (pair.bytes(4), pair.below(2) == 0 ? pair.bytes(9) : nil)
      pair.ask("tombstone") { try $0.save(Tombstone(hash: hash, proof: proof, time: time, locations: number)) }
    case 7:
      var invite = StoredInvite(
        hash: pair.bytes(12), hint: "h", kind: .secret, venue: venue, maximumUses: 3,
        expires: pair.below(2) == 0 ? time : nil, created: time, creator: "op")
      invite.number = pair.below(3) == 0 ? number : 0
      invite.uses = Int64(pair.below(3))
      let saved = invite
      pair.ask("save invite") { try $0.save(saved) }
      if pair.below(4) == 0 { pair.ask("remove invite") { try $0.removeInvite(number) } }
    case 8:
      let consent = StoredConsent(time: time, version: "1", purposes: ["record", "share"], received: time)
      pair.ask("consent") { try $0.save(consent, of: number) }
    case 9:
      let (key, digest) = (pair.bytes(5), pair.bytes(200))
      pair.ask("batch") { try $0.saveBatch(of: number, key: key, digest: digest, time: time) }
    case 10:
      let (removed, added) = (contacts(&pair), contacts(&pair))
      pair.ask("contacts") { try $0.change(contactsOf: number % 2 + 1, removed: removed, added: added) }
    case 11:
      let span = time.milliseconds...(time.milliseconds + 5_000)
      if pair.below(2) == 0 {
        pair.ask("mark") { try $0.markUnsettled(venue: number % 2 + 1, device: number, span: span) }
      } else {
        pair.ask("unmark") { try $0.removeLateSpan(LateSpan(venue: 1, device: number, span: span)) }
      }
    case 12:
      let entry = AuditEntry(
        time: time, operator: "op", role: "admin", action: pair.below(2) == 0 ? "list devices" : "look",
        venue: pair.below(2) == 0 ? venue.rawValue : nil, device: pair.below(2) == 0 ? number : nil, reason: "r")
      pair.ask("audit") { try $0.save(entry) }
      let counted = Int64(pair.below(12))
      pair.ask("look") { try $0.countAccess(counted, at: time) }
    default:
      if pair.below(4) == 0 {
        let limit = time - .seconds(3_000)
        let limits = RetentionLimits(
          positions: limit, contacts: limit, audit: limit, tombstones: limit, batches: limit, invites: limit,
          unusedInvites: limit - .seconds(500), devices: pair.below(2) == 0 ? limit : .epoch,
          maximumPositions: 1 + pair.below(40))
        pair.ask("expire") { try $0.expire(limits) }
      } else {
        pair.ask("venue") { try $0.number(of: venue, origin: Coordinate(longitude: 8, latitude: 47)) }
      }
    }
  }

  private func positions(_ pair: inout Pair) -> [NewPosition] {
    (0..<pair.below(6)).map { _ in
      let time = Self.start + Int64(pair.below(300)) * 1_000
      let low = 0x8000_0000_0000_0000 | UInt64(pair.below(2))
      return NewPosition(
        id: FixID(high: UInt64(time) << 16 | 0x7000, low: low), longitude: Int32(pair.below(100)), latitude: 3,
        accuracy: 4_000, floor: pair.below(2) == 0 ? nil : 1_000,
        stillUntil: pair.below(3) == 0 ? time + Int64(pair.below(100)) * 1_000 : nil,
        space: pair.below(2) == 0 ? SpaceID("s\(pair.below(3))") : nil, venueHash: "h\(pair.below(2))")
    }
  }

  private func contacts(_ pair: inout Pair) -> [Contact] {
    (0..<pair.below(4)).map { _ in
      let first = Int32(1 + pair.below(3))
      let start = (Self.start + Int64(pair.below(50)) * 1_000) * 1_000
      return Contact(
        first: first, second: first + 1, floor: 0, start: start, end: start + 1_000_000, minimumDistance: 1,
        minimumDistanceTime: start, x: 1, y: 2, obstructed: Int64(pair.below(3)) - 1)
    }
  }

  private func read(_ pair: inout Pair) {
    let span = Self.start + 20_000...Self.start + 150_000
    let wide = Self.start * 1_000...(Self.start + 4_000_000) * 1_000
    for number in Int64(1)...5 {
      pair.ask("id") { try $0.deviceID(number) }
      pair.ask("positions") { try $0.positions(of: number, after: nil, limit: 100) }
      pair.ask("a page") { store in
        try store.positions(of: number, after: try store.positions(of: number, after: nil, limit: 3).last?.id, limit: 4)
      }
      pair.ask("track") { try $0.track(of: number, venue: 1, in: span) }
      pair.ask("consents") { try $0.consents(of: number) }
      pair.ask("its audit") { try $0.audit(device: number, before: 40, limit: 7) }
      pair.ask("its contacts") { try $0.contacts(in: 1, device: number, overlapping: wide, limit: 9) }
      for key in UInt8(0)..<5 {
        pair.ask("digest") { try $0.batchDigest(of: number, key: [UInt8](repeating: key, count: 8)) }
      }
      pair.ask("space") { try $0.space(number) }
    }
    for name in 0..<6 {
      guard let id = DeviceID("phone-\(name)") else { continue }
      pair.ask("device") { try $0.device(id) }
      pair.ask("accesses") { store in try store.device(id).map { try store.accesses(to: $0, limit: 5) } ?? [] }
    }
    for byte in UInt8(0)..<12 {
      let hash = [UInt8](repeating: byte, count: 8)
      pair.ask("tombstone") { try $0.tombstone(hash) }
      pair.ask("invite") { try $0.invite(hash) }
    }
    for venue in Self.venues {
      pair.ask("invites") { try $0.invites(of: venue) }
      pair.ask("devices") { try $0.devices(in: venue, prefix: "phone", after: "phone-1", limit: 3) }
    }
    pair.ask("present") { try $0.devices(in: 1, during: span) }
    pair.ask("contacts") { try $0.contacts(in: 1, device: nil, overlapping: wide, limit: 20) }
    pair.ask("a page of contacts") { store in
      var page = ContactSelection(venue: 1, span: wide, limit: 3)
      page.after = try store.contacts(page).last.map { ContactCursor($0) }
      page.minimumDuration = 1_000
      return try store.contacts(page)
    }
    pair.ask("unsettled") { try $0.lateSpans(limit: 3) }
    pair.ask("audit") { try $0.audit(device: nil, before: nil, limit: 50) }
    pair.ask("counts") { store in "\(try store.positionCount()) \(try store.deviceCount())" }
    pair.ask("venues") { try $0.venues().map(\.id) }
  }

  @Test func interruptedTransactionsAreUndone() throws {
    let store = MemoryPositionStore()
    let venue = try #require(VenueID("hall"))
    _ = try store.number(of: venue, origin: Coordinate(longitude: 8, latitude: 47))
    let device = StoredDevice(
      id: try #require(DeviceID("phone")), kind: .secret, venue: venue, type: "", created: .epoch)
    try store.begin()
    _ = try store.save(device)
    store.interruption = { moment throws(StoreFault) in
      if moment == .committing { throw StoreFault(.failed, "died") }
    }
    #expect(throws: StoreFault.self) { try store.commit() }
    store.rollback()
    #expect(try store.deviceCount() == 0)
    // A committed change stays, although the caller received an error.
    store.interruption = { moment throws(StoreFault) in
      if moment == .committed { throw StoreFault(.failed, "died") }
    }
    try store.begin()
    _ = try store.save(device)
    #expect(throws: StoreFault.self) { try store.commit() }
    store.rollback()
    #expect(try store.deviceCount() == 1)
  }
}
