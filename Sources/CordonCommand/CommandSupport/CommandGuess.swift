import ArgumentParser
import CordonCore

/// What a person meant who named a command or an option that there is not: the parser itself only calls the word unexpected,
/// or says what is missing instead.
enum CommandGuess {
  /// One line about the first word that names no command, with the nearest name when one is near; `nil` when all do.
  static func message(for arguments: [String], below root: any ParsableCommand.Type) -> String? {
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
      let nearest = names.map { (distance: WordDistance.edits(word, $0), name: $0) }.min { $0.distance < $1.distance }
      let guess = nearest.flatMap { $0.distance <= 2 && $0.distance < word.count ? $0.name : nil }
      return "there is no command '\((path + [word]).joined(separator: " "))'"
        + (guess.map { "; did you mean '\($0)'?" } ?? "")
    }
    return nil
  }

  /// One line about the first option that its command does not have: the parser itself speaks of what is missing first, which
  /// is what the option was meant to be. `nil` when all are known.
  static func optionMessage(for arguments: [String], below root: any ParsableCommand.Type) -> String? {
    var command = root
    var rest = arguments[...]
    while let word = rest.first,
      let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == word })
    {
      command = next
      rest = rest.dropFirst()
    }
    let known = optionNames(in: root.helpMessage(for: command))
    for word in rest.prefix(while: { $0 != "--" }) where word.hasPrefix("--") {
      let name = String(word.prefix { $0 != "=" })
      guard !known.contains(name) else { continue }
      let nearest = known.map { (distance: WordDistance.edits(name, $0), name: $0) }
        .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
      let guess = nearest.flatMap { $0.distance <= 3 && $0.distance < name.count - 2 ? $0.name : nil }
      return "Unknown option '\(name)'." + (guess.map { " Did you mean '\($0)'?" } ?? "")
    }
    return nil
  }

  /// The long names in the lines of a help text that describe options.
  private static func optionNames(in help: String) -> Set<String> {
    var names: Set<String> = []
    for line in help.split(separator: "\n") where line.hasPrefix("  -") {
      for word in line.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "-") }) where word.hasPrefix("--")
      {
        names.insert(String(word))
      }
    }
    return names
  }
}
