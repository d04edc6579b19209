import CordonCore
import CordonExchange

/// Writes a table of flat rows as CSV, or as JSON Lines when the name ends so.
enum TableFile {
  static func write(_ rows: [[JSONValue.Member]], header: [String] = [], to path: String) throws {
    let file = try RowFile(path: path)
    if path.hasSuffix(".jsonl") || path.hasSuffix(".ndjson") {
      for row in rows { try file.write(JSONValue.object(row).text() + "\n") }
    } else {
      let columns = rows.first?.map(\.key) ?? header
      if !columns.isEmpty { try file.write(columns.joined(separator: ",") + "\n") }
      for row in rows { try file.write(row.map { cell($0.value) }.joined(separator: ",") + "\n") }
    }
    try file.finish()
  }

  private static func cell(_ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .string(let text): TextEscape.csv(text)
    default: TextEscape.csv(value.text())
    }
  }
}
