package import CordonCore
import CordonSupport

/// Counters since the process started, without names or places.
package struct IngestMetrics: Hashable, Sendable {
  /// Responses by status.
  package var responses: [Int: Int] = [:]
  /// Rows stored.
  package var stored = 0
  /// Rows that were known.
  package var known = 0
  /// Rows refused, by reason.
  package var refused: [String: Int] = [:]
  /// Batches committed.
  package var batches = 0
  /// Transactions that held them.
  package var commits = 0
  /// Contacts that came or changed.
  package var contactChanges = 0
  /// Positions in memory for contacts.
  package var contactPoints = 0
  /// Late stretches whose contacts were found from the file.
  package var settled = 0
  /// Devices erased.
  package var erased = 0
  /// Deleted for their age.
  package var expired = RetentionReport()
  /// When the retention job last ran.
  package var lastRetention: Instant?
  /// The most devices that proved themselves from one address within an hour; counted up to 100.
  package var devicesOfOneAddress = 0
  /// Faults of the store.
  package var storeFaults = 0
  /// The last of them.
  package var lastFault: String?
  /// What kept the server from being ready when that was last examined.
  package var unreadiness: Set<Ingest.Unreadiness> = []

  /// Nothing yet.
  package init() {}

  mutating func count(status: Int) { responses[status, default: 0] += 1 }
}

/// An event for operators who watch a venue; it holds counts only.
package struct LiveEvent: Hashable, Sendable {
  /// When.
  package var time: Instant
  /// Where.
  package var venue: VenueID
  /// Rows stored.
  package var stored: Int
  /// Rows refused.
  package var refused: Int
  /// Contacts that came or changed.
  package var contacts: Int

  /// Takes the values as they are.
  package init(time: Instant, venue: VenueID, stored: Int, refused: Int, contacts: Int) {
    self.time = time
    self.venue = venue
    self.stored = stored
    self.refused = refused
    self.contacts = contacts
  }

  /// The event as one line of JSON.
  package var json: String {
    let value: JSONValue = [
      "time": .integer(time.milliseconds), "venue": .string(venue.rawValue), "stored": .integer(Int64(stored)),
      "refused": .integer(Int64(refused)), "contacts": .integer(Int64(contacts)),
    ]
    return value.text()
  }
}
