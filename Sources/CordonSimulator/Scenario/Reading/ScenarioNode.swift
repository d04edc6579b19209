import Foundation
import Yams

/// A value of a scenario file with its line.
///
/// JSON is read by the same parser, because every JSON text is also YAML.
struct ScenarioNode {
  var line: Int
  var content: Content

  init(line: Int, content: Content) {
    self.line = line
    self.content = content
  }

  indirect enum Content {
    /// The text as written, without quotes; `isQuoted` distinguishes "12" from 12.
    case scalar(String, isQuoted: Bool)
    case list([ScenarioNode])
    case map([Entry])
  }

  struct Entry {
    var key: String
    var line: Int
    var value: ScenarioNode
  }

  /// Maximum size of a file, in bytes.
  static let maximumTextLength = 1 << 20
  /// Maximum number of values in one file; an alias counts every time it is used.
  static let maximumValues = 100_000

  /// Reads a whole file.
  init(text: String) throws {
    guard text.utf8.count <= ScenarioNode.maximumTextLength else {
      throw ScenarioError(line: 0, path: "", message: "the file is larger than 1 MiB")
    }
    let root: Node?
    do {
      root = try Yams.compose(yaml: text)
    } catch let error as YamlError {
      throw ScenarioNode.translated(error)
    }
    guard let root else { throw ScenarioError(line: 1, path: "", message: "the file is empty") }
    var left = ScenarioNode.maximumValues
    self = try ScenarioNode(root, path: "", depth: 0, left: &left)
  }

  private init(_ node: Node, path: String, depth: Int, left: inout Int) throws {
    let line = node.mark?.line ?? 0
    left -= 1
    guard left > 0, depth < 32 else {
      throw ScenarioError(line: line, path: path, message: "the file has too many values, or nests them too deep")
    }
    self.line = line
    switch node {
    case .scalar(let scalar):
      content = .scalar(scalar.string, isQuoted: scalar.style == .singleQuoted || scalar.style == .doubleQuoted)
    case .sequence(let sequence):
      var items: [ScenarioNode] = []
      for (index, item) in sequence.enumerated() {
        items.append(try ScenarioNode(item, path: "\(path)[\(index)]", depth: depth + 1, left: &left))
      }
      content = .list(items)
    case .mapping(let mapping):
      var entries: [Entry] = []
      var seen: [String: Int] = [:]
      for (key, value) in mapping {
        guard case .scalar(let scalar) = key else {
          throw ScenarioError(line: key.mark?.line ?? line, path: path, message: "a key must be a word")
        }
        let name = scalar.string
        let keyLine = scalar.mark?.line ?? line
        let inner = path.isEmpty ? name : "\(path).\(name)"
        if let first = seen.updateValue(keyLine, forKey: name) {
          throw ScenarioError(line: keyLine, path: inner, message: "is defined twice; first on line \(first)")
        }
        entries.append(
          Entry(
            key: name, line: keyLine,
            value: try ScenarioNode(value, path: inner, depth: depth + 1, left: &left)))
      }
      content = .map(entries)
    case .alias:
      throw ScenarioError(line: line, path: path, message: "an alias without an anchor")
    }
  }

  /// Whether the key has no value.
  var isNull: Bool {
    guard case .scalar(let text, let isQuoted) = content, !isQuoted else { return false }
    return text.isEmpty || text == "~" || text == "null"
  }

  private static func translated(_ error: YamlError) -> ScenarioError {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      ScenarioError(line: mark.line, path: "", message: "invalid YAML: \(problem) (column \(mark.column))")
    case .duplicatedKeysInMapping(let names, let context):
      ScenarioError(line: context.mark.line, path: names.sorted().joined(separator: ", "), message: "is defined twice")
    case .reader(let problem, _, _, _): ScenarioError(line: 0, path: "", message: "invalid YAML: \(problem)")
    default: ScenarioError(line: 0, path: "", message: "invalid YAML")
    }
  }
}
