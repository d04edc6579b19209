package import CordonSupport

/// A chart of the answers to one field: a drawing, and its values as a table.
package struct FormChart: Hashable, Sendable {
  /// The kind of a drawing; the type of the field decides.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Shares of at most six options, of which each answer has one.
    case pie
    /// Numbers of answers by option or space.
    case bar
    /// Numbers of answers by classes of a number.
    case histogram
    /// Numbers of answers over time.
    case line
    /// Positions, north up.
    case map
    /// Numbers of answers by two fields.
    case crossTable = "cross-table"
  }

  /// The kind of the drawing.
  package var kind: Kind
  /// The names of the groups and the field; `nil` for the chart of all records.
  package var field: String?
  /// The title in the languages of the form.
  package var title: LocalizedText
  /// The headings of the table; the first one is that of the rows.
  package var columns: [LocalizedText]
  /// The rows of the table, each with its name and numbers.
  package var rows: [Row]
  /// The number of records with an answer, and of all records.
  package var answered: Int
  package var records: Int
  /// Points of a map, degrees.
  package var points: [Point] = []

  /// A row of the table.
  package struct Row: Hashable, Sendable {
    package var name: LocalizedText
    package var numbers: [Double]
  }

  /// A position, degrees.
  package struct Point: Hashable, Sendable {
    package var longitude: Double
    package var latitude: Double
  }

  /// The drawing as SVG; empty for a chart without values.
  package var drawing: String { FormChartDrawing(self).svg }

  /// The heading of the table below a drawing.
  package static let tableTitle = LocalizedText(entries: [
    .init(language: "en", text: "Values as a table"), .init(language: "de", text: "Werte als Tabelle"),
  ])

  /// The chart as JSON, with its drawing.
  package var json: JSONValue {
    [
      "kind": .string(kind.rawValue), "field": JSONValue(field), "title": title.json, "answered": JSONValue(answered),
      "records": JSONValue(records), "columns": .array(columns.map(\.json)),
      "rows": .array(rows.map { .array([$0.name.json] + $0.numbers.map(JSONValue.number)) }),
      "svg": .string(drawing),
    ]
  }
}

/// Charts of the answers to a form, chosen by the types of its fields.
package struct FormCharts: Sendable {
  /// The charts: records over time first, then the fields in the order of the form.
  package private(set) var charts: [FormChart] = []
  private let records: [FormAnswers]

  private static func word(_ english: String, _ german: String) -> LocalizedText {
    LocalizedText(entries: [.init(language: "en", text: english), .init(language: "de", text: german)])
  }

  private static let count = word("Answers", "Antworten")
  private static let yes = word("Yes", "Ja")
  private static let no = word("No", "Nein")

  /// Makes charts.
  /// - Parameters:
  ///   - records: valid answers.
  ///   - days: the day of each record, for the chart over time; empty for none.
  ///   - form: the form.
  ///   - by: a list field by whose options all others are also split; `nil` for none.
  package init(_ records: [FormAnswers], days: [FormDate], of form: Form, by other: String? = nil) {
    self.records = records
    if !days.isEmpty {
      charts.append(
        FormChart(
          kind: .line, field: nil, title: FormCharts.word("Records over time", "Datensätze im Lauf der Zeit"),
          columns: [FormCharts.word("Day", "Tag"), FormCharts.word("Records", "Datensätze")],
          rows: FormCharts.series(days), answered: days.count, records: records.count))
    }
    let splitter = FormCharts.lists(of: form).first { $0.name == other }
    for (groups, field) in form.allFields {
      guard let chart = chart(of: field, groups: groups) else { continue }
      charts.append(chart)
      if let splitter, groups.isEmpty, field.name != splitter.name, !FormCharts.options(of: field).isEmpty {
        charts.append(crossTable(field, by: splitter))
      }
    }
  }

  /// The fields by which records can be filtered and split: lists and toggles outside of groups.
  package static func lists(of form: Form) -> [FormField] {
    form.allFields.filter { $0.groups.isEmpty && !options(of: $0.field).isEmpty }.map(\.field)
  }

  /// The options of a list, or those of a toggle.
  package static func options(of field: FormField) -> [FormField.Option] {
    switch field.kind {
    case .choice, .choices: field.options
    case .toggle: [.init(value: "true", label: yes), .init(value: "false", label: no)]
    default: []
    }
  }

  /// The selected options of an answer.
  package static func values(of answer: AnswerValue?) -> [String] {
    switch answer {
    case .text(let text): [text]
    case .choices(let values): values
    case .truth(let truth): [truth ? "true" : "false"]
    default: []
    }
  }

  private func chart(of field: FormField, groups: [String]) -> FormChart? {
    var scopes = records
    for group in groups { scopes = scopes.flatMap { $0.groups[group] ?? [] } }
    let answers = scopes.compactMap { $0.fields[field.name] }
    var chart = FormChart(
      kind: .bar, field: (groups + [field.name]).joined(separator: "."), title: field.label,
      columns: [FormCharts.word("Answer", "Antwort"), FormCharts.count], rows: [], answered: answers.count,
      records: scopes.count)
    let options = FormCharts.options(of: field)
    if !options.isEmpty {
      var counts: [String: Int] = [:]
      for value in answers.flatMap(FormCharts.values) { counts[value, default: 0] += 1 }
      chart.kind = field.kind != .choices && options.count <= 6 ? .pie : .bar
      chart.rows = options.map { .init(name: $0.label, numbers: [Double(counts[$0.value] ?? 0)]) }
      return chart
    }
    switch field.kind {
    case .number, .integer, .scale:
      guard case .numbers(_, _, _, _, let bins) = FormSummary.distribution(of: answers, to: field) else { return nil }
      chart.kind = .histogram
      chart.columns[0] = FormCharts.word("From", "Ab")
      chart.rows = bins.map {
        .init(name: LocalizedText(JSONValue.number($0.from).text(), language: "en"), numbers: [Double($0.count)])
      }
    case .date:
      chart.kind = .line
      chart.columns[0] = FormCharts.word("Day", "Tag")
      chart.rows = FormCharts.series(answers.compactMap { if case .date(let date) = $0 { date } else { nil } })
    case .place:
      var spaces: [String: Int] = [:]
      for case .place(let place) in answers {
        switch place {
        case .space(let id): spaces[id, default: 0] += 1
        case .position(let longitude, let latitude, _):
          chart.points.append(.init(longitude: longitude, latitude: latitude))
        }
      }
      chart.kind = chart.points.isEmpty ? .bar : .map
      chart.columns[0] = FormCharts.word("Space", "Raum")
      chart.rows = spaces.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
        .init(name: LocalizedText($0.key, language: "en"), numbers: [Double($0.value)])
      }
      if !chart.points.isEmpty {
        chart.rows.append(
          .init(name: FormCharts.word("Position", "Position"), numbers: [Double(chart.points.count)]))
      }
    default: return nil
    }
    return chart.rows.isEmpty ? nil : chart
  }

  private func crossTable(_ field: FormField, by other: FormField) -> FormChart {
    let (rows, columns) = (FormCharts.options(of: field), FormCharts.options(of: other))
    var counts: [String: [String: Int]] = [:]
    var answered = 0
    for record in records {
      let (one, two) = (
        FormCharts.values(of: record.fields[field.name]), FormCharts.values(of: record.fields[other.name])
      )
      if !one.isEmpty, !two.isEmpty { answered += 1 }
      for value in one { for second in two { counts[value, default: [:]][second, default: 0] += 1 } }
    }
    let language = field.label.texts.first?.language ?? "en"
    return FormChart(
      kind: .crossTable, field: field.name,
      title: LocalizedText("\(field.label.text(in: language)) × \(other.label.text(in: language))", language: language),
      columns: [field.label] + columns.map(\.label),
      rows: rows.map { row in
        .init(name: row.label, numbers: columns.map { Double(counts[row.value]?[$0.value] ?? 0) })
      }, answered: answered, records: records.count)
  }

  /// Numbers by day, those without any between the first and the last one included; by month over more than 100 days.
  private static func series(_ days: [FormDate]) -> [FormChart.Row] {
    guard let first = days.min(), let last = days.max() else { return [] }
    func name(_ day: FormDate, isMonth: Bool) -> String { String(day.description.prefix(isMonth ? 7 : 10)) }
    let isMonth = last.days - first.days > 100
    var counts: [String: Int] = [:]
    for day in days { counts[name(day, isMonth: isMonth), default: 0] += 1 }
    // A date that is wrong by centuries must not make a chart of a million days.
    if isMonth, last.days - first.days > 40_000 {
      return counts.sorted { $0.key < $1.key }.map {
        .init(name: LocalizedText($0.key, language: "en"), numbers: [Double($0.value)])
      }
    }
    var names: [String] = []
    for day in first.days...last.days {
      let text = name(FormDate(days: day), isMonth: isMonth)
      if names.last != text { names.append(text) }
    }
    return names.map { .init(name: LocalizedText($0, language: "en"), numbers: [Double(counts[$0] ?? 0)]) }
  }
}
