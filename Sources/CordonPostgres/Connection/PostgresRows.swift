internal import CPostgres

/// The rows that a statement returned, in PostgreSQL's binary format. Rows and columns are numbered from 0.
final class PostgresRows {
  private let handle: OpaquePointer

  /// Takes over a result of libpq.
  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { PQclear(handle) }

  /// The number of rows.
  var count: Int { Int(PQntuples(handle)) }

  /// The numbers of the rows.
  var indices: Range<Int> { 0..<count }

  /// The number of rows that the statement inserted, changed or deleted.
  var changes: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

  /// The name of the command that the server has run, such as `COMMIT`.
  var command: String { String(cString: PQcmdStatus(handle)) }

  /// Whether a value is NULL.
  func isNull(_ row: Int, _ column: Int32) -> Bool { PQgetisnull(handle, Int32(row), column) == 1 }

  private func bytes(of row: Int, _ column: Int32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: PQgetvalue(handle, Int32(row), column), count: Int(PQgetlength(handle, Int32(row), column)))
  }

  /// A whole number of 2, 4 or 8 bytes, or a truth value; 0 for NULL.
  func int(_ row: Int, _ column: Int32) -> Int64 {
    let bytes = bytes(of: row, column)
    var value: UInt64 = 0
    for byte in bytes { value = value << 8 | UInt64(byte) }
    let width = UInt64(bytes.count) * 8
    guard width > 8, width < 64 else { return Int64(bitPattern: value) }
    return Int64(bitPattern: value << (64 - width)) >> Int64(64 - width)
  }

  /// A whole number; `nil` for NULL.
  func optionalInt(_ row: Int, _ column: Int32) -> Int64? { isNull(row, column) ? nil : int(row, column) }

  /// A `double precision`; 0 for NULL.
  func real(_ row: Int, _ column: Int32) -> Double {
    isNull(row, column) ? 0 : Double(bitPattern: UInt64(bitPattern: int(row, column)))
  }

  /// A text; empty for NULL.
  func text(_ row: Int, _ column: Int32) -> String { String(decoding: bytes(of: row, column), as: UTF8.self) }

  /// A text; `nil` for NULL.
  func optionalText(_ row: Int, _ column: Int32) -> String? { isNull(row, column) ? nil : text(row, column) }

  /// A `bytea`; empty for NULL.
  func blob(_ row: Int, _ column: Int32) -> [UInt8] { Array(bytes(of: row, column)) }

  /// A `bytea`; `nil` for NULL.
  func optionalBlob(_ row: Int, _ column: Int32) -> [UInt8]? { isNull(row, column) ? nil : blob(row, column) }
}
