public import CordonCore

/// Holds a device's identity, and its locations until every required sink has them.
///
/// One store may hold many devices. The driver of a runtime uses its store from one thread at a time. The store is
/// synchronous, and nothing is durable before ``commit()`` returns.
public protocol Store: AnyObject {
  /// Starts a transaction; only one is open at a time.
  func begin(_ durability: Durability) throws(StoreError)
  /// Makes all changes since ``begin(_:)`` durable.
  func commit() throws(StoreError)
  /// Undoes all changes since ``begin(_:)``; does nothing without a transaction.
  func rollback()

  /// Returns the last saved record of a device; `nil` when the device is unknown.
  func device(_ id: DeviceID) throws(StoreError) -> DeviceRecord?
  /// Returns every device, ordered by identifier.
  func devices() throws(StoreError) -> [DeviceRecord]
  /// Writes a device, new or changed.
  func save(_ device: DeviceRecord) throws(StoreError)
  /// Writes only the monitor's state of a device that was saved before.
  func save(state: [UInt8], of device: DeviceID) throws(StoreError)
  /// Removes a device and everything it recorded.
  func remove(_ device: DeviceID) throws(StoreError)

  /// Writes a location, to be sent to each of the sinks. Returns `false` when it already exists; nothing changes then.
  func insert(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool
  /// Sets a later `Location.stillUntil`, so that the location is sent again, also to those of the sinks that have acknowledged
  /// it. If the location no longer exists, writes it anew and returns `true`.
  func extend(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool
  /// Leases the oldest rows that may be sent to a sink, until a time.
  /// - Parameters:
  ///   - venue: only rows of this venue; `nil` for all.
  ///   - device: the device that owns the rows.
  ///   - now: the wall clock; leases that ended before it are void.
  ///   - sink: the sink that receives the rows.
  ///   - until: the end of the lease.
  ///   - limit: the maximum number of rows.
  func lease(
    _ device: DeviceID, sink: SinkID, venue: VenueID?, limit: Int, now: Instant, until: Instant
  ) throws(StoreError) -> [Location]
  /// Completes a lease: removes rows that every required sink has, quarantines refused rows, and releases the rest.
  func completeLease(
    _ device: DeviceID, sink: SinkID, rows: [DeliveryResult], required: SinkSet
  ) throws(StoreError) -> DeliveryCounts
  /// Returns the queue of a sink.
  /// - Parameters:
  ///   - venue: only rows of this venue; `nil` for all.
  ///   - now: the wall clock; leases that ended before it are void.
  ///   - device: the device that owns the rows.
  ///   - sink: the sink that receives the rows.
  func queue(of device: DeviceID, sink: SinkID, venue: VenueID?, now: Instant) throws(StoreError) -> QueueSummary
  /// Rows and bytes of a device's locations.
  func usage(of device: DeviceID) throws(StoreError) -> StoreUsage
  /// Removes locations measured before a time, quarantined ones too; returns their counts.
  func expire(_ device: DeviceID, before time: Instant) throws(StoreError) -> DeletionCount
  /// Removes the given number of oldest locations; returns their counts.
  func expire(_ device: DeviceID, oldest count: Int) throws(StoreError) -> DeletionCount
  /// Removes every location of a device.
  func wipe(_ device: DeviceID) throws(StoreError) -> DeletionCount
  /// Removes every location of a device that was recorded in one venue, quarantined ones too. `VenueID.everywhere`
  /// stands for all places outside of venues.
  func wipe(_ device: DeviceID, venue: VenueID) throws(StoreError) -> DeletionCount
  /// The bytes that a location counts against ``MonitorConfiguration/maximumBytes``.
  var bytesPerRow: Int { get }
  /// Returns every location of a device, oldest first.
  func locations(of device: DeviceID) throws(StoreError) -> [Location]
  /// Returns the pending deliveries of every location of a device, by location and sink.
  func deliveries(of device: DeviceID) throws(StoreError) -> [Delivery]
  /// Returns the counts of unreadable locations that were removed since the last call: their key is lost, or their
  /// bytes are damaged. The counts are reset when the transaction is committed.
  func takeUnreadableRows(of device: DeviceID) throws(StoreError) -> DeletionCount
  /// Becomes the owner of the store again after another program took it over (`StoreError.Kind.superseded`). The data
  /// may have changed since it was read.
  func takeOver() throws(StoreError)
  /// Overwrites deleted rows in the store's files. Called outside of transactions; a failed call is repeated later.
  func scrub() throws(StoreError)
}

extension Store {
  /// The default, which suits most stores.
  public var bytesPerRow: Int { MonitorConfiguration.bytesPerRow }

  /// Does nothing: most stores have a single owner.
  public func takeOver() throws(StoreError) {}

  /// Returns the queue of a sink, with the rows of all venues.
  public func queue(of device: DeviceID, sink: SinkID, now: Instant) throws(StoreError) -> QueueSummary {
    try queue(of: device, sink: sink, venue: nil, now: now)
  }
}

/// The delivery of one location to one sink: a row of the `Delivery` entity.
public struct Delivery: Hashable, Sendable {
  /// The state of the delivery.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// It waits to be sent.
    case pending
    /// It is leased to a request.
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
  /// The end of the lease, if there is one.
  public var leaseEnd: Instant?
  /// The number of times that it was leased.
  public var attempts: Int
  /// The text with which the sink refused it for good; `nil` without one.
  public var reason: String?

  /// Makes a delivery of its parts.
  public init(
    id: FixID, sink: SinkID, status: Status, leaseEnd: Instant?, attempts: Int, reason: String? = nil
  ) {
    self.reason = reason
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
  /// The secret that the device exchanges for tokens.
  public var secret: String
  /// The token for requests, if there is one.
  public var authToken: String?
  /// The expiry of the token.
  public var expiresAt: Instant?

  /// Makes an activation of its parts.
  public init(venue: VenueID, secret: String, authToken: String? = nil, expiresAt: Instant? = nil) {
    self.venue = venue
    self.secret = secret
    self.authToken = authToken
    self.expiresAt = expiresAt
  }
}

/// A set of sinks, by ascending number.
public struct SinkSet: Hashable, Sendable {
  /// The sinks, ascending.
  public let members: [SinkID]

  /// Makes a set of sinks.
  public init(_ members: [SinkID]) { self.members = Array(Set(members)).sorted() }

  /// Whether a sink is a member.
  public func contains(_ sink: SinkID) -> Bool { members.contains(sink) }
}

/// The `Device` entity: the phone's identity for the servers.
public struct DeviceRecord: Hashable, Sendable {
  /// The pseudonym.
  public var id: DeviceID
  /// The token for requests, if there is one.
  public var authToken: String?
  /// The expiry of the token.
  public var expiresAt: Instant?
  /// Whether a server accepted the device's invite code.
  public var isActivated: Bool
  /// `phone` or `gateway`, or a type that the integrator chose.
  public var type: String
  /// The venue for which the device is activated.
  public var venue: VenueID?
  /// The secret that the server issued for the invite code; the device exchanges it for tokens.
  public var secret: String?
  /// Activations for venues other than the active one.
  public var activations: [Activation] = []
  /// The secrets that prove erasure requests for former pseudonyms of this device; kept until their receipts.
  public var erasureSecrets: [DeviceID: String] = [:]
  /// The exposure notices that have not expired.
  public var notices: [ExposureNotice] = []
  /// The monitor's own state, see `MonitorState`.
  public var state: [UInt8]

  /// Makes the record of a device that no server knows yet.
  public init(id: DeviceID, type: String) {
    self.id = id
    self.type = type
    isActivated = false
    state = []
  }
}

/// The result of one row of a request, for the store.
public struct DeliveryResult: Hashable, Sendable {
  /// The fate of the row.
  public enum Outcome: Hashable, Sendable {
    /// The sink has it.
    case acknowledged
    /// The sink will never take it.
    case refused
    /// The row is to be sent again.
    case kept
  }

  /// The row's identifier.
  public var id: FixID
  /// The end of its stay as it was sent; a row whose stay was extended since is sent again.
  public var stillUntil: Instant?
  /// The fate of the row.
  public var outcome: Outcome
  /// The sink's reason for a refusal, at most 200 characters; `nil` without one. It is kept with the row.
  public var reason: String?

  /// Makes a result.
  public init(id: FixID, stillUntil: Instant?, outcome: Outcome, reason: String? = nil) {
    self.reason = reason
    self.id = id
    self.stillUntil = stillUntil
    self.outcome = outcome
  }
}

/// The counts of a completed lease.
public struct DeliveryCounts: Hashable, Sendable {
  /// Locations that were removed because every required sink has them.
  public var removed = 0
  /// Locations that became quarantined.
  public var quarantined = 0
  /// Rows that this sink acknowledged, whether or not their location was removed.
  public var acknowledged = 0
  /// Rows that are to be sent to this sink again.
  public var kept = 0

  /// All counts are 0.
  public init() {}
}

/// The amount of data that a device holds.
public struct StoreUsage: Hashable, Sendable {
  /// Locations, quarantined ones too.
  public var rows: Int
  /// Their estimated bytes.
  public var bytes: Int

  /// Makes a usage.
  public init(rows: Int, bytes: Int) {
    self.rows = rows
    self.bytes = bytes
  }
}

/// The locations that a limit or a wipe removed.
public struct DeletionCount: Hashable, Sendable {
  /// Locations that waited for a sink.
  public var waiting: Int
  /// Locations that were quarantined.
  public var quarantined: Int
  /// The time before which no rows remain, when the oldest rows of the device were removed without a gap; `nil`
  /// otherwise.
  public var end: Instant?

  /// Makes a count.
  public init(waiting: Int, quarantined: Int, end: Instant? = nil) {
    self.waiting = waiting
    self.quarantined = quarantined
    self.end = end
  }
}

/// The reason why the store failed.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kinds of failure that call for different remedies.
  public enum Kind: Hashable, Sendable {
    /// The disk is full.
    case full
    /// The file is not a store, or is damaged.
    case corrupt
    /// The file was written by a newer version.
    case newerVersion
    /// The key for its contents is unavailable at the moment.
    case locked
    /// Another store has the file open, in this process or in another. Release that store, or end its process.
    case inUse
    /// Another program has taken over the file; this store writes nothing more. Release it and open the file anew.
    case superseded
    /// Anything else.
    case failed
  }

  /// The kind.
  public var kind: Kind
  /// The failed action and the system's message.
  public var description: String

  /// A failure.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
