/// A fault of the store.
package struct StoreFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// Of what sort.
  package enum Kind: String, Hashable, Sendable {
    /// The disk is full, or cannot be written.
    case full
    /// Somebody else holds the file.
    case busy
    /// The file is damaged, or no store.
    case corrupt
    /// The file is of a newer version of the program.
    case newerVersion = "newer-version"
    /// It was broken off: a query that took too long, or that nobody waits for any more.
    case interrupted
    /// The database cannot be reached, or the connection to it ended.
    case unavailable
    /// Anything else.
    case failed
  }

  /// Of what sort.
  package var kind: Kind
  /// What SQLite or PostgreSQL said, for logs; never shown to clients.
  package var message: String

  /// A fault.
  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// Kind and message.
  package var description: String { "\(kind.rawValue): \(message)" }
}
