import CordonForms
import CordonSupport
import Testing

@Suite("Answers of forms")
struct FormValidationTests {
  private static func issues(_ answers: JSONValue) throws -> [String] {
    FormValidation(answers, of: try SampleForm.form(), today: SampleForm.today).issues.map(\.description)
  }

  @Test func validAnswersAreKeptWithCalculatedValues() throws {
    let form = try SampleForm.form()
    let validation = FormValidation(SampleForm.answers, of: form, today: SampleForm.today)
    #expect(validation.isValid, "\(validation.issues)")
    let answers = validation.answers
    #expect(answers.fields["sick_days"] == .number(4) && answers.fields["total_minutes"] == .number(25))
    // Options in the order of the form.
    #expect(answers.fields["symptoms"] == .choices(["fever", "headache"]))
    #expect(answers.groups["contacts"]?.count == 2 && answers.groups["contacts"]?[1].fields["mask"] == nil)
    // Accepted answers are accepted again, and stay the same.
    let again = FormValidation(answers.json, of: form, today: SampleForm.today)
    #expect(again.isValid && again.answers == answers, "\(again.issues)")
  }

  @Test func requiredFieldsCountOnlyWhileTheyAreShown() throws {
    #expect(try Self.issues(SampleForm.answers.with("since", nil)) == ["since: is required"])
    let healthy = SampleForm.answers.with("since", nil).with("symptoms", nil)
    #expect(try Self.issues(healthy) == [])
    #expect(try Self.issues([:]) == ["temperature: is required", "clinic: is required"])
    #expect(
      try Self.issues(SampleForm.answers.with("contacts", [["mask": true]])).first == "contacts[0].minutes: is required"
    )
  }

  @Test func hiddenAnswersAreRefused() throws {
    #expect(
      try Self.issues(SampleForm.answers.with("symptoms", ["cough"])) == ["wound: is not asked with these answers"])
    #expect(
      try Self.issues(SampleForm.answers.with("contacts", [["minutes": 3, "mask": true]]))
        == ["contacts[0].mask: is not asked with these answers"])
    #expect(
      try Self.issues(SampleForm.answers.with("total_minutes", 99)) == [
        "total_minutes: is calculated, and has another value"
      ])
  }

  @Test(
    arguments: [
      ("temperature", JSONValue.number(50), "temperature: has to be at most 45 °C"),
      ("temperature", "38", "temperature: has to be a number"),
      ("temperature", JSONValue.number(Double.nan), "temperature: has to be a number"),
      ("pain", 4.5, "pain: has to be a whole number"), ("pain", 11, "pain: has to be at most 10"),
      ("since", "2026-02-30", "since: has to be a day such as 2026-01-31"),
      ("since", "2026-02-02", "since: has to be 2026-02-01 or earlier"),
      ("symptoms", ["caugh"], "symptoms: has to contain only 'cough', 'fever', 'headache'"),
      ("symptoms", "cough", "symptoms: has to be a list of values of options"),
      ("clinic", "nort", "clinic: has to be one of 'north', 'south', 'east', 'west'"),
      ("vaccinated", "yes", "vaccinated: has to be true or false"),
      ("reference", "two\nlines", "reference: has to be one line"),
      ("reference", "123456789012345678901", "reference: is longer than 20 characters"),
      ("room", ["lon": 200, "lat": 0], "room: has a longitude or latitude out of range"),
      ("room", ["lon": 1], "room: has to be a space, or a position with lon and lat"),
      (
        "wound", ["sha256": "x", "type": "image/jpeg", "bytes": 1],
        "wound: has to be the sha256, the type and the bytes of a photo"
      ),
      ("contacts", 3, "contacts: has to be a list of objects"),
      (
        "contacts", [["minutes": 1], ["minutes": 1], ["minutes": 1], ["minutes": 1]],
        "contacts: has more than 3 entries"
      ),
      ("sympthoms", true, "sympthoms: is not a field of the form (did you mean 'symptoms'?)"),
    ] as [(String, JSONValue, String)])
  func aFaultHasItsPath(name: String, value: JSONValue, message: String) throws {
    #expect(try Self.issues(SampleForm.answers.with(name, value)) == [message])
  }

  @Test func messagesDoNotRepeatAnswers() throws {
    for name in ["temperature", "since", "clinic", "reference", "room"] {
      let issues = try Self.issues(SampleForm.answers.with(name, "secret-answer-of-a-person"))
      #expect(!issues.isEmpty && issues.allSatisfy { !$0.contains("secret") })
    }
  }
}
