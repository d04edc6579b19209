/// A fault in a YAML file, with its position.
package struct YAMLFault: Error, Hashable, Sendable {
  /// The line, from 1; 0 for the whole file.
  package var line: Int
  /// The path to the value, such as `populations[0].size`; may be empty.
  package var path: String
  /// A message of one sentence.
  package var message: String

  /// Creates a fault from its parts.
  package init(line: Int, path: String, message: String) {
    self.line = line
    self.path = path
    self.message = message
  }
}
