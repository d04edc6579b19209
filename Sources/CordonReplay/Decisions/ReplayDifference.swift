import Foundation

/// The first difference between two decision logs.
package struct ReplayDifference: Hashable, Sendable {
  /// The line in the first log, from 1.
  package var line: Int
  /// The line's text in the first log; `nil` if it ends earlier.
  package var first: String?
  /// The line's text in the second log; `nil` if it ends earlier.
  package var second: String?

  /// Creates a difference from its parts.
  package init(line: Int, first: String?, second: String?) {
    self.line = line
    self.first = first
    self.second = second
  }

  /// Compares the decisions of two logs of JSON Lines, or of text; `nil` if they are equal.
  ///
  /// The comparison ignores the heads with the assumptions, and the file and the line of each fix.
  ///
  /// Complexity: O(*n*), where *n* is the length of the logs.
  package static func between(_ first: String, _ second: String) -> ReplayDifference? {
    if first == second { return nil }
    let (one, two) = (Parts(first), Parts(second))
    for index in 0..<max(one.decisions.count, two.decisions.count) {
      let a = index < one.decisions.count ? String(one.decisions[index]) : nil
      let b = index < two.decisions.count ? String(two.decisions[index]) : nil
      if a != b, a.map(decision) != b.map(decision) {
        return ReplayDifference(line: one.head.count + index + 1, first: a, second: b)
      }
    }
    return nil
  }

  /// Returns a line of a log without the file and the line of the fix in the trace.
  private static func decision(_ line: String) -> String {
    guard line.hasPrefix("{") else {
      // In text, the device and the decision follow the time, each after two spaces.
      return line.replacing(/^(\S+  .*?  fix \d+) \(.*?:\d+\)(?=( of \S+)?: )/) { String($0.output.1) }
    }
    guard var object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
      object["event"] as? String == "fix"
    else { return line }
    object["file"] = nil
    object["line"] = nil
    guard let data = try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys) else { return line }
    return String(decoding: data, as: UTF8.self)
  }

  /// Returns whether a text is a decision log, of JSON Lines or of text.
  package static func isLog(_ text: String) -> Bool {
    guard let first = Parts(text).decisions.first(where: { !$0.isEmpty }) else { return !Parts(text).head.isEmpty }
    return !Parts(text).head.isEmpty || first.prefixMatch(of: /\d{4}-\d\d-\d\dT[0-9:.]+Z\s\s\S/) != nil
  }

  /// Returns whether the heads of two logs differ, that is, their assumptions or whether they show refused fixes.
  package static func isOfHeads(_ first: String, _ second: String) -> Bool { Parts(first).head != Parts(second).head }

  private struct Parts {
    var head: [Substring]
    var decisions: [Substring]

    init(_ log: String) {
      let lines = log.split(separator: "\n", omittingEmptySubsequences: false)
      let starts = ["{\"schema\":\"cordon.decisions/", "assumed: ", "this log shows where refused fixes were"]
      let count = lines.prefix { line in starts.contains { line.hasPrefix($0) } }.count
      head = Array(lines[..<count])
      decisions = Array(lines[count...])
    }
  }

  /// The device and the event of a log line.
  package struct Subject: Hashable, Sendable {
    /// The device.
    package var device: String
    /// The event, such as `fix`.
    package var event: String
    /// The index of the fix, if the line is about one.
    package var index: Int?

    /// Creates a subject from its parts.
    package init(device: String, event: String, index: Int? = nil) {
      self.device = device
      self.event = event
      self.index = index
    }
  }

  /// The subject of the line in the first log, or in the second if the first has ended; `nil` for logs of text.
  package var subject: Subject? {
    guard let line = first.flatMap({ $0.isEmpty ? nil : $0 }) ?? second,
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
      let device = object["device"] as? String, let event = object["event"] as? String
    else { return nil }
    return Subject(device: device, event: event, index: object["index"] as? Int ?? object["fix"] as? Int)
  }
}
