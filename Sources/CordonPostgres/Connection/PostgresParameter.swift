/// A value of a parameter of a statement. Values travel in PostgreSQL's binary format.
enum PostgresParameter {
  /// A `bigint`.
  case int(Int64)
  /// A `bigint` or NULL.
  case optionalInt(Int64?)
  /// A `double precision`.
  case real(Double)
  /// A `text`.
  case text(String)
  /// A `text` or NULL.
  case optionalText(String?)
  /// A `bytea`.
  case bytes([UInt8])
  /// A `bytea` or NULL.
  case optionalBytes([UInt8]?)
  /// An array of `bigint`.
  case ints([Int64])
  /// An array of `bigint` with NULLs.
  case optionalInts([Int64?])
  /// An array of `integer`.
  case smallInts([Int32])
  /// An array of `integer` with NULLs.
  case optionalSmallInts([Int32?])
  /// An array of `double precision`.
  case reals([Double])
  /// An array of `text` with NULLs.
  case optionalTexts([String?])
  /// An array of `bytea` with NULLs.
  case optionalBytesList([[UInt8]?])

  /// The number of the type in PostgreSQL's catalogue (`pg_type`), which is the same in every installation.
  var type: UInt32 {
    switch self {
    case .int, .optionalInt: 20
    case .real: 701
    case .text, .optionalText: 25
    case .bytes, .optionalBytes: 17
    case .ints, .optionalInts: 1016
    case .smallInts, .optionalSmallInts: 1007
    case .reals: 1022
    case .optionalTexts: 1009
    case .optionalBytesList: 1001
    }
  }

  /// Appends the value; returns `false`, and appends nothing, for NULL.
  func append(to bytes: inout [UInt8]) -> Bool {
    switch self {
    case .int(let value): bytes.append(bigEndian: value)
    case .optionalInt(let value):
      guard let value else { return false }
      bytes.append(bigEndian: value)
    case .real(let value): bytes.append(bigEndian: value.bitPattern)
    case .text(let value): bytes.append(text: value)
    case .optionalText(let value):
      guard let value else { return false }
      bytes.append(text: value)
    case .bytes(let value): bytes += value
    case .optionalBytes(let value):
      guard let value else { return false }
      bytes += value
    case .ints(let values): bytes.append(array: values, of: 20) { $0.appendSized($1) }
    case .optionalInts(let values): bytes.append(array: values, of: 20) { $0.appendSized($1) }
    case .smallInts(let values): bytes.append(array: values, of: 23) { $0.appendSized($1) }
    case .optionalSmallInts(let values): bytes.append(array: values, of: 23) { $0.appendSized($1) }
    case .reals(let values): bytes.append(array: values, of: 701) { $0.appendSized($1.bitPattern) }
    case .optionalTexts(let values):
      bytes.append(array: values, of: 25) { bytes, value in
        guard let value else { return bytes.append(bigEndian: Int32(-1)) }
        var text: [UInt8] = []
        text.append(text: value)
        bytes.append(bigEndian: Int32(truncatingIfNeeded: text.count))
        bytes += text
      }
    case .optionalBytesList(let values):
      bytes.append(array: values, of: 17) { bytes, value in
        guard let value else { return bytes.append(bigEndian: Int32(-1)) }
        bytes.append(bigEndian: Int32(truncatingIfNeeded: value.count))
        bytes += value
      }
    }
    return true
  }
}

extension [UInt8] {
  /// Appends a number, most significant byte first.
  @inline(__always)
  mutating func append<T: FixedWidthInteger>(bigEndian value: T) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// Appends a text. PostgreSQL has no zero byte in texts: U+FFFD takes its place.
  mutating func append(text: String) {
    if text.utf8.contains(0) {
      for scalar in text.unicodeScalars { append(contentsOf: (scalar.value == 0 ? "\u{FFFD}" : String(scalar)).utf8) }
    } else {
      append(contentsOf: text.utf8)
    }
  }

  /// Appends the length of a number, and the number.
  @inline(__always)
  mutating func appendSized<T: FixedWidthInteger>(_ value: T) {
    append(bigEndian: Int32(MemoryLayout<T>.size))
    append(bigEndian: value)
  }

  /// Appends the length of a number, and the number; -1 for NULL.
  @inline(__always)
  mutating func appendSized<T: FixedWidthInteger>(_ value: T?) {
    if let value { appendSized(value) } else { append(bigEndian: Int32(-1)) }
  }

  /// Appends an array of one dimension: its header, then its elements.
  /// - Parameter type: the number of the type of the elements.
  mutating func append<T>(array values: [T], of type: Int32, _ element: (inout [UInt8], T) -> Void) {
    reserveCapacity(count + 20 + 12 * values.count)
    append(bigEndian: Int32(values.isEmpty ? 0 : 1))
    append(bigEndian: Int32(1))
    append(bigEndian: type)
    guard !values.isEmpty else { return }
    append(bigEndian: Int32(truncatingIfNeeded: values.count))
    append(bigEndian: Int32(1))
    for value in values { element(&self, value) }
  }
}
