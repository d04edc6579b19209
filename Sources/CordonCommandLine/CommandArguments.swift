internal import ArgumentParser

/// The words of a command line, prepared for the parser.
///
/// The parser reads a word that begins with a hyphen as an option. Values may begin so: `--day-offset -5h`, `--origin
/// -73.98,40.75`, `--distance -1`. A word that follows an option with a value, and is not an option of the command, is
/// joined to it: `--day-offset=-5h`.
enum CommandArguments {
  /// Returns the words with such values joined to their options.
  static func prepared(_ words: [String], for command: any ParsableCommand.Type) -> [String] {
    // Most command lines have no such word, and the description is not needed.
    guard zip(words, words.dropFirst()).contains(where: { $0.hasPrefix("-") && mayBeValue($1) }) else { return words }
    return joined(words, root: CommandDescription(command))
  }

  private static func joined(_ words: [String], root: CommandDescription) -> [String] {
    let (command, _, depth) = root.command(named: words)
    if command.isPassthrough { return words }
    var result = Array(words.prefix(depth))
    var rest = words.dropFirst(depth)
    while let word = rest.popFirst() {
      if word == "--" { return result + [word] + rest }
      if !word.contains("="), command.option(word)?.kind == "option", let next = rest.first, mayBeValue(next),
        command.option(next) == nil
      {
        rest = rest.dropFirst()
        result.append("\(word)=\(next)")
      } else {
        result.append(word)
      }
    }
    return result
  }

  /// Whether a word begins like an option and is more likely a value: two hyphens are a mistyped option.
  private static func mayBeValue(_ word: String) -> Bool {
    word.hasPrefix("-") && word.count > 1 && !word.hasPrefix("--")
  }
}
