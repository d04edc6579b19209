import CordonCore
import CordonSupport

/// Tables for spreadsheets (RFC 4180). Names of devices are chosen by clients: see `CSVCell`.
enum CSVText {
  static func table(_ header: [String], _ rows: [[String]]) -> [UInt8] { lines([header] + rows) }

  /// Lines of a table without its header.
  static func lines(_ rows: [[String]]) -> [UInt8] {
    var text = ""
    for row in rows {
      text += row.map(cell).joined(separator: ",")
      text += "\r\n"
    }
    return Array(text.utf8)
  }

  /// A number as it is, and any other text so that no spreadsheet computes it.
  static func cell(_ text: String) -> String { Double(text) == nil ? CSVCell.text(text) : text }
}
