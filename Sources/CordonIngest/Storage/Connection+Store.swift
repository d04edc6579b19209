internal import CCleanPages
package import CordonSQLite

extension StoreFault {
  /// The fault of a store whose SQLite file has an error.
  package init(_ fault: SQLiteFault) {
    let kind: Kind =
      switch fault.kind {
      // A file layer that cannot write reports one of several errors; the client causes none of them.
      case .full, .inaccessible: .full
      case .busy: .busy
      case .corrupt: .corrupt
      case .interrupted: .interrupted
      case .failed: .failed
      }
    self.init(kind, fault.description)
  }
}

extension Connection {
  /// Opens a file. Everything is written through a file layer that leaves no copies of rows in the free space of pages.
  /// - Parameter vfs: the name of a registered file layer of SQLite, below that one; `nil` for the default one.
  convenience init(path: String, vfs: String?, isReadOnly: Bool) throws(StoreFault) {
    guard let layer = cordon_clean_pages_layer(vfs) else {
      throw StoreFault(.failed, "\(path): no file layer \(vfs ?? "")")
    }
    do throws(SQLiteFault) {
      try self.init(
        path: path, mode: isReadOnly ? .readOnly : .create, layer: String(cString: layer), timeout: 5_000)
    } catch {
      // A file that cannot be opened is not a full disk.
      throw StoreFault(.failed, error.description)
    }
  }

  /// Returns a statement that is prepared once.
  func statement(_ sql: String) throws(StoreFault) -> PreparedStatement {
    do throws(SQLiteFault) {
      return try prepare(sql)
    } catch {
      throw StoreFault(error)
    }
  }

  /// Runs several statements without values.
  func script(_ sql: String) throws(StoreFault) {
    do throws(SQLiteFault) {
      try execute(sql)
    } catch {
      throw StoreFault(error)
    }
  }

  func run(_ sql: String) throws(StoreFault) { try statement(sql).run() }

  /// Returns the first value of the first row.
  func int(_ sql: String) throws(StoreFault) -> Int64 {
    let statement = try statement(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.int(0) : 0
  }

  /// Returns the first value of the first row of a setting; its statement is not kept.
  func setting(_ sql: String) throws(StoreFault) -> String {
    let statement: PreparedStatement
    do throws(SQLiteFault) {
      statement = try prepareOnce(sql)
    } catch {
      throw StoreFault(error)
    }
    defer { statement.reset() }
    return try statement.step() ? statement.text(0) : ""
  }

  /// Copies everything to another file, as it is at one moment; the copy has no log beside it.
  @discardableResult
  func copy(to path: String) throws(StoreFault) -> Connection {
    let other = try Connection(path: path, vfs: nil, isReadOnly: false)
    do throws(SQLiteFault) {
      try copy(into: other)
    } catch {
      throw StoreFault(error)
    }
    try other.script("PRAGMA journal_mode = DELETE")
    return other
  }
}

extension PreparedStatement {
  /// Moves to the next row. After the last row, and after an error, the statement can be bound again.
  @inline(__always)
  func step() throws(StoreFault) -> Bool {
    do throws(SQLiteFault) {
      return try advance()
    } catch {
      throw StoreFault(error)
    }
  }

  /// Runs the statement to its end, and returns the number of changed rows.
  @discardableResult
  func run() throws(StoreFault) -> Int {
    do throws(SQLiteFault) {
      return try finish()
    } catch {
      throw StoreFault(error)
    }
  }
}
