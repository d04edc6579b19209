import ArgumentParser

/// What a person meant who named a command that there is not: the parser itself only calls the word unexpected.
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
      let nearest = names.map { (distance: distance(word, $0), name: $0) }.min { $0.distance < $1.distance }
      let guess = nearest.flatMap { $0.distance <= 2 && $0.distance < word.count ? $0.name : nil }
      return "there is no command '\((path + [word]).joined(separator: " "))'"
        + (guess.map { "; did you mean '\($0)'?" } ?? "")
    }
    return nil
  }

  /// How many letters have to be put in, left out or exchanged to make one word of the other (Wagner and Fischer).
  static func distance(_ lhs: String, _ rhs: String) -> Int {
    let other = Array(rhs)
    var row = Array(0...other.count)
    for (index, letter) in lhs.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in other.indices {
        let exchanged = diagonal + (other[column] == letter ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(exchanged, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[other.count]
  }
}
