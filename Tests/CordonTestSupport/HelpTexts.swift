package import Foundation

/// The help of a built program, read from the program: compared word for word, and as a table of all options.
///
/// Reviewed texts lie in `Tests/Help/PROGRAM`, a file for each command; the table is a section of
/// `docs/reference/options.md`. `CORDON_RECORD=1` rewrites both, for review.
package struct HelpTexts {
  /// A command in the program's own description.
  package struct Command {
    /// The words of the command, without the program.
    package let path: [String]
    /// Its description without the options.
    package let discussion: String
    /// Its options and flags, without those for help and version.
    package let options: [Option]
  }

  /// An option or flag.
  package struct Option: Hashable {
    /// `-o`, `--output <file>`
    package let names: String
    /// Its effect, with its default.
    package let meaning: String
  }

  /// The commands by path, the program itself first.
  package let commands: [Command]
  private let executable: URL
  private let name: String
  private static let columns = 80

  /// Asks a program for its commands.
  /// - Parameter executable: the built program.
  package init(executable: URL) throws {
    self.executable = executable
    name = executable.lastPathComponent
    let text = try HelpTexts.run(executable, ["--experimental-dump-help"])
    let tool = try JSONDecoder().decode(Description.Tool.self, from: Data(text.utf8))
    commands = tool.command.commands(below: [])
  }

  /// Returns the faults of the help, in one sentence each.
  ///
  /// - Parameter records: whether to write texts and table first. By default as `CORDON_RECORD` says.
  package func problems(
    records: Bool = ProcessInfo.processInfo.environment["CORDON_RECORD"] != nil
  ) throws -> [String] {
    let folder = Places.file("Tests/Help/\(name)")
    var problems: [String] = []
    var files: Set<String> = []
    for command in commands {
      let title = ([name] + command.path).joined(separator: " ")
      let help = try HelpTexts.run(executable, command.path + ["--help"])
      let file = (command.path.isEmpty ? [name] : command.path).joined(separator: "/") + ".txt"
      files.insert(file)
      let url = folder.appendingPathComponent(file)
      if records {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(help.utf8).write(to: url)
      }
      let reviewed = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
      if let line = HelpTexts.firstDifference(help, reviewed) {
        problems.append("\(title) --help: not as reviewed: \(line)")
      }
      for line in help.split(separator: "\n") where line.count > HelpTexts.columns {
        problems.append("\(title) --help: \(line.count) columns: \(line)")
      }
      // Code must not wrap; the parser wraps lines from 80 columns on.
      for line in command.discussion.split(separator: "\n")
      where line.hasPrefix("  ") && line.count >= HelpTexts.columns {
        problems.append("\(title) --help: code of \(line.count) columns: \(line)")
      }
    }
    for file in (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    where file.hasSuffix(".txt") && !files.contains(file) {
      if records { try FileManager.default.removeItem(at: folder.appendingPathComponent(file)) }
      if !records { problems.append("Tests/Help/\(name)/\(file): no such command") }
    }
    if let line = try tableDifference(records: records) {
      problems.append("docs/reference/options.md is stale (scripts/options-table writes it anew): \(line)")
    }
    return problems
  }

  /// All options, a row for each name and meaning, with the commands that have it.
  package var table: String {
    var rows: [Option: [String]] = [:]
    for command in commands {
      let title = command.path.isEmpty ? name : command.path.joined(separator: " ")
      for option in command.options { rows[option, default: []].append("`\(title)`") }
    }
    func key(_ option: Option) -> String {
      (option.names.split(separator: ", ").last ?? "").drop { $0 == "`" || $0 == "-" } + option.meaning
    }
    var text = "| option | what it does | commands |\n|---|---|---|\n"
    for option in rows.keys.sorted(by: { key($0) < key($1) }) {
      text += "| \(option.names) | \(option.meaning) | \((rows[option] ?? []).joined(separator: ", ")) |\n"
    }
    return text
  }

  private func tableDifference(records: Bool) throws -> String? {
    let file = Places.file("docs/reference/options.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let (begin, end) = ("<!-- \(name) -->\n", "<!-- end of \(name) -->\n")
    guard let head = text.range(of: begin), let tail = text.range(of: end), head.upperBound <= tail.lowerBound else {
      return "it has no section of \(name)"
    }
    guard let line = HelpTexts.firstDifference(table, String(text[head.upperBound..<tail.lowerBound])) else {
      return nil
    }
    guard records else { return line }
    try Data((text[..<head.upperBound] + table + text[tail.lowerBound...]).utf8).write(to: file)
    return nil
  }

  private static func firstDifference(_ text: String, _ other: String) -> String? {
    guard text != other else { return nil }
    let (one, two) = (text.components(separatedBy: "\n"), other.components(separatedBy: "\n"))
    let index = zip(one, two).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(one.count, two.count)
    func line(_ lines: [String]) -> String { index < lines.count ? "'\(lines[index])'" : "nothing" }
    return "line \(index + 1) is \(line(one)), not \(line(two))"
  }

  private static func run(_ executable: URL, _ arguments: [String]) throws -> String {
    // As wide as where there is no terminal.
    try TestProcess.run(executable, arguments, environment: ["COLUMNS": "80"]).output
  }
}

/// A command in the argument parser's description.
private struct Description: Decodable {
  struct Tool: Decodable { var command: Description }

  struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String
    }

    var kind: String
    var names: [Name]?
    var valueName: String?
    var abstract: String?
    var discussion: String?
    var defaultValue: String?
    var allValues: [String]?
    var isOptional: Bool
    var isRepeating: Bool
    var shouldDisplay: Bool

    var option: HelpTexts.Option? {
      guard kind != "positional", shouldDisplay, let names,
        !names.contains(where: { ["help", "version"].contains($0.name) })
      else { return nil }
      let words = names.map { ($0.kind == "long" ? "--" : "-") + $0.name }.sorted { $0.count < $1.count }
      let value = kind == "option" ? " <\(valueName ?? "")>" : ""
      var shown = words.dropLast().map { "`\($0)`" }
      shown.append("`\(words.last ?? "")\(value)`\(isRepeating ? " ..." : "")")
      var meaning = [abstract, discussion].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
      if let allValues, !allValues.isEmpty { meaning += " Values: \(allValues.joined(separator: ", "))." }
      if let defaultValue { meaning += " Default: \(defaultValue)." }
      if !isOptional { meaning += " Required." }
      let line = meaning.split(whereSeparator: \.isNewline).joined(separator: " ")
      return HelpTexts.Option(
        names: shown.joined(separator: ", "),
        meaning: line.replacingOccurrences(of: "|", with: "\\|").replacingOccurrences(of: "<", with: "\\<"))
    }
  }

  var commandName: String
  var discussion: String?
  var arguments: [Argument]?
  var subcommands: [Description]?
  var shouldDisplay: Bool

  func commands(below path: [String]) -> [HelpTexts.Command] {
    let own = HelpTexts.Command(
      path: path, discussion: discussion ?? "", options: (arguments ?? []).compactMap(\.option))
    let below = (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
    return [own] + below.flatMap { $0.commands(below: path + [$0.commandName]) }
  }
}
