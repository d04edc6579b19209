import CordonForms
import CordonSupport
import Testing

@Suite("Versions of forms")
struct FormVersionTests {
  private static let earlier = """
    {"form": "clinic-visit", "version": 1, "title": "Visit", "items": [
      {"name": "temperature", "type": "integer"},
      {"name": "symptoms", "type": "choices", "options": ["cough", "fever", "headache", "rash"]},
      {"name": "clinic", "type": "choice", "options": ["north", "centre"]},
      {"name": "case_number", "type": "text"},
      {"name": "remark", "type": "text"},
      {"name": "vaccinated", "type": "text"},
      {"name": "old", "type": "text"},
      {"group": "contacts", "repeat": {"max": 5}, "items": [{"name": "minutes", "type": "integer"}, {"name": "name", "type": "text"}]}
    ]}
    """

  @Test func changesAreNamed() throws {
    let (old, new) = (try Form(document: Array(Self.earlier.utf8)), try SampleForm.form())
    let changes = new.changes(from: old).map { "\($0.kind.rawValue) \($0.names.joined(separator: "."))" }
    #expect(
      changes == [
        "converted temperature", "narrowed temperature", "option-removed symptoms", "added since", "added sick_days",
        "added pain", "retyped vaccinated", "option-removed clinic", "narrowed clinic", "added room", "added wound",
        "converted remark", "renamed reference", "narrowed reference", "narrowed contacts", "narrowed contacts.minutes",
        "narrowed contacts.minutes", "added contacts.mask", "removed contacts.name", "added total_minutes",
        "removed old",
      ])
    #expect(new.changes(from: new).isEmpty)
  }

  @Test func answersAreKeptConvertedOrNamedAsLost() throws {
    let (old, new) = (try Form(document: Array(Self.earlier.utf8)), try SampleForm.form())
    let before = FormValidation(
      [
        "temperature": 38, "symptoms": ["fever", "rash"], "clinic": "north", "case_number": "A-7", "remark": "none",
        "vaccinated": "yes", "old": "x",
        "contacts": [["minutes": 20, "name": "n"], ["minutes": 2], ["minutes": 3], ["minutes": 4]],
      ], of: old, today: SampleForm.today)
    #expect(before.isValid, "\(before.issues)")
    let migration = FormMigration(before.answers, from: old, to: new)
    #expect(migration.lost == ["symptoms", "vaccinated", "contacts[0].name", "contacts[3]", "old"])
    #expect(
      migration.answers.fields["reference"] == .text("A-7") && migration.answers.fields["temperature"] == .number(38))
    #expect(migration.answers.fields["symptoms"] == .choices(["fever"]))
    let after = FormValidation(migration.answers.json, of: new, today: SampleForm.today)
    // The later version asks something else, which only the person can answer.
    #expect(after.issues.map(\.description) == ["since: is required"])
  }
}
