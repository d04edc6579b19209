/// The rows to measure, and their inputs.
struct BenchOptions {
  /// The folder with the generator's files.
  var data = "data"
  /// The folder with the peers' programs; empty for none.
  var peers = ""
  var runs = 5
  var json = false
  var rows: [String] = []
  /// Whether this process only measures rows, which another process reports.
  var isRow = false

  static let allRows = Workload.all.map(\.name) + ["threads", "sight", "probable", "stream", "csv"]

  init(_ arguments: some Sequence<String>) throws {
    var rest = Array(arguments)[...]
    while let word = rest.popFirst() {
      switch word {
      case "--data": data = try value(of: word, &rest)
      case "--peers": peers = try value(of: word, &rest)
      case "--runs":
        guard let number = Int(try value(of: word, &rest)), number > 0 else {
          throw BenchError(message: "--runs must be a number from 1 up")
        }
        runs = number
      case "--json": json = true
      case "--row": isRow = true
      default:
        guard BenchOptions.allRows.contains(word) else {
          throw BenchError(message: "\(word): the rows are \(BenchOptions.allRows.joined(separator: ", "))")
        }
        rows.append(word)
      }
    }
    if rows.isEmpty { rows = BenchOptions.allRows }
  }

  private func value(of option: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else { throw BenchError(message: "\(option) needs a value") }
    return value
  }
}

/// The reason why nothing was measured.
struct BenchError: Error, CustomStringConvertible {
  var message: String
  var description: String { message }
}
