import CordonCore
import CordonExchange
import CordonGeometry
import CordonMonitoring
import CordonReplay
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

  @Test func theLogTellsNothingOfWhereARefusedFixWas() throws {
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
    #expect(shown.text.contains("this log tells where refused fixes were"))
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

  @Test func theSameTracesGiveTheSameBytes() throws {
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

  @Test func twoWhoWalkSideBySideMeet() throws {
    let result = try Walk.run([Walk.trace("a"), Walk.trace("b", y: 8)])
    #expect(result.contacts.count == 1)
    #expect(result.contacts.first?.devices == ["a", "b"])
    #expect(abs((result.contacts.first?.seconds ?? 0) - 80) <= 10)
    #expect(abs((result.contacts.first?.minimumDistance ?? 0) - 1) < 0.01)
  }

  @Test func consentIsLoggedAsATest() throws {
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
}
