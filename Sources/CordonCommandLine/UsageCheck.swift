internal import ArgumentParser
internal import CordonCore
import CordonSupport

/// Finds the mistake in a command line that the parser has refused.
///
/// The parser's errors are not public types. The check therefore compares the words with the description of the command: an
/// unknown command or option, and a value that its type does not read. The parser's own message
/// describes all other mistakes.
struct UsageCheck {
  private let arguments: [String]
  private let root: CommandDescription
  private let types: [String: any DescribedArgument.Type]

  /// - Parameters:
  ///   - root: the root command of the program.
  ///   - types: the types of values that describe their forms.
  init(_ arguments: [String], root: any ParsableCommand.Type, types: [any DescribedArgument.Type]) {
    self.arguments = arguments
    self.root = CommandDescription(root)
    self.types = Dictionary(types.map { ($0.valueName, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// One sentence about the first mistake, with the nearest name when one is near; `nil` when there is none.
  var message: String? { unknownCommand?.message ?? unknownOption ?? unreadableValue }

  /// The command that prints the help: `cordon contacts find --help`.
  var helpCommand: String {
    // The command that stands for an unknown one has other names.
    ((unknownCommand?.path ?? root.command(named: arguments).path) + ["--help"]).joined(separator: " ")
  }

  /// The sentence, and the path of the command that has no such subcommand.
  private var unknownCommand: (message: String, path: [String])? {
    var command = root
    var path = [root.commandName]
    for word in arguments {
      guard !command.subcommands.isEmpty, !word.hasPrefix("-") else { return nil }
      if let next = command.subcommand(named: word) {
        command = next
        path.append(word)
        continue
      }
      // A default command takes the word as an argument, if it has arguments.
      guard command.defaultCommand?.positionals.isEmpty ?? true else { return nil }
      let hint = Suggestion.hint(for: word, among: command.subcommands.map(\.commandName))
      return ("unknown command '\((path + [word]).joined(separator: " "))'\(hint)", path)
    }
    return nil
  }

  private var unknownOption: String? {
    let known = command.longNames
    guard !known.isEmpty else { return nil }
    for word in words where word.hasPrefix("--") {
      let name = String(word.prefix { $0 != "=" })
      guard !known.contains(name), name != "--experimental-dump-help" else { continue }
      return "unknown option '\(name)'" + Suggestion.hint(for: name, among: Array(known))
    }
    return nil
  }

  private var unreadableValue: String? {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), let option = command.option(word), option.kind == "option" else { continue }
      let name = String(word.prefix { $0 != "=" })
      guard let value = word.contains("=") ? String(word.dropFirst(name.count + 1)) : rest.popFirst() else {
        return nil
      }
      if let valueName = option.valueName, let type = types[valueName] {
        guard type.init(argument: value) != nil else { return "\(name): '\(value)' is not \(type.forms)" }
      } else if let choices = option.allValues, !choices.isEmpty, !choices.contains(value) {
        return "\(name): '\(value)' is not one of \(choices.joined(separator: ", "))"
          + Suggestion.hint(for: value, among: choices)
      }
    }
    return nil
  }

  private var command: CommandDescription { root.command(named: arguments).command }

  /// The words before `--`; none when they belong to another program.
  private var words: [String] { command.isPassthrough ? [] : Array(arguments.prefix { $0 != "--" }) }
}
