import CordonCore
import CordonExchange
import CordonGeometry
import CordonMonitoring
import CordonReplay
import CordonSupport
import Foundation
import Testing

@Suite struct ReplayTests {
  @Test func everyFixHasOneVerdictAndTheSumsHold() throws {
    let result = try Walk.run([Walk.trace()])
    let counts = result.accounting
    let fixes = result.decisions.compactMap { if case .fix(let fix) = $0.kind { fix } else { nil } }
    #expect(fixes.count == 121)
    #expect(fixes.map(\.index) == Array(0..<121))
    #expect(counts.fixes == 121)
    #expect(counts.fixes == counts.refused + counts.thinned + counts.held + counts.stored)
    #expect(counts.stored == counts.acknowledged)
    #expect(counts[.outside] == 40)
    #expect(fixes.count { $0.verdict == .refused(.outside) } == 40)
    #expect(result.storedOutside.isEmpty)
  }

  @Test func theLogHidesPlacesOfRefusedFixes() throws {
    let trace = Walk.trace()
    let result = try Walk.run([trace])
    for text in [result.text, result.jsonLines, page(result)] {
      for point in trace.tracks[0].points.prefix(20) {
        guard case .degrees(let place) = point.place else { continue }
        let digits = JSONValue.number((place.longitude * 1e7).rounded() / 1e7).text()
        #expect(!text.contains(digits))
      }
    }
    let shown = try Walk.run([trace]) { $0.showsRefused = true }
    guard case .degrees(let place) = trace.tracks[0].points[0].place else { return }
    let digits = JSONValue.number((place.longitude * 1e7).rounded() / 1e7).text()
    #expect(shown.text.contains(digits))
    #expect(shown.text.contains("this log shows where refused fixes were"))
    #expect(shown.jsonLines.contains("\"shows_refused\":true"))
  }

  private func page(_ result: ReplayResult) -> String {
    let plan = ReplayPlan(name: "square", boundary: GeoMultiPolygon(), floors: [], frame: Walk.frame)
    return ReplayPage(result, on: plan, title: "walk").html
  }

  @Test func refusedFixesNameTheDistanceToTheBoundary() throws {
    let result = try Walk.run([Walk.trace()])
    let first = result.decisions.compactMap { if case .fix(let fix) = $0.kind { fix } else { nil } }[0]
    #expect(abs((first.boundaryDistance ?? 0) - 19.5) < 0.01)
    #expect(first.coordinate == nil)
  }

  @Test func equalTracesGiveEqualBytes() throws {
    let traces = [Walk.trace(), Walk.trace("other", from: -50, to: 50, y: 8)]
    let (first, second) = (try Walk.run(traces), try Walk.run(traces))
    #expect(first.jsonLines == second.jsonLines)
    #expect(first.text == second.text)
    #expect(page(first) == page(second))
    #expect(ReplayDifference.between(first.jsonLines, second.jsonLines) == nil)
  }

  @Test func aDifferenceNamesItsFirstLine() {
    #expect(ReplayDifference.between("a\nb\nc\n", "a\nx\nc\n") == ReplayDifference(line: 2, first: "b", second: "x"))
    #expect(ReplayDifference.between("a\n", "a\nb\n")?.line == 2)
  }

  @Test func onlyALogIsALog() throws {
    let log = try Walk.run([Walk.trace()])
    #expect(ReplayDifference.isLog(log.jsonLines) && ReplayDifference.isLog(log.text))
    for text in ["", "\n", "device,time,x,y\na,1,2,3\n", "<gpx/>", "{\"type\":\"FeatureCollection\"}", "hello\n"] {
      #expect(!ReplayDifference.isLog(text), "\(text)")
    }
  }

  /// The head of a log is not a decision.
  @Test func aDifferenceNamesTheDeviceAndTheFix() throws {
    let usual = try Walk.run([Walk.trace()])
    var other = usual
    other.assumed.append("something else")
    #expect(ReplayDifference.between(usual.jsonLines, other.jsonLines) == nil)
    #expect(ReplayDifference.between(usual.text, other.text) == nil)
    #expect(ReplayDifference.isOfHeads(usual.jsonLines, other.jsonLines))
    #expect(ReplayDifference.isOfHeads(usual.text, other.text))
    #expect(!ReplayDifference.isOfHeads(usual.text, usual.text))
    var trace = Walk.trace()
    trace.tracks[0].points[33].accuracy = nil
    other = try Walk.run([trace])
    other.assumed.append("something else")
    let difference = try #require(ReplayDifference.between(usual.jsonLines, other.jsonLines))
    #expect(difference.subject == ReplayDifference.Subject(device: "walk", event: "fix", index: 33))
    let lines = usual.jsonLines.split(separator: "\n")
    #expect(difference.first == String(lines[difference.line - 1]))
    #expect(difference.line > 30)
    // In text form the head lists the assumptions, one on each line.
    #expect(ReplayDifference.between(usual.text, other.text)?.first?.contains("fix 33") == true)
  }

  /// The source of a fix is not a decision: the same trace under another name, or in another format, gives the same
  /// ones.
  @Test func fileAndLineOfAFixAreNotCompared() throws {
    let usual = try Walk.run([Walk.trace()])
    var trace = Walk.trace()
    trace.name = "a (copy:1).gpx"
    for index in trace.tracks[0].points.indices { trace.tracks[0].points[index].line = 3 * index + 7 }
    var other = try Walk.run([trace])
    #expect(usual.jsonLines != other.jsonLines)
    #expect(ReplayDifference.between(usual.jsonLines, other.jsonLines) == nil)
    #expect(ReplayDifference.between(usual.text, other.text) == nil)
    trace.tracks[0].points[33].accuracy = nil
    other = try Walk.run([trace])
    #expect(ReplayDifference.between(usual.jsonLines, other.jsonLines)?.subject?.index == 33)
    #expect(ReplayDifference.between(usual.text, other.text)?.first?.contains("fix 33") == true)
  }

  @Test func devicesSideBySideAreInContact() throws {
    let result = try Walk.run([Walk.trace("a"), Walk.trace("b", y: 8)])
    #expect(result.contacts.count == 1)
    #expect(result.contacts.first?.devices == ["a", "b"])
    #expect(abs((result.contacts.first?.seconds ?? 0) - 80) <= 10)
    #expect(abs((result.contacts.first?.minimumDistance ?? 0) - 1) < 0.01)
  }

  @Test func consentIsLoggedAsTestConsent() throws {
    let result = try Walk.run([Walk.trace()])
    #expect(result.decisions.first?.kind == .consent(version: "replay-test"))
    #expect(result.text.contains("consent replay-test is given for the test"))
  }

  @Test func storedRowsNameTheirFix() throws {
    let result = try Walk.run([Walk.trace()])
    for decision in result.decisions {
      guard case .stored(let row) = decision.kind else { continue }
      let index = try #require(row.fix)
      #expect(row.time == Walk.start + .seconds(Int64(index)))
    }
  }

  @Test func coverageCountsPhasesAndEvents() throws {
    let result = try Walk.run([Walk.trace()])
    #expect(result.coverage.count(.tracking, "fix_kept") > 50)
    #expect(result.coverage.count(.needsConsent, "start") == 0)
    #expect(result.coverage.count(.off, "consent") == 1)
    #expect(result.coverage.reached > 5)
    #expect(result.coverage.table.contains("| fix_kept |"))
  }

  /// An hour at a table, recorded in one row each.
  @Test func aStayIsAContactOfItsLength() throws {
    func resting(_ device: String, y: Double) -> Trace {
      var trace = Walk.trace(device, from: 20, to: 20, y: y)
      trace.tracks[0].points[0].stillUntil = Walk.start + .minutes(60)
      return trace
    }
    let result = try Walk.run([resting("a", y: 7), resting("b", y: 8)])
    #expect(result.contacts.count == 1)
    #expect(abs((result.contacts.first?.seconds ?? 0) - 3_600) < 60)
    #expect(result.accounting.fixes == 242)
    #expect(result.assumed.contains { $0.hasPrefix("2 stays are replayed as 240 more fixes") })
  }

  /// In a room with floor-only recording the phone stores the centre of the venue. So do the log and the page.
  @Test func theLogIsNotMorePreciseThanTheRows() throws {
    let trace = Walk.trace()
    let venue = try Walk.venue(east: .floorOnly)
    func isInRoom(_ x: Int) -> Bool { (17...33).contains(x) }
    let result = try Walk.run([trace], in: venue)
    let texts = [result.text, result.jsonLines, page(result)]
    var hidden = 0
    for (index, point) in trace.tracks[0].points.enumerated() {
      guard case .degrees(let place) = point.place, isInRoom(index - 60) else { continue }
      hidden += 1
      let digits = JSONValue.number((place.longitude * 1e7).rounded() / 1e7).text()
      for text in texts { #expect(!text.contains(digits)) }
    }
    #expect(hidden == 17)
    let fixes = result.decisions.compactMap { if case .fix(let fix) = $0.kind { fix } else { nil } }
    #expect(fixes.filter { !isInRoom($0.index - 60) && !$0.verdict.isRefusal }.allSatisfy { $0.coordinate != nil })
    // Its rows still name their fix, and the page shows that it was stored.
    let rows = result.decisions.compactMap { if case .stored(let row) = $0.kind { row } else { nil } }
    #expect(rows.contains { $0.space == nil && $0.fix.map { isInRoom($0 - 60) } == true })
    #expect(rows.allSatisfy { row in row.fix.map { row.time == Walk.start + .seconds(Int64($0)) } ?? false })
    let points = try data(page(result))["points"] as? [[String: Any]]
    for row in rows {
      #expect(points?.first { $0["i"] as? Int == row.fix }?["v"] as? String == "stored")
    }
    // The option shows refused fixes too.
    let shown = try Walk.run([trace], in: venue) { $0.showsRefused = true }
    #expect(shown.decisions.allSatisfy { if case .fix(let fix) = $0.kind { fix.coordinate != nil } else { true } })
  }

  /// A floor is accepted when two fixes agree: until then the device may still be in the room below.
  @Test func anUnacceptedFloorIsNotLogged() throws {
    var trace = Walk.trace()
    for index in 85..<trace.tracks[0].points.count { trace.tracks[0].points[index].floor = FloorOrdinal(1) }
    let result = try Walk.run([trace], in: try Walk.venue(east: .floorOnly))
    let fixes = result.decisions.compactMap { if case .fix(let fix) = $0.kind { fix } else { nil } }
    #expect(fixes[85].coordinate == nil && fixes[86].coordinate == nil)
  }

  /// The data of the page's script.
  private func data(_ page: String) throws -> [String: Any] {
    let begin = try #require(page.range(of: "<script id=data type=\"application/json\">"))
    let end = try #require(page.range(of: "</script>", range: begin.upperBound..<page.endIndex))
    let text = page[begin.upperBound..<end.lowerBound]
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func thePageHasThePlanTheTrackAndASlider() throws {
    let result = try Walk.run([Walk.trace()])
    let venue = try Walk.venue()
    let plan = ReplayPlan(
      name: "square", boundary: venue.boundary,
      floors: [
        ReplayPlan.Floor(
          ordinal: FloorOrdinal(0), name: "ground",
          spaces: venue.spaces.map { ($0.id.rawValue, $0.outline) },
          walls: [WallSegment(PlanePoint(x: -4, y: 2), PlanePoint(x: 6, y: 2))])
      ], frame: Walk.frame)
    let html = ReplayPage(result, on: plan, title: "walk").html
    #expect(html.contains("<input type=range id=time"))
    #expect(html.contains("<svg id=map"))
    #expect(!html.contains("src=") && !html.contains("<link"), "it needs no other file")
    let data = try data(html)
    let floors = try #require(data["floors"] as? [[String: Any]])
    #expect(floors.count == 1)
    #expect(floors[0]["name"] as? String == "ground")
    #expect((floors[0]["spaces"] as? [Any])?.count == 3)
    #expect(floors[0]["walls"] as? [[Double]] == [[-4, 2, 6, 2]])
    #expect((data["boundary"] as? [Any])?.count == 2, "the outline and its hole")
    // Every fix is a point with its verdict; stored ones show that, although they were held first.
    let points = try #require(data["points"] as? [[String: Any]])
    #expect(points.count == 121)
    let verdicts = Dictionary(grouping: points) { $0["v"] as? String ?? "" }.mapValues(\.count)
    #expect(verdicts["outside"] == 40)
    #expect(verdicts["stored"] == Int(result.accounting.stored))
    #expect(Set(verdicts.keys).isSubset(of: ["outside", "stored", "held", "thinned"]))
    // A refused fix is not on the plan; a stored one is at its position.
    #expect(points[0]["x"] == nil && points[0]["r"] as? Bool == true)
    #expect(points[60]["x"] as? Double == 0 && points[60]["y"] as? Double == 7)
    #expect(points[60]["t"] as? Int64 == (Walk.start + .seconds(60)).milliseconds)
    #expect((data["log"] as? [Any])?.count == result.decisions.count)
  }

  /// A clock that advances only during a sleep.
  @Test(arguments: [(1.0, 60.0), (20, 3), (0.5, 120)])
  func paceIsKept(_ factor: Double, _ seconds: Double) throws {
    var now = 500.0
    var longest = 0.0
    let clock = ReplayPace.Clock(
      now: { now },
      sleep: {
        longest = max(longest, $0)
        now += $0
      })
    let pace = ReplayPace(factor: factor, clock: clock)
    try pace.wait(until: Walk.start)
    #expect(now == 500, "the first moment is now")
    try pace.wait(until: Walk.start + .seconds(30))
    #expect(abs(now - 500 - seconds / 2) < 1e-6)
    try pace.wait(until: Walk.start + .seconds(60))
    #expect(abs(now - 500 - seconds) < 1e-6)
    #expect(longest <= 0.2, "somebody may want it to end")
    // A late replay does not sleep.
    now += 1_000
    let late = now
    try pace.wait(until: Walk.start + .seconds(61))
    #expect(now == late)
  }

  @Test func paceMaxNeverWaitsAndWaitsCanBeCancelled() throws {
    struct Ended: Error {}
    var slept = 0
    let clock = ReplayPace.Clock(now: { 0 }, sleep: { _ in slept += 1 })
    let free = ReplayPace(factor: nil, clock: clock)
    for second in 0..<5 { try free.wait(until: Walk.start + .hours(Int64(second))) }
    #expect(slept == 0)
    let ended = ReplayPace(factor: 1, clock: clock) { if slept == 3 { throw Ended() } }
    try ended.wait(until: Walk.start)
    #expect(throws: Ended.self) { try ended.wait(until: Walk.start + .hours(1)) }
    #expect(slept == 3)
  }
}
