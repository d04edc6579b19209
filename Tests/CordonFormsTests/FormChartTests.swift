import CordonForms
import CordonSupport
import Testing

@Suite("Charts of forms") struct FormChartTests {
  private static func answers(_ changes: [(String, JSONValue?)]) throws -> FormAnswers {
    var json = SampleForm.answers
    for (key, value) in changes { json = json.with(key, value) }
    let checked = FormValidation(json, of: try SampleForm.form(), today: SampleForm.today)
    #expect(checked.issues.isEmpty, "\(checked.issues)")
    return checked.answers
  }

  /// The type decides: a line joins days and never categories, numbers have classes, many options are bars.
  @Test func theTypeOfAFieldChoosesTheChart() throws {
    let form = try SampleForm.form()
    let records = try [
      Self.answers([]), Self.answers([("clinic", "south"), ("temperature", 39.0)]),
      Self.answers([("vaccinated", nil), ("since", "2026-01-30"), ("room", ["lon": 13.4, "lat": 52.5])]),
    ]
    let charts = FormCharts(records, days: Array(repeating: SampleForm.today, count: 3), of: form).charts
    let kinds = Dictionary(uniqueKeysWithValues: charts.map { ($0.field ?? "", $0.kind) })
    #expect(
      kinds == [
        "": .line, "temperature": .histogram, "symptoms": .bar, "since": .line, "sick_days": .histogram,
        "pain": .histogram, "vaccinated": .pie, "clinic": .pie, "room": .map, "contacts.minutes": .histogram,
        "contacts.mask": .pie, "total_minutes": .histogram,
      ])
    let clinic = try #require(charts.first { $0.field == "clinic" })
    #expect(clinic.rows.map(\.numbers) == [[2], [1], [0], [0]] && clinic.answered == 3)
    // Days without an answer count too.
    let since = try #require(charts.first { $0.field == "since" })
    #expect(since.rows.map(\.numbers) == [[2], [0], [1]])
    let minutes = try #require(charts.first { $0.field == "contacts.minutes" })
    #expect(minutes.answered == 6 && minutes.records == 6)
    #expect(charts.allSatisfy { $0.drawing.hasPrefix("<svg") && !$0.drawing.contains("style=") })
  }

  @Test func twoListsMakeACrossTable() throws {
    let records = try [
      Self.answers([]), Self.answers([("clinic", "south"), ("vaccinated", false)]), Self.answers([("clinic", "south")]),
    ]
    let charts = FormCharts(records, days: [], of: try SampleForm.form(), by: "clinic").charts
    let cross = try #require(charts.first { $0.kind == .crossTable && $0.field == "vaccinated" })
    #expect(cross.rows.map(\.numbers) == [[1, 1, 0, 0], [0, 1, 0, 0]])
    #expect(cross.title.text(in: "en") == "vaccinated × clinic")
    let symptoms = try #require(charts.first { $0.kind == .crossTable && $0.field == "symptoms" })
    #expect(symptoms.rows[1].numbers == [1, 2, 0, 0])
  }

  @Test func textsOfPeopleAreEscaped() throws {
    let json = SampleForm.answers.with("room", ["space": "<script>&"])
    let answers = FormValidation(json, of: try SampleForm.form(), today: SampleForm.today).answers
    let room = try #require(
      FormCharts([answers], days: [], of: try SampleForm.form()).charts.first { $0.field == "room" })
    #expect(room.kind == .bar && !room.drawing.contains("<script") && room.drawing.contains("&lt;script"))
  }

  /// A chart without values has an empty drawing, and a date that is wrong by centuries makes no endless chart.
  @Test func extremesHaveCharts() throws {
    let form = try SampleForm.form()
    #expect(FormCharts([], days: [], of: form).charts.allSatisfy { $0.drawing.isEmpty })
    let records = try [Self.answers([("since", "0001-01-01")]), Self.answers([])]
    let since = try #require(FormCharts(records, days: [], of: form).charts.first { $0.field == "since" })
    #expect(since.rows.count == 2)
  }
}
