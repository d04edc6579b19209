/// Measurements, as a table for people or one JSON object for scripts.
public struct Table {
  /// One measurement.
  public struct Row {
    var name: String
    var unit: String
    var fastest: Double
    var median: Double
    var limit: Double?
    var note: String
  }

  private let schema: String
  private var rows: [Row] = []

  /// `schema` is the first value of the JSON object.
  public init(schema: String) { self.schema = schema }

  /// Adds a measurement in `unit`; `limit` is the target maximum.
  public mutating func add(
    _ name: String, _ time: (fastest: Double, median: Double), per count: Double, unit: String, limit: Double? = nil,
    note: String = ""
  ) {
    rows.append(
      Row(
        name: name, unit: unit, fastest: time.fastest / count, median: time.median / count, limit: limit, note: note))
  }

  /// Prints all rows.
  public func show(asJSON: Bool) {
    if asJSON {
      let objects = rows.map { row in
        let limit = row.limit.map { ", \"limit\": \($0)" } ?? ""
        return
          "{\"name\": \"\(row.name)\", \"unit\": \"\(row.unit)\", \"fastest\": \(row.fastest), \"median\": \(row.median)\(limit), \"note\": \"\(row.note)\"}"
      }
      print("{\"schema\": \"\(schema)\", \"measurements\": [\n  \(objects.joined(separator: ",\n  "))\n]}")
      return
    }
    let width = rows.map(\.name.count).max() ?? 0
    for row in rows {
      let name = row.name + String(repeating: " ", count: width - row.name.count)
      let limit = row.limit.map { "  (wanted: \(Table.rounded($0)))" } ?? ""
      print("\(name)  \(Table.rounded(row.fastest)) / \(Table.rounded(row.median)) \(row.unit)\(limit)  \(row.note)")
    }
    print("CPU time of one thread, fastest / median of the runs.")
  }

  private static func rounded(_ value: Double) -> String {
    let scaled = (value * 100).rounded()
    guard abs(scaled) < 1e15 else { return "\(value)" }
    let text = String(abs(Int(scaled)))
    let padded = String(repeating: "0", count: max(0, 3 - text.count)) + text
    return (scaled < 0 ? "-" : "") + padded.dropLast(2) + "." + padded.suffix(2)
  }
}
