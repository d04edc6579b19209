import ArgumentParser
import CordonCommandLine
import CordonForms
import CordonSupport
import CordonWire

/// The command `cordon form fhir`.
struct FormFHIRCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fhir",
    abstract: "Convert forms and answers from and to FHIR.",
    discussion: """
      Examples:

        cordon form fhir screening.json -o questionnaire.json
        cordon form fhir questionnaire.json -o screening.json
        cordon form fhir screening.json --answers records.jsonl -o responses.json
        cordon form fhir screening.json --responses responses.json -o records.jsonl

      A form becomes a Questionnaire, and a Questionnaire a form. Answers become a Bundle of QuestionnaireResponses, and back.
      """)

  /// The format of the file.
  enum Format: String, FileFormat, CaseIterable {
    case json

    static var endings: [(ending: String, format: Format)] { [("json", .json), ("jsonl", .json)] }
    static var defaultFormat: Format? { .json }
  }

  /// The version of FHIR.
  enum Version: String, ExpressibleByArgument, CaseIterable {
    case r4 = "R4"
    case r5 = "R5"
  }

  @OptionGroup(title: "Input") var input: FormInput
  @OptionGroup(title: "Input") var records: AnswersInput

  @Option(help: ArgumentHelp("Answers to convert, one JSON object on each line.", valueName: "file"))
  var answers: String?

  @Option(help: ArgumentHelp("A QuestionnaireResponse, or a Bundle of them, to convert.", valueName: "file"))
  var responses: String?

  @Option(help: ArgumentHelp("The version of FHIR to write.", valueName: "version"))
  var fhir = Version.r5

  @OptionGroup(title: "Output") var output: RequiredOutputOptions<Format>

  func validate() throws {
    if answers != nil, responses != nil { throw ValidationError("--answers and --responses exclude each other") }
  }

  func run() throws {
    _ = try output.format()
    let target = try output.destination(inputs: [input.form] + [answers, responses].compactMap { $0 })
    let (bytes, what, notes) = try converted()
    let size = try target.write(bytes)
    try output.report(
      [
        "schema": "cordon.form-fhir/1", "output": .string(target.path), "bytes": .integer(Int64(size)),
        "notes": .array(notes.map(JSONValue.string)),
      ], notes.map { "note: \($0)\n" }.joined() + "\(target.path): \(what)\n")
  }

  private func converted() throws -> (bytes: [UInt8], what: String, notes: [String]) {
    let document = try json(input.form)
    if document["resourceType"] != nil {
      guard answers == nil, responses == nil else {
        throw CommandError("answers need the document of a form, not a Questionnaire", code: "form", file: input.form)
      }
      do throws(FormError) {
        let (found, notes) = try FormQuestionnaire.document(of: document)
        let form = try Form(json: found)
        return (text(form.json), "\(form.id), version \(form.version)", notes)
      } catch {
        throw CommandError(error.message, code: "form", file: input.form, place: error.path)
      }
    }
    let form = try input.read()
    if let answers {
      let checked = try FormFile.records(answers, of: form, today: records.day)
      if let first = checked.first(where: { !$0.validation.isValid }) {
        throw CommandError(
          first.validation.issues.first?.description ?? "is not valid", code: "answers", file: answers,
          place: "line \(first.line)")
      }
      let list = checked.map { FormQuestionnaire.response($0.validation.answers, of: form) }
      return (text(FormQuestionnaire.bundle(list)), "\(list.count) responses", [])
    }
    if let responses {
      let given = try json(responses)
      let list =
        given["resourceType"] == "Bundle"
        ? (given["entry"]?.elements ?? []).compactMap { $0["resource"] }.filter {
          $0["resourceType"] == "QuestionnaireResponse"
        }
        : [given]
      var lines: [UInt8] = []
      for (index, one) in list.enumerated() {
        do throws(FormError) {
          lines += Array((try FormQuestionnaire.answers(response: one, of: form).text() + "\n").utf8)
        } catch {
          throw CommandError(
            error.message, code: "answers", file: responses, place: "response \(index + 1): \(error.path)")
        }
      }
      return (lines, "\(list.count) records", [])
    }
    let version: FormQuestionnaire.Version = fhir == .r4 ? .r4 : .r5
    return (
      text(FormQuestionnaire.json(of: form, version: version)),
      "the Questionnaire of \(form.id), version \(form.version)", []
    )
  }

  private func text(_ value: JSONValue) -> [UInt8] { Array((value.text(pretty: true) + "\n").utf8) }

  private func json(_ path: String) throws -> JSONValue {
    let bytes = try TextFile.read(path, code: "form").bytes
    do throws(WireError) { return try JSONReader.value(of: Array(bytes)) } catch {
      throw CommandError("is not JSON: \(error.reason)", code: "form", file: path)
    }
  }
}
