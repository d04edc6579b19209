import CordonCore
import CordonCrowd
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
    let points = study.series.flatMap(\.points).filter { $0.y.isFinite }
    let xTop = max(points.map(\.x).max() ?? 1, 1e-6) * 1.05
    let yTop = max(points.map(\.y).max() ?? 1, 1e-6) * 1.1
    var body = ""
    for (index, series) in study.series.enumerated() {
      let line = series.points.filter { $0.y.isFinite }.map { "\(Self.x($0.x, xTop)),\(Self.y($0.y, yTop))" }
      body += "<polyline class=\"c\(index % 5)\" points=\"\(line.joined(separator: " "))\"/>"
    }
    let legend = study.series.enumerated().map { ($1.name, $0 % 5) }
    let remarks = study.remarks.map { "<li>\(MarkupText.escaped($0))</li>" }.joined()
    let figure = axes(
      study.title, study.xName, study.yName, xTop: xTop, yTop: yTop, body: body, legend: legend)
    return "<h3>\(MarkupText.escaped(study.id))</h3>\(figure)<ul class=\"note\">\(remarks)</ul>"
  }

  private static func x(_ value: Double, _ top: Double) -> String { plain(64 + value / top * 390) }
  private static func y(_ value: Double, _ top: Double) -> String { plain(255 - min(value, top) / top * 225) }

  /// The values of the cases whose id is `prefix` and a number, by that number.
  private func points(_ prefix: String) -> [(x: Double, y: Double)] {
    cases.compactMap { item in
      guard item.id.hasPrefix(prefix), let x = Double(item.id.dropFirst(prefix.count)), item.value.isFinite else {
        return nil
      }
      return (x, item.value)
    }
  }

  private var doorPlot: String {
    plot(
      "Flow through a door", "width, m", "people a second", xTop: 2.2, yTop: 5, points: points("door-"),
      band: stride(from: 0.6, through: 2.2, by: 0.1).map {
        ($0, MovementValidation.doorFlow * $0 * 0.85, MovementValidation.doorFlow * $0 * 1.15)
      }, legend: "1.9 a second and metre, 15 %")
  }

  private var densityPlot: String {
    plot(
      "Speed in a crowd", "people a square metre", "m/s", xTop: 4, yTop: 1.6, points: points("rimea-4-"),
      band: stride(from: 0.2, through: 4, by: 0.1).map {
        let speed = FreeSpeeds.weidmann(density: $0)
        return ($0, max(0, speed - 0.15), speed + 0.15)
      }, legend: "Weidmann, 0.15 m/s")
  }

  private func plot(
    _ title: String, _ xName: String, _ yName: String, xTop: Double, yTop: Double, points: [(x: Double, y: Double)],
    band: [(x: Double, low: Double, high: Double)], legend: String
  ) -> String {
    func x(_ value: Double) -> String { Self.x(value, xTop) }
    func y(_ value: Double) -> String { Self.y(value, yTop) }
    let upper = band.map { "\(x($0.x)),\(y($0.high))" }
    let lower = band.reversed().map { "\(x($0.x)),\(y($0.low))" }
    let middle = band.map { "\(x($0.x)),\(y(($0.low + $0.high) / 2))" }
    var body = "<polygon class=\"band\" points=\"\((upper + lower).joined(separator: " "))\"/>"
    body += "<polyline class=\"c1\" points=\"\(middle.joined(separator: " "))\"/>"
    for point in points { body += "<circle class=\"dot c0\" cx=\"\(x(point.x))\" cy=\"\(y(point.y))\" r=\"4\"/>" }
    return axes(
      title, xName, yName, xTop: xTop, yTop: yTop, body: body, legend: [("the model", 0), (legend, 1)])
  }

  /// A figure with axes around a drawing.
  private func axes(
    _ title: String, _ xName: String, _ yName: String, xTop: Double, yTop: Double, body: String,
    legend: [(text: String, colour: Int)]
  ) -> String {
    let name = MarkupText.escaped(title)
    var svg =
      "<figure><figcaption>\(name)</figcaption><svg viewBox=\"0 0 480 300\" role=\"img\" aria-label=\"\(name)\">\(body)"
    svg += "<path class=\"axis\" d=\"M64 25V255H460\"/>"
    for tick in AxisTicks.list(from: 0, to: xTop) {
      svg += "<text x=\"\(Self.x(tick, xTop))\" y=\"273\" text-anchor=\"middle\">\(Self.plain(tick))</text>"
    }
    for tick in AxisTicks.list(from: 0, to: yTop) {
      svg +=
        "<text x=\"58\" y=\"\(Self.plain(259 - tick / yTop * 225))\" text-anchor=\"end\">\(Self.plain(tick))</text>"
    }
    svg += "<text x=\"260\" y=\"294\" text-anchor=\"middle\">\(MarkupText.escaped(xName))</text>"
    svg += "<text x=\"4\" y=\"14\">\(MarkupText.escaped(yName))</text></svg>"
    let items = legend.map { "<li class=\"c\($0.colour)\"><i></i>\(MarkupText.escaped($0.text))</li>" }
    return svg + "<ul class=\"legend-list\">\(items.joined())</ul></figure>"
  }
}
