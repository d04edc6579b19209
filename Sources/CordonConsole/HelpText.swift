/// The help of a command as it is printed.
package enum HelpText {
  /// The text with its line of usage in lines of at most 80 columns: the parser itself wraps all but that one.
  package static func wrapped(_ text: String, columns: Int = 80) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard line.count > columns, line.hasPrefix("USAGE: ") || line.hasPrefix("Usage: ") else { return String(line) }
      return wrapped(usage: line, columns: columns)
    }.joined(separator: "\n")
  }

  private static func wrapped(usage line: Substring, columns: Int) -> String {
    // Below the first word after the name of the program.
    let indent = String(repeating: " ", count: 9)
    var lines: [String] = []
    var current = ""
    for word in words(line) {
      if !current.isEmpty, current.count + 1 + word.count > columns {
        lines.append(current)
        current = indent + word
      } else {
        current += (current.isEmpty ? "" : " ") + word
      }
    }
    return (lines + [current]).joined(separator: "\n")
  }

  /// Splits a line into units that stay on one line: an option with its value, an argument with the dots behind it, and
  /// text in square brackets.
  private static func words(_ line: Substring) -> [String] {
    var words: [String] = []
    var depth = 0
    for part in line.split(separator: " ") {
      let isValue = part.hasPrefix("<") && words.last?.hasPrefix("--") == true
      if depth > 0 || part == "..." || isValue, !words.isEmpty {
        words[words.count - 1] += " " + part
      } else {
        words.append(String(part))
      }
      depth += part.count { $0 == "[" } - part.count { $0 == "]" }
    }
    return words
  }
}
