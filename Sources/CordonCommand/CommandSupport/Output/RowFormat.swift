import ArgumentParser
import CordonConsole
import CordonCore
import CordonExchange
import CordonSupport
import Foundation

/// The formats of tables.
enum RowFormat: String, FileFormat, CaseIterable {
  case csv, jsonl, json, arrow

  static var endings: [(ending: String, format: RowFormat)] {
    [("csv", .csv), ("jsonl", .jsonl), ("ndjson", .jsonl), ("json", .json), ("arrow", .arrow), ("arrows", .arrow)]
  }

  static var defaultFormat: RowFormat? { .csv }
}

/// A table that is written row by row: CSV with a header, JSON Lines, one JSON array, or Arrow IPC.
final class RowFile {
  let format: RowFormat
  private let file: OutputFile
  private let columns: [TableColumn]
  private var arrow: ArrowTableWriter?
  private var isEmpty = true

  /// Begins the table.
  /// - Parameters:
  ///   - name: the kind of table, for the metadata of Arrow.
  ///   - columns: of CSV and Arrow.
  init(_ destination: Destination, as format: RowFormat, name: String, columns: [TableColumn]) throws {
    self.format = format
    self.columns = columns
    file = try destination.open()
    switch format {
    case .csv: try file.write(columns.map(\.name).joined(separator: ",") + "\n")
    case .json: try file.write("[")
    case .jsonl: break
    case .arrow:
      // A file with that ending has the form of files; other ones and standard output have that of streams.
      var writer = ArrowTableWriter(columns, name: name, isFile: destination.path.lowercased().hasSuffix(".arrow"))
      try file.write(writer.head())
      arrow = writer
    }
  }

  /// Adds a row of Arrow, with a value for each column.
  func add(_ row: [TableValue]) throws {
    let bytes = arrow?.add(row) ?? []
    if !bytes.isEmpty { try file.write(bytes) }
  }

  /// Adds many rows of Arrow, column by column; ``ArrowTableWriter/add(_:_:)`` describes the parameters.
  func add<Row>(_ rows: [Row], _ fill: (ArraySlice<Row>, inout [ArrowColumnBuilder]) -> Void) throws {
    let bytes = arrow?.add(rows, fill) ?? []
    if !bytes.isEmpty { try file.write(bytes) }
  }

  /// Adds a row of text as it stands in the file, without what separates rows.
  func add(_ row: String) throws {
    if format == .json { try file.write(isEmpty ? "\n" : ",\n") }
    isEmpty = false
    try file.write(row)
    if format != .json { try file.write("\n") }
  }

  /// Adds a row of flat values.
  func add(_ row: [JSONValue.Member]) throws {
    guard format != .arrow else {
      return try add(
        columns.map { column in
          row.first { $0.key == column.name }.map { TableValue($0.value, of: column.kind) } ?? .missing
        })
    }
    try add(format == .csv ? row.map { RowFile.cell($0.value) }.joined(separator: ",") : JSONValue.object(row).text())
  }

  /// Ends the table and gives the file its name.
  func finish() throws {
    if format == .json { try file.write(isEmpty ? "]\n" : "\n]\n") }
    if let bytes = arrow?.finish() { try file.write(bytes) }
    try file.finish()
  }

  /// Writes a whole table.
  static func write(
    _ rows: [[JSONValue.Member]], name: String, columns: [TableColumn],
    to destination: (file: Destination, format: RowFormat)
  ) throws {
    let file = try RowFile(destination.file, as: destination.format, name: name, columns: columns)
    for row in rows { try file.add(row) }
    try file.finish()
  }

  private static func cell(_ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .string(let text): CSVCell.text(text)
    case .number, .integer, .bool: value.text()
    default: CSVCell.text(value.text())
    }
  }
}

extension TableValue {
  /// The value of a column of a kind; times are read from RFC 3339 with microseconds.
  fileprivate init(_ value: JSONValue, of kind: TableColumn.Kind) {
    switch (kind, value) {
    case (.time, .string(let text)): self = TableValue.microseconds(text).map { .time($0) } ?? .missing
    case (_, .string(let text)): self = .text(text)
    case (.count, .number(let number)): self = Int64(exactly: number).map { .count($0) } ?? .missing
    case (_, .number(let number)): self = .number(number)
    case (_, .integer(let number)): self = .count(number)
    case (_, .bool(let flag)): self = .flag(flag)
    default: self = .missing
    }
  }

  /// Microseconds since 1970 of `2026-01-05T09:00:00.123456Z`.
  private static func microseconds(_ text: String) -> Int64? {
    guard let instant = try? Instant(rfc3339: text) else { return nil }
    let digits = text.drop { $0 != "." }.dropFirst().prefix { $0.isNumber }.dropFirst(3).prefix(3)
    return instant.milliseconds * 1_000 + (digits.count == 3 ? Int64(digits) ?? 0 : 0)
  }
}
