import CordonTestSupport
import Foundation
import Testing

/// The commands of forms, as their user runs them.
@Suite("cordon form")
struct FormCommandTests {
  private static let form = """
    {"form": "screening", "version": 1, "title": "Screening", "items": [
      {"name": "temperature", "type": "number", "unit": "°C", "min": 30, "max": 45, "required": true},
      {"name": "symptoms", "type": "choices", "options": ["cough", "fever"]},
      {"name": "since", "type": "date", "max": "today", "required": true, "show_if": "count(symptoms) > 0"}]}
    """
  private static let answers = """
    {"temperature": 36.6}

    {"temperature": 58.9, "symptoms": ["fever"], "since": "2026-01-28"}
    {"temperature": 38, "symptoms": ["cough"], "since": "2026-02-02"}
    """

  @Test func answersAreCheckedWithTheirLines() throws {
    let folder = try TemporaryFolder()
    let (form, answers) = (try folder.write(Self.form, to: "form.json"), try folder.write(Self.answers, to: "a.jsonl"))
    let result = try CordonProcess.run(["form", "check", form, "--answers", answers, "--today", "2026-02-01"])
    #expect(result.status == 1 && result.errors.isEmpty)
    #expect(result.output.contains("3 records, 2 not valid"))
    #expect(result.output.contains("line 3: temperature: has to be at most 45 °C"))
    #expect(result.output.contains("line 4: since: has to be 2026-02-01 or earlier") && !result.output.contains("58.9"))
    let json = try CordonProcess.run(["form", "check", form, "--answers", answers, "--today", "2026-02-03", "--json"])
    #expect(json.status == 1 && json.json["valid"] as? Int == 2 && json.json["records"] as? Int == 3)
    #expect((json.json["issues"] as? [[String: Any]])?.first?["line"] as? Int == 3)
    let summary = try CordonProcess.run(
      ["form", "summary", form, "--answers", answers, "--today", "2026-02-03", "--json"])
    #expect(summary.status == 0 && summary.json["left_out"] as? Int == 1)
  }

  @Test func wrongInputNamesItsPlace() throws {
    let folder = try TemporaryFolder()
    let good = try folder.write(Self.form, to: "form.json")
    let wrong = try folder.write(Self.form.replacingOccurrences(of: "choices", with: "choises"), to: "wrong.json")
    let result = try CordonProcess.run(["form", "check", wrong])
    #expect(result.status == 2 && result.errors.contains("wrong.json: 'choises' is not a type of answers"))
    #expect(result.errors.contains("did you mean 'choice"))
    #expect(result.errors.contains("(items[1].type)"))
    let broken = try folder.write("{\"temperature\": 36}\n{\"temperature\": ", to: "broken.jsonl")
    let cut = try CordonProcess.run(["form", "check", good, "--answers", broken])
    #expect(cut.status == 2 && cut.errors.contains("line 2") && cut.output.isEmpty)
    let missing = try CordonProcess.run(["form", "check", folder.path("none.json")])
    #expect(missing.status == 2 && missing.errors.contains("no such file"))
    let day = try CordonProcess.run(["form", "check", good, "--today", "2026-02-30"])
    #expect(day.status == 2 && day.errors.contains("a date: 2026-01-31"))
  }

  @Test func aNewVersionSaysWhatItLoses() throws {
    let folder = try TemporaryFolder()
    let old = try folder.write(Self.form, to: "old.json")
    let new = try folder.write(
      Self.form.replacingOccurrences(of: "\"version\": 1", with: "\"version\": 2")
        .replacingOccurrences(of: ", \"fever\"", with: ""), to: "new.json")
    let result = try CordonProcess.run(["form", "changes", old, new])
    #expect(result.status == 1 && result.output.contains("! symptoms: no longer has the option 'fever'"))
    let same = try CordonProcess.run(["form", "changes", old, old])
    #expect(same.status == 2 && same.errors.contains("greater number"))
  }

  @Test func theSourceIsWrittenOnceAndNeverOverTheForm() throws {
    let folder = try TemporaryFolder()
    let form = try folder.write(Self.form, to: "form.json")
    let target = folder.path("Screening.swift")
    #expect(try CordonProcess.run(["form", "swift", form, "-o", target]).status == 0)
    #expect(try String(contentsOfFile: target, encoding: .utf8).contains("public struct Screening"))
    #expect(try CordonProcess.run(["form", "swift", form, "-o", target]).status == 2)
    let over = try CordonProcess.run(["form", "swift", form, "-o", form, "--force", "--output-format", "swift"])
    #expect(over.status == 2)
    #expect(try CordonProcess.run(["form", "swift", form]).output.contains("public struct Screening"))
  }

  @Test func answersBecomeRecordsThatOtherCommandsRead() throws {
    let folder = try TemporaryFolder()
    let form = try folder.write(Self.form, to: "form.json")
    let line = "{\"temperature\": 36.6}\n"
    let answers = try folder.write(line + line + "{\"temperature\": 38}\n", to: "answers.jsonl")
    let make = ["form", "records", form, "--answers", answers, "--device", "tablet-1", "--today", "2026-02-01", "-o"]
    let made = try CordonProcess.run(make + [folder.path("one.jsonl")])
    #expect(made.status == 0 && made.output.contains("3 records of screening, version 1"), "\(made)")
    #expect(try CordonProcess.run(make + [folder.path("two.jsonl")]).status == 0)
    #expect(try folder.text("one.jsonl") == folder.text("two.jsonl"))
    let check = try CordonProcess.run(["form", "check", form, "--answers", folder.path("one.jsonl"), "--json"])
    #expect(check.status == 0 && check.json["records"] as? Int == 3 && check.json["valid"] as? Int == 3)
    // A record that was changed by hand is found.
    let changed = try folder.write(
      folder.text("one.jsonl").replacingOccurrences(of: "36.6", with: "36.7"), to: "changed.jsonl")
    let refused = try CordonProcess.run(["form", "check", form, "--answers", changed])
    #expect(refused.status == 2 && refused.errors.contains("does not fit the contents"), "\(refused)")
    let wrong = try folder.write("{\"temperature\": 99.125}\n", to: "wrong.jsonl")
    let invalid = try CordonProcess.run(
      ["form", "records", form, "--answers", wrong, "--device", "d", "-o", folder.path("three.jsonl")])
    #expect(invalid.status == 2 && invalid.errors.contains("line 1") && !invalid.errors.contains("99.125"))
  }
}
