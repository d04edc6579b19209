import CordonSupport

/// The keys of a map, all of them known.
package struct YAMLFields {
  package let value: YAMLValue
  private let entries: [YAMLNode.Entry]

  package init(_ value: YAMLValue, known: [String]) throws {
    guard case .map(let entries) = value.node.content else {
      throw value.fail("must have keys: \(known.joined(separator: ", "))")
    }
    for entry in entries where !known.contains(entry.key) {
      throw YAMLFault(
        line: entry.line, path: value.path.isEmpty ? entry.key : "\(value.path).\(entry.key)",
        message:
          "unknown key\(Suggestion.hint(for: entry.key, among: known)); known here: \(known.joined(separator: ", "))")
    }
    self.value = value
    self.entries = entries
  }

  /// Returns the value of a key; `nil` if the key is missing or empty.
  package subscript(_ key: String) -> YAMLValue? {
    guard let entry = entries.first(where: { $0.key == key }), !entry.value.isNull else { return nil }
    return YAMLValue(node: entry.value, path: value.path.isEmpty ? key : "\(value.path).\(key)")
  }

  package func required(_ key: String) throws -> YAMLValue {
    guard let found = self[key] else { throw value.fail("needs '\(key)'") }
    return found
  }
}
