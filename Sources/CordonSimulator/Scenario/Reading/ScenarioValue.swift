import CordonCore
import CordonSupport

/// A value of a scenario file with its path, with conversions for the readers of single keys.
struct ScenarioValue {
  let node: ScenarioNode
  let path: String

  func fail(_ message: String) -> ScenarioError { ScenarioError(line: node.line, path: path, message: message) }

  var text: String {
    get throws {
      guard case .scalar(let text, _) = node.content, !node.isNull else { throw fail("must be a text") }
      return text
    }
  }

  func number(in range: ClosedRange<Double>) throws -> Double {
    guard case .scalar(let text, isQuoted: false) = node.content, let value = Double(text), value.isFinite else {
      throw fail("must be a number")
    }
    guard range.contains(value) else {
      throw fail(
        "must be between \(ScenarioValue.plain(range.lowerBound)) and \(ScenarioValue.plain(range.upperBound)), not \(text)"
      )
    }
    return value
  }

  func whole(in range: ClosedRange<Int>) throws -> Int {
    guard case .scalar(let text, isQuoted: false) = node.content, let value = Int(text) else {
      throw fail("must be a whole number")
    }
    guard range.contains(value) else {
      throw fail("must be between \(range.lowerBound) and \(range.upperBound), not \(value)")
    }
    return value
  }

  var truth: Bool {
    get throws {
      switch try text {
      case "true": return true
      case "false": return false
      default: throw fail("must be true or false")
      }
    }
  }

  func span(in range: ClosedRange<TimeSpan>) throws -> TimeSpan {
    let text = try text
    guard let span = TimeSpan(parsing: text) else {
      throw fail("must be a duration such as 30s, 5m or 2h, not '\(text)'")
    }
    guard range.contains(span) else {
      throw fail("must be between \(range.lowerBound) and \(range.upperBound), not \(text)")
    }
    return span
  }

  /// The value as a time of day, such as `08:30` or `24:00`.
  var clock: ClockTime {
    get throws {
      let text = try text
      guard let time = ClockTime(text) else { throw fail("must be a time of day such as 08:30, not '\(text)'") }
      return time
    }
  }

  /// The items of a list; a single value counts as a list of one item.
  var items: [ScenarioValue] {
    switch node.content {
    case .list(let nodes): nodes.enumerated().map { ScenarioValue(node: $1, path: "\(path)[\($0)]") }
    default: node.isNull ? [] : [self]
    }
  }

  var texts: [String] { get throws { try items.map { try $0.text } } }

  func choice<Choice: RawRepresentable & CaseIterable>(_ type: Choice.Type) throws -> Choice
  where Choice.RawValue == String {
    let text = try text
    if let choice = Choice(rawValue: text) { return choice }
    let names = Choice.allCases.map(\.rawValue)
    throw fail("'\(text)' is not one of \(names.joined(separator: ", "))\(Suggestion.hint(for: text, among: names))")
  }

  /// Returns the keys of a map, and fails for keys that are not known.
  func fields(_ known: [String]) throws -> ScenarioFields { try ScenarioFields(self, known: known) }

  var isMap: Bool { if case .map = node.content { true } else { false } }

  static func plain(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }
}

/// The keys of a map, all of them known.
struct ScenarioFields {
  let value: ScenarioValue
  private let entries: [ScenarioNode.Entry]

  init(_ value: ScenarioValue, known: [String]) throws {
    guard case .map(let entries) = value.node.content else {
      throw value.fail("must have keys: \(known.joined(separator: ", "))")
    }
    for entry in entries where !known.contains(entry.key) {
      throw ScenarioError(
        line: entry.line, path: value.path.isEmpty ? entry.key : "\(value.path).\(entry.key)",
        message:
          "unknown key\(Suggestion.hint(for: entry.key, among: known)); known here: \(known.joined(separator: ", "))")
    }
    self.value = value
    self.entries = entries
  }

  /// Returns the value of a key; `nil` if the key is missing or empty.
  subscript(_ key: String) -> ScenarioValue? {
    guard let entry = entries.first(where: { $0.key == key }), !entry.value.isNull else { return nil }
    return ScenarioValue(node: entry.value, path: value.path.isEmpty ? key : "\(value.path).\(key)")
  }

  func required(_ key: String) throws -> ScenarioValue {
    guard let found = self[key] else { throw value.fail("needs '\(key)'") }
    return found
  }
}
