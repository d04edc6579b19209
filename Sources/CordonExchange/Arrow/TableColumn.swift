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
