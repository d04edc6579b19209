import CordonCore
import CordonMonitoring
import Yams

/// The expected results of a replay, read from a short YAML file.
///
/// ```yaml
/// schema: cordon.expect/1
/// venue: ../venues/office.mvf.zip   # beside this file; read when no other venue is named
/// devices:
///   walk:
///     stored: 12              # rows that were kept
///     thinned: 3
///     refused: {outside: 4, stale: 0}
///     enter: [2026-01-05T09:00:10Z]   # first kept fix after an absence
///     exit: [2026-01-05T09:05:00Z]    # first fix outside after a kept one
///     within: 5s              # tolerance of enter and exit (default 1s)
///     spaces: [lobby, office-3]       # in order; by identifier or name
/// contacts:
///   - {between: [walk, other], seconds: 60, within: 10s}
/// contact_count: 1
/// stored_outside: 0
/// ```
///
/// Missing keys are not checked. A file without expectations is an error. Lists are complete and in order.
package struct Expectations: Sendable {
  /// One expectation.
  package struct Expectation: Hashable, Sendable {
    /// The compared quantity.
    enum Subject: Hashable, Sendable {
      case stored(String), thinned(String), fixes(String), acknowledged(String)
      case refused(String, reason: String)
      case enters(String, TimeSpan), exits(String, TimeSpan)
      case spaces(String)
      case contact([String], TimeSpan)
      case contactCount, storedOutside
    }

    var subject: Subject
    /// The name, such as `devices.walk.enter`.
    package var name: String
    /// The line in the file, from 1.
    package var line: Int
    var numbers: [Double] = []
    var times: [Instant] = []
    var texts: [String] = []
    /// Where the number, or the list, is written.
    var source: YAMLSource?
    /// Where the elements of a list are written.
    var elements: [YAMLSource] = []
  }

  /// The expectations in the order of the file.
  package var list: [Expectation] = []
  /// The venue that the file names: a path, from the folder of the file; `nil` when it names none.
  package var venue: String?

  /// The fault that the parser found, and its place; the file is not quoted.
  private static func malformed(_ error: any Error) -> ExpectationError {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      ExpectationError(line: mark.line, "is not YAML: \(problem) (column \(mark.column))")
    case .reader(let problem, _, _, _): ExpectationError(line: nil, "is not YAML: \(problem)")
    default: ExpectationError(line: nil, "is not YAML")
    }
  }

  /// Reads the file.
  ///
  /// - Throws: ``ExpectationError`` if the text is not YAML, contains an unknown key or an invalid value, or expects
  ///   nothing.
  package init(yaml: String) throws(ExpectationError) {
    let root: Node?
    do {
      root = try Yams.compose(yaml: yaml)
    } catch {
      throw Expectations.malformed(error)
    }
    guard let root, let mapping = root.mapping else {
      throw ExpectationError(line: 1, "is not a mapping of expectations")
    }
    for (key, value) in mapping {
      switch key.string {
      case "schema":
        guard value.string == "cordon.expect/1" else {
          throw ExpectationError(line: value.line, "the schema must be cordon.expect/1")
        }
      case "venue":
        guard let path = value.string, !path.isEmpty else {
          throw ExpectationError(line: value.line, "venue must be the path of a venue")
        }
        venue = path
      case "devices":
        guard let devices = value.mapping else { throw ExpectationError(line: value.line, "devices must be a mapping") }
        for (name, body) in devices { try readDevice(name.string ?? "", body) }
      case "contacts":
        guard let contacts = value.sequence else { throw ExpectationError(line: value.line, "contacts must be a list") }
        for (index, contact) in contacts.enumerated() { try readContact(contact, index) }
      case "contact_count": try add(.contactCount, "contact_count", value)
      case "stored_outside": try add(.storedOutside, "stored_outside", value)
      default: throw ExpectationError(line: key.line, "\(key.string ?? "this") is nothing that can be expected")
      }
    }
    // A test that compares nothing would always pass.
    guard !list.isEmpty else { throw ExpectationError(line: 1, "expects nothing") }
  }

  private mutating func add(_ subject: Expectation.Subject, _ name: String, _ node: Node) throws(ExpectationError) {
    guard let number = node.scalar.flatMap({ Double($0.string) }) else {
      throw ExpectationError(line: node.line, "\(name) must be a number")
    }
    list.append(
      Expectation(subject: subject, name: name, line: node.line ?? 1, numbers: [number], source: YAMLSource(node)))
  }

  private mutating func readDevice(_ device: String, _ node: Node) throws(ExpectationError) {
    guard let body = node.mapping else { throw ExpectationError(line: node.line, "\(device) must be a mapping") }
    let name = "devices.\(device)"
    let tolerance = try Expectations.span(body["within"], "\(name).within") ?? .seconds(1)
    for (key, value) in body {
      switch key.string {
      case "stored": try add(.stored(device), "\(name).stored", value)
      case "thinned": try add(.thinned(device), "\(name).thinned", value)
      case "fixes": try add(.fixes(device), "\(name).fixes", value)
      case "acknowledged": try add(.acknowledged(device), "\(name).acknowledged", value)
      case "refused":
        guard let reasons = value.mapping else {
          throw ExpectationError(line: value.line, "\(name).refused must be a mapping of reasons")
        }
        for (reason, count) in reasons {
          let word = reason.string ?? ""
          guard RefusalReason(rawValue: word) != nil else {
            throw ExpectationError(line: reason.line, "\(word) is not a reason to refuse a fix")
          }
          try add(.refused(device, reason: word), "\(name).refused.\(word)", count)
        }
      case "enter", "exit":
        let label = "\(name).\(key.string ?? "")"
        var times: [Instant] = []
        let elements = try Expectations.elements(value, label)
        for node in elements {
          guard let text = node.scalar?.string, let time = try? Instant(rfc3339: text) else {
            throw ExpectationError(line: node.line, "\(label) must be times such as 2026-01-05T09:00:10Z")
          }
          times.append(time)
        }
        list.append(
          Expectation(
            subject: key.string == "enter" ? .enters(device, tolerance) : .exits(device, tolerance), name: label,
            line: key.line ?? 1, times: times, source: YAMLSource(value), elements: elements.compactMap(YAMLSource.init)
          ))
      case "spaces":
        let elements = try Expectations.elements(value, "\(name).spaces")
        list.append(
          Expectation(
            subject: .spaces(device), name: "\(name).spaces", line: key.line ?? 1,
            texts: elements.map { $0.scalar?.string ?? "" }, source: YAMLSource(value),
            elements: elements.compactMap(YAMLSource.init)))
      case "within": break
      default: throw ExpectationError(line: key.line, "\(name).\(key.string ?? "") is nothing that can be expected")
      }
    }
  }

  private mutating func readContact(_ node: Node, _ index: Int) throws(ExpectationError) {
    let name = "contacts.\(index)"
    guard let body = node.mapping, let pair = body["between"]?.sequence, pair.count == 2 else {
      throw ExpectationError(line: node.line, "\(name) must name two devices: between: [a, b]")
    }
    let devices = pair.map { $0.scalar?.string ?? "" }.sorted()
    guard let number = body["seconds"]?.scalar.flatMap({ Double($0.string) }) else {
      throw ExpectationError(line: node.line, "\(name) must say how many seconds")
    }
    let tolerance = try Expectations.span(body["within"], "\(name).within") ?? .seconds(1)
    list.append(
      Expectation(
        subject: .contact(devices, tolerance), name: name, line: node.line ?? 1, numbers: [number],
        source: body["seconds"].flatMap(YAMLSource.init)))
  }

  private static func elements(_ node: Node, _ name: String) throws(ExpectationError) -> [Node] {
    if let sequence = node.sequence { return Array(sequence) }
    throw ExpectationError(line: node.line, "\(name) must be a list")
  }

  private static func span(_ node: Node?, _ name: String) throws(ExpectationError) -> TimeSpan? {
    guard let node else { return nil }
    guard let span = node.scalar.flatMap({ TimeSpan(parsing: $0.string) }), span.milliseconds >= 0 else {
      throw ExpectationError(line: node.line, "\(name) must be a duration, such as 5s")
    }
    return span
  }
}

/// An error in a file of expectations.
package struct ExpectationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1; `nil` if it is unknown.
  package var line: Int?
  /// A description of the error.
  package var message: String

  init(line: Int?, _ message: String) {
    self.line = line
    self.message = message
  }

  /// The error on one line: `line 3: must be a number`.
  package var description: String { (line.map { "line \($0): " } ?? "") + message }
}

extension Node {
  var line: Int? { mark?.line }
}
