public import CordonCore

/// Where a device's identity and its locations live until every required sink has them.
///
/// One store may hold many devices. Whoever drives a runtime confines its store to one thread at
/// a time; the store is synchronous, and nothing is durable before ``commit()`` returns.
public protocol Store: AnyObject {
  /// Starts a transaction; there is never more than one.
  func begin(_ durability: Durability) throws(StoreError)
  /// Makes everything since ``begin(_:)`` durable.
  func commit() throws(StoreError)
  /// Undoes everything since ``begin(_:)``; nothing when there was none.
  func rollback()

  /// The device as it was last saved; `nil` when it is not known.
  func device(_ id: DeviceID) throws(StoreError) -> DeviceRecord?
  /// Every device, ordered by identifier.
  func devices() throws(StoreError) -> [DeviceRecord]
  /// Writes a device, new or changed.
  func save(_ device: DeviceRecord) throws(StoreError)
  /// Writes only the monitor's state of a device that was saved before.
  func save(state: [UInt8], of device: DeviceID) throws(StoreError)
  /// Removes a device and everything it recorded.
  func remove(_ device: DeviceID) throws(StoreError)

  /// Writes a location, to be sent to each of the sinks. Returns `false` when it already exists; nothing changes then.
  func insert(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool
  /// Sets a later `Location.stillUntil`, so that the location is sent again; writes the location anew when
  /// it is no longer there, and answers `true` then.
  func extend(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool
  /// Takes the oldest rows that may be sent to a sink, and marks them as taken until a time.
  /// - Parameters:
  ///   - venue: only rows of this venue; `nil` for all.
  ///   - device: the device that owns the rows.
  ///   - now: the wall clock; leases that ended before it count no more.
  ///   - sink: the sink that receives the rows.
  ///   - until: when the lease ends.
  ///   - limit: the maximum number of rows.
  func lease(
    _ device: DeviceID, sink: SinkID, venue: VenueID?, limit: Int, now: Instant, until: Instant
  ) throws(StoreError) -> [Location]
  /// Ends a lease: removes what every required sink has, sets aside what one refused, gives back the rest.
  func completeLease(
    _ device: DeviceID, sink: SinkID, rows: [DeliveryResult], required: SinkSet
  ) throws(StoreError) -> SettlementCounts
  /// What waits for a sink.
  /// - Parameters:
  ///   - venue: only rows of this venue; `nil` for all.
  ///   - now: the wall clock; leases that ended before it count no more.
  ///   - device: the device that owns the rows.
  ///   - sink: the sink that receives the rows.
  func queue(of device: DeviceID, sink: SinkID, venue: VenueID?, now: Instant) throws(StoreError) -> QueueSummary
  /// Rows and bytes of a device's locations.
  func usage(of device: DeviceID) throws(StoreError) -> StoreUsage
  /// Removes locations measured before a time, quarantined ones too; answers what they were.
  func expire(_ device: DeviceID, before time: Instant) throws(StoreError) -> DeletionCount
  /// Removes the given number of oldest locations; returns what was removed.
  func expire(_ device: DeviceID, oldest count: Int) throws(StoreError) -> DeletionCount
  /// Removes every location of a device.
  func wipe(_ device: DeviceID) throws(StoreError) -> DeletionCount
  /// What a location counts against ``MonitorConfiguration/maximumBytes``.
  var bytesPerRow: Int { get }
  /// Every location of a device, oldest first.
  func locations(of device: DeviceID) throws(StoreError) -> [Location]
  /// What every location of a device still has to do, by location and sink.
  func deliveries(of device: DeviceID) throws(StoreError) -> [Delivery]
  /// Locations that could not be read any more and were removed since this was last asked: their key is lost, or
  /// their bytes are damaged. The answer counts as given when the transaction is committed.
  func takeUnreadableRows(of device: DeviceID) throws(StoreError) -> DeletionCount
  /// Becomes the owner of the store again after another program took it over (`StoreError.Kind.superseded`). What was read before
  /// may have changed.
  func takeOver() throws(StoreError)
  /// Called outside transactions after rows were deleted: leave nothing of them behind. When it fails, it is called
  /// again later.
  func scrub() throws(StoreError)
}

extension Store {
  /// Most stores' rows take no more than this.
  public var bytesPerRow: Int { MonitorConfiguration.bytesPerRow }

  /// Most stores are nobody else's.
  public func takeOver() throws(StoreError) {}

  /// What waits for a sink, of all venues.
  public func queue(of device: DeviceID, sink: SinkID, now: Instant) throws(StoreError) -> QueueSummary {
    try queue(of: device, sink: sink, venue: nil, now: now)
  }
}

/// One location's way to one sink: a row of the `Delivery` entity.
public struct Delivery: Hashable, Sendable {
  /// The state of the delivery.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// It waits to be sent.
    case pending
    /// It belongs to a request.
    case leased
    /// The sink refused it for good.
    case quarantined
  }

  /// The location.
  public var id: FixID
  /// The sink.
  public var sink: SinkID
  /// The state of the delivery.
  public var status: Status
  /// When the lease ends, if there is one.
  public var leaseEnd: Instant?
  /// How often it was taken for a request.
  public var attempts: Int

  /// Takes the values as they are.
  public init(id: FixID, sink: SinkID, status: Status, leaseEnd: Instant?, attempts: Int) {
    self.id = id
    self.sink = sink
    self.status = status
    self.leaseEnd = leaseEnd
    self.attempts = attempts
  }
}

/// The credentials that a server issued to a device for one venue.
public struct Activation: Hashable, Sendable {
  /// The venue of the invite code.
  public var venue: VenueID
  /// The secret that is exchanged for tokens.
  public var secret: String
  /// The bearer token, when there is one.
  public var authToken: String?
  /// When the token ends.
  public var expiresAt: Instant?

  /// Takes the values as they are.
  public init(venue: VenueID, secret: String, authToken: String? = nil, expiresAt: Instant? = nil) {
    self.venue = venue
    self.secret = secret
    self.authToken = authToken
    self.expiresAt = expiresAt
  }
}

/// Some sinks, by ascending number.
public struct SinkSet: Hashable, Sendable {
  /// The sinks, ascending.
  public let members: [SinkID]

  /// A set of sinks.
  public init(_ members: [SinkID]) { self.members = Array(Set(members)).sorted() }

  /// Whether a sink is a member.
  public func contains(_ sink: SinkID) -> Bool { members.contains(sink) }
}

/// The `Device` entity: the phone's identity towards the servers.
public struct DeviceRecord: Hashable, Sendable {
  /// The pseudonym.
  public var id: DeviceID
  /// The bearer token, when there is one.
  public var authToken: String?
  /// When the token ends.
  public var expiresAt: Instant?
  /// Whether a server accepted the device's invite code.
  public var isActivated: Bool
  /// `phone` or `gateway`, or a type that the integrator chose.
  public var type: String
  /// The venue for which the device is activated.
  public var venue: VenueID?
  /// What the server gave for the invite code; tokens are had for it.
  public var secret: String?
  /// Activations for venues that are not the active one, by venue.
  public var activations: [Activation] = []
  /// What proves requests to erase former identities of this device; kept until their receipts.
  public var erasureSecrets: [DeviceID: String] = [:]
  /// The monitor's own state, see ``MonitorState``.
  public var state: [UInt8]

  /// A device that no server knows yet.
  public init(id: DeviceID, type: String) {
    self.id = id
    self.type = type
    isActivated = false
    state = []
  }
}

/// The answer about one row of a request, for the store.
public struct DeliveryResult: Hashable, Sendable {
  /// What becomes of the row.
  public enum Outcome: Hashable, Sendable {
    /// The sink has it.
    case acknowledged
    /// The sink will never take it.
    case refused
    /// To be sent again.
    case kept
  }

  /// The row's identifier.
  public var id: FixID
  /// The end of its stay as it was sent; a row that grew since is sent again.
  public var stillUntil: Instant?
  /// What becomes of it.
  public var outcome: Outcome

  /// An answer.
  public init(id: FixID, stillUntil: Instant?, outcome: Outcome) {
    self.id = id
    self.stillUntil = stillUntil
    self.outcome = outcome
  }
}

/// What a settlement did to locations.
public struct SettlementCounts: Hashable, Sendable {
  /// Locations that are gone because every required sink has them.
  public var removed = 0
  /// Locations that were set aside now.
  public var quarantined = 0
  /// Rows of this sink that are done, whether or not their location is gone.
  public var acknowledged = 0
  /// Rows of this sink that are to be sent again.
  public var kept = 0

  /// Nothing.
  public init() {}
}

/// How much a device holds.
public struct StoreUsage: Hashable, Sendable {
  /// Locations, quarantined ones too.
  public var rows: Int
  /// Estimated bytes of them.
  public var bytes: Int

  /// A figure.
  public init(rows: Int, bytes: Int) {
    self.rows = rows
    self.bytes = bytes
  }
}

/// What a limit or a wipe took away.
public struct DeletionCount: Hashable, Sendable {
  /// Locations that waited for a sink.
  public var waiting: Int
  /// Locations that were quarantined.
  public var quarantined: Int
  /// When it was everything of the device up to some row: the time of the first row that is left, or a time that all rows
  /// that are left have reached.
  public var end: Instant?

  /// A figure.
  public init(waiting: Int, quarantined: Int, end: Instant? = nil) {
    self.waiting = waiting
    self.quarantined = quarantined
    self.end = end
  }
}

/// Why the store did not do what it was asked.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kinds of failure that call for different remedies.
  public enum Kind: Hashable, Sendable {
    /// No room is left on the disk.
    case full
    /// The file is not a store, or is damaged.
    case corrupt
    /// The file was written by a newer version.
    case newerVersion
    /// The key for its contents is not to be had at the moment.
    case locked
    /// Another store has the file open, in this process or in another. Release that one, or end its process.
    case inUse
    /// Another program has taken the file over although this one had it open; this store writes nothing more. Release
    /// it and open the file anew.
    case superseded
    /// Anything else.
    case failed
  }

  /// The kind.
  public var kind: Kind
  /// What was being done, and what the system said.
  public var description: String

  /// A failure.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
