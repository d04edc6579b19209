import ArgumentParser
import CordonCommandLine
import CordonForms
import CordonSupport

/// The command `cordon form changes`.
struct FormChangesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "Show what a new version of a form does to earlier answers.",
    discussion: """
      Example:

        cordon form changes screening-1.json screening-2.json

      Exit status 1 when answers would be lost. A renamed field keeps its answers if its key "was" holds the former name.
      """)

  /// The two versions.
  struct Versions: ParsableArguments {
    @Argument(help: ArgumentHelp("The document of the earlier version.", valueName: "earlier"))
    var earlier: String

    @Argument(help: ArgumentHelp("The document of the later version.", valueName: "later"))
    var later: String
  }

  @OptionGroup(title: "Input") var versions: Versions
  @OptionGroup(title: "Output") var output: JSONOption

  func run() throws {
    let (earlier, later) = (try FormFile.read(versions.earlier), try FormFile.read(versions.later))
    guard earlier.id == later.id else {
      throw CommandError(
        "is another form: '\(later.id)', not '\(earlier.id)'", code: "form", file: versions.later)
    }
    guard later.version > earlier.version else {
      throw CommandError(
        "the later version has to have a greater number than \(earlier.version)", code: "form", file: versions.later,
        place: "version")
    }
    let changes = later.changes(from: earlier)
    let loses = changes.contains(where: \.losesAnswers)
    try output.report(
      [
        "schema": "cordon.form-changes/1", "form": .string(later.id), "from": .integer(Int64(earlier.version)),
        "to": .integer(Int64(later.version)), "loses_answers": .bool(loses),
        "changes": .array(
          changes.map {
            [
              "field": .string($0.names.joined(separator: ".")), "kind": .string($0.kind.rawValue),
              "loses_answers": .bool($0.losesAnswers), "message": .string($0.message),
            ]
          }),
      ],
      "\(later.id), version \(earlier.version) to \(later.version)\(changes.isEmpty ? ": no change that answers notice" : "")\n"
        + changes.map { "  \($0.losesAnswers ? "!" : " ") \($0)\n" }.joined())
    if loses { throw ExitCode(CommandError.Status.findings.rawValue) }
  }
}
