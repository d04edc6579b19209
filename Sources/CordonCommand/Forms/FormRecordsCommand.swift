import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonForms
import CordonSupport

/// The command `cordon form records`.
struct FormRecordsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "records",
    abstract: "Turn answers into records with identifiers, to share them.",
    discussion: """
      Example:

        cordon form records screening.json --answers answers.jsonl --device tablet \\
          -o records.jsonl

      The same answers of the same device and day are the same records, so files that are made twice join without duplicates.
      """)

  /// The format of the file.
  enum Format: String, FileFormat, CaseIterable {
    case jsonl

    static var endings: [(ending: String, format: Format)] { [("jsonl", .jsonl)] }
    static var defaultFormat: Format? { .jsonl }
  }

  @OptionGroup(title: "Input") var input: FormInput
  @OptionGroup(title: "Input") var day: AnswersInput

  @Option(help: ArgumentHelp("The answers, one JSON object on each line.", valueName: "file"))
  var answers: String

  @Option(
    help: ArgumentHelp("The pseudonym of the device that has the answers, no name of a person.", valueName: "name"))
  var device: String

  @OptionGroup(title: "Output") var output: RequiredOutputOptions<Format>

  func validate() throws {
    guard (1...128).contains(device.count) else { throw ValidationError("--device: 1 to 128 characters") }
  }

  func run() throws {
    _ = try output.format()
    let target = try output.destination(inputs: [input.form, answers])
    let form = try input.read()
    let time = Instant(milliseconds: Int64(day.day.days) * 86_400_000)
    var records = FormRecords()
    var occurrences: [String: Int] = [:]
    for line in try FormFile.records(answers, of: form, today: day.day) {
      if let issue = line.validation.issues.first {
        throw CommandError(issue.description, code: "answers", file: answers, place: "line \(line.line)")
      }
      let json = line.validation.answers.json
      let occurrence = occurrences[json.canonicalText, default: 0]
      occurrences[json.canonicalText] = occurrence + 1
      _ = records.add(
        FormRevision(answers: json, of: form, device: device, time: time, occurrence: occurrence))
    }
    let size = try target.write(records.lines)
    try output.report(
      [
        "schema": "cordon.form-records/1", "form": .string(form.id), "output": .string(target.path),
        "bytes": .integer(Int64(size)), "records": JSONValue(records.records.count),
      ], "\(target.path): \(Counted.of(records.records.count, "record")) of \(form.id), version \(form.version)\n")
  }
}
