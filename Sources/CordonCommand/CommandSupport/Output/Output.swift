import CordonConsole
import CordonCore
import CordonRun
import CordonSupport
import Foundation

/// Where a command's results go. Everything is checked: what cannot be written ends the command with status 2.
enum Output {
  /// Prints one JSON object on standard output.
  static func print(_ value: JSONValue) throws { try StandardOutput.write(raw: value.text() + "\n") }

  /// Prints lines for people on standard output; what a terminal would obey is escaped.
  static func print(_ lines: String) throws { try StandardOutput.write(lines: lines) }

  /// Prints data on standard output as they are.
  static func print(data text: String) throws { try StandardOutput.write(raw: text) }

  /// Reports what was taken for granted, on standard error.
  static func note(_ notes: [String]) {
    StandardOutput.note(notes.map { "note: \($0.escapedForTerminal())\n" }.joined())
  }

  /// Writes a file whole or not at all; `-` is standard output.
  /// - Parameters:
  ///   - force: whether an existing file is replaced.
  ///   - inputs: what the command reads, which is never replaced.
  /// - Throws: `OutputError`
  static func write(_ bytes: Data, toFile path: String, force: Bool, inputs: [String] = []) throws {
    _ = try OutputFile.write(Array(bytes), to: path, replaces: force, inputs: inputs)
  }

  /// The operating system's own word for an error of file access, without a sentence round it.
  static func reason(of error: any Error) -> String { SystemReason.text(of: error) }
}
