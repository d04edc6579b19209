internal import ArgumentParser
internal import Foundation

/// A command with its options and subcommands, decoded from the parser's own description.
struct CommandDescription: Decodable {
  private struct Tool: Decodable { var command: CommandDescription }

  /// An argument, an option or a flag.
  struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String
    }

    var kind: String
    var names: [Name]?
    var valueName: String?
    var parsingStrategy: String?
    var allValues: [String]?

    /// The names with their hyphens.
    var words: [String] { (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name } }
  }

  var commandName: String
  var arguments: [Argument]?
  var subcommands: [CommandDescription]?
  var defaultSubcommand: String?

  /// Describes a command and its subcommands; `nil` when the description cannot be decoded.
  static func of(_ command: any ParsableCommand.Type) -> CommandDescription? {
    (try? JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8)))?.command
  }

  /// Returns the command that words select, the words of its path, and the number of words consumed.
  func command(named words: [String]) -> (command: CommandDescription, path: [String], depth: Int) {
    var (command, path) = (self, [commandName])
    var depth = 0
    for word in words {
      guard let next = command.subcommand(named: word) else { break }
      command = next
      path.append(word)
      depth += 1
    }
    if let next = command.defaultCommand {
      command = next
      path.append(next.commandName)
    }
    return (command, path, depth)
  }

  func subcommand(named name: String) -> CommandDescription? { subcommands?.first { $0.commandName == name } }

  /// The subcommand that runs when none is named.
  var defaultCommand: CommandDescription? { defaultSubcommand.flatMap { subcommand(named: $0) } }

  var positionals: [Argument] { (arguments ?? []).filter { $0.kind == "positional" } }

  /// Whether the words after the command belong to another program.
  var isPassthrough: Bool { positionals.contains { $0.parsingStrategy == "allRemainingInput" } }

  /// The option or flag with a name, which may be followed by `=` and a value.
  func option(_ word: String) -> Argument? {
    let name = String(word.prefix { $0 != "=" })
    return arguments?.first { $0.kind != "positional" && $0.words.contains(name) }
  }

  /// The long names of options and flags.
  var longNames: Set<String> { Set((arguments ?? []).flatMap(\.words).filter { $0.hasPrefix("--") }) }
}
