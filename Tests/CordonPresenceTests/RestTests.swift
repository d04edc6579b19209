import CordonCore
import CordonGeometry
import Testing

@testable import CordonPresence

/// Rows of trackers that send nothing while the device rests, with hand-made truth.
@Suite("Visits and trips of rests")
struct RestTests {
  private func report(_ fixes: [PresenceFix], _ change: (inout MovementRules) -> Void = { _ in }) -> PresenceReport {
    var rules = PresenceRules()
    var movement = MovementRules()
    change(&movement)
    rules.movement = movement
    return Near.report(fixes, rules)
  }

  private func rest(_ second: Double, until end: Double, east: Double, accuracy: Double = 5) -> PresenceFix {
    var fix = Near.fix(second, east: east, accuracy: accuracy)
    fix.until = Near.start + Int64(end * 1_000)
    return fix
  }

  private func seconds(_ time: Int64) -> Double { Double(time - Near.start) / 1_000 }

  /// A way of 1 400 m along the east axis in 1 000 s, with a fix every 10 s.
  private func way(from second: Double, east: Double) -> [PresenceFix] {
    stride(from: 0.0, to: 1_000, by: 10).map { Near.fix(second + $0, east: east + $0 * 1.4) }
  }

  /// Pauses that ended at a fence: a rest in one row, and nothing else at the place.
  private var pauses: [PresenceFix] {
    [rest(0, until: 7_200, east: 0)] + way(from: 7_210, east: 14) + [rest(8_210, until: 15_000, east: 1_414)]
      + way(from: 15_010, east: 1_428) + [rest(16_010, until: 20_000, east: 2_828)]
  }

  @Test func pausesAreStaysAndTheWaysBetweenThemTrips() throws {
    let report = report(pauses)
    guard report.visits.count == 3 else { return #expect(report.visits.count == 3, "\(report.visits)") }
    for (visit, truth) in zip(report.visits, [(0.0, 7_200.0, 0.0), (8_210, 15_000, 1_414), (16_010, 20_000, 2_828)]) {
      #expect(abs(seconds(visit.arrival) - truth.0) <= 20 && abs(seconds(visit.departure) - truth.1) <= 20, "\(visit)")
      #expect(abs(Near.frame.project(visit.coordinate).x - truth.2) < 5, "the way from the place does not move it")
    }
    #expect(report.visits.allSatisfy { $0.unknown == 0 })
    #expect(report.visits.map(\.arrivalUncertainty) == [nil, 10_000, 10_000])
    #expect(report.visits.map { $0.departureUncertainty.map { $0 <= 60_000 } } == [true, true, nil])
    #expect(report.trips.count == 2)
    for trip in report.trips { #expect(abs(trip.distance - 1_400) < 30, "\(trip)") }
    #expect(report.days.first?.gaps == 0)
  }

  /// The same rows without the ends of their rests: nobody knows where the person was.
  @Test func withoutTheirEndsTheTimeStaysUnknown() {
    let report = report(pauses.map { Near.fix(seconds($0.time), east: Near.frame.project($0.coordinate).x) })
    #expect(report.visits.isEmpty)
    #expect(report.days.first?.gaps == 2)
  }

  /// A visit of the system begins before some of the fixes at its place, and a fix has its very time.
  @Test func fixesAtThePlaceOfAVisitDoNotEndIt() throws {
    let fixes =
      [rest(0, until: 7_200, east: 0, accuracy: 30)] + [0, 30, 60, 300].map { Near.fix($0, east: 20) }
      + way(from: 7_200, east: 0)
    for fixes in [fixes, [fixes[1], fixes[0]] + fixes[2...]] {
      let report = report(fixes)
      #expect(report.visits.count == 1)
      let visit = try #require(report.visits.first)
      #expect(seconds(visit.arrival) == 0 && abs(seconds(visit.departure) - 7_200) < 60, "\(visit)")
      #expect(visit.unknown == 0 && report.days.first?.gaps == 0)
    }
  }

  /// A file has a row again when its rest has become longer.
  @Test func aLaterLineProlongsTheRest() throws {
    let report = report(
      [Near.fix(0, east: 0), rest(0, until: 3_600, east: 0), rest(0, until: 7_200, east: 0)]
        + way(from: 7_210, east: 14))
    #expect(report.counts.duplicates == 2 && report.visits.count == 1)
    #expect(report.visits.first.map { seconds($0.departure) } ?? 0 >= 7_200)
    #expect(report.trips.count == 1)
    let elsewhere = self.report([Near.fix(0, east: 0), rest(0, until: 7_200, east: 900), Near.fix(7_300, east: 0)])
    #expect(elsewhere.visits.isEmpty, "a row of another place says nothing about this one")
  }

  @Test func oneStrayFixDoesNotEndARestAndTwoDo() throws {
    let long = rest(0, until: 7_200, east: 0)
    let stray = report([long, Near.fix(60, east: 600), Near.fix(90, east: 3), Near.fix(7_230, east: 8)])
    #expect(stray.visits.count == 1 && stray.visits.first?.unknown == 0)
    #expect(stray.days.first?.gaps == 0)
    let gone = report(
      [long, Near.fix(1_800, east: 600), Near.fix(1_870, east: 700), Near.fix(7_230, east: 8)])
    let visit = try #require(gone.visits.first)
    #expect(gone.visits.count == 1 && seconds(visit.departure) <= 1_800 && visit.isDepartureKnown)
    #expect(gone.days.first?.gaps == 1, "a device that is seen elsewhere rests no longer")
  }

  @Test func aRestThatIsContradictedAtOnceIsNoVisit() {
    let fixes = stride(from: 30.0, through: 600, by: 30).map { Near.fix($0, east: 900) }
    let report = report([rest(0, until: 7_200, east: 0)] + fixes)
    #expect(report.visits.count == 1 && report.visits.allSatisfy { seconds($0.arrival) <= 90 })
  }

  @Test func aGapIsTheUncertaintyOfBothEnds() throws {
    let report = report([rest(0, until: 3_600, east: 0), rest(9_000, until: 12_600, east: 900)])
    #expect(report.visits.count == 2 && report.trips.isEmpty)
    let (first, second) = (try #require(report.visits.first), try #require(report.visits.last))
    #expect(first.arrivalUncertainty == nil && first.departureUncertainty == 5_400_000 && !first.isDepartureKnown)
    #expect(second.arrivalUncertainty == 5_400_000 && second.departureUncertainty == nil && !second.isArrivalKnown)
  }

  @Test func aRestElsewhereEndsAVisitAtOnce() throws {
    let report = report([rest(0, until: 3_600, east: 0), rest(3_780, until: 9_000, east: 600)])
    #expect(report.visits.map { seconds($0.arrival) } == [0, 3_780])
    #expect(report.visits.map { seconds($0.departure) } == [3_600, 9_000])
    #expect(report.visits.first?.isDepartureKnown == true && report.visits.first?.departureUncertainty == 180_000)
    let trip = try #require(report.trips.first)
    #expect(report.trips.count == 1 && trip.duration == 180_000 && abs(trip.distance - 600) < 5)
  }

  @Test func visitsMaySplitAtGaps() throws {
    let fixes = [rest(0, until: 3_600, east: 0), rest(9_000, until: 12_600, east: 4)]
    let joined = report(fixes)
    #expect(joined.visits.map(\.unknown) == [5_400_000])
    let split = report(fixes) { $0.splitsAtGaps = true }
    #expect(split.visits.map(\.unknown) == [0, 0] && split.visits.map(\.dwell) == [3_600_000, 3_600_000])
  }
}
