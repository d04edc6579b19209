import CordonCore
import CordonMonitoring
import CordonSQLite

extension StoreError {
  init(_ fault: SQLiteFault) {
    let kind: Kind =
      switch fault.kind {
      case .full: .full
      case .corrupt: .corrupt
      case .inaccessible, .busy, .interrupted, .failed: .failed
      }
    self.init(kind, fault.description)
  }
}

extension PreparedStatement {
  /// Moves to the next row. After the last row, and after an error, the statement can be bound again.
  func step() throws(StoreError) -> Bool {
    do throws(SQLiteFault) {
      return try advance()
    } catch {
      throw StoreError(error)
    }
  }

  /// Runs the statement to its end, and returns the number of changed rows.
  @discardableResult
  func run() throws(StoreError) -> Int {
    do throws(SQLiteFault) {
      return try finish()
    } catch {
      throw StoreError(error)
    }
  }

  func isBlob(_ column: Int32) -> Bool { columnType(column) == .blob }

  /// Binds the halves of an identifier to two consecutive parameters.
  func bind(_ id: FixID, at index: Int32) {
    bind(index, Int64(bitPattern: id.high))
    bind(index + 1, Int64(bitPattern: id.low))
  }

  /// Returns the identifier with its halves in two consecutive columns.
  func id(at column: Int32) -> FixID {
    FixID(high: UInt64(bitPattern: int(column)), low: UInt64(bitPattern: int(column + 1)))
  }
}
