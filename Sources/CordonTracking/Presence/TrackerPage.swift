import CordonCore
import CordonGeometry
package import CordonPresence
import CordonSupport

/// A page about the person whom a tracker follows: status, trip, days and stays. One file without scripts, tiles or network.
package struct TrackerPage: Sendable {
  /// The state of the tracker in a sentence, and its remedy.
  package var sentence: String
  package var remedy: String?
  /// The version and the purposes of the consent; `nil` without one.
  package var consent: String?
  /// The trip in progress.
  package var trip: TripFile?
  /// The days, stays and ways.
  package var report: PresenceReport

  /// The maximum number of days and of stays that are shown, the latest ones.
  static let mostRows = 60

  /// Makes a page.
  package init(sentence: String, remedy: String?, consent: String?, trip: TripFile?, report: PresenceReport) {
    self.sentence = sentence
    self.remedy = remedy
    self.consent = consent
    self.trip = trip
    self.report = report
  }

  /// The page. Times are those of UTC.
  package var html: String {
    let hint = remedy.map { "<p>\(MarkupText.escaped($0))</p>" } ?? ""
    let journey = trip.map {
      "<p>Trip in progress: \($0.mode.rawValue), since \(Instant(milliseconds: $0.start).rfc3339).</p>"
    }
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>Tracker</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <main>
      <h1>Tracker</h1>
      <p class="lead">\(MarkupText.escaped(sentence))</p>\(hint)
      <p>Consent: \(MarkupText.escaped(consent ?? "none")).</p>\(journey ?? "")
      \(days)\(map)\(stays)
      </main>
      </body>
      </html>

      """
  }

  private static let style =
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0}"
    + "main{max-width:46rem;margin:auto;padding:1rem}.lead{font-size:1.2rem}"
    + "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .75rem .25rem 0;"
    + "border-bottom:1px solid #8888}th[scope=row]{white-space:nowrap}td.n,th.n{text-align:right}svg{width:100%;height:auto;max-height:24rem}"
    + "polyline{fill:none;stroke:currentColor;stroke-width:2;vector-effect:non-scaling-stroke}"

  private var days: String {
    let rows = report.days.filter { $0.fixes > 0 }.suffix(Self.mostRows).reversed().map { day in
      "<tr><th scope=\"row\">\(day.name)</th><td class=\"n\">\(minutes(day.covered))</td>"
        + "<td class=\"n\">\(Int(day.distance.rounded()))</td><td class=\"n\">\(day.fixes)</td></tr>"
    }
    guard !rows.isEmpty else { return "<p>No position was recorded yet.</p>" }
    return "<h2>Days</h2><table><tr><th scope=\"col\">day (UTC)</th><th scope=\"col\" class=\"n\">minutes recorded</th>"
      + "<th scope=\"col\" class=\"n\">metres</th><th scope=\"col\" class=\"n\">positions</th></tr>"
      + rows.joined() + "</table>"
  }

  private var stays: String {
    let rows = report.visits.suffix(Self.mostRows).reversed().map { visit in
      "<tr><td>\(minute(visit.arrival))</td><td class=\"n\">\(minutes(visit.dwell))</td></tr>"
    }
    guard !rows.isEmpty else { return "" }
    return "<h2>Stays</h2><table><tr><th scope=\"col\">arrival (UTC)</th>"
      + "<th scope=\"col\" class=\"n\">minutes</th></tr>" + rows.joined() + "</table>"
  }

  /// The ways as lines, north up.
  private var map: String {
    let lines = report.track.filter { $0.count > 1 }
    guard let origin = lines.first?.first else { return "" }
    let frame = LocalFrame(origin: origin)
    let points = lines.map { line in line.map { frame.project($0) } }
    let (xs, ys) = (points.flatMap { $0.map(\.x) }, points.flatMap { $0.map(\.y) })
    guard let west = xs.min(), let east = xs.max(), let south = ys.min(), let north = ys.max() else { return "" }
    let (width, height) = (max(east - west, 100), max(north - south, 100))
    func number(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
    let drawn = points.map { line in
      let text = line.map { "\(number($0.x - west)),\(number(north - $0.y))" }.joined(separator: " ")
      return "<polyline points=\"\(text)\"/>"
    }
    return "<h2>Ways</h2><svg role=\"img\" aria-label=\"Ways, \(Int(width)) by \(Int(height)) metres\" "
      + "viewBox=\"0 0 \(number(width)) \(number(height))\">\(drawn.joined())</svg>"
      + "<p>\(Int(width)) by \(Int(height)) metres; north is up.</p>"
  }

  /// `2026-01-05 08:00`
  private func minute(_ milliseconds: Int64) -> String {
    String(Instant(milliseconds: milliseconds).rfc3339.prefix(16)).replacing("T", with: " ")
  }

  private func minutes(_ milliseconds: Int64) -> String { "\((milliseconds + 30_000) / 60_000)" }
}
