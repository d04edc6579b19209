import CordonCore
import CordonForms
import CordonSupport
import Testing

@Suite("Files of records")
struct FormRecordLinesTests {
  private static let time = Instant(milliseconds: 1_768_204_800_000)

  private static func revision(
    _ answers: JSONValue?, record: String = "a", parents: [FormRevision] = [], form: String = "clinic-visit"
  ) -> FormRevision {
    FormRevision(
      record: "00000000-0000-4000-8000-00000000000\(record)", form: form, version: 2, parents: parents.map(\.id),
      device: "d1", time: time, answers: answers)
  }

  private static func records(_ lines: String) throws(FormError) -> FormRecords {
    var records = FormRecords()
    try records.add(lines: Array(lines.utf8), form: "clinic-visit")
    return records
  }

  @Test func aFileReadsBackToTheSameBytes() throws {
    let first = Self.revision(["x": 0.1, "text": "a\nb"])
    let second = Self.revision(["x": 1e21], parents: [first])
    var records = FormRecords()
    for one in [second, first, Self.revision(nil, record: "b"), Self.revision([:], record: "c")] {
      _ = records.add(one)
    }
    records.erase("00000000-0000-4000-8000-00000000000c")
    let lines = records.lines
    #expect(lines.split(separator: "\n").count == 4)
    let read = try Self.records(lines + "\n" + lines)
    #expect(read == records && read.lines == lines && read.entryCount == 4)
    #expect(FormRecords.isLine(first.json) && !FormRecords.isLine(["temperature": 37]))
  }

  /// The answer of a server to a request for records is a file of one line.
  @Test func answersOfAServerAreRead() throws {
    let one = Self.revision(["x": 1])
    let answer: JSONValue = [
      "answers": [], "revisions": [one.json], "erased": ["00000000-0000-4000-8000-00000000000d"], "cursor": 3,
      "more": false, "version": 2,
    ]
    let records = try Self.records(answer.text())
    #expect(records.identifiers == [one.id] && records.erased.count == 1)
  }

  @Test func faultsHaveTheirLine() {
    let good = Self.revision(["x": 1]).json.text()
    for (line, path) in [
      ("{", "line 3"), ("{\"x\": 1}", "line 3"), ("{\"erased\": \"x\"}", "line 3"),
      ("{\"erased\": [\"x\"]}", "line 3: erased[0]"),
      (Self.revision(["x": 1]).json.with("device", "d9").text(), "line 3: id"),
      (Self.revision(["x": 1], record: "e", form: "other").json.text(), "line 3: form"),
      ("{\"revisions\": [{}], \"erased\": []}", "line 3: revisions[0]"),
    ] {
      let error = #expect(throws: FormError.self) { try Self.records("\(good)\n\n\(line)\n") }
      #expect(error?.path == path, "\(line)")
    }
  }

  @Test func answersBecomeTheSameRecordAgain() throws {
    let form = try SampleForm.form()
    func made(_ device: String, _ occurrence: Int) -> FormRevision {
      FormRevision(
        answers: SampleForm.answers, of: form, device: device, time: Self.time, occurrence: occurrence)
    }
    #expect(made("d1", 0) == made("d1", 0) && FormRevision.isUUID(made("d1", 0).record))
    let all = [made("d1", 0), made("d1", 1), made("d2", 0)]
    #expect(Set(all.map(\.record)).count == 3)
    let digits = Array(all[0].record)
    #expect(digits[14] == "8" && digits[19] == "8")
    #expect(try FormRevision(json: all[0].json) == all[0])
  }

  @Test func aDayOfThePersonIsOneOfThree() throws {
    let form = try Form(
      document: Array(
        """
        {"form": "clinic-visit", "version": 2, "title": "t", "items": [{"name": "day", "type": "date", "max": "today"}]}
        """.utf8))
    // 2026-01-12 in UTC.
    #expect(Self.revision(["day": "2026-01-13"]).issues(in: form).isEmpty)
    #expect(Self.revision(["day": "2026-01-14"]).issues(in: form).map(\.path) == ["day"])
    #expect(Self.revision(nil).issues(in: form).isEmpty)
  }
}
