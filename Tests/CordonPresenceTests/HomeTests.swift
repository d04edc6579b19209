import CordonCore
import CordonPresence
import Testing

@Suite("Home")
struct HomeTests {
  private func states(_ fixes: [PresenceFix], _ homes: HomeHistory) -> [HomeState] {
    var stream = PresenceStream(PresenceRules(homes: homes))
    return fixes.map {
      stream.add($0)
      return stream.home
    }
  }

  @Test func homesHaveARadiusOf50To500Metres() throws {
    for radius in [49.9, 500.1, .nan, -1] {
      #expect(throws: HomeError.self) { try HomePlace(Near.origin, radius: radius) }
    }
    #expect(throws: HomeError.coordinate) { try HomePlace(Coordinate(longitude: 181, latitude: 0)) }
    #expect(try HomePlace(Near.origin).radius == 100)
    #expect(try HomePlace(Near.origin, radius: 500).radius == 500)
  }

  @Test func theEdgeOfTheHomeDoesNotFlicker() throws {
    let home = try Near.home()
    // 95 and 115 m from the centre of a home of 100 m, in turn.
    let fixes = (0..<20).map { Near.fix(Double($0) * 10, east: $0.isMultiple(of: 2) ? 95 : 115) }
    #expect(states(fixes, home).allSatisfy { $0 == .home })
    // Beyond the hysteresis of 25 m and the error the person is away, and stays so at 115 m.
    let leaving = [Near.fix(0), Near.fix(10, east: 140), Near.fix(20, east: 115), Near.fix(30, east: 99)]
    #expect(states(leaving, home) == [.home, .away, .away, .home])
  }

  @Test func aWorseFixNeedsALargerDistanceToLeave() throws {
    let home = try Near.home()
    #expect(states([Near.fix(0), Near.fix(10, east: 140, accuracy: 60)], home) == [.home, .home])
    #expect(states([Near.fix(0), Near.fix(10, east: 180, accuracy: 60)], home) == [.home, .away])
    // Even an accuracy of 2 km decides at 10 km.
    #expect(states([Near.fix(0), Near.fix(10, east: 10_000, accuracy: 2_000)], home) == [.home, .away])
  }

  @Test func aFixThatCannotDecideHoldsTheStateForTheMaximumGapOnly() throws {
    let home = try Near.home()
    let fixes = [Near.fix(0)] + (1...8).map { Near.fix(Double($0) * 60, east: 150, accuracy: 1_500) }
    let found = states(fixes, home)
    #expect(found.prefix(6).allSatisfy { $0 == .home } && found.suffix(3).allSatisfy { $0 == .unknown })
    // Alone it is neither at home nor away.
    #expect(states([Near.fix(0, accuracy: 1_500)], home) == [.unknown])
  }

  @Test func homesFollowOneAnotherInTime() throws {
    let moved = Instant(milliseconds: Near.start + 3_600_000)
    let homes = HomeHistory([
      try HomePlace(Near.place(5_000), from: moved), try HomePlace(Near.origin),
    ])
    #expect(homes.periods.count == 2)
    let fixes = [Near.fix(0), Near.fix(60, east: 5_000), Near.fix(3_600), Near.fix(3_660, east: 5_000)]
    #expect(states(fixes, homes) == [.home, .away, .away, .home])
    // Two homes of one time hold together.
    let both = HomeHistory([try HomePlace(Near.place(5_000)), try HomePlace(Near.origin)])
    #expect(states(Array(fixes.prefix(2)), both) == [.home, .home])
  }

  @Test func withoutAHomeNothingIsAway() {
    let report = Near.report((0..<10).map { Near.fix(Double($0) * 60, east: 900) }, PresenceRules())
    let day = report.days.first
    #expect(report.days.count == 1 && !report.hasHome)
    #expect(day?.away == 0 && day?.home == 0)
    #expect(day?.covered == 540_000 && day?.unknown == 86_400_000)
  }
}
