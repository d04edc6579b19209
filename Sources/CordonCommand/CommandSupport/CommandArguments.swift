import ArgumentParser
import Foundation

/// The words of a command line, prepared for the parser.
///
/// The parser takes a word that begins with a hyphen for an option. Values may begin so: `--day-offset -5h`, `--origin
/// -73.98,40.75`, `--distance -1`. A word that follows an option with a value, and is no option of the command itself, is
/// joined to it: `--day-offset=-5h`.
struct CommandArguments {
  /// The commands and their options, as the parser describes them.
  private let root: CommandDescription

  /// Reads the description of a command and those below it.
  init?(_ command: any ParsableCommand.Type) {
    guard
      let tool = try? JSONDecoder().decode(CommandDescription.Tool.self, from: Data(command._dumpHelp().utf8))
    else { return nil }
    root = tool.command
  }

  /// The words with values joined to their options.
  static func prepared(_ words: [String], for command: any ParsableCommand.Type) -> [String] {
    // Nearly always there is nothing to do, and the description need not be made.
    guard zip(words, words.dropFirst()).contains(where: { $0.hasPrefix("-") && mayBeValue($1) }) else { return words }
    return CommandArguments(command)?.joined(words) ?? words
  }

  private func joined(_ words: [String]) -> [String] {
    let (command, depth) = root.command(named: words)
    // What follows goes to another program as it is.
    if command.isPassthrough { return words }
    var result = Array(words.prefix(depth))
    var rest = words.dropFirst(depth)
    while let word = rest.popFirst() {
      if word == "--" { return result + [word] + rest }
      if command.takesValue(word), let next = rest.first, CommandArguments.mayBeValue(next), !command.knows(next) {
        rest = rest.dropFirst()
        result.append("\(word)=\(next)")
      } else {
        result.append(word)
      }
    }
    return result
  }

  /// Whether a word begins like an option and is more likely a value: two hyphens and a letter are a mistyped option.
  private static func mayBeValue(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word.count > 1 else { return false }
    return !word.hasPrefix("--")
  }

  /// All long names of the options of the command that the words name.
  func optionNames(of words: [String]) -> Set<String> { root.command(named: words).command.longNames }
}

/// A command as the parser describes it.
private struct CommandDescription: Decodable {
  struct Tool: Decodable { var command: CommandDescription }

  struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String
    }

    var kind: String
    var names: [Name]?
    var parsingStrategy: String?
  }

  var commandName: String
  var arguments: [Argument]?
  var subcommands: [CommandDescription]?
  var defaultSubcommand: String?

  /// The command that words lead to, and how many of them name it.
  func command(named words: [String]) -> (command: CommandDescription, depth: Int) {
    var (command, depth) = (self, 0)
    for word in words {
      guard let next = command.subcommands?.first(where: { $0.commandName == word }) else { break }
      command = next
      depth += 1
    }
    if let usual = command.defaultSubcommand,
      let next = command.subcommands?.first(where: { $0.commandName == usual })
    {
      command = next
    }
    return (command, depth)
  }

  var isPassthrough: Bool {
    arguments?.contains { $0.kind == "positional" && $0.parsingStrategy == "allRemainingInput" } ?? false
  }

  /// Whether a word is the name of an option with a value, without the value.
  func takesValue(_ word: String) -> Bool {
    arguments?.contains { $0.kind == "option" && $0.words.contains(word) } ?? false
  }

  /// Whether a word is an option or flag of the command, with or without a value.
  func knows(_ word: String) -> Bool {
    let name = String(word.prefix { $0 != "=" })
    return arguments?.contains { $0.words.contains(name) } ?? false
  }

  var longNames: Set<String> {
    Set((arguments ?? []).flatMap(\.words).filter { $0.hasPrefix("--") })
  }
}

extension CommandDescription.Argument {
  fileprivate var words: [String] {
    (names ?? []).map { name in (name.kind == "long" ? "--" : "-") + name.name }
  }
}
