internal import ArgumentParser
internal import Foundation

/// A command with its options and subcommands, from the parser's own description.
///
/// The parser describes a command with all commands below it, which takes long for a whole program. The arguments are therefore
/// read when they are needed: those of the one command that a command line selects.
final class CommandDescription {
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

  private struct Tool: Decodable {
    struct Command: Decodable { var arguments: [Argument]? }
    var command: Command
  }

  let commandName: String
  /// `nil` for the command `help` of the parser.
  private let type: (any ParsableCommand.Type)?
  private let isRoot: Bool
  private let hasVersion: Bool

  /// Describes the root command of a program.
  convenience init(_ root: any ParsableCommand.Type) {
    self.init(root._commandName, root, isRoot: true, hasVersion: !root.configuration.version.isEmpty)
  }

  private init(_ name: String, _ type: (any ParsableCommand.Type)?, isRoot: Bool = false, hasVersion: Bool) {
    commandName = name
    self.type = type
    self.isRoot = isRoot
    self.hasVersion = hasVersion
  }

  /// The subcommands; at the root also `help`.
  private(set) lazy var subcommands: [CommandDescription] = {
    let types = type?.configuration.subcommands ?? []
    let described = types.map { CommandDescription($0._commandName, $0, hasVersion: hasVersion) }
    return isRoot && !types.isEmpty
      ? described + [CommandDescription("help", nil, hasVersion: false)] : described
  }()

  /// The arguments, options and flags; none when the parser's description cannot be decoded.
  private(set) lazy var arguments: [Argument] = {
    guard let type, let tool = try? JSONDecoder().decode(Tool.self, from: Data(type._dumpHelp().utf8)) else {
      return []
    }
    var arguments = tool.command.arguments ?? []
    // The description of a subcommand lacks the flag that the root gives to all.
    if hasVersion, !arguments.contains(where: { $0.words.contains("--version") }) {
      arguments.append(Argument(kind: "flag", names: [.init(kind: "long", name: "version")]))
    }
    return arguments
  }()

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

  func subcommand(named name: String) -> CommandDescription? { subcommands.first { $0.commandName == name } }

  /// The subcommand that runs when none is named.
  var defaultCommand: CommandDescription? {
    (type?.configuration.defaultSubcommand?._commandName).flatMap { subcommand(named: $0) }
  }

  var positionals: [Argument] { arguments.filter { $0.kind == "positional" } }

  /// Whether the words after the command belong to another program.
  var isPassthrough: Bool { positionals.contains { $0.parsingStrategy == "allRemainingInput" } }

  /// The option or flag with a name, which may be followed by `=` and a value.
  func option(_ word: String) -> Argument? {
    let name = String(word.prefix { $0 != "=" })
    return arguments.first { $0.kind != "positional" && $0.words.contains(name) }
  }

  /// The long names of options and flags.
  var longNames: Set<String> { Set(arguments.flatMap(\.words).filter { $0.hasPrefix("--") }) }
}
