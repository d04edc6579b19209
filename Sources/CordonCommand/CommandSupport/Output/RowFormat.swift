import ArgumentParser
import CordonConsole
import CordonCore
import CordonSupport

/// The formats of tables.
enum RowFormat: String, FileFormat, CaseIterable {
  case csv, jsonl, json

  static var endings: [(ending: String, format: RowFormat)] {
    [("csv", .csv), ("jsonl", .jsonl), ("ndjson", .jsonl), ("json", .json)]
  }

  static var defaultFormat: RowFormat? { .csv }
}

/// A table that is written row by row: CSV with a header, JSON Lines, or one JSON array.
final class RowFile {
  let format: RowFormat
  private let file: OutputFile
  private var isEmpty = true

  /// Begins the table.
  /// - Parameter columns: of CSV.
  init(_ destination: Destination, as format: RowFormat, columns: [String]) throws {
    self.format = format
    file = try destination.open()
    if format == .csv { try file.write(columns.joined(separator: ",") + "\n") }
    if format == .json { try file.write("[") }
  }

  /// Adds a row as it stands in the file, without what separates rows.
  func add(_ row: String) throws {
    if format == .json { try file.write(isEmpty ? "\n" : ",\n") }
    isEmpty = false
    try file.write(row)
    if format != .json { try file.write("\n") }
  }

  /// Adds a row of flat values.
  func add(_ row: [JSONValue.Member]) throws {
    try add(format == .csv ? row.map { RowFile.cell($0.value) }.joined(separator: ",") : JSONValue.object(row).text())
  }

  /// Ends the table and gives the file its name.
  func finish() throws {
    if format == .json { try file.write(isEmpty ? "]\n" : "\n]\n") }
    try file.finish()
  }

  /// Writes a whole table.
  static func write(
    _ rows: [[JSONValue.Member]], columns: [String], to destination: (file: Destination, format: RowFormat)
  ) throws {
    let file = try RowFile(destination.file, as: destination.format, columns: columns)
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
