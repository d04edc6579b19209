import ArgumentParser
import CordonCore

/// What somebody meant who named a command or an option that does not exist: the parser itself only calls the word
/// unexpected, or reports what is missing instead.
enum CommandSuggestion {
  /// One line about the first word that names no command or option, with the nearest name when one is near; `nil` when all
  /// do.
  static func message(for arguments: [String], below root: any ParsableCommand.Type) -> String? {
    commandMessage(for: arguments, below: root) ?? optionMessage(for: arguments, below: root)
  }

  private static func commandMessage(for arguments: [String], below root: any ParsableCommand.Type) -> String? {
    var command = root
    var path = [root.configuration.commandName ?? ""]
    for word in arguments {
      let commands = command.configuration.subcommands
      guard !commands.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
      if let next = commands.first(where: { $0.configuration.commandName == word }) {
        command = next
        path.append(word)
        continue
      }
      // A default command takes the word as an argument.
      guard command.configuration.defaultSubcommand == nil else { return nil }
      let names = commands.map { $0.configuration.commandName ?? "" }
      return "there is no command '\((path + [word]).joined(separator: " "))'"
        + (Suggestion.nearest(to: word, in: names).map { "; did you mean '\($0)'?" } ?? "")
    }
    return nil
  }

  private static func optionMessage(for arguments: [String], below root: any ParsableCommand.Type) -> String? {
    guard let known = CommandArguments(root)?.optionNames(of: arguments), !known.isEmpty else { return nil }
    for word in arguments.prefix(while: { $0 != "--" }) where word.hasPrefix("--") {
      let name = String(word.prefix { $0 != "=" })
      guard !known.contains(name), name != "--experimental-dump-help" else { continue }
      return "unknown option '\(name)'"
        + (Suggestion.nearest(to: name, in: known).map { "; did you mean '\($0)'?" } ?? "")
    }
    return nil
  }
}
