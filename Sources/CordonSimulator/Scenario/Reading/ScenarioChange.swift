import CordonYAML
import Foundation

/// A value that replaces one in a scenario file.
package struct ScenarioChange: Hashable, Sendable {
  /// The path to the value, as errors state it: `policies.stagger`, `populations[0].size`, `populations[staff].size`.
  package var path: String
  /// The new value as it would be written in the file; `null` removes the key.
  package var value: String

  /// Creates a change from its parts.
  package init(path: String, value: String) {
    self.path = path
    self.value = value
  }

  /// Reads a text such as `policies.stagger=30m`; returns `nil` for a text without a path or without `=`.
  package init?(_ text: String) {
    guard let sign = text.firstIndex(of: "="), sign != text.startIndex else { return nil }
    path = text[..<sign].trimmingCharacters(in: .whitespaces)
    value = String(text[text.index(after: sign)...])
    guard !path.isEmpty else { return nil }
  }

  fileprivate enum Step {
    case key(String)
    /// An item of a list, by number or by its `name`.
    case item(String)
  }

  private var steps: [Step]? {
    var steps: [Step] = []
    for part in path.split(separator: ".", omittingEmptySubsequences: false) {
      let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
      guard let key = pieces.first, !key.isEmpty else { return nil }
      steps.append(.key(String(key)))
      for piece in pieces.dropFirst() {
        guard piece.hasSuffix("]"), piece.count > 1 else { return nil }
        steps.append(.item(String(piece.dropLast())))
      }
    }
    return steps
  }

  /// Replaces the value. Missing keys are added; the reader reports unknown ones.
  func apply(to root: inout YAMLNode) throws {
    guard let steps else {
      throw ScenarioError(
        line: 0, path: path, message: "is not a path to a value; examples: policies.stagger, populations[0].size")
    }
    var node: YAMLNode
    do {
      node = try YAMLNode(text: value)
    } catch var error as YAMLFault {
      error.path = path
      error.line = 0
      if value.allSatisfy(\.isWhitespace) { error.message = "needs a value after '='" }
      throw error
    }
    node.forgetLines()
    try root.put(node, steps[...], path: path)
  }
}

extension YAMLNode {
  /// Removes the line numbers, because values of the command line have no line in the file.
  fileprivate mutating func forgetLines() {
    line = 0
    switch content {
    case .scalar: break
    case .list(var nodes):
      for index in nodes.indices { nodes[index].forgetLines() }
      content = .list(nodes)
    case .map(var entries):
      for index in entries.indices {
        entries[index].line = 0
        entries[index].value.forgetLines()
      }
      content = .map(entries)
    }
  }

  fileprivate mutating func put(_ node: YAMLNode, _ steps: ArraySlice<ScenarioChange.Step>, path: String) throws {
    guard let step = steps.first else {
      self = node
      return
    }
    switch step {
    case .key(let key):
      var entries: [Entry] = []
      if case .map(let present) = content {
        entries = present
      } else if !isNull {
        throw ScenarioError(
          line: line, path: path, message: "has no key '\(key)': the value is not a map")
      }
      if let index = entries.firstIndex(where: { $0.key == key }) {
        try entries[index].value.put(node, steps.dropFirst(), path: path)
      } else {
        var value = YAMLNode(line: 0, content: .scalar("", isQuoted: false))
        try value.put(node, steps.dropFirst(), path: path)
        entries.append(Entry(key: key, line: 0, value: value))
      }
      content = .map(entries)
    case .item(let name):
      guard case .list(var nodes) = content else {
        throw ScenarioError(line: line, path: path, message: "has no item '\(name)': the value is not a list")
      }
      guard let index = Int(name) ?? nodes.firstIndex(where: { $0.name == name }), nodes.indices.contains(index) else {
        throw ScenarioError(
          line: line, path: path, message: "no item '\(name)' in the list of \(nodes.count)")
      }
      try nodes[index].put(node, steps.dropFirst(), path: path)
      content = .list(nodes)
    }
  }

  /// The value of the key `name` of a map.
  private var name: String? {
    guard case .map(let entries) = content, let entry = entries.first(where: { $0.key == "name" }),
      case .scalar(let text, _) = entry.value.content
    else { return nil }
    return text
  }
}
