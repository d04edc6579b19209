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
  private var validity: [UInt8] = []
  private var values: [UInt8] = []
  private var text: [UInt8] = []
  private(set) var count = 0
  private(set) var nullCount = 0

  init(_ kind: TableColumn.Kind) {
    self.kind = kind
    clear()
  }

  /// Bytes of texts.
  var textSize: Int { text.count }

  mutating func clear() {
    validity.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
    (count, nullCount) = (0, 0)
    if kind == .text { append(UInt32(0)) }
  }

  /// Appends a value; one of another kind than the column's counts as missing.
  mutating func append(_ value: TableValue) {
    var isMissing = false
    switch (kind, value) {
    case (.text, .text(let text)): self.text.append(contentsOf: text.utf8)
    case (.number, .number(let number)) where !number.isNaN: append(number.bitPattern)
    case (.number, .count(let number)): append(Double(number).bitPattern)
    case (.count, .count(let number)): append(UInt64(bitPattern: number))
    case (.time, .time(let time)): append(UInt64(bitPattern: time))
    case (.flag, .flag(let flag)): appendBit(flag, to: &values)
    default:
      isMissing = true
      switch kind {
      case .text: break
      case .flag: appendBit(false, to: &values)
      case .number, .count, .time: append(UInt64(0))
      }
    }
    if kind == .text { append(UInt32(text.count)) }
    appendBit(!isMissing, to: &validity)
    if isMissing { nullCount += 1 }
    count += 1
  }

  private mutating func append<Value: FixedWidthInteger>(_ value: Value) {
    withUnsafeBytes(of: value.littleEndian) { values.append(contentsOf: $0) }
  }

  private func appendBit(_ bit: Bool, to bytes: inout [UInt8]) {
    if count & 7 == 0 { bytes.append(0) }
    if bit { bytes[count >> 3] |= 1 << UInt8(count & 7) }
  }

  /// The buffers, as they follow one another in a body.
  var buffers: [[UInt8]] {
    let head = nullCount > 0 ? validity : []
    return kind == .text ? [head, values, text] : [head, values]
  }
}
