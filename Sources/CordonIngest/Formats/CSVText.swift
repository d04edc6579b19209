/// Tables for spreadsheets (RFC 4180).
///
/// A cell that a spreadsheet would read as a formula gets an apostrophe in front: device names are chosen by clients.
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

  static func cell(_ text: String) -> String {
    var text = text
    if let first = text.unicodeScalars.first, "=+-@\t\r\n|%".unicodeScalars.contains(first), Double(text) == nil {
      text = "'" + text
    }
    let needsQuotes = text.unicodeScalars.contains { $0 == "," || $0 == "\"" || $0 == "\r" || $0 == "\n" || $0 == ";" }
    guard needsQuotes else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
