public import CordonCore
import CordonSupport

/// Counters since the process started, without names or places.
public struct IngestMetrics: Hashable, Sendable {
  /// Responses by status.
  public var responses: [Int: Int] = [:]
  /// Rows stored.
  public var stored = 0
  /// Rows that were known.
  public var known = 0
  /// Rows refused, by reason.
  public var refused: [String: Int] = [:]
  /// Batches committed.
  public var batches = 0
  /// Transactions that held them.
  public var commits = 0
  /// Contacts that came or changed.
  public var contactChanges = 0
  /// Positions in memory for contacts.
  public var contactPoints = 0
  /// Late stretches whose contacts were found from the file.
  public var settled = 0
  /// Devices erased.
  public var erased = 0
  /// Deleted for their age.
  public var expired = RetentionReport()
  /// When the retention job last ran.
  public var lastRetention: Instant?
  /// The most devices that proved themselves from one address within an hour; counted up to 100.
  public var devicesOfOneAddress = 0
  /// Faults of the store.
  public var storeFaults = 0
  /// The last of them.
  public var lastFault: String?
  /// What kept the server from being ready when that was last examined.
  public var unreadiness: Set<Ingest.Unreadiness> = []

  /// Nothing yet.
  public init() {}

  mutating func count(status: Int) { responses[status, default: 0] += 1 }
}

/// An event for operators who watch a venue; it holds counts only.
public struct LiveEvent: Hashable, Sendable {
  /// When.
  public var time: Instant
  /// Where.
  public var venue: VenueID
  /// Rows stored.
  public var stored: Int
  /// Rows refused.
  public var refused: Int
  /// Contacts that came or changed.
  public var contacts: Int

  /// The event as one line of JSON.
  public var json: String {
    let value: JSONValue = [
      "time": .integer(time.milliseconds), "venue": .string(venue.rawValue), "stored": .integer(Int64(stored)),
      "refused": .integer(Int64(refused)), "contacts": .integer(Int64(contacts)),
    ]
    return value.text()
  }
}
