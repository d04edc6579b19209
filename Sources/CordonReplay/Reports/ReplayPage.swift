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

  /// Creates a page.
  package init(_ result: ReplayResult, on plan: ReplayPlan, title: String) {
    self.result = result
    self.plan = plan
    self.title = title
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
      ("acknowledged", counts.acknowledged), ("on_phone", counts.onPhone), ("quarantined", counts.quarantined),
      ("contacts", UInt64(result.contacts.count)),
    ].map { "<div><b>\($0.1)</b><span>\($0.0)</span></div>" }.joined()
    let assumed =
      result.assumed.isEmpty
      ? ""
      : "<ul class=assumed>" + result.assumed.map { "<li>assumed: \(MarkupText.escaped($0))</li>" }.joined() + "</ul>"
    let notice =
      result.showsRefused
      ? "<p class=warn>This page shows where refused fixes were, as it was asked to.</p>"
      : "<p class=hint>Refused fixes are listed, not drawn.</p>"
    return """
      <!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>\(MarkupText.escaped(title))</title><style>\(ReplayPage.style)</style></head><body>
      <header><h1>\(MarkupText.escaped(title))</h1><p>\(MarkupText.escaped(plan.name))</p></header>
      <section class=figures>\(figures)</section>\(assumed)\(notice)
      <section class=view><div class=map><nav id=floors></nav><svg id=map role=img aria-label="tracks on the floor plan"></svg>
      <div class=legend id=legend></div></div>
      <aside><h2>Decisions</h2><label><input type=checkbox id=onlyfix> fixes only</label><ol id=log></ol></aside></section>
      <footer><button id=play>Play</button><input type=range id=time min=0 step=1 aria-label="time"><output id=clock></output></footer>
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
