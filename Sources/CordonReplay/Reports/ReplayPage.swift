import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonSupport

/// One page with the complete replay: the tracks on the floor plan coloured by verdict, a slider for the time, and the
/// log.
///
/// The page needs no network and no other file. It draws refused fixes only if the replay shows them.
package struct ReplayPage {
  private let result: ReplayResult
  private let plan: ReplayPlan
  private let title: String
  private let look: String

  /// Creates a page.
  ///
  /// - Parameter look: the style sheet that all pages share.
  package init(_ result: ReplayResult, on plan: ReplayPlan, title: String, look: String = "") {
    self.result = result
    self.plan = plan
    self.title = title
    self.look = look
  }

  /// The document.
  package var html: String {
    let names = result.devices.map(\.name)
    var numbers: [String: Int] = [:]
    for (index, name) in names.enumerated() { numbers[name] = index }
    // A fix that waited for the end of its interval and was then stored is shown as stored.
    var stored: Set<[Int]> = []
    for decision in result.decisions {
      if case .stored(let row) = decision.kind, let fix = row.fix, let device = numbers[decision.device] {
        stored.insert([device, fix])
      }
    }
    var points: [JSONValue] = []
    var lines: [JSONValue] = []
    for decision in result.decisions {
      let isFix: Bool
      if case .fix(let fix) = decision.kind {
        isFix = true
        var members: [JSONValue.Member] = [
          .init("t", .integer(fix.time.milliseconds)), .init("d", JSONValue(numbers[decision.device])),
          .init("i", .integer(Int64(fix.index))),
          .init(
            "v", .string(stored.contains([numbers[decision.device] ?? 0, fix.index]) ? "stored" : fix.verdict.word)),
          .init("r", .bool(fix.verdict.isRefusal)),
        ]
        if let place = fix.coordinate {
          let point = plan.frame.project(place)
          members.append(.init("x", ReplayPage.metres(point.x)))
          members.append(.init("y", ReplayPage.metres(point.y)))
        }
        if let accuracy = fix.accuracy { members.append(.init("a", ReplayPage.metres(accuracy))) }
        if let floor = fix.floor { members.append(.init("f", .number(floor.value))) }
        if let metres = fix.boundaryDistance { members.append(.init("b", ReplayPage.metres(metres))) }
        points.append(.object(members))
      } else {
        isFix = false
      }
      lines.append([.integer(decision.at.milliseconds), .string(decision.line), .bool(isFix)])
    }
    let data: JSONValue = [
      "devices": .array(names.map { .string($0) }), "points": .array(points), "log": .array(lines),
      "floors": .array(plan.floors.map(floor)), "boundary": ReplayPage.rings(plan.boundary, plan.frame),
    ]
    let counts = result.accounting
    let figures = [
      ("fixes", counts.fixes), ("refused", counts.refused), ("thinned", counts.thinned), ("stored", counts.stored),
      ("acknowledged", counts.acknowledged), ("on the phone", counts.onPhone), ("quarantined", counts.quarantined),
      ("contacts", UInt64(result.contacts.count)),
    ].map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" }.joined()
    let assumed =
      result.assumed.isEmpty
      ? ""
      : "<ul class=\"note\">" + result.assumed.map { "<li>assumed: \(MarkupText.escaped($0))</li>" }.joined() + "</ul>"
    let notice =
      result.showsRefused
      ? "<p class=\"warning\">This page shows where refused fixes were, as it was asked to.</p>"
      : "<p class=\"note\">Refused fixes are listed, not drawn.</p>"
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
      <title>\(MarkupText.escaped(title)) · Cordon replay</title><style>\(look)
      \(ReplayPage.style)</style></head><body class="replay">
      <header class="masthead"><p class="brand">Cordon <span>replay</span></p>
      <h1>\(MarkupText.escaped(title))</h1><p class="headline">\(MarkupText.escaped(plan.name))</p></header>
      <main><section aria-label="Accounting"><dl class="tiles">\(figures)</dl>\(assumed)\(notice)</section>
      <section class="view"><div class="map stage"><div class="group" id="floors" role="group" aria-label="Floor"></div>
      <svg id=map role="img" aria-label="Tracks on the floor plan"></svg><ul class="legend" id="legend"></ul>
      <div class="time"><button id="play" class="text">Play</button><input type=range id=time min=0 step=1 aria-label="Time">\
      <output id="clock"></output></div></div>
      <div class="log"><h2 id="log-title">Decisions</h2>
      <p><label><input type="checkbox" id="onlyfix"> fixes only</label></p>
      <ol id="log" tabindex="0" aria-labelledby="log-title"></ol>
      <p class="note">A click, or the arrow keys while the list has the focus, go to a decision.</p></div></section></main>
      <script id=data type="application/json">\(data.text())</script><script>\(ReplayPage.script)</script></body></html>

      """
  }

  private func floor(_ floor: ReplayPlan.Floor) -> JSONValue {
    [
      "ordinal": .number(floor.ordinal.value), "name": .string(floor.name),
      "spaces": .array(
        floor.spaces.map { ["name": .string($0.name), "rings": ReplayPage.rings($0.outline, plan.frame)] }),
      "walls": .array(
        floor.walls.map {
          [
            ReplayPage.metres($0.a.x), ReplayPage.metres($0.a.y), ReplayPage.metres($0.b.x),
            ReplayPage.metres($0.b.y),
          ]
        }),
    ]
  }

  private static func metres(_ value: Double) -> JSONValue { .number((value * 100).rounded() / 100) }

  private static func rings(_ area: GeoMultiPolygon, _ frame: LocalFrame) -> JSONValue {
    .array(
      area.polygons.flatMap(\.rings).map { ring in
        .array(
          ring.map { vertex in
            let point = frame.project(vertex)
            return [metres(point.x), metres(point.y)]
          })
      })
  }
}
