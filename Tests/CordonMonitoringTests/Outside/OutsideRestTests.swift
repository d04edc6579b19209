import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTesting
import Testing

@Suite("Outside of venues: rests during pauses")
struct OutsideRestTests {
  /// A phone that has stored one fix and whose system then paused positioning.
  private func pausedPhone(
    _ store: MemoryStore? = nil, _ change: (inout MonitorConfiguration) -> Void = { _ in }
  ) throws -> (phone: OutsidePhone, arrival: Instant) {
    var policy = TrackingPolicy.everything
    policy.pausesAutomatically = true
    var configuration = OutsidePhone.configuration(policy)
    change(&configuration)
    let phone = try OutsidePhone(configuration, store: store ?? MemoryStore())
    // With a store of its own nothing is sent.
    if store != nil { phone.send(.provider(.network(.none))) }
    phone.start()
    phone.fix(5_000)
    let arrival = phone.now.wall
    phone.wait(.minutes(12))
    phone.send(.pausedPositioning)
    return (phone, arrival)
  }

  /// The rows that say how long a rest was, in the order of their requests.
  private func rests(_ phone: OutsidePhone) -> [Location] {
    phone.rows(to: OutsidePhone.outsideSink).filter { $0.stillUntil != nil }
  }

  @Test func aPauseIsARestUntilTheDeviceLeavesItsCircle() throws {
    let (phone, arrival) = try pausedPhone()
    phone.wait(.hours(8))
    #expect(rests(phone).isEmpty, "nobody knows yet how long it lasts")
    phone.send(.leftExitFence)
    let exit = phone.now.wall
    phone.wait(.hours(1))
    #expect(rests(phone).map(\.time) == [arrival] && rests(phone).map(\.stillUntil) == [exit])
    #expect(phone.accounting.stored == 1 && phone.accounting.acknowledged == 1 && phone.accounting.onPhone == 0)
  }

  /// A receiver that goes on measuring during a pause, such as gpsd.
  @Test func aFixBeyondTheCircleEndsTheRestWithTheLastFixInIt() throws {
    var policy = TrackingPolicy.everything
    policy.pausesAutomatically = true
    let phone = try OutsidePhone(OutsidePhone.configuration(policy))
    phone.start()
    for _ in 0..<22 { phone.fix(5_000, after: .seconds(30)) }
    #expect(phone.notices.contains(.tracking(.paused)))
    #expect(phone.fix(5_030, after: .hours(1)) == .thinned)
    let last = phone.now.wall
    #expect(phone.fix(5_600, after: .minutes(20)) == .stored)
    phone.wait(.hours(1))
    #expect(rests(phone).map(\.stillUntil) == [last])
    #expect(rests(phone).first.map { last - $0.time < .minutes(70) } == true)
  }

  @Test func aPlaceElsewhereInTheCircleIsAnotherOne() throws {
    let (phone, _) = try pausedPhone()
    let paused = phone.now.wall
    #expect(phone.fix(5_120, after: .hours(1)) == .thinned)
    phone.wait(.hours(1))
    phone.send(.leftExitFence)
    phone.wait(.hours(1))
    #expect(rests(phone).map(\.stillUntil) == [paused], "the two hours after it are unknown")
  }

  @Test func movementEndsTheRestAsSoonAsTheDeviceIsElsewhere() throws {
    let (phone, arrival) = try pausedPhone()
    phone.wait(.hours(3))
    phone.send(.motion(.moving))
    let moved = phone.now.wall
    phone.wait(.minutes(20))
    #expect(rests(phone).isEmpty, "movement at the place does not end it")
    phone.send(.pausedPositioning)
    phone.wait(.hours(2))
    phone.send(.motion(.still))
    phone.send(.motion(.moving))
    let left = phone.now.wall
    #expect(phone.fix(5_070, after: .minutes(1)) == .stored)
    phone.wait(.hours(1))
    #expect(rests(phone).map(\.time) == [arrival] && rests(phone).map(\.stillUntil) == [left])
    #expect(left > moved)
  }

  @Test func nothingIsWrittenAfterTheConsentOrDuringAPauseOfThePerson() throws {
    for event in [MonitorEvent.retract(.everywhere), .withdraw, .pause(until: nil)] {
      let (phone, _) = try pausedPhone()
      phone.wait(.hours(1))
      phone.send(event)
      phone.send(.leftExitFence)
      phone.wait(.hours(1))
      phone.send(.resume)
      phone.send(.leftExitFence)
      phone.wait(.hours(1))
      #expect(rests(phone).isEmpty, "\(event)")
    }
    let (phone, _) = try pausedPhone()
    let paused = phone.now.wall
    phone.wait(.hours(1))
    phone.send(.stop)
    phone.wait(.hours(1))
    #expect(rests(phone).map(\.stillUntil) == [paused], "the hour until the stop is unknown")
  }

  @Test func anotherProcessKnowsNoRest() throws {
    let store = MemoryStore()
    var policy = TrackingPolicy.everything
    policy.pausesAutomatically = true
    let phone = try OutsidePhone(OutsidePhone.configuration(policy), store: store)
    phone.isOnline = false
    phone.start()
    phone.fix(5_000)
    phone.send(.pausedPositioning)
    let again = try OutsidePhone(OutsidePhone.configuration(policy), store: store)
    again.wait(.hours(2))
    again.send(.leftExitFence)
    again.wait(.hours(1))
    #expect(!again.rows(to: OutsidePhone.outsideSink).isEmpty && rests(again).isEmpty)
  }

  @Test func aVisitOfTheSystemHasItsOwnEnd() throws {
    let (phone, arrival) = try pausedPhone { $0.everywhere?.recordsVisits = true }
    let place = phone.venue.place(east: 5_010, north: 0)
    phone.send(.visit(Visit(coordinate: place, accuracy: 30, arrival: arrival, departure: nil)))
    phone.wait(.hours(1))
    phone.send(.leftExitFence)
    let exit = phone.now.wall
    phone.wait(.minutes(10))
    phone.send(.visit(Visit(coordinate: place, accuracy: 30, arrival: arrival, departure: exit - .minutes(2))))
    phone.wait(.hours(1))
    #expect(rests(phone).map(\.stillUntil) == [arrival, exit - .minutes(2)])
  }

  @Test func aVenueEndsTheRest() throws {
    let (phone, _) = try pausedPhone()
    let paused = phone.now.wall
    phone.wait(.hours(1))
    phone.send(.region(.entered))
    phone.fix(1)
    phone.wait(.hours(1))
    phone.send(.leftExitFence)
    phone.wait(.hours(1))
    #expect(rests(phone).map(\.stillUntil) == [paused])
  }

  /// Nothing of such a fix is kept, but it shows that the device is not at its place.
  @Test func aFixInAVenueThatIsNotActiveEndsTheRestToo() throws {
    let (phone, _) = try pausedPhone { $0.sinks[0] = Sink(OutsidePhone.venueSink, needsActivation: true) }
    let paused = phone.now.wall
    phone.wait(.hours(1))
    #expect(phone.fix(1) == .refused(.notTracking))
    phone.wait(.hours(1))
    phone.send(.leftExitFence)
    phone.wait(.hours(1))
    #expect(rests(phone).map(\.stillUntil) == [paused])
  }

  @Test func aRowThatHasExpiredIsNotExtended() throws {
    let store = MemoryStore()
    let (phone, arrival) = try pausedPhone(store) {
      $0.maximumAge = .hours(24)
      $0.everywhere?.recordsVisits = true
    }
    let place = phone.venue.place(east: 9_000, north: 0)
    phone.send(.visit(Visit(coordinate: place, accuracy: 30, arrival: arrival, departure: nil)))
    phone.wait(.hours(30))
    #expect(phone.accounting.expired == 2)
    phone.send(.leftExitFence)
    phone.send(.visit(Visit(coordinate: place, accuracy: 30, arrival: arrival, departure: phone.now.wall)))
    let rows = try store.locations(of: phone.runtime.device)
    #expect(UInt64(rows.count) == phone.accounting.onPhone, "\(phone.accounting)")
    #expect(phone.accounting.acknowledged == 0)
  }
}
