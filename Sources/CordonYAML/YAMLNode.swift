import Yams

/// A value of a YAML file with its line.
///
/// JSON is read by the same parser, because every JSON text is also YAML.
package struct YAMLNode {
  package var line: Int
  package var content: Content

  package init(line: Int, content: Content) {
    self.line = line
    self.content = content
  }

  package indirect enum Content {
    /// The text as written, without quotes; `isQuoted` distinguishes "12" from 12.
    case scalar(String, isQuoted: Bool)
    case list([YAMLNode])
    case map([Entry])
  }

  package struct Entry {
    package var key: String
    package var line: Int
    package var value: YAMLNode

    package init(key: String, line: Int, value: YAMLNode) {
      self.key = key
      self.line = line
      self.value = value
    }
  }

  /// Maximum size of a file, in bytes.
  package static let maximumTextLength = 1 << 20
  /// Maximum number of values in one file; an alias counts every time it is used.
  package static let maximumValues = 100_000

  /// Reads a whole file.
  package init(text: String) throws {
    guard text.utf8.count <= YAMLNode.maximumTextLength else {
      throw YAMLFault(line: 0, path: "", message: "the file is larger than 1 MiB")
    }
    let root: Node?
    do {
      root = try Yams.compose(yaml: text)
    } catch let error as YamlError {
      throw YAMLNode.translated(error)
    }
    guard let root else { throw YAMLFault(line: 1, path: "", message: "the file is empty") }
    var left = YAMLNode.maximumValues
    self = try YAMLNode(root, path: "", depth: 0, left: &left)
  }

  private init(_ node: Node, path: String, depth: Int, left: inout Int) throws {
    let line = node.mark?.line ?? 0
    left -= 1
    guard left > 0, depth < 32 else {
      throw YAMLFault(line: line, path: path, message: "the file has too many values, or nests them too deep")
    }
    self.line = line
    switch node {
    case .scalar(let scalar):
      content = .scalar(scalar.string, isQuoted: scalar.style == .singleQuoted || scalar.style == .doubleQuoted)
    case .sequence(let sequence):
      var items: [YAMLNode] = []
      for (index, item) in sequence.enumerated() {
        items.append(try YAMLNode(item, path: "\(path)[\(index)]", depth: depth + 1, left: &left))
      }
      content = .list(items)
    case .mapping(let mapping):
      var entries: [Entry] = []
      var seen: [String: Int] = [:]
      for (key, value) in mapping {
        guard case .scalar(let scalar) = key else {
          throw YAMLFault(line: key.mark?.line ?? line, path: path, message: "a key must be a word")
        }
        let name = scalar.string
        let keyLine = scalar.mark?.line ?? line
        let inner = path.isEmpty ? name : "\(path).\(name)"
        if let first = seen.updateValue(keyLine, forKey: name) {
          throw YAMLFault(line: keyLine, path: inner, message: "is defined twice; first on line \(first)")
        }
        entries.append(
          Entry(
            key: name, line: keyLine,
            value: try YAMLNode(value, path: inner, depth: depth + 1, left: &left)))
      }
      content = .map(entries)
    case .alias:
      throw YAMLFault(line: line, path: path, message: "an alias without an anchor")
    }
  }

  /// Whether the key has no value.
  package var isNull: Bool {
    guard case .scalar(let text, let isQuoted) = content, !isQuoted else { return false }
    return text.isEmpty || text == "~" || text == "null"
  }

  private static func translated(_ error: YamlError) -> YAMLFault {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      YAMLFault(line: mark.line, path: "", message: "invalid YAML: \(problem) (column \(mark.column))")
    case .duplicatedKeysInMapping(let names, let context):
      YAMLFault(line: context.mark.line, path: names.sorted().joined(separator: ", "), message: "is defined twice")
    case .reader(let problem, _, _, _): YAMLFault(line: 0, path: "", message: "invalid YAML: \(problem)")
    default: YAMLFault(line: 0, path: "", message: "invalid YAML")
    }
  }
}
