import Testing

@testable import CordonPresence

@Suite("Visits while they happen")
struct VisitDetectorTests {
  /// A record with stays, ways, passes, gaps, outliers, poor fixes and repeated times.
  private func record(_ seed: UInt64) -> [PresenceFix] {
    var random = Noise(seed: seed)
    var fixes: [PresenceFix] = []
    var (second, east, north) = (0.0, 0.0, 0.0)
    let interval = [5.0, 5, 20, 60][Int(random.uniform() * 4)]
    func fix(_ random: inout Noise) {
      var fix = Near.fix(
        second, east: east + random.normal() * 4, north: north + random.normal() * 4,
        accuracy: random.uniform() < 0.05 ? nil : 4 + random.uniform() * 8)
      if random.uniform() < 0.02 {
        fix = Near.fix(second, east: east + random.normal() * 200, north: north, accuracy: 6)
      }
      if random.uniform() < 0.02 { fix = Near.fix(second, east: east, north: north + 900, accuracy: 300) }
      fixes.append(fix)
      if random.uniform() < 0.02 { fixes.append(fix) }
      second += interval
    }
    for _ in 0..<8 {
      let stay = second + 60 + random.uniform() * random.uniform() * 5_000
      while second < stay { fix(&random) }
      if random.uniform() < 0.4 { second += random.uniform() * 4_000 }
      let (dx, dy) = (random.normal() * 600, random.normal() * 600)
      let steps = max(1, ((dx * dx + dy * dy).squareRoot() / (1 + random.uniform() * 8) / interval).rounded(.up))
      for _ in 0..<Int(steps) {
        (east, north) = (east + dx / steps, north + dy / steps)
        fix(&random)
      }
      if random.uniform() < 0.2 { second += random.uniform() * 4_000 }
    }
    return fixes
  }

  @Test func aStreamHasTheVisitsOfTheWholeRecord() {
    var count = 0
    for seed in 0..<12 {
      let fixes = record(UInt64(seed))
      var rules = PresenceRules()
      rules.movement = MovementRules()
      rules.movement?.splitsAtGaps = true
      let whole = Near.report(fixes, rules).visits
      var detector = VisitDetector()
      var arrived: PresenceVisit?
      var departed: [PresenceVisit] = []
      for fix in fixes {
        for event in detector.add(fix) {
          switch event {
          case .arrival(let visit):
            #expect(arrived == nil && visit.dwell > 0, "seed \(seed)")
            arrived = visit
          case .departure(let visit):
            #expect(arrived?.arrival == visit.arrival, "seed \(seed): a departure without its arrival")
            arrived = nil
            departed.append(visit)
          }
        }
      }
      let rest = detector.finish()
      #expect(rest.count == (arrived == nil ? 0 : 1), "seed \(seed)")
      for case .departure(let visit) in rest { departed.append(visit) }
      #expect(departed == whole, "seed \(seed)")
      #expect(departed.allSatisfy { $0.unknown == 0 }, "seed \(seed)")
      count += whole.count
    }
    #expect(count > 30, "\(count) visits")
  }

  @Test func anArrivalIsReportedAfterTheMinimumDwellAndADepartureAfterAMinute() throws {
    var detector = VisitDetector()
    var events: [(second: Double, event: VisitDetector.Event)] = []
    for second in stride(from: 0.0, to: 2_000, by: 10) {
      let fix = Near.fix(second, east: second < 1_200 ? 0 : (second - 1_200) * 1.4)
      events += detector.add(fix).map { (second: second, event: $0) }
    }
    guard events.count == 2, case .arrival(let arrival) = events[0].event, case .departure(let visit) = events[1].event
    else { return #expect(events.count == 2, "\(events)") }
    #expect(events[0].second == 300 && arrival.arrival == Near.start)
    #expect(events[1].second > 1_300 && events[1].second < 1_400)
    #expect(abs(visit.departure - Near.start - 1_200_000) <= 20_000 && visit.isDepartureKnown)
    #expect(detector.finish().isEmpty)
  }

  @Test func aGapEndsAVisitWithTheLastFixBeforeIt() throws {
    var detector = VisitDetector()
    var departures: [PresenceVisit] = []
    let before = Array(stride(from: 0.0, through: 900, by: 10))
    for second in before + before.map({ $0 + 9_000 }) {
      for case .departure(let visit) in detector.add(Near.fix(second)) { departures.append(visit) }
    }
    #expect(departures.map { $0.departure - Near.start } == [900_000])
    #expect(departures.first.map { !$0.isDepartureKnown && $0.departureUncertainty == 8_100_000 } == true)
    for case .departure(let visit) in detector.finish() { departures.append(visit) }
    #expect(departures.map(\.dwell) == [900_000, 900_000])
  }
}
