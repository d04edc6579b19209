internal import CordonContacts
package import CordonCore

/// A store without a file: for tests that ask what happens, not what is written.
///
/// It answers as ``SQLitePositionStore`` does, and a transaction is undone as a whole; but nothing outlives the object, and
/// what it says about files (``PositionStore/scrub()``) is empty.
package final class MemoryPositionStore: PositionStore {
  /// Everything of one device.
  struct Shelf {
    var device: StoredDevice?
    /// By identity, its halves taken as signed numbers as the file takes them.
    var positions: [StoredPosition] = []
    /// By venue: from the first position to the last.
    var presence: [Int64: ClosedRange<Int64>] = [:]
    var consents: [StoredConsent] = []
    var batches: [[UInt8]: (digest: [UInt8], time: Instant)] = [:]
    var lateSpans: [Int64: ClosedRange<Int64>] = [:]
  }

  /// The tables that all devices share. They are small, so a transaction keeps a copy of them all.
  struct Tables {
    var venues: [(number: Int64, id: VenueID, origin: Coordinate)] = []
    var spaces: [(venue: Int64, id: SpaceID)] = []
    var numbers: [DeviceID: Int64] = [:]
    var lastDevice: Int64 = 0
    var invites: [StoredInvite] = []
    var lastInvite: Int64 = 0
    var tombstones: [[UInt8]: Tombstone] = [:]
    var audit: [AuditEntry] = []
    var lastAudit: Int64 = 0
    var contacts: [(venue: Int64, contact: Contact)] = []
    var viewers: [Int64: ViewerTable] = [:]
  }

  /// How a change of a shelf is undone.
  enum Undo {
    case shelf(Int64, Shelf?)
    case device(Int64, StoredDevice)
    case inserted(Int64, FixID)
    case extended(Int64, FixID, until: Int64?)
    case presence(Int64, venue: Int64, ClosedRange<Int64>?)
  }

  /// A step that is about to happen, at which a test can stop the machine or fill its disk.
  package enum Moment: Hashable, Sendable {
    /// A write that needs room.
    case writing
    /// The end of a transaction, before it counts.
    case committing
    /// The end of a transaction that counts already.
    case committed
  }

  /// Asked at each ``Moment``; what it throws, the call throws.
  package var interruption: ((Moment) throws(StoreFault) -> Void)?

  var shelves: [Int64: Shelf] = [:]
  var tables = Tables()
  /// The tables before the transaction, if one is open.
  private var before: Tables?
  private var journal: [Undo] = []

  /// An empty store.
  package init() {}

  func willWrite() throws(StoreFault) { try interruption?(.writing) }

  /// Keeps a whole shelf as it is, for the case that the transaction is undone.
  func touch(_ device: Int64) { note(.shelf(device, shelves[device])) }

  func note(_ undo: @autoclosure () -> Undo) {
    if before != nil { journal.append(undo()) }
  }

  // MARK: Transactions

  /// See ``PositionStore/begin()``.
  package func begin() throws(StoreFault) {
    guard before == nil else { throw StoreFault(.failed, "begin: a transaction is open") }
    try willWrite()
    before = tables
  }

  /// See ``PositionStore/commit()``.
  package func commit() throws(StoreFault) {
    guard before != nil else { throw StoreFault(.failed, "commit: no transaction is open") }
    try interruption?(.committing)
    before = nil
    journal.removeAll(keepingCapacity: true)
    try interruption?(.committed)
  }

  /// See ``PositionStore/rollback()``.
  package func rollback() {
    guard let before else { return }
    tables = before
    for undo in journal.reversed() {
      switch undo {
      case .shelf(let number, let shelf): shelves[number] = shelf
      case .device(let number, let device): shelves[number]?.device = device
      case .inserted(let number, let id):
        if let place = shelves[number]?.place(of: id), place.isThere {
          shelves[number]?.positions.remove(at: place.index)
        }
      case .extended(let number, let id, let until):
        if let place = shelves[number]?.place(of: id), place.isThere {
          shelves[number]?.positions[place.index].stillUntil = until
        }
      case .presence(let number, let venue, let span): shelves[number]?.presence[venue] = span
      }
    }
    journal.removeAll(keepingCapacity: true)
    self.before = nil
  }

  /// See ``PositionStore/probe()``.
  package func probe() throws(StoreFault) { try willWrite() }
  /// See ``PositionStore/scrub()``: there is no file.
  package func scrub() throws(StoreFault) -> Bool { true }

  // MARK: Venues and spaces

  /// See ``PositionStore/number(of:origin:)``.
  package func number(of venue: VenueID, origin: Coordinate) throws(StoreFault) -> Int64 {
    if let number = knownNumber(of: venue) { return number }
    try willWrite()
    let number = Int64(tables.venues.count) + 1
    tables.venues.append((number, venue, origin))
    return number
  }

  func knownNumber(of venue: VenueID) -> Int64? { tables.venues.first { $0.id == venue }?.number }

  /// See ``PositionStore/venues()``.
  package func venues() throws(StoreFault) -> [(number: Int64, id: VenueID, origin: Coordinate)] { tables.venues }

  /// See ``PositionStore/space(_:)``.
  package func space(_ number: Int64) throws(StoreFault) -> SpaceID? {
    number > 0 && number <= Int64(tables.spaces.count) ? tables.spaces[Int(number) - 1].id : nil
  }

  func number(ofSpace space: SpaceID, venue: Int64) -> Int64 {
    if let index = tables.spaces.firstIndex(where: { $0.venue == venue && $0.id == space }) { return Int64(index) + 1 }
    tables.spaces.append((venue, space))
    return Int64(tables.spaces.count)
  }

  // MARK: Invite codes

  /// See ``PositionStore/save(_:)-(StoredInvite)``.
  package func save(_ invite: StoredInvite) throws(StoreFault) -> Int64 {
    try willWrite()
    if invite.number != 0 {
      if let index = tables.invites.firstIndex(where: { $0.number == invite.number }) {
        tables.invites[index].uses = invite.uses
      }
      return invite.number
    }
    guard knownNumber(of: invite.venue) != nil else {
      throw StoreFault(.failed, "an invite code of a venue that was never stored")
    }
    guard !tables.invites.contains(where: { $0.hash == invite.hash }) else {
      throw StoreFault(.failed, "an invite code that is there already")
    }
    var new = invite
    tables.lastInvite += 1
    new.number = tables.lastInvite
    tables.invites.append(new)
    return new.number
  }

  /// See ``PositionStore/invite(_:)``.
  package func invite(_ hash: [UInt8]) throws(StoreFault) -> StoredInvite? { tables.invites.first { $0.hash == hash } }

  /// See ``PositionStore/invites(of:)``.
  package func invites(of venue: VenueID) throws(StoreFault) -> [StoredInvite] {
    tables.invites.filter { $0.venue == venue }.reversed()
  }

  /// See ``PositionStore/removeInvite(_:)``.
  package func removeInvite(_ number: Int64) throws(StoreFault) -> Bool {
    try willWrite()
    guard let index = tables.invites.firstIndex(where: { $0.number == number }) else { return false }
    tables.invites.remove(at: index)
    return true
  }
}
