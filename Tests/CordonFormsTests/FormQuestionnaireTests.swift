import CordonForms
import CordonSupport
import CordonTestSupport
import Foundation
import Testing

@Suite("Forms as Questionnaires") struct FormQuestionnaireTests {
  static let python = Places.file(".build/health/bin/python").path
  static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: python) }

  @Test(arguments: FormQuestionnaire.Version.allCases) func aFormSurvivesTheQuestionnaire(
    version: FormQuestionnaire.Version
  ) throws {
    let form = try SampleForm.form()
    let (document, notes) = try FormQuestionnaire.document(of: FormQuestionnaire.json(of: form, version: version))
    #expect(try Form(json: document) == form)
    #expect(notes.isEmpty)
  }

  @Test func answersSurviveTheResponse() throws {
    let form = try SampleForm.form()
    let answers = FormValidation(SampleForm.answers, of: form, today: SampleForm.today).answers
    let response = FormQuestionnaire.response(answers, of: form)
    let again = try FormQuestionnaire.answers(response: response, of: form)
    let checked = FormValidation(again, of: form, today: SampleForm.today)
    #expect(checked.issues.isEmpty && checked.answers == answers)
    for place in [["lon": 13.4, "lat": 52.5, "floor": -1], ["space": "Raum 7/ö"]] as [JSONValue] {
      let moved = FormValidation(SampleForm.answers.with("room", place), of: form, today: SampleForm.today).answers
      let read = try FormQuestionnaire.answers(response: FormQuestionnaire.response(moved, of: form), of: form)
      #expect(read["room"]?.canonicalText == place.canonicalText)
    }
  }

  /// Whole numbers that no integer holds, as bounds, in conditions and as results of formulas.
  @Test func hugeWholeNumbersAreWritten() throws {
    let form = try Form(
      json: [
        "form": "f", "version": 1, "title": "F",
        "items": [
          ["name": "a", "type": "number"],
          ["name": "n", "type": "integer", "min": .number(-1e300), "max": .number(1e300)],
          ["name": "b", "type": "text", "show_if": "n > 99999999999999999999999"],
          ["name": "r", "type": "integer", "calculate": "a * a"],
        ],
      ])
    for version in FormQuestionnaire.Version.allCases {
      let text = FormQuestionnaire.json(of: form, version: version).text()
      #expect(text.contains("1e+300") || text.contains("1e300") || text.contains("1E300"))
    }
    let answers = FormValidation(["a": .number(9e15)], of: form, today: SampleForm.today).answers
    #expect(FormQuestionnaire.response(answers, of: form).text().contains("QuestionnaireResponse"))
  }

  /// A Questionnaire of another program: translated conditions, and notes for what forms do not have.
  @Test func aForeignQuestionnaireIsRead() throws {
    let foreign: JSONValue = [
      "resourceType": "Questionnaire", "name": "PHQ 2", "title": "Two questions", "status": "active", "version": "1.0",
      "item": [
        ["linkId": "intro", "type": "display", "text": "Over the last two weeks"],
        [
          "linkId": "1", "type": "choice", "text": "Little interest", "required": true,
          "answerOption": [
            ["valueCoding": ["code": "0", "display": "Not at all"]],
            ["valueCoding": ["code": "3", "display": "Nearly daily"]],
          ],
        ],
        [
          "linkId": "2", "type": "group", "text": "More", "enableBehavior": "any",
          "enableWhen": [
            ["question": "1", "operator": "=", "answerCoding": ["code": "3"]],
            ["question": "1", "operator": "exists", "answerBoolean": false],
          ],
          "item": [
            ["linkId": "2.1", "type": "integer", "text": "Days"],
            [
              "linkId": "2.2", "type": "string", "text": "Why",
              "enableWhen": [["question": "2.1", "operator": ">", "answerInteger": 3]],
            ],
          ],
        ],
      ],
    ]
    let (document, notes) = try FormQuestionnaire.document(of: foreign)
    let form = try Form(json: document)
    #expect(form.id == "phq_2" && notes.count == 1)
    let text = form.json.text()
    #expect(text.contains("field_1 = '3' or not answered(field_1)") && text.contains("\"show_if\":\"field_1 > 3\""))
    for (change, path) in [("time", "item[0].type"), ("reference", "item[0].type")] {
      let error = #expect(throws: FormError.self) {
        try FormQuestionnaire.document(of: [
          "resourceType": "Questionnaire", "item": [["linkId": "a", "type": .string(change)]],
        ])
      }
      #expect(error?.path == path)
    }
    #expect(throws: FormError.self) { try FormQuestionnaire.document(of: ["resourceType": "Patient"]) }
    let strange: JSONValue = ["resourceType": "QuestionnaireResponse", "item": [["linkId": "nothing"]]]
    #expect(throws: FormError.self) { try FormQuestionnaire.answers(response: strange, of: form) }
  }

  /// fhir.resources, which follows the published definitions, accepts what is written.
  @Test(.enabled(if: isAvailable, "scripts/setup --tests installs fhir.resources")) func aValidatorAcceptsTheResources()
    throws
  {
    let form = try SampleForm.form()
    let answers = FormValidation(SampleForm.answers, of: form, today: SampleForm.today).answers
    let folder = try TemporaryFolder()
    let values: [(String, JSONValue)] = [
      ("r5.questionnaire", FormQuestionnaire.json(of: form, version: .r5)),
      ("r4.questionnaire", FormQuestionnaire.json(of: form, version: .r4)),
      ("r5.bundle", FormQuestionnaire.bundle([FormQuestionnaire.response(answers, of: form)])),
    ]
    for (name, value) in values {
      try Data(value.text().utf8).write(to: URL(fileURLWithPath: folder.path(name + ".json")))
    }
    let program = """
      import sys
      from fhir.resources.questionnaire import Questionnaire
      from fhir.resources.bundle import Bundle
      from fhir.resources.R4B.questionnaire import Questionnaire as Old
      folder = sys.argv[1]
      read = lambda name: open(f"{folder}/{name}.json").read()
      Questionnaire.model_validate_json(read("r5.questionnaire"))
      Old.model_validate_json(read("r4.questionnaire"))
      print(len(Bundle.model_validate_json(read("r5.bundle")).entry[0].resource.item), "items")
      """
    let child = try Child(Self.python, ["-c", program, folder.url.path])
    let text = String(
      decoding: try FileHandle(fileDescriptor: child.output, closeOnDealloc: false).readToEnd() ?? Data(), as: UTF8.self
    )
    let reason = String(
      decoding: try FileHandle(fileDescriptor: child.errors, closeOnDealloc: false).readToEnd() ?? Data(), as: UTF8.self
    )
    #expect(child.wait() == 0, "\(reason)")
    #expect(text == "13 items\n")
  }
}
