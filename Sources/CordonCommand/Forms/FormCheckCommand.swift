import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonForms
import CordonSupport

/// The command `cordon form check`.
struct FormCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a form, and answers to it.",
    discussion: """
      Examples:

        cordon form check screening.json
        cordon form check screening.json --answers records.jsonl --json

      Answers are one JSON object on each line. Exit status 1 when a record is not valid.
      """)

  @OptionGroup(title: "Input") var input: FormInput

  @OptionGroup(title: "Input") var records: AnswersInput

  @Option(help: ArgumentHelp("Answers to check, one JSON object on each line.", valueName: "file"))
  var answers: String?

  @OptionGroup(title: "Output") var output: JSONOption

  /// The greatest number of issues in the text for people.
  private static let shown = 50

  func run() throws {
    let form = try input.read()
    let checked = try answers.map { try FormFile.records($0, of: form, today: records.day) }
    let invalid = (checked ?? []).filter { !$0.validation.isValid }
    try output.report(json(form, checked), text(form, checked))
    if !invalid.isEmpty { throw ExitCode(CommandError.Status.findings.rawValue) }
  }

  private func json(_ form: Form, _ checked: [FormFile.Record]?) -> JSONValue {
    let issues = (checked ?? []).flatMap { record in
      record.validation.issues.map { issue -> JSONValue in
        [
          "line": .integer(Int64(record.line)), "path": .string(issue.path), "code": .string(issue.code.rawValue),
          "message": .string(issue.message),
        ]
      }
    }
    return [
      "schema": "cordon.form-check/1", "form": .string(form.id), "version": .integer(Int64(form.version)),
      "languages": .array(form.languages.map(JSONValue.string)), "fields": .integer(Int64(form.allFields.count)),
      "records": JSONValue(checked?.count), "valid": JSONValue(checked?.count { $0.validation.isValid }),
      "issues": .array(issues),
    ]
  }

  private func text(_ form: Form, _ checked: [FormFile.Record]?) -> String {
    var lines = [
      "\(form.id), version \(form.version): \(Counted.of(form.allFields.count, "field")), "
        + "\(form.languages.count == 1 ? "language" : "languages") \(form.languages.joined(separator: ", "))"
    ]
    if let answers, let checked {
      let invalid = checked.count { !$0.validation.isValid }
      lines.append("\(answers): \(Counted.of(checked.count, "record")), \(invalid) not valid")
      let issues = checked.flatMap { record in record.validation.issues.map { (record.line, $0) } }
      lines += issues.prefix(Self.shown).map { "  line \($0): \($1)" }
      if issues.count > Self.shown { lines.append("  and \(issues.count - Self.shown) more; --json lists all") }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
