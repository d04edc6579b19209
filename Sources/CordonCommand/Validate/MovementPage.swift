import CordonSimulator

/// The cases of a movement validation as one page: two plots against reference curves, and a table.
struct MovementPage {
  let model: String
  let step: String
  let cases: [MovementCase]

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
    <p>\(cases.count { $0.isPassed }) of \(cases.count) cases lie in their bands.</p>
    \(doorPlot)\(densityPlot)
    <table><tr><th>case</th><th>what</th><th>value</th><th>band</th><th></th></tr>
    \(cases.map(row).joined(separator: "\n"))
    </table></html>

    """
  }

  private func row(_ item: MovementCase) -> String {
    let verdict = item.isPassed ? "<td>pass</td>" : "<td class=\"no\">FAIL</td>"
    let note = item.note.isEmpty ? "" : "<br><small>\(Self.escaped(item.note))</small>"
    return
      "<tr><td>\(item.id)</td><td>\(Self.escaped(item.title))\(note)</td><td>\(Self.plain(item.value)) \(item.unit)</td>"
      + "<td>\(Self.plain(item.band.lowerBound)) to \(Self.plain(item.band.upperBound))</td>\(verdict)</tr>"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
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
    func x(_ value: Double) -> String { Self.plain(45 + value / xTop * 340) }
    func y(_ value: Double) -> String { Self.plain(255 - min(value, yTop) / yTop * 225) }
    let upper = band.map { "\(x($0.x)),\(y($0.high))" }
    let lower = band.reversed().map { "\(x($0.x)),\(y($0.low))" }
    let middle = band.map { "\(x($0.x)),\(y(($0.low + $0.high) / 2))" }
    var svg =
      "<figure><figcaption>\(title)</figcaption><svg width=\"400\" height=\"300\" role=\"img\" aria-label=\"\(title)\">"
    svg += "<polygon points=\"\((upper + lower).joined(separator: " "))\" fill=\"#cfe3ff\"/>"
    svg += "<polyline points=\"\(middle.joined(separator: " "))\" fill=\"none\" stroke=\"#3b7ddd\"/>"
    svg += "<path d=\"M45 25V255H390\" fill=\"none\" stroke=\"#555\"/>"
    for tick in 0...4 {
      let (tx, ty) = (xTop * Double(tick) / 4, yTop * Double(tick) / 4)
      svg += "<text x=\"\(x(tx))\" y=\"271\" text-anchor=\"middle\">\(Self.plain(tx))</text>"
      svg += "<text x=\"40\" y=\"\(y(ty))\" text-anchor=\"end\">\(Self.plain(ty))</text>"
    }
    for point in points { svg += "<circle cx=\"\(x(point.x))\" cy=\"\(y(point.y))\" r=\"4\" fill=\"#c2410c\"/>" }
    svg += "<text x=\"215\" y=\"290\" text-anchor=\"middle\">\(xName)</text><text x=\"48\" y=\"18\">\(yName)</text>"
    svg += "<text x=\"385\" y=\"18\" text-anchor=\"end\" fill=\"#3b7ddd\">\(legend)</text></svg></figure>"
    return svg
  }
}
