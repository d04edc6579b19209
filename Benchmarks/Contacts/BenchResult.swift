import Foundation
import Measuring

/// The figures of one row.
struct BenchResult {
  /// A bound on a figure.
  struct Goal {
    var figure: String
    var bound: Double
    /// Whether the bound is a minimum; otherwise it is a maximum.
    var isLeast: Bool
  }

  var name: String
  var isRight: Bool
  /// Names and values, in order.
  var figures: [(name: String, value: Double)]
  var goals: [Goal] = []
  var note = ""

  /// Names of figures carry their unit.
  var json: String {
    var members = ["\"name\":\"\(name)\"", "\"right\":\(isRight)"]
    members += figures.map { "\"\($0.name)\":\(BenchResult.text($0.value))" }
    members.append(
      "\"goals\":{"
        + goals.map { "\"\($0.figure)\":\"\($0.isLeast ? "at least" : "at most") \(BenchResult.text($0.bound))\"" }
        .joined(separator: ",") + "}")
    members.append("\"missed\":[" + missed.map { "\"\($0.figure)\"" }.joined(separator: ",") + "]")
    if !note.isEmpty { members.append("\"note\":\"\(note)\"") }
    return "{" + members.joined(separator: ",") + "}"
  }

  private var missed: [Goal] {
    goals.filter { goal in
      guard let value = figures.first(where: { $0.name == goal.figure })?.value else { return true }
      return goal.isLeast ? value < goal.bound : value > goal.bound
    }
  }

  private static func text(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(format: "%.6g", value)
  }
}

/// Processor time and memory of this process.
enum Usage {
  static var cpu: Double { cpuSeconds() }

  static var peakMebibytes: Double { peakBytes() / 1_048_576 }

  static var wall: Double { Date().timeIntervalSince1970 }
}
