import CordonForms
import CordonSupport
import Testing

@Suite("Conditions and formulas")
struct FormExpressionTests {
  /// A form with numbers, and a calculated number or condition.
  private static func value(_ formula: String, type: String = "number", answers: JSONValue) throws -> AnswerValue? {
    let form = try Form(
      json: [
        "form": "f", "version": 1, "title": "T",
        "items": [
          ["name": "a", "type": "number"], ["name": "b", "type": "number"], ["name": "c", "type": "number"],
          ["name": "day", "type": "date"], ["name": "word", "type": "text"],
          ["name": "list", "type": "choices", "options": ["x", "y"]],
          ["group": "g", "repeat": ["max": 5], "items": [["name": "n", "type": "number"]]],
          ["name": "result", "type": .string(type), "calculate": .string(formula)],
        ],
      ])
    let validation = FormValidation(answers, of: form, today: SampleForm.today)
    #expect(validation.isValid, "\(validation.issues)")
    return validation.answers.fields["result"]
  }

  @Test(
    arguments: [
      ("a + b * c", 14.0), ("(a + b) * c", 20.0), ("a - b - c", -5.0), ("-a + b", 1.0), ("c / b", 4 / 3.0),
      ("- -a", 2.0),
      ("if(a < b and b < c, 1, 2)", 1.0), ("if(not a = 2, 1, 2)", 2.0), ("if(a > b or c >= 4, 1, 2)", 1.0),
      ("round(c / b, 2)", 1.33), ("round(2.5)", 3.0), ("min(c, a, b)", 2.0), ("max(a, c)", 4.0), ("sum(g.n)", 6.5),
      ("count(list)", 2.0), ("count(g)", 2.0), ("if(contains(list, 'x'), 10, 0)", 10.0), ("length(word)", 5.0),
      ("days('2026-01-01', day)", 30.0), ("if(day < today(), 1, 0)", 1.0), ("if(day + 1 = today(), 1, 0)", 1.0),
      ("if(word = 'it''s ', 1, 0)", 1.0),
    ])
  func aFormulaHasItsValue(formula: String, value: Double) throws {
    let answers: JSONValue = [
      "a": 2, "b": 3, "c": 4, "day": "2026-01-31", "word": "it's ", "list": ["x", "y"], "g": [["n": 2.5], ["n": 4]],
    ]
    #expect(try Self.value(formula, answers: answers) == .number(value))
  }

  /// A date is not moved by a number of days that no calendar has.
  @Test(arguments: [-9_223_372_036_854_775_808, 9.3e18, -1e300]) func datesMoveByDays(days: Double) throws {
    let answers: JSONValue = ["a": .number(days), "day": "2026-01-31"]
    #expect(try Self.value("if(day + a < today(), 1, 0)", answers: answers) == .number(0))
  }

  @Test func missingAnswersAreMissing() throws {
    #expect(try Self.value("a + 1", answers: [:]) == nil)
    #expect(try Self.value("a / b", answers: ["a": 1, "b": 0]) == nil)
    #expect(try Self.value("a = 1 or a != 1", type: "toggle", answers: [:]) == .truth(false))
    #expect(try Self.value("answered(a)", type: "toggle", answers: ["a": 0]) == .truth(true))
    #expect(try Self.value("max(a, b)", answers: ["b": -1]) == .number(-1))
    #expect(try Self.value("sum(g.n)", answers: [:]) == .number(0))
  }

  @Test(
    arguments: [
      ("a <", 4, "expected a value"), ("a b", 3, "expected an operator or the end"), ("(a", 3, "expected ')'"),
      ("cuont(list)", 1, "there is no function 'cuont' (did you mean 'count'?)"),
      ("'x", 1, "the text has no closing quote"),
      ("a < b < c", 7, "two comparisons in a row; join them with 'and'"),
      ("days(day)", 1, "'days' has 2 arguments, not 1"),
      ("1.2.3", 1, "is not a number"), ("", 1, "expected a value"), ("and a", 1, "expected a value before 'and'"),
    ])
  func anErrorHasItsPosition(text: String, position: Int, message: String) {
    let error = #expect(throws: FormExpressionError.self) { try FormExpression(text) }
    #expect(error?.description == "character \(position): \(message)")
  }

  @Test func depthAndLengthAreBounded() {
    #expect(throws: FormExpressionError.self) { try FormExpression(String(repeating: "(", count: 400) + "1") }
    #expect(throws: FormExpressionError.self) { try FormExpression(String(repeating: "-", count: 900) + "1") }
    #expect(throws: FormExpressionError.self) { try FormExpression(String(repeating: "not ", count: 200) + "true") }
    #expect(throws: FormExpressionError.self) { try FormExpression(String(repeating: "1+", count: 600) + "1") }
  }

  @Test func daysOfTheCalendar() {
    #expect(FormDate("1970-01-01")?.days == 0 && FormDate("2000-03-01")?.days == 11_017)
    #expect(FormDate("2026-02-29") == nil && FormDate("2024-02-29") != nil && FormDate("1900-02-29") == nil)
    #expect(FormDate("2026-13-01") == nil && FormDate("26-01-01") == nil && FormDate("2026-01-0x") == nil)
    for days in stride(from: -700_000, through: 900_000, by: 97) {
      let date = FormDate(days: days)
      #expect(FormDate(date.description) == date, "\(days)")
    }
  }
}
