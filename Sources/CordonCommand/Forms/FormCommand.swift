import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonForms
import CordonSupport
import CordonWire
import Foundation

/// The command `cordon form`.
struct FormCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "form",
    abstract: "Check forms and answers; make pages, Swift source and FHIR of them.",
    discussion: """
      A form is a JSON document: fields with types, conditions, formulas and groups that repeat. Start with

        cordon form check screening.json
      """,
    subcommands: [
      FormCheckCommand.self, FormChangesCommand.self, FormSummaryCommand.self, FormPageCommand.self,
      FormSwiftCommand.self, FormFHIRCommand.self,
    ])
}

/// The file of a form.
struct FormInput: ParsableArguments {
  @Argument(help: ArgumentHelp("The document of the form, JSON.", valueName: "form"))
  var form: String

  func read() throws -> Form { try FormFile.read(form) }
}

/// Records of answers: one JSON object on each line.
struct AnswersInput: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The day of the answers, for today() and the bound today. (default: the current day in UTC)", valueName: "date"))
  var today: DayArgument?

  var day: FormDate {
    (today?.name).flatMap(FormDate.init) ?? FormDate(days: Int((Date().timeIntervalSince1970 / 86_400).rounded(.down)))
  }
}

/// Files of forms and answers.
enum FormFile {
  static func read(_ path: String) throws -> Form {
    let bytes = try TextFile.read(path, code: "form").bytes
    do throws(FormError) {
      return try Form(document: Array(bytes))
    } catch {
      throw CommandError(error.message, code: "form", file: path, place: error.path)
    }
  }

  /// A record and its line.
  struct Record {
    var line: Int
    var validation: FormValidation
  }

  /// Reads records and checks each; blank lines are skipped.
  static func records(_ path: String, of form: Form, today: FormDate) throws -> [Record] {
    let text = try TextFile.read(path, code: "answers").text
    var records: [Record] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard line.contains(where: { !$0.isWhitespace }) else { continue }
      let json: JSONValue
      do throws(WireError) {
        json = try JSONReader.value(of: Array(line.utf8))
      } catch {
        throw CommandError("is not JSON: \(error.reason)", code: "answers", file: path, place: "line \(index + 1)")
      }
      records.append(Record(line: index + 1, validation: FormValidation(json, of: form, today: today)))
    }
    return records
  }
}
