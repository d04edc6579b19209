/// A fault in a scenario, with its position.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the file; empty if the scenario was not read from one.
  public var file: String
  /// The line, from 1; 0 for the whole file.
  public var line: Int
  /// The path to the value, such as `populations[0].size`; may be empty.
  public var path: String
  /// A message of one sentence.
  public var message: String

  /// Creates an error from its parts.
  public init(file: String = "", line: Int, path: String, message: String) {
    self.file = file
    self.line = line
    self.path = path
    self.message = message
  }

  /// The error on one line, such as `day.yaml: line 12: populations[0].size: must be ...`.
  public var description: String {
    [file, line > 0 ? "line \(line)" : "", path, message].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
