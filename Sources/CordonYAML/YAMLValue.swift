import CordonSupport

/// A value of a YAML file with its path, with conversions for the readers of single keys.
package struct YAMLValue {
  /// The value.
  package let node: YAMLNode
  /// The path to it, such as `populations[0].size`; empty for the whole file.
  package let path: String

  /// Creates a value at a path.
  package init(node: YAMLNode, path: String) {
    self.node = node
    self.path = path
  }

  package func fail(_ message: String) -> YAMLFault { YAMLFault(line: node.line, path: path, message: message) }

  package var text: String {
    get throws {
      guard case .scalar(let text, _) = node.content, !node.isNull else { throw fail("must be a text") }
      return text
    }
  }

  package func number(in range: ClosedRange<Double>) throws -> Double {
    guard case .scalar(let text, isQuoted: false) = node.content, let value = Double(text), value.isFinite else {
      throw fail("must be a number")
    }
    guard range.contains(value) else {
      throw fail(
        "must be between \(YAMLValue.plain(range.lowerBound)) and \(YAMLValue.plain(range.upperBound)), not \(text)"
      )
    }
    return value
  }

  package func whole(in range: ClosedRange<Int>) throws -> Int {
    guard case .scalar(let text, isQuoted: false) = node.content, let value = Int(text) else {
      throw fail("must be a whole number")
    }
    guard range.contains(value) else {
      throw fail("must be between \(range.lowerBound) and \(range.upperBound), not \(value)")
    }
    return value
  }

  package var truth: Bool {
    get throws {
      switch try text {
      case "true": return true
      case "false": return false
      default: throw fail("must be true or false")
      }
    }
  }

  /// The items of a list; a single value counts as a list of one item.
  package var items: [YAMLValue] {
    switch node.content {
    case .list(let nodes): nodes.enumerated().map { YAMLValue(node: $1, path: "\(path)[\($0)]") }
    default: node.isNull ? [] : [self]
    }
  }

  package var texts: [String] { get throws { try items.map { try $0.text } } }

  package func choice<Choice: RawRepresentable & CaseIterable>(_ type: Choice.Type) throws -> Choice
  where Choice.RawValue == String {
    let text = try text
    if let choice = Choice(rawValue: text) { return choice }
    let names = Choice.allCases.map(\.rawValue)
    throw fail("'\(text)' is not one of \(names.joined(separator: ", "))\(Suggestion.hint(for: text, among: names))")
  }

  /// Returns the keys of a map, and fails for keys that are not known.
  package func fields(_ known: [String]) throws -> YAMLFields { try YAMLFields(self, known: known) }

  package var isMap: Bool { if case .map = node.content { true } else { false } }

  package static func plain(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }
}
