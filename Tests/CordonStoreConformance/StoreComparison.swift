import CordonContacts
import CordonCore
package import CordonIngest
import CordonTestSupport

/// The conformance test of stores: two of them receive the same calls in any order, and must give the same answers.
///
/// One is a ``MemoryPositionStore``, which is simple enough to be read; the other is the store that is tested.
package struct StoreComparison {
  private let stores: [any PositionStore]
  private var random: RandomStream
  /// The calls that were answered differently; empty when the stores agree.
  package private(set) var differences: [String] = []

  /// Two empty stores that nobody else uses.
  /// - Parameter seed: the seed of the calls.
  package init(_ one: any PositionStore, _ other: any PositionStore, seed: UInt64) {
    stores = [one, other]
    random = RandomStream(seed: seed, stream: 0x31)
  }

  /// Makes calls at random.
  package mutating func run(steps: Int = 300) {
    ask("venue") { try $0.number(of: Self.venues[0], origin: Coordinate(longitude: 8, latitude: 47)) }
    for step in 0..<steps {
      let isGrouped = below(3) == 0
      if isGrouped { ask("begin") { try $0.begin() } }
      for _ in 0..<(isGrouped ? 1 + below(4) : 1) { write() }
      if isGrouped {
        if below(3) == 0 {
          ask("rollback") { $0.rollback() }
        } else {
          ask("commit") { try $0.commit() }
        }
      }
      if step % 5 == 0 { read() }
    }
    read()
  }

  private mutating func ask<T>(_ what: String, _ query: (any PositionStore) throws -> T) {
    let answers = stores.map { store in
      do {
        return String(describing: try query(store))
      } catch let fault as StoreFault {
        return "fault \(fault.kind)"
      } catch {
        return "\(error)"
      }
    }
    if answers[0] != answers[1] { differences.append("\(what): \(answers[0]) is not \(answers[1])") }
  }

  private mutating func below(_ bound: Int) -> Int { random.nextIndex(below: bound) }

  private mutating func bytes(_ bound: Int) -> [UInt8] { [UInt8](repeating: UInt8(below(bound)), count: 8) }

  private static let venues = ["hall", "annex"].compactMap { VenueID($0) }
  private static let start: Int64 = Instant.testStart.milliseconds

  private mutating func write() {
    let time = Instant(milliseconds: Self.start + Int64(below(4_000)) * 1_000)
    let number = Int64(1 + below(5))
    let venue = Self.venues[below(2)]
    switch below(14) {
    case 0:
      guard let id = DeviceID("phone-\(below(6))") else { return }
      var device = StoredDevice(id: id, kind: .secret, venue: venue, type: "t", created: time)
      device.number = below(2) == 0 ? 0 : number
      device.pendingSecret = below(2) == 0 ? "s" : nil
      let saved = device
      ask("save device") { try $0.save(saved) }
    case 1, 2, 3, 4:
      let rows = positions()
      ask("insert") { try $0.insert(rows, device: number, venue: Int64(1 + number % 2)) }
    case 5: ask("erase") { try $0.erase(device: number) }
    case 6:
      let (hash, proof) = (bytes(4), below(2) == 0 ? bytes(9) : nil)
      ask("tombstone") { try $0.save(Tombstone(hash: hash, proof: proof, time: time, locations: number)) }
    case 7:
      var invite = StoredInvite(
        hash: bytes(12), hint: "h", kind: .secret, venue: venue, maximumUses: 3,
        expires: below(2) == 0 ? time : nil, created: time, creator: "op")
      invite.number = below(3) == 0 ? number : 0
      invite.uses = Int64(below(3))
      let saved = invite
      ask("save invite") { try $0.save(saved) }
      if below(4) == 0 { ask("remove invite") { try $0.removeInvite(number) } }
    case 8:
      let consent = StoredConsent(time: time, version: "1", purposes: ["record", "share"], received: time)
      ask("consent") { try $0.save(consent, of: number) }
    case 9:
      let (key, digest) = (bytes(5), bytes(200))
      ask("batch") { try $0.saveBatch(of: number, key: key, digest: digest, time: time) }
    case 10:
      let (removed, added) = (contacts(), contacts())
      ask("contacts") { try $0.change(contactsOf: number % 2 + 1, removed: removed, added: added) }
    case 11:
      let span = time.milliseconds...(time.milliseconds + 5_000)
      if below(2) == 0 {
        ask("mark") { try $0.markUnsettled(venue: number % 2 + 1, device: number, span: span) }
      } else {
        ask("unmark") { try $0.removeLateSpan(LateSpan(venue: 1, device: number, span: span)) }
      }
    case 12:
      let entry = AuditEntry(
        time: time, operator: "op", role: "admin", action: below(2) == 0 ? "list devices" : "look",
        venue: below(2) == 0 ? venue.rawValue : nil, device: below(2) == 0 ? number : nil, reason: "r")
      ask("audit") { try $0.save(entry) }
      let counted = Int64(below(12))
      ask("look") { try $0.countAccess(counted, at: time) }
    default:
      if below(4) == 0 {
        let limit = time - .seconds(3_000)
        let limits = RetentionLimits(
          positions: limit, contacts: limit, audit: limit, tombstones: limit, batches: limit, invites: limit,
          unusedInvites: limit - .seconds(500), devices: below(2) == 0 ? limit : .epoch,
          maximumPositions: 1 + below(40))
        ask("expire") { try $0.expire(limits) }
      } else {
        ask("venue") { try $0.number(of: venue, origin: Coordinate(longitude: 8, latitude: 47)) }
      }
    }
  }

  private mutating func positions() -> [NewPosition] {
    (0..<below(6)).map { _ in
      let time = Self.start + Int64(below(300)) * 1_000
      let low = 0x8000_0000_0000_0000 | UInt64(below(2))
      return NewPosition(
        id: FixID(high: UInt64(time) << 16 | 0x7000, low: low), longitude: Int32(below(100)), latitude: 3,
        accuracy: 4_000, floor: below(2) == 0 ? nil : 1_000,
        stillUntil: below(3) == 0 ? time + Int64(below(100)) * 1_000 : nil,
        space: below(2) == 0 ? SpaceID("s\(below(3))") : nil, venueHash: "h\(below(2))")
    }
  }

  private mutating func contacts() -> [Contact] {
    (0..<below(4)).map { _ in
      let first = Int32(1 + below(3))
      let start = (Self.start + Int64(below(50)) * 1_000) * 1_000
      return Contact(
        first: first, second: first + 1, floor: 0, start: start, end: start + 1_000_000, minimumDistance: 1,
        minimumDistanceTime: start, x: 1, y: 2, obstructed: Int64(below(3)) - 1)
    }
  }

  private mutating func read() {
    let span = Self.start + 20_000...Self.start + 150_000
    let wide = Self.start * 1_000...(Self.start + 4_000_000) * 1_000
    for number in Int64(1)...5 {
      ask("id") { try $0.deviceID(number) }
      ask("positions") { try $0.positions(of: number, after: nil, limit: 100) }
      ask("a page") { store in
        try store.positions(of: number, after: try store.positions(of: number, after: nil, limit: 3).last?.id, limit: 4)
      }
      ask("track") { try $0.track(of: number, venue: 1, in: span) }
      ask("consents") { try $0.consents(of: number) }
      ask("its audit") { try $0.audit(device: number, before: 40, limit: 7) }
      ask("its contacts") { try $0.contacts(in: 1, device: number, overlapping: wide, limit: 9) }
      for key in UInt8(0)..<5 {
        ask("digest") { try $0.batchDigest(of: number, key: [UInt8](repeating: key, count: 8)) }
      }
      ask("space") { try $0.space(number) }
    }
    for name in 0..<6 {
      guard let id = DeviceID("phone-\(name)") else { continue }
      ask("device") { try $0.device(id) }
      ask("accesses") { store in try store.device(id).map { try store.accesses(to: $0, limit: 5) } ?? [] }
    }
    for byte in UInt8(0)..<12 {
      let hash = [UInt8](repeating: byte, count: 8)
      ask("tombstone") { try $0.tombstone(hash) }
      ask("invite") { try $0.invite(hash) }
    }
    for venue in Self.venues {
      ask("invites") { try $0.invites(of: venue) }
      ask("devices") { try $0.devices(in: venue, prefix: "phone", after: "phone-1", limit: 3) }
    }
    ask("present") { try $0.devices(in: 1, during: span) }
    ask("contacts") { try $0.contacts(in: 1, device: nil, overlapping: wide, limit: 20) }
    ask("a page of contacts") { store in
      var page = ContactSelection(venue: 1, span: wide, limit: 3)
      page.after = try store.contacts(page).last.map { ContactCursor($0) }
      page.minimumDuration = 1_000
      return try store.contacts(page)
    }
    ask("unsettled") { try $0.lateSpans(limit: 3).map { "\($0.venue) \($0.device) \($0.span)" } }
    ask("late rows") { store in
      let marks = (Int64(1)...5).map { LateSpan(venue: 1, device: $0, span: span) }
      // What contacts are found from; a store may leave out the rest.
      return try store.lateRows(marks).map {
        "\($0.device) \($0.id) \($0.longitude) \($0.latitude) \($0.accuracy) \($0.floor ?? -1) \($0.stillUntil ?? -1)"
      }
    }
    ask("audit") { try $0.audit(device: nil, before: nil, limit: 50) }
    ask("counts") { store in "\(try store.positionCount()) \(try store.deviceCount())" }
    ask("venues") { try $0.venues().map(\.id) }
  }
}
