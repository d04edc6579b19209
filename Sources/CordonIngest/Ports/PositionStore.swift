package import CordonContacts
package import CordonCore

/// The outcome of storing a row.
package enum StoredRow: Hashable, Sendable {
  /// It is new.
  case stored
  /// It was there, with the same or a later end of its stay.
  case known
  /// It was there; its stay ends later now.
  case extended
}

/// Everything that a server keeps: positions first, and what belongs to them.
///
/// A store belongs to one thread at a time. The writes between ``begin()`` and ``commit()`` are kept wholly or not at
/// all, and are on the disk when ``commit()`` returns. Every call may throw ``StoreFault``.
package protocol PositionStore: AnyObject {
  /// Starts a transaction.
  func begin() throws(StoreFault)
  /// Makes it durable.
  func commit() throws(StoreFault)
  /// Undoes it. Does nothing when there is none.
  func rollback()
  /// Writes a little within a transaction, so that a disk that takes nothing is noticed before rows come.
  func probe() throws(StoreFault)
  /// Empties the log into the file, so that nothing that was deleted is left in either. Answers whether it could.
  func scrub() throws(StoreFault) -> Bool

  /// The number of a venue; a new one gets the origin of its frame, which then stays.
  func number(of venue: VenueID, origin: Coordinate) throws(StoreFault) -> Int64
  /// The venues that were ever stored: number, name and origin.
  func venues() throws(StoreFault) -> [(number: Int64, id: VenueID, origin: Coordinate)]
  /// The name of a space.
  func space(_ number: Int64) throws(StoreFault) -> SpaceID?

  /// The device of a name.
  func device(_ id: DeviceID) throws(StoreFault) -> StoredDevice?
  /// The name of a device.
  func deviceID(_ number: Int64) throws(StoreFault) -> DeviceID?
  /// Writes a device, new when its number is 0; answers its number.
  func save(_ device: StoredDevice) throws(StoreFault) -> Int64
  /// The devices of a venue whose names begin with a prefix and come after one, by name.
  func devices(
    in venue: VenueID, prefix: String, after: String, limit: Int
  ) throws(StoreFault) -> [StoredDevice]
  /// How many devices there are.
  func deviceCount() throws(StoreFault) -> Int
  /// Deletes a device and all that is its own; answers how many positions went.
  func erase(device number: Int64) throws(StoreFault) -> Int64
  /// Deletes the positions and consents of a device before a time; the device itself stays. Returns the number of deleted
  /// positions.
  func erase(device number: Int64, before time: Instant) throws(StoreFault) -> Int64
  /// Keeps the receipt of a former holder of a device, whose part of it was erased.
  func saveReceipt(_ receipt: Tombstone, of device: DeviceID, before: Instant) throws(StoreFault)
  /// Remembers an erased device.
  func save(_ tombstone: Tombstone) throws(StoreFault)
  /// The tombstone of a hash.
  func tombstone(_ hash: [UInt8]) throws(StoreFault) -> Tombstone?

  /// Writes an invite code, new when its number is 0; answers its number.
  func save(_ invite: StoredInvite) throws(StoreFault) -> Int64
  /// The code of a hash.
  func invite(_ hash: [UInt8]) throws(StoreFault) -> StoredInvite?
  /// The codes of a venue, latest first.
  func invites(of venue: VenueID) throws(StoreFault) -> [StoredInvite]
  /// Deletes a code; answers whether it was there.
  func removeInvite(_ number: Int64) throws(StoreFault) -> Bool

  /// Notes a consent.
  func save(_ consent: StoredConsent, of device: Int64) throws(StoreFault)
  /// The consents of a device, by time.
  func consents(of device: Int64) throws(StoreFault) -> [StoredConsent]
  /// The digest of the batch that a key was used for.
  func batchDigest(of device: Int64, key: [UInt8]) throws(StoreFault) -> [UInt8]?
  /// Notes what a key was used for.
  func saveBatch(of device: Int64, key: [UInt8], digest: [UInt8], time: Instant) throws(StoreFault)

  /// The latest time that a device was somewhere, to the minute.
  func latestPresence() throws(StoreFault) -> Instant
  /// Puts rows of a device into the store, once each.
  func insert(
    _ rows: [NewPosition], device: Int64, venue: Int64
  ) throws(StoreFault) -> [StoredRow]
  /// Puts rows of several devices into the store, as ``insert(_:device:venue:)`` does one after the other.
  func insert(_ batches: [RowBatch]) throws(StoreFault) -> [[StoredRow]]
  /// How many positions there are. Counts them: O(n).
  func positionCount() throws(StoreFault) -> Int64
  /// The positions of a device by time, after an identity, at most `limit` of them.
  func positions(of device: Int64, after: FixID?, limit: Int) throws(StoreFault) -> [StoredPosition]
  /// The positions of a device in a venue and span of time, and the one before and the one after it.
  func track(of device: Int64, venue: Int64, in span: ClosedRange<Int64>) throws(StoreFault) -> [StoredPosition]
  /// The positions of a device in a venue and span of time by identity, after one, at most `limit` of them: a track in
  /// pages, without its neighbours.
  func track(
    of device: Int64, venue: Int64, in span: ClosedRange<Int64>, after: FixID?, limit: Int
  ) throws(StoreFault) -> [StoredPosition]
  /// The numbers of the devices that may have positions in a venue and span of time, in order.
  func devices(in venue: Int64, during span: ClosedRange<Int64>) throws(StoreFault) -> [Int64]

  /// Takes contacts away and puts new ones in.
  func change(contactsOf venue: Int64, removed: [Contact], added: [Contact]) throws(StoreFault)
  /// Contacts by start, devices and floor.
  func contacts(_ selection: ContactSelection) throws(StoreFault) -> [Contact]
  /// Notes that positions came too late for the contacts in memory.
  func markUnsettled(venue: Int64, device: Int64, span: ClosedRange<Int64>) throws(StoreFault)
  /// The late spans that were noted, in order, at most `limit` of them.
  func lateSpans(limit: Int) throws(StoreFault) -> [LateSpan]
  /// Takes a note away, unless it was written to since it was read.
  func removeLateSpan(_ mark: LateSpan) throws(StoreFault)
  /// Takes notes of one venue away, as ``removeLateSpan(_:)`` does.
  func removeLateSpans(_ marks: [LateSpan]) throws(StoreFault)
  /// The positions in late spans of one venue, note by note and by time, without neighbours. Where a device has several positions of a
  /// moment, they are by identity.
  func lateRows(_ marks: [LateSpan]) throws(StoreFault) -> [StoredPosition]

  /// Up to when bins were counted for viewers, milliseconds since 1970.
  func viewerMark(of venue: Int64) throws(StoreFault) -> Int64?
  /// Notes up to when bins were counted.
  func setViewerMark(_ until: Int64, of venue: Int64) throws(StoreFault)
  /// The present numbers for viewers.
  func viewerPlaces(of venue: Int64) throws(StoreFault) -> [CountedPlace: ViewerPlace]
  /// Changes the present number of a place.
  func save(_ value: ViewerPlace, at place: CountedPlace, of venue: Int64, time: Int64) throws(StoreFault)
  /// Writes the present numbers down for a bin; one that has numbers keeps them.
  func saveViewerCounts(of venue: Int64, start: Int64) throws(StoreFault)
  /// The numbers of bins that start in a span; a place without one has fewer devices than are shown.
  func viewerCounts(
    of venue: Int64, in span: Range<Int64>
  ) throws(StoreFault) -> [(place: CountedPlace, start: Int64, devices: Int64)]

  /// Stores an audit entry and returns its number.
  @discardableResult
  func save(_ entry: AuditEntry) throws(StoreFault) -> Int64
  /// Notes in the log of decisions that something outside of the store ended, see ``KnownEndings``. A store without a log notes nothing.
  func note(endOf name: String, at time: Instant) throws(StoreFault)
  /// Counts another access in an entry; returns `false` when the entry is not there any more.
  func countAccess(_ number: Int64, at time: Instant) throws(StoreFault) -> Bool
  /// The audit entries of one device, or of all; latest first.
  func audit(device: Int64?, before: Int64?, limit: Int) throws(StoreFault) -> [AuditEntry]
  /// The audit entries that concern a device, and those about all devices of its venue since it is known; latest first.
  func accesses(to device: StoredDevice, limit: Int) throws(StoreFault) -> [AuditEntry]

  /// Deletes what is older than the given times.
  func expire(_ limits: RetentionLimits) throws(StoreFault) -> RetentionReport

  /// Sets what is asked again and again while the store works, from its thread: `true` breaks the work off with
  /// ``StoreFault/Kind/interrupted``. `nil` for nothing. A store in memory is not broken off.
  func setInterruption(_ interruption: (() -> Bool)?)

  /// The agreement with other servers that write to the same store; `nil` for a store of one server.
  var sharing: (any SharedStore)? { get }
}

extension PositionStore {
  /// One batch after the other.
  package func insert(_ batches: [RowBatch]) throws(StoreFault) -> [[StoredRow]] {
    var answers: [[StoredRow]] = []
    answers.reserveCapacity(batches.count)
    for batch in batches { answers.append(try insert(batch.rows, device: batch.device, venue: batch.venue)) }
    return answers
  }

  /// One after the other.
  package func removeLateSpans(_ marks: [LateSpan]) throws(StoreFault) {
    for mark in marks { try removeLateSpan(mark) }
  }

  /// Note by note.
  package func lateRows(_ marks: [LateSpan]) throws(StoreFault) -> [StoredPosition] {
    var rows: [StoredPosition] = []
    for mark in marks {
      rows += try track(of: mark.device, venue: mark.venue, in: mark.span, after: nil, limit: .max)
    }
    return rows
  }

  /// Nobody else writes.
  package var sharing: (any SharedStore)? { nil }

  /// Nothing is broken off.
  package func setInterruption(_ interruption: (() -> Bool)?) {}
}

/// Rows of a device to put into the store.
package struct RowBatch: Hashable, Sendable {
  /// The rows.
  package var rows: [NewPosition]
  /// The device's number.
  package var device: Int64
  /// The venue's number.
  package var venue: Int64

  /// Takes the values as they are.
  package init(rows: [NewPosition], device: Int64, venue: Int64) {
    self.rows = rows
    self.device = device
    self.venue = venue
  }
}

/// A row to put into the store.
package struct NewPosition: Hashable, Sendable {
  /// Which fix.
  package var id: FixID
  /// Degrees times 1e7.
  package var longitude: Int32
  /// Degrees times 1e7.
  package var latitude: Int32
  /// Millimetres.
  package var accuracy: Int64
  /// Thousandths.
  package var floor: Int32?
  /// Milliseconds since 1970.
  package var stillUntil: Int64?
  /// The space, as the server's own map has it.
  package var space: SpaceID?
  /// The bundle that the device judged by.
  package var venueHash: String
  /// The charge of its battery, per cent, where the server is configured to keep it.
  package var battery: Int64?

  /// Takes the values as they are.
  package init(
    id: FixID, longitude: Int32, latitude: Int32, accuracy: Int64, floor: Int32? = nil, stillUntil: Int64? = nil,
    space: SpaceID? = nil, venueHash: String, battery: Int64? = nil
  ) {
    self.id = id
    self.longitude = longitude
    self.latitude = latitude
    self.accuracy = accuracy
    self.floor = floor
    self.stillUntil = stillUntil
    self.space = space
    self.venueHash = venueHash
    self.battery = battery
  }

  /// When, milliseconds since 1970.
  package var time: Int64 { id.time.milliseconds }
  /// Where.
  package var coordinate: Coordinate {
    Coordinate(longitude: Double(longitude) / 1e7, latitude: Double(latitude) / 1e7)
  }
}

/// Positions of a device that came too late for the contacts in memory.
package struct LateSpan: Hashable, Sendable {
  /// The venue's number.
  package var venue: Int64
  /// The device's number.
  package var device: Int64
  /// From the earliest to the latest, milliseconds since 1970.
  package var span: ClosedRange<Int64>
  /// Counts the changes of the note by servers that share the store; `nil` in a store of one server.
  package var version: Int64?

  /// Takes the values as they are.
  package init(venue: Int64, device: Int64, span: ClosedRange<Int64>, version: Int64? = nil) {
    self.venue = venue
    self.device = device
    self.span = span
    self.version = version
  }
}

/// The data to delete.
package struct RetentionLimits: Hashable, Sendable {
  /// Positions before it.
  package var positions: Instant
  /// Contacts that ended before it.
  package var contacts: Instant
  /// Audit entries before it.
  package var audit: Instant
  /// Tombstones before it.
  package var tombstones: Instant
  /// Keys of batches before it.
  package var batches: Instant
  /// Invite codes that ended before it, and used-up ones that were made before it.
  package var invites: Instant
  /// Invite codes without an end that were made before it and never used.
  package var unusedInvites: Instant
  /// Devices that were last heard of before it, and of which no positions and no contacts are left.
  package var devices: Instant
  /// The most positions to delete at once, so that the file is not locked for long.
  package var maximumPositions: Int

  /// Takes the values as they are.
  package init(
    positions: Instant, contacts: Instant, audit: Instant, tombstones: Instant, batches: Instant, invites: Instant,
    unusedInvites: Instant, devices: Instant, maximumPositions: Int
  ) {
    self.positions = positions
    self.contacts = contacts
    self.audit = audit
    self.tombstones = tombstones
    self.batches = batches
    self.invites = invites
    self.unusedInvites = unusedInvites
    self.devices = devices
    self.maximumPositions = maximumPositions
  }
}

/// The data that was deleted.
package struct RetentionReport: Hashable, Sendable {
  /// Positions.
  package var positions: Int64 = 0
  /// Contacts.
  package var contacts: Int64 = 0
  /// Audit entries, tombstones, keys and codes.
  package var others: Int64 = 0
  /// Silent devices, with their consents.
  package var devices: Int64 = 0
  /// Whether there may be more to delete.
  package var isPartial = false

  /// Nothing.
  package init() {}
}

extension PositionStore {
  /// Notes nothing.
  package func note(endOf name: String, at time: Instant) throws(StoreFault) {}
}
