import CordonYAML

/// Writes scenarios as readable YAML.
enum YAMLText {
  private static let width = 110

  /// Returns the text of a value.
  ///
  /// Keys keep their order. Maps and lists that fit on a line are written in one; keys without a value are left out.
  static func text(of node: YAMLNode) -> String {
    var lines: [String] = []
    append(node, indent: 0, to: &lines)
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a text as a scalar, quoted if it would otherwise be read as something else.
  static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty && text.first != " " && text.last != " "
      && !text.contains { "{}[],#&*!|>'\"%@`\n\t".contains($0) } && !text.contains(": ") && !text.hasSuffix(":")
      && !text.hasPrefix("- ") && !text.hasPrefix("? ") && text != "-" && text != "~"
      && !["null", "true", "false", "yes", "no"].contains(text.lowercased()) && Double(text) == nil
    guard !isPlain else { return text }
    return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
  }

  private static func append(_ node: YAMLNode, indent: Int, to lines: inout [String]) {
    let space = String(repeating: " ", count: indent)
    switch node.content {
    case .scalar: lines.append(space + flow(node))
    case .map(let entries):
      for entry in entries where !entry.value.isNull {
        let short = "\(space)\(quoted(entry.key)): \(flow(entry.value))"
        // Top keys and people are easier to read in blocks.
        if short.count <= width, !isBlock(entry.value, indent) {
          lines.append(short)
        } else {
          lines.append("\(space)\(quoted(entry.key)):")
          append(entry.value, indent: indent + 2, to: &lines)
        }
      }
    case .list(let nodes):
      for node in nodes {
        let short = "\(space)- \(flow(node))"
        if short.count <= width, !isBlock(node, indent) {
          lines.append(short)
        } else {
          let first = lines.count
          append(node, indent: indent + 2, to: &lines)
          guard lines.indices.contains(first) else { continue }
          lines[first] = space + "- " + lines[first].dropFirst(indent + 2)
        }
      }
    }
  }

  /// Whether a value is written over several lines although it fits on one: lists of maps at the top, and maps of maps.
  private static func isBlock(_ node: YAMLNode, _ indent: Int) -> Bool {
    switch node.content {
    case .scalar: false
    case .list(let nodes): indent == 0 && nodes.contains { if case .map = $0.content { true } else { false } }
    case .map(let entries):
      flow(node).count > 60 && entries.contains { if case .map = $0.value.content { true } else { false } }
    }
  }

  private static func flow(_ node: YAMLNode) -> String {
    switch node.content {
    case .scalar(let text, let isQuoted):
      guard isQuoted || text.contains("\n") else {
        return node.isNull || Double(text) != nil || text == "true" || text == "false" ? text : quoted(text)
      }
      let plain = quoted(text)
      return plain == text ? "\"\(text.replacing("\\", with: "\\\\"))\"" : plain
    case .list(let nodes): return "[" + nodes.map(flow).joined(separator: ", ") + "]"
    case .map(let entries):
      return "{"
        + entries.filter { !$0.value.isNull }.map { "\(quoted($0.key)): \(flow($0.value))" }.joined(separator: ", ")
        + "}"
    }
  }
}

extension ScenarioChange {
  /// Returns the text of a scenario after some changes, with the same keys in the same order. Comments are not kept.
  /// - Throws: ``ScenarioError`` for a text that cannot be read, or a change that has no place in it.
  package static func apply(_ changes: [ScenarioChange], toText text: String) throws -> String {
    do {
      var root = try YAMLNode(text: text)
      for change in changes { try change.apply(to: &root) }
      return YAMLText.text(of: root)
    } catch let fault as YAMLFault {
      throw ScenarioError(line: fault.line, path: fault.path, message: fault.message)
    }
  }
}
