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
    abstract: "Check forms and answers; make pages, source and FHIR of them; share records.",
    discussion: """
      A form is a JSON document: fields with types, conditions, formulas and groups that repeat. Start with

        cordon form check screening.json
      """,
    subcommands: [
      FormCheckCommand.self, FormChangesCommand.self, FormSummaryCommand.self, FormPageCommand.self,
      FormSwiftCommand.self, FormFHIRCommand.self, FormRecordsCommand.self, FormShareCommand.self,
      FormReceiveCommand.self,
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

  /// Reads answers and checks each; blank lines are skipped. A file of records stands for the latest answers of each record.
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
      if records.isEmpty, FormRecords.isLine(json) { return try states(path, text, of: form) }
      records.append(Record(line: index + 1, validation: FormValidation(json, of: form, today: today)))
    }
    return records
  }

  /// The latest answers of each record that is not deleted, in the order of the file. Each is checked on its own day.
  private static func states(_ path: String, _ text: String, of form: Form) throws -> [Record] {
    var records = FormRecords()
    do throws(FormError) {
      try records.add(lines: Array(text.utf8), form: form.id)
    } catch {
      throw CommandError(error.message, code: "answers", file: path, place: error.path)
    }
    var lines: [String: Int] = [:]
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let id = (try? JSONReader.value(of: Array(line.utf8)))?["id"]?.stringValue { lines[id] = index + 1 }
    }
    let states = records.records.compactMap { record -> Record? in
      guard let head = records.heads(of: record).last, let answers = head.answers else { return nil }
      let day = FormDate(days: Int((Double(head.time.milliseconds) / 86_400_000).rounded(.down)))
      return Record(line: lines[head.id] ?? 1, validation: FormValidation(answers, of: form, today: day))
    }
    return states.sorted { $0.line < $1.line }
  }
}
