import CordonCore
import CordonGeometry
import CordonPresence
import Testing

@Suite("Visits and trips")
struct MovementTests {
  /// A person who rests and walks, with the truth beside it.
  private struct Walk {
    var fixes: [PresenceFix] = []
    var second = 0.0
    var place = (x: 0.0, y: 0.0)
    var noise: Noise?
    var interval = 1.0

    init(seed: UInt64? = nil, interval: Double = 1) {
      noise = seed.map { Noise(seed: $0) }
      self.interval = interval
    }

    private mutating func fix() {
      let dx = noise?.normal() ?? 0
      let dy = noise?.normal() ?? 0
      fixes.append(Near.fix(second, east: place.x + dx * 3, north: place.y + dy * 3, accuracy: 4.5))
      second += interval
    }

    mutating func rest(_ seconds: Double) {
      let end = second + seconds
      while second < end { fix() }
    }

    mutating func walk(to x: Double, _ y: Double, speed: Double = 1.4) {
      let (from, start) = (place, second)
      let length = ((x - from.x) * (x - from.x) + (y - from.y) * (y - from.y)).squareRoot()
      let duration = length / speed
      while second < start + duration {
        let share = (second - start) / duration
        place = (from.x + (x - from.x) * share, from.y + (y - from.y) * share)
        fix()
      }
      place = (x, y)
    }
  }

  private func found(_ walk: Walk, _ change: (inout MovementRules) -> Void = { _ in }) throws -> PresenceReport {
    var rules = PresenceRules(homes: try Near.home(radius: 50))
    var movement = MovementRules()
    change(&movement)
    rules.movement = movement
    return Near.report(walk.fixes, rules)
  }

  private func second(_ time: Int64) -> Double { Double(time - Near.start) / 1_000 }

  @Test(arguments: [nil, 1, 2, 3, 4] as [UInt64?])
  func aDayHasItsVisitsAndTrips(seed: UInt64?) throws {
    var walk = Walk(seed: seed)
    walk.rest(1_800)
    let left = walk.second
    walk.walk(to: 700, 0)
    walk.walk(to: 700, 500)
    let arrived = walk.second
    walk.rest(3_600)
    let started = walk.second
    walk.walk(to: 0, 0)
    let back = walk.second
    walk.rest(900)
    let report = try found(walk)
    #expect(report.visits.map(\.place) == [.home, .other, .home])
    guard report.visits.count == 3, report.trips.count == 2 else {
      Issue.record("\(report.visits.count) visits, \(report.trips.count) trips")
      return
    }
    let visit = report.visits[1]
    // The edge of the place is passed within a minute of the place itself.
    #expect(abs(second(visit.arrival) - arrived) < 25)
    #expect(abs(second(visit.departure) - started) < 25)
    #expect(abs(visit.dwell - 3_600_000) < 45_000)
    #expect(visit.isArrivalKnown && visit.isDepartureKnown)
    let centre = Near.frame.project(visit.coordinate)
    #expect(abs(centre.x - 700) < 2)
    #expect(abs(centre.y - 500) < 2)
    #expect(!report.visits[0].isArrivalKnown && !report.visits[2].isDepartureKnown)
    let trip = report.trips[0]
    #expect(trip.startPlace == .home && trip.endPlace == .other && trip.isStartKnown && trip.isEndKnown)
    // A visit to a home ends at its edge, 50 m away and 25 m of hysteresis on.
    let startDelay = second(trip.start) - left
    #expect(startDelay > -5 && startDelay < 65)
    #expect(abs(second(trip.end) - arrived) < 25)
    #expect(trip.distance > 1_080 && trip.distance < 1_240, "\(trip.distance)")
    let endDelay = second(report.trips[1].end) - back
    #expect(abs(endDelay) < 65)
    #expect(report.trips[1].endPlace == .home)
  }

  @Test func aShortStopIsAPartOfTheTrip() throws {
    var walk = Walk()
    walk.rest(600)
    walk.walk(to: 400, 0)
    walk.rest(180)
    walk.walk(to: 800, 0)
    walk.rest(600)
    let report = try found(walk)
    #expect(report.visits.count == 2 && report.trips.count == 1)
    let distance = report.trips.first?.distance ?? 0
    #expect(abs(distance - 750) < 60)
  }

  @Test func aPlaceAtTheEdgeOfTheWayThereIsFound() throws {
    // One fix a minute, so that the last one on the way lies 67 m before the place.
    var walk = Walk(interval: 60)
    walk.place = (2_000, 0)
    walk.walk(to: 600, 0, speed: 67 / 60.0)
    walk.rest(1_800)
    let report = try found(walk)
    #expect(report.visits.map(\.place) == [.other])
    #expect(report.trips.count == 1)
  }

  @Test func passingByIsNoVisit() throws {
    var walk = Walk()
    walk.place = (-2_000, 0)
    walk.walk(to: 2_000, 0)
    let report = try found(walk) { $0.minimumDwell = .minutes(3) }
    #expect(report.visits.isEmpty && report.trips.count == 1)
    let trip = try #require(report.trips.first)
    #expect(!trip.isStartKnown && !trip.isEndKnown)
    #expect(abs(trip.distance - 4_000) < 20)
  }

  @Test func aVisitToAVenueIsOneHoweverFarOneWalksInIt() throws {
    let outline = [(1_000, -150), (1_400, -150), (1_400, 150), (1_000, 150)].map { Near.place($0.0, $0.1) }
    var walk = Walk()
    walk.rest(600)
    walk.walk(to: 990, 0)
    let entered = walk.second
    walk.walk(to: 1_390, 0)
    walk.rest(900)
    walk.walk(to: 1_010, 140)
    walk.rest(900)
    walk.walk(to: 1_300, -140)
    walk.walk(to: 990, 0)
    let leaving = walk.second
    walk.walk(to: 0, 0)
    walk.rest(600)
    let report = try found(walk) {
      $0.places = [MovementRules.Place("mall", area: GeoMultiPolygon([GeoPolygon(outer: outline)]))]
    }
    #expect(report.visits.map(\.place) == [.home, .named(0), .home])
    let visit = try #require(report.visits.dropFirst().first)
    #expect(abs(second(visit.arrival) - entered) < 15)
    #expect(abs(second(visit.departure) - leaving) < 30)
  }

  @Test func aGapInAVisitIsUnknownAndOneBeforeIsSaid() throws {
    var walk = Walk()
    walk.place = (500, 0)
    walk.rest(900)
    walk.second += 7_200
    walk.rest(900)
    walk.second += 3_600
    walk.place = (0, 0)
    walk.rest(900)
    let report = try found(walk)
    #expect(report.visits.count == 2 && report.trips.isEmpty)
    let visit = try #require(report.visits.first)
    #expect(visit.unknown == 7_201_000)
    #expect(abs(visit.dwell - 1_798_000) < 5_000)
    #expect(!visit.isDepartureKnown && second(visit.departure) == 8_999)
    #expect(report.visits.last?.isArrivalKnown == false)
  }

  @Test func oneBadFixEndsNoVisit() throws {
    var walk = Walk()
    walk.place = (500, 0)
    walk.rest(600)
    walk.fixes.append(Near.fix(walk.second, east: 900, accuracy: 8))
    walk.second += 1
    walk.rest(600)
    walk.fixes.append(Near.fix(walk.second, east: 3_000, accuracy: 900))
    walk.second += 1
    walk.rest(600)
    let report = try found(walk)
    #expect(report.visits.count == 1 && report.trips.isEmpty)
  }

  /// The rows of a tracker that records visits only.
  @Test func aRestThatIsLongEnoughIsAVisitByItself() throws {
    var rules = PresenceRules()
    rules.movement = MovementRules()
    var stream = PresenceStream(rules)
    for (start, minutes, east) in [(0.0, 120, 0.0), (9_000, 3, 900), (10_800, 60, 2_000)] {
      var fix = Near.fix(start, east: east, accuracy: 30)
      fix.until = fix.time + Int64(minutes) * 60_000
      stream.add(fix)
    }
    let report = stream.finish()
    #expect(report.visits.map { $0.arrival - Near.start } == [0, 10_800_000])
    #expect(report.visits.map(\.dwell) == [7_200_000, 3_600_000], "\(report.visits)")
    #expect(report.visits.allSatisfy { $0.unknown == 0 } && report.trips.isEmpty)
  }
}
