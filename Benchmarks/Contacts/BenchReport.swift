import Foundation

/// Runs each row in its own process and shows the figures.
struct BenchReport {
  let options: BenchOptions

  init(_ options: BenchOptions) { self.options = options }

  /// Returns whether every result was correct. A missed goal is shown but is not a failure: other work on the machine
  /// slows everything down.
  func run() throws -> Bool {
    var lines: [String] = []
    var isRight = true
    for row in options.rows {
      for line in try measure(row) {
        guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else { continue }
        lines.append(line)
        isRight = isRight && object["right"] as? Bool == true
        if !options.json { show(line, object) }
      }
    }
    if options.json {
      print("{\"schema\":\"cordon.bench-contacts/1\",\"results\":[\(lines.joined(separator: ","))]}")
    }
    return isRight
  }

  private func measure(_ row: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
    process.arguments = [
      "--row", row, "--data", options.data, "--peers", options.peers, "--runs", String(options.runs),
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchError(message: "\(row) was not measured") }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Prints the figures in the order of the row.
  private func show(_ line: String, _ object: [String: Any]) {
    let missed = object["missed"] as? [String] ?? []
    let goals = object["goals"] as? [String: String] ?? [:]
    var text = "\(object["name"] ?? ""): \(object["right"] as? Bool == true ? "right answer" : "WRONG ANSWER")\n"
    for part in line.split(separator: ",") {
      let words = part.split(separator: ":").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "{}\"")) }
      if words.first == "goals" { break }
      guard words.count == 2, words[0] != "name", words[0] != "right", let value = object[words[0]] as? NSNumber else {
        continue
      }
      let goal = goals[words[0]].map { " (\($0)\(missed.contains(words[0]) ? ": MISSED" : ""))" } ?? ""
      text += "  \(words[0]) \(value)\(goal)\n"
    }
    if let note = object["note"] as? String { text += "  \(note)\n" }
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
