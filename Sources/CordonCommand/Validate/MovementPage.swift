import CordonCore
import CordonCrowd
import CordonRun
import CordonSimulator
import CordonSupport

/// The cases of a movement validation as one page: two plots against reference curves, and a table.
struct MovementPage {
  let model: String
  let step: String
  let cases: [MovementCase]
  let studies: [MovementStudy]
  var isPartial = false

  /// The note on a partial result.
  static let partialNote = "Interrupted: cases are missing."

  /// At most three decimals.
  static func plain(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return value.isNaN ? "-" : value > 0 ? "inf" : "-inf" }
    let rounded = (value * 1_000).rounded() / 1_000
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  var html: String {
    let rows = cases.map { item in
      (
        style: item.isPassed ? "pass" : "fail",
        cells: [
          MarkupText.escaped(item.id),
          MarkupText.escaped(item.title) + (item.note.isEmpty ? "" : "<small>\(MarkupText.escaped(item.note))</small>"),
          "\(Self.plain(item.value)) \(MarkupText.escaped(item.unit))",
          "\(Self.plain(item.band.lowerBound)) to \(Self.plain(item.band.upperBound))", item.isPassed ? "pass" : "fail",
        ]
      )
    }
    return StudyPage.html(
      title: "Movement: \(model), steps of \(step)", kind: "validation",
      body: """
        \(isPartial ? "<p class=\"no\">\(Self.partialNote)</p>" : "")
        <p class="lead">\(cases.count { $0.isPassed }) of \(cases.count) cases lie in their bands.</p>
        \(doorPlot)\(densityPlot)
        \(StudyPage.table(
          [
            .text("case"), .text("what", style: "words"), .number("value"), .number("band"),
            .text("verdict", style: "verdict"),
          ], rows))
        \(studies.isEmpty ? "" : "<h2 class=\"sub\">Studies</h2>")\(studies.map(section).joined(separator: "\n"))
        """)
  }

  /// A study: its curves, and remarks about them.
  private func section(_ study: MovementStudy) -> String {
    let series = study.series.enumerated().map { index, series in
      LineChart.Series(series.name, series.points.map { LineChart.Point($0.x, $0.y) }, colour: index % 5)
    }
    let remarks = study.remarks.map { "<li>\(MarkupText.escaped($0))</li>" }.joined()
    let chart = LineChart(study.title, x: ChartAxis(study.xName), y: ChartAxis(study.yName), series: series)
    return "<h3>\(MarkupText.escaped(study.id))</h3>\(chart.html)<ul class=\"note\">\(remarks)</ul>"
  }

  /// The values of the cases whose id is `prefix` and a number, by that number.
  private func points(_ prefix: String) -> [LineChart.Point] {
    cases.compactMap { item in
      guard item.id.hasPrefix(prefix), let x = Double(item.id.dropFirst(prefix.count)), item.value.isFinite else {
        return nil
      }
      return LineChart.Point(x, item.value)
    }
  }

  private var doorPlot: String {
    let flows = stride(from: 0.6, through: 2.2, by: 0.1).map { ($0, MovementValidation.doorFlow * $0) }
    return plot(
      "Flow through a door", x: ChartAxis("width, m", high: 2.2), y: ChartAxis("people a second", high: 5),
      points: points("door-"), reference: flows, band: flows.map { ($0, $1 * 0.85, $1 * 1.15) },
      legend: "1.9 a second and metre, 15 %")
  }

  private var densityPlot: String {
    let speeds = stride(from: 0.2, through: 4, by: 0.1).map { ($0, FreeSpeeds.weidmann(density: $0)) }
    return plot(
      "Speed in a crowd", x: ChartAxis("people a square metre", high: 4), y: ChartAxis("m/s", high: 1.6),
      points: points("rimea-4-"), reference: speeds, band: speeds.map { ($0, max(0, $1 - 0.15), $1 + 0.15) },
      legend: "Weidmann, 0.15 m/s")
  }

  private func plot(
    _ title: String, x: ChartAxis, y: ChartAxis, points: [LineChart.Point], reference: [(Double, Double)],
    band: [(x: Double, low: Double, high: Double)], legend: String
  ) -> String {
    guard !points.isEmpty else { return "" }
    return LineChart(
      title, x: x, y: y,
      series: [
        .init("the model", points, colour: 0, style: .dots),
        .init(legend, reference.map { LineChart.Point($0.0, $0.1) }, colour: 1),
      ], bands: [.init(band)]
    ).html
  }
}
