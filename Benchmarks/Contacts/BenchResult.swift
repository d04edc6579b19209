import Foundation

/// One line of figures.
struct BenchResult {
  var name: String
  var isRight: Bool
  /// Names and values, in order.
  var figures: [(name: String, value: Double)]
  var note = ""

  var json: String {
    var members = ["\"name\":\"\(name)\"", "\"right\":\(isRight)"]
    members += figures.map { "\"\($0.name)\":\(String(format: "%.6g", $0.value))" }
    if !note.isEmpty { members.append("\"note\":\"\(note)\"") }
    return "{" + members.joined(separator: ",") + "}"
  }

  var text: String {
    let values = figures.map { "\($0.name) \(String(format: "%.6g", $0.value))" }.joined(separator: "  ")
    return "\(name): \(isRight ? "right" : "WRONG")  \(values)\(note.isEmpty ? "" : "  \(note)")"
  }
}

/// Processor time and memory of this process.
enum Usage {
  static var cpu: Double {
    var usage = rusage()
    getrusage(who, &usage)
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  static var peakMebibytes: Double {
    var usage = rusage()
    getrusage(who, &usage)
    #if os(Linux)
      return Double(usage.ru_maxrss) / 1_024
    #else
      return Double(usage.ru_maxrss) / 1_048_576
    #endif
  }

  static var wall: Double { Date().timeIntervalSince1970 }

  #if os(Linux)
    private static let who = __rusage_who_t(RUSAGE_SELF.rawValue)
  #else
    private static let who = RUSAGE_SELF
  #endif

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
