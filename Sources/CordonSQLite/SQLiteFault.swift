internal import CSQLite

/// An error of SQLite.
package struct SQLiteFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The meaning of the error for a store.
  package enum Kind: Hashable, Sendable {
    /// The disk, or the file's maximum size, is full.
    case full
    /// The file cannot be opened, read or written.
    case inaccessible
    /// Another connection has locked the file.
    case busy
    /// The file is damaged, or not a database.
    case corrupt
    /// A progress handler ended the statement.
    case interrupted
    /// Any other error.
    case failed
  }

  /// The extended result code.
  package var code: Int32
  /// SQLite's description.
  package var message: String
  /// The beginning of the statement; empty if there is none.
  package var statement: String

  package init(_ code: Int32, _ message: String, in statement: String = "") {
    self.code = code
    self.message = message
    self.statement = String(statement.prefix(80))
  }

  /// The last error of a connection.
  init(_ code: Int32, of connection: OpaquePointer, in statement: String) {
    self.init(code, String(cString: sqlite3_errmsg(connection)), in: statement)
  }

  /// The kind of the error.
  package var kind: Kind {
    switch code & 0xff {
    case SQLITE_FULL: .full
    case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY: .inaccessible
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
    case SQLITE_INTERRUPT: .interrupted
    default: .failed
    }
  }

  /// Whether the file is not a database of SQLite.
  package var isNotADatabase: Bool { code & 0xff == SQLITE_NOTADB }

  /// `disk I/O error (SQLite 10) in: DELETE FROM …`
  package var description: String { "\(message) (SQLite \(code))" + (statement.isEmpty ? "" : " in: \(statement)") }
}
