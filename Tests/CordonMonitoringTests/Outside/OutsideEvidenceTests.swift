import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTesting
import Testing

/// Reports of the system that come late, twice or after the clock was set, and fixes of the past.
@Suite("Outside of venues: evidence")
struct OutsideEvidenceTests {
  private func phone(_ change: (inout TrackingPolicy) -> Void) throws -> OutsidePhone {
    var policy = TrackingPolicy.everything
    change(&policy)
    let phone = try OutsidePhone(OutsidePhone.configuration(policy))
    phone.start()
    phone.wait(.minutes(1))
    return phone
  }

  private func visit(_ phone: OutsidePhone, _ east: Double, _ arrival: Instant?, _ departure: Instant?) {
    let place = phone.venue.place(east: east, north: 0)
    phone.send(.visit(Visit(coordinate: place, accuracy: 30, arrival: arrival, departure: departure)))
    phone.wait(.minutes(20))
  }

  private func ends(_ phone: OutsidePhone) -> [Instant?] { phone.rows(to: OutsidePhone.outsideSink).map(\.stillUntil) }

  @Test func aReportThatComesLateOrTwiceChangesNothing() throws {
    let phone = try phone { $0.mode = .visits }
    let arrival = phone.now.wall
    phone.wait(.hours(1))
    let departure = phone.now.wall
    visit(phone, 5_000, arrival, departure)
    visit(phone, 5_000, arrival, departure)
    visit(phone, 5_000, arrival, nil)
    #expect(ends(phone) == [departure])
    #expect(phone.accounting.stored == 1 && phone.accounting.acknowledged == 1)
  }

  @Test func twoVisitsThatEndInAnotherOrderBothHaveTheirEnds() throws {
    let phone = try phone { $0.mode = .visits }
    let arrivals = [phone.now.wall, phone.now.wall + .minutes(30)]
    phone.wait(.minutes(40))
    visit(phone, 5_000, arrivals[0], nil)
    visit(phone, 9_000, arrivals[1], nil)
    let (first, second) = (arrivals[1] - .minutes(2), phone.now.wall)
    visit(phone, 9_000, arrivals[1], second)
    visit(phone, 5_000, arrivals[0], first)
    #expect(ends(phone) == [arrivals[0], arrivals[1], second, first])
    #expect(phone.accounting.stored == 2)
  }

  @Test func aVisitWithDatesOfAnotherClockIsNotRecorded() throws {
    for span in [TimeSpan.hours(1), .minutes(-15)] {
      let phone = try phone { $0.mode = .visits }
      phone.wait(.hours(2))
      let arrival = phone.now.wall
      phone.wait(.minutes(10))
      let left = phone.now.wall
      phone.setClock(by: span)
      phone.wait(.minutes(20))
      visit(phone, 5_000, arrival, left)
      visit(phone, 6_000, nil, left)
      #expect(ends(phone).isEmpty, "\(span)")
      let next = phone.now.wall
      visit(phone, 7_000, next, nil)
      #expect(ends(phone) == [next], "\(span)")
    }
  }

  @Test func aPauseOfTheSystemWithoutAKnownPlaceStartsPositioningAgain() throws {
    let phone = try phone { $0.pausesAutomatically = true }
    func starts() -> Int { phone.commands.count { $0 == .startPositioning } }
    let before = starts()
    phone.send(.pausedPositioning)
    #expect(starts() == before + 1 && !phone.notices.contains(.tracking(.paused)))
    phone.fix(5_000)
    phone.send(.pausedPositioning)
    #expect(starts() == before + 1 && phone.notices.contains(.tracking(.paused)))
  }

  @Test func aFixOfThePastOrTheFutureBeginsNoRest() throws {
    let phone = try phone { $0.pausesAutomatically = true }
    let old = phone.now.wall
    phone.fix(5_000, after: .minutes(2))
    let place = phone.venue.place(east: 5_300, north: 0)
    #expect(phone.send(.fix(Fix(coordinate: place, accuracy: 5, floor: nil, time: old + .seconds(60)))) == .stored)
    phone.send(.pausedPositioning)
    phone.wait(.hours(1))
    phone.send(.leftExitFence)
    phone.wait(.hours(1))
    let ahead = phone.now.wall + .seconds(4)
    #expect(phone.send(.fix(Fix(coordinate: place, accuracy: 5, floor: nil, time: ahead))) == .stored)
    phone.send(.pausedPositioning)
    phone.wait(.hours(1))
    phone.send(.leftExitFence)
    phone.wait(.hours(1))
    #expect(ends(phone) == [nil, nil, nil])
  }

  @Test func theEndOfTheConsentEndsATrip() throws {
    for event in [MonitorEvent.retract(.everywhere), .withdraw] {
      let phone = try phone { $0.mode = .visits }
      phone.send(.trip(isInProgress: true))
      #expect(phone.fix(5_000) == .stored, "\(event)")
      phone.send(event)
      phone.start()
      #expect(phone.fix(5_200, after: .minutes(5)) == .refused(.outside), "\(event)")
    }
  }
}
