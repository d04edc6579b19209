internal import CordonSupport

/// Copies all tables of a store into an empty one of another kind, and compares the two.
package enum StoreCopy {
  /// The outcome for a table.
  package struct Entry: Hashable, Sendable {
    /// The table.
    package var table: String
    /// How many rows it has.
    package var rows: Int64
    /// SHA-256 over all rows in the order of the key.
    package var digest: String
  }

  /// Why there is no copy.
  package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The target has rows already, in the table that is named.
    case notEmpty(String)
    /// The table that is named differs in the copy.
    case different(String)

    /// The problem, with its table.
    package var description: String {
      switch self {
      case .notEmpty(let table): "the target is not empty: it has rows in the table \(table)"
      case .different(let table): "the copy differs from its source in the table \(table); nothing was kept"
      }
    }
  }

  /// The rows that are read at once.
  static let page = 4_000

  /// Copies everything in one transaction of the target, which is undone when the copy differs from its source.
  ///
  /// Nobody else may write to either. Takes O(rows) time, and reads every row of both once.
  /// - Parameters:
  ///   - isEmptying: whether everything in the target is deleted first, in the same transaction.
  ///   - more: copies what else belongs to the transaction, and returns its tables.
  /// - Returns: the tables in order, with their rows and digests.
  package static func run(
    from source: any TabularStore, to target: any TabularStore, emptying isEmptying: Bool = false,
    with more: () throws -> [Entry] = { [] }
  ) throws -> [Entry] {
    try target.begin()
    do {
      if isEmptying { try target.removeAll() }
      for table in StoreTable.all where try !target.rows(of: table, after: nil, limit: 1).isEmpty {
        throw Failure.notEmpty(table.name)
      }
      var entries: [Entry] = []
      for table in StoreTable.all {
        let entry = try digest(of: table, in: source) { rows in try target.add(rows, to: table) }
        guard try digest(of: table, in: target) == entry else { throw Failure.different(table.name) }
        entries.append(entry)
      }
      entries += try more()
      try target.goOn(after: try StoreTable.counted.map { ($0, try source.lastNumber(in: $0)) })
      try target.commit()
      return entries
    } catch {
      target.rollback()
      throw error
    }
  }

  /// The number of rows of a table, and their digest.
  package static func digest(
    of table: StoreTable, in store: any TabularStore, _ body: ([[StoreValue]]) throws -> Void = { _ in }
  ) throws -> Entry {
    try digest(of: table, reading: { key in try store.rows(of: table, after: key, limit: page) }, body)
  }

  /// The number of rows of a table that is read page by page, and their digest.
  /// - Parameter read: returns the rows after a key; none at the end.
  static func digest(
    of table: StoreTable, reading read: (_ key: [StoreValue]?) throws -> [[StoreValue]],
    _ body: ([[StoreValue]]) throws -> Void = { _ in }
  ) throws -> Entry {
    var hash = SHA256()
    var count: Int64 = 0
    var key: [StoreValue]?
    while true {
      let rows = try read(key)
      guard let last = rows.last else { break }
      var bytes: [UInt8] = []
      for row in rows { for value in row { value.append(to: &bytes) } }
      hash.update(bytes)
      count += Int64(rows.count)
      key = Array(last.prefix(table.keyCount))
      try body(rows)
    }
    return Entry(table: table.name, rows: count, digest: hash.finalizeHex())
  }
}

extension StoreValue {
  /// Appends the value: a byte for its type, its length where that varies, and the value.
  fileprivate func append(to bytes: inout [UInt8]) {
    func add(_ value: UInt64) {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
      }
    }
    switch self {
    case .null: bytes.append(0)
    case .int(let value):
      bytes.append(1)
      add(UInt64(bitPattern: value))
    case .real(let value):
      bytes.append(2)
      add(value.bitPattern)
    case .text(let value):
      bytes.append(3)
      add(UInt64(value.utf8.count))
      bytes += value.utf8
    case .bytes(let value):
      bytes.append(4)
      add(UInt64(value.count))
      bytes += value
    }
  }
}
