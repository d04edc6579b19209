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
    """
    <!doctype html><html lang="en"><meta charset="utf-8"><title>Movement: \(model)</title>
    <style>body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
    table{border-collapse:collapse;width:100%}td,th{padding:.3rem .6rem;border-bottom:1px solid #ddd;text-align:left}
    .no{color:#b00020;font-weight:600}figure{display:inline-block;margin:0 1rem 1rem 0}svg text{font:12px system-ui}</style>
    <h1>Movement: \(model), steps of \(step)</h1>
    \(isPartial ? "<p class=\"no\">\(Self.partialNote)</p>" : "")
    <p>\(cases.count { $0.isPassed }) of \(cases.count) cases lie in their bands.</p>
    \(doorPlot)\(densityPlot)
    <table><tr><th>case</th><th>what</th><th>value</th><th>band</th><th></th></tr>
    \(cases.map(row).joined(separator: "\n"))
    </table>
    \(studies.isEmpty ? "" : "<h2>Studies</h2>")\(studies.map(section).joined(separator: "\n"))
    </html>

    """
  }

  private static let colours = ["#3b7ddd", "#c2410c", "#1b7f5c"]

  /// A study: its curves, and what is to be seen in them.
  private func section(_ study: MovementStudy) -> String {
    let points = study.series.flatMap(\.points).filter { $0.y.isFinite }
    let xTop = max(points.map(\.x).max() ?? 1, 1e-6) * 1.05
    let yTop = max(points.map(\.y).max() ?? 1, 1e-6) * 1.1
    var body = ""
    for (index, series) in study.series.enumerated() {
      let colour = Self.colours[index % Self.colours.count]
      let line = series.points.filter { $0.y.isFinite }.map {
        "\(Self.x($0.x, xTop)),\(Self.y($0.y, yTop))"
      }
      body += "<polyline points=\"\(line.joined(separator: " "))\" fill=\"none\" stroke=\"\(colour)\"/>"
      body +=
        "<text x=\"385\" y=\"\(200 + 16 * index)\" text-anchor=\"end\" fill=\"\(colour)\">\(MarkupText.escaped(series.name))</text>"
    }
    let remarks = study.remarks.map { "<li>\(MarkupText.escaped($0))</li>" }.joined()
    let figure = axes(study.title, study.xName, study.yName, xTop: xTop, yTop: yTop, body: body)
    return "<section><h3>\(study.id)</h3>\(figure)<ul>\(remarks)</ul></section>"
  }

  private static func x(_ value: Double, _ top: Double) -> String { plain(45 + value / top * 340) }
  private static func y(_ value: Double, _ top: Double) -> String { plain(255 - min(value, top) / top * 225) }

  private func row(_ item: MovementCase) -> String {
    let verdict = item.isPassed ? "<td>pass</td>" : "<td class=\"no\">FAIL</td>"
    let note = item.note.isEmpty ? "" : "<br><small>\(MarkupText.escaped(item.note))</small>"
    return
      "<tr><td>\(item.id)</td><td>\(MarkupText.escaped(item.title))\(note)</td><td>\(Self.plain(item.value)) \(item.unit)</td>"
      + "<td>\(Self.plain(item.band.lowerBound)) to \(Self.plain(item.band.upperBound))</td>\(verdict)</tr>"
  }

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
    var body = "<polygon points=\"\((upper + lower).joined(separator: " "))\" fill=\"#cfe3ff\"/>"
    body += "<polyline points=\"\(middle.joined(separator: " "))\" fill=\"none\" stroke=\"#3b7ddd\"/>"
    for point in points { body += "<circle cx=\"\(x(point.x))\" cy=\"\(y(point.y))\" r=\"4\" fill=\"#c2410c\"/>" }
    body += "<text x=\"385\" y=\"18\" text-anchor=\"end\" fill=\"#3b7ddd\">\(legend)</text>"
    return axes(title, xName, yName, xTop: xTop, yTop: yTop, body: body)
  }

  /// A figure with its axes round what is drawn in it.
  private func axes(
    _ title: String, _ xName: String, _ yName: String, xTop: Double, yTop: Double, body: String
  ) -> String {
    let name = MarkupText.escaped(title)
    var svg =
      "<figure><figcaption>\(name)</figcaption><svg width=\"400\" height=\"300\" role=\"img\" aria-label=\"\(name)\">\(body)"
    svg += "<path d=\"M45 25V255H390\" fill=\"none\" stroke=\"#555\"/>"
    for tick in 0...4 {
      let (tx, ty) = (xTop * Double(tick) / 4, yTop * Double(tick) / 4)
      svg += "<text x=\"\(Self.x(tx, xTop))\" y=\"271\" text-anchor=\"middle\">\(Self.plain(tx))</text>"
      svg += "<text x=\"40\" y=\"\(Self.y(ty, yTop))\" text-anchor=\"end\">\(Self.plain(ty))</text>"
    }
    svg += "<text x=\"215\" y=\"290\" text-anchor=\"middle\">\(MarkupText.escaped(xName))</text>"
    svg += "<text x=\"48\" y=\"18\">\(MarkupText.escaped(yName))</text></svg></figure>"
    return svg
  }
}
