import CordonConsole
import CordonCore
import CordonSupport

/// The output of a command. Writes to standard output are checked, and control characters are escaped: names come from
/// servers, venues and files.
enum Printer {
  /// Prints one JSON object on standard output, its first key `schema`.
  /// - Throws: `OutputError`
  static func print(_ schema: String, _ members: [JSONValue.Member]) throws {
    try write(raw: JSONValue.object([.init("schema", .string("cordon.\(schema)/1"))] + members).text() + "\n")
  }

  /// Prints lines for people on standard output.
  static func write(lines text: String) throws { try StandardOutput.write(lines: text) }

  /// Prints data on standard output as they are.
  static func write(raw text: String) throws { try StandardOutput.write(raw: text) }

  /// Prints a line for people on standard error.
  static func note(_ line: String) { StandardOutput.note(line.escapedForTerminal() + "\n") }
}
