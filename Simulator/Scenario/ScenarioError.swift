/// Something in a scenario that cannot be carried out, and where it stands.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file; empty when the scenario was not read from one.
  public var file: String
  /// The line, from 1; 0 when the whole file is meant.
  public var line: Int
  /// The way to the value, such as `populations[0].size`; may be empty.
  public var path: String
  /// One sentence.
  public var message: String

  /// Takes the parts as they are.
  public init(file: String = "", line: Int, path: String, message: String) {
    self.file = file
    self.line = line
    self.path = path
    self.message = message
  }

  /// `day.yaml: line 12: populations[0].size: must be ...`
  public var description: String {
    [file, line > 0 ? "line \(line)" : "", path, message].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
