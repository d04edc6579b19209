/// A column of a table: its name, the type of its values, and what its numbers mean.
package struct TableColumn: Hashable, Sendable {
  /// The types of values.
  package enum Kind: Hashable, Sendable {
    /// Text (`utf8`).
    case text
    /// A number (`float64`).
    case number
    /// A whole number (`int64`).
    case count
    /// `bool`.
    case flag
    /// Microseconds since 1970, UTC (`timestamp[us, UTC]`).
    case time
  }

  /// The name.
  package let name: String
  /// The type of its values.
  package let kind: Kind
  /// The unit of its numbers: `s`, `m`, `min`, `degree`; `nil` for none.
  package let unit: String?

  /// A column of texts.
  package static func text(_ name: String) -> TableColumn { TableColumn(name: name, kind: .text, unit: nil) }
  /// A column of numbers.
  package static func number(_ name: String, unit: String? = nil) -> TableColumn {
    TableColumn(name: name, kind: .number, unit: unit)
  }
  /// A column of whole numbers.
  package static func count(_ name: String) -> TableColumn { TableColumn(name: name, kind: .count, unit: nil) }
  /// A column of flags.
  package static func flag(_ name: String) -> TableColumn { TableColumn(name: name, kind: .flag, unit: nil) }
  /// A column of times.
  package static func time(_ name: String) -> TableColumn { TableColumn(name: name, kind: .time, unit: nil) }

  /// The metadata of the column in Arrow: `unit`, and `crs` of degrees.
  var metadata: [(key: String, value: String)] {
    guard let unit else { return [] }
    return [("unit", unit)] + (unit == "degree" ? [("crs", "OGC:CRS84")] : [])
  }
}

/// A value of a table.
package enum TableValue: Hashable, Sendable {
  case text(String)
  case number(Double)
  case count(Int64)
  case flag(Bool)
  /// Microseconds since 1970.
  case time(Int64)
  /// No value.
  case missing
}

/// The values of a column of a batch that is written.
struct ArrowColumnBuilder {
  private let kind: TableColumn.Kind
  /// The rows without a value, rising.
  private var missing: [Int] = []
  /// The bits of numbers, whole numbers and times.
  private var words: [UInt64] = []
  private var flags: [Bool] = []
  /// The ends of texts.
  private var ends: [UInt32] = []
  private var text: [UInt8] = []
  private(set) var count = 0

  init(_ kind: TableColumn.Kind) { self.kind = kind }

  /// Bytes of texts.
  var textSize: Int { text.count }
  /// How many rows have no value.
  var nullCount: Int { missing.count }

  mutating func clear() {
    missing.removeAll(keepingCapacity: true)
    words.removeAll(keepingCapacity: true)
    flags.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Appends a value; one of another kind than the column's counts as missing.
  mutating func append(_ value: TableValue) {
    switch (kind, value) {
    case (.text, .text(let value)):
      var value = value
      value.withUTF8 { text.append(contentsOf: $0) }
    case (.number, .number(let number)) where !number.isNaN: words.append(number.bitPattern)
    case (.number, .count(let number)): words.append(Double(number).bitPattern)
    case (.count, .count(let number)), (.time, .time(let number)): words.append(UInt64(bitPattern: number))
    case (.flag, .flag(let flag)): flags.append(flag)
    default:
      missing.append(count)
      switch kind {
      case .text: break
      case .flag: flags.append(false)
      case .number, .count, .time: words.append(0)
      }
    }
    if kind == .text { ends.append(UInt32(text.count)) }
    count += 1
  }

  /// The buffers, as they follow one another in a body.
  var buffers: [[UInt8]] {
    var validity = missing.isEmpty ? [] : ArrowColumnBuilder.bits(count) { _ in true }
    for row in missing { validity[row >> 3] &= ~(1 << UInt8(row & 7)) }
    switch kind {
    case .text: return [validity, ArrowColumnBuilder.bytes([0] + ends), text]
    case .flag: return [validity, ArrowColumnBuilder.bits(count) { flags[$0] }]
    case .number, .count, .time: return [validity, ArrowColumnBuilder.bytes(words)]
    }
  }

  private static func bytes<Value: FixedWidthInteger>(_ values: [Value]) -> [UInt8] {
    values.map(\.littleEndian).withUnsafeBytes { Array($0) }
  }

  /// A bit for each row, from the lowest of each byte on.
  private static func bits(_ count: Int, _ isSet: (Int) -> Bool) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (count + 7) / 8)
    for row in 0..<count where isSet(row) { bytes[row >> 3] |= 1 << UInt8(row & 7) }
    return bytes
  }
}
