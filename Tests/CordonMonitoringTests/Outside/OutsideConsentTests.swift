import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTesting
import Testing

@Suite("Outside of venues: consent and sinks")
struct OutsideConsentTests {
  @Test func aConsentForVenuesRecordsNothingOutside() throws {
    let phone = try OutsidePhone()
    phone.start([.record, .share])
    #expect(phone.fix(5_000) == .refused(.outside))
    #expect(phone.fix(1) == .stored)
    phone.wait(.hours(1))
    #expect(phone.rows(to: OutsidePhone.outsideSink).isEmpty)
    #expect(phone.rows(to: OutsidePhone.venueSink).count == 1)
    #expect(!phone.commands.contains { if case .usePolicy = $0 { true } else { false } })
  }

  @Test func aFixOfBeforeTheConsentIsNotRecordedInTheSessionOfAVenue() throws {
    let phone = try OutsidePhone()
    phone.start([.record, .share])
    phone.fix(0)
    phone.fix(1)
    let before = phone.now.wall
    phone.wait(.minutes(1))
    phone.send(.consent(Consent(version: "2", purposes: [.record, .share, .everywhere], time: phone.now.wall)))
    phone.wait(.seconds(5))
    // The system delivers a position of half a minute before the consent; the session in the venue began earlier.
    let late = Fix(
      coordinate: phone.venue.place(east: 5_000, north: 0), accuracy: 5, floor: nil, time: before + .seconds(30))
    #expect(phone.send(.fix(late)) == .refused(.stale))
    phone.wait(.minutes(30))
    #expect(phone.rows(to: OutsidePhone.outsideSink).isEmpty)
  }

  @Test func aConsentForVenuesSendsNoVisitAndNoTripFromOutside() throws {
    let phone = try OutsidePhone()
    phone.start([.record, .share])
    phone.send(.trip(isInProgress: true))
    phone.fix(5_000)
    let arrival = phone.now.wall
    let place = phone.venue.place(east: 5_000, north: 0)
    for departure in [nil, arrival + .minutes(30)] {
      phone.wait(.hours(1))
      phone.send(.visit(Visit(coordinate: place, accuracy: 30, arrival: arrival, departure: departure)))
    }
    phone.send(.trip(isInProgress: false))
    phone.wait(.hours(1))
    #expect(phone.accounting.stored == 0 && phone.rows(to: OutsidePhone.outsideSink).isEmpty)
  }

  @Test func withoutAPolicyTheConsentChangesNothing() throws {
    let phone = try OutsidePhone(OutsidePhone.configuration(nil))
    phone.start()
    #expect(phone.fix(5_000) == .refused(.outside))
    #expect(phone.accounting.stored == 0)
    #expect(!phone.commands.contains(.startPositioning))
  }

  @Test func theConsentForOtherPlacesNeedsTheOneForRecording() throws {
    let phone = try OutsidePhone()
    phone.start([.everywhere])
    #expect(phone.fix(5_000) == .refused(.noConsent))
  }

  @Test func eachRowGoesToTheSinksOfItsPurposeOnly() throws {
    let phone = try OutsidePhone()
    phone.start()
    #expect(phone.fix(5_000) == .stored)
    #expect(phone.fix(5_010) == .stored)
    #expect(phone.fix(1, after: .minutes(20)) == .stored)
    phone.wait(.hours(1))
    #expect(phone.rows(to: OutsidePhone.outsideSink).map(\.purpose) == [.everywhere, .everywhere])
    #expect(phone.rows(to: OutsidePhone.venueSink).map(\.venue) == [phone.venue.venue])
    #expect(phone.accounting.onPhone == 0 && phone.accounting.acknowledged == 3)
    // The current location of another purpose is not for this sink.
    for request in phone.requests {
      guard let latest = request.latest else { continue }
      #expect(latest.purpose == (request.sink == OutsidePhone.venueSink ? .record : .everywhere))
    }
  }

  /// A room that is not recorded, a map that is not active, and a venue without an activation stay closed.
  @Test func aPlaceInAnyKnownVenueIsNotOutside() throws {
    var venue = SmallVenue()
    venue.rooms = [.init("wc", x: 10...20, y: -5...5, recording: .unrecorded)]
    let clinic = SmallVenue("clinic", center: venue.place(east: 3_000, north: 0))
    let phone = try OutsidePhone(venue: venue)
    phone.send(.venues([venue, clinic]))
    phone.start()
    #expect(phone.fix(1) == .stored)
    #expect(phone.fix(15) == .refused(.unrecorded))
    #expect(phone.fix(3_000, after: .hours(1)) != .stored)
    #expect(!phone.runtime.monitor.isTrackingOutside || phone.accounting.stored == 1)
    #expect(phone.fix(6_000, after: .hours(1)) == .stored)
  }

  @Test func retractingDeletesTheRowsFromOutsideAndNoOthers() throws {
    let store = MemoryStore()
    let phone = try OutsidePhone(store: store)
    phone.isOnline = false
    phone.start()
    for step in 0..<5 { phone.fix(5_000 + Double(step)) }
    phone.fix(1, after: .minutes(20))
    #expect(phone.accounting.onPhone == 6)
    phone.send(.retract(.everywhere))
    let left = try store.locations(of: phone.runtime.device)
    #expect(left.map(\.purpose) == [.record])
    #expect(phone.accounting.erased == 5 && phone.accounting.onPhone == 1)
    #expect(phone.notices.contains(.tracking(.purged)))
    #expect(phone.notices.contains(.notErased(phone.runtime.device, OutsidePhone.outsideSink)))
    #expect(phone.runtime.phase != .needsConsent, "the consent for venues stays")
    #expect(phone.fix(5_000, after: .minutes(20)) == .refused(.outside))
    let sent = phone.rows(to: OutsidePhone.outsideSink).count
    phone.wait(.hours(3))
    #expect(phone.rows(to: OutsidePhone.outsideSink).count == sent, "nothing more is sent")
  }

  @Test func refusedRowsFromOutsideAreDeletedToo() throws {
    let store = MemoryStore()
    let phone = try OutsidePhone(store: store)
    phone.judge = { _ in .refused(reason: "no") }
    phone.start()
    phone.fix(5_000)
    phone.wait(.hours(1))
    #expect(phone.accounting.quarantined == 1)
    phone.send(.retract(.everywhere))
    #expect(phone.accounting.quarantined == 0 && phone.accounting.erased == 1)
    #expect(try store.locations(of: phone.runtime.device).isEmpty)
  }

  @Test func theTextOfARefusalIsKeptWithItsRow() throws {
    let store = MemoryStore()
    let phone = try OutsidePhone(store: store)
    let long = String(repeating: "x", count: 300)
    phone.judge = { [place = phone.venue.place(east: 5_000, north: 0)] in
      .refused(reason: $0.coordinate.longitude > place.longitude + 1e-6 ? "no consent" : long)
    }
    phone.start()
    for step in 0..<2 { phone.fix(5_000 + Double(step) * 10) }
    phone.wait(.hours(1))
    let deliveries = try store.deliveries(of: phone.runtime.device)
    #expect(deliveries.map(\.status) == [.quarantined, .quarantined])
    #expect(deliveries.map(\.reason) == [String(long.prefix(200)), "no consent"])
    #expect(phone.runtime.lastRefusal == "no consent")
    let again = try OutsidePhone(store: store)
    #expect(again.runtime.lastRefusal == "no consent", "another process finds it in the store")
    again.send(.retract(.everywhere))
    #expect(again.runtime.lastRefusal == nil)
  }

  @Test func aLateAnswerAfterTheRetractionChangesNothing() throws {
    let phone = try OutsidePhone()
    phone.start()
    phone.isOnline = false
    phone.fix(5_000)
    phone.wait(.minutes(6))
    let request = try #require(phone.requests.last { $0.sink == OutsidePhone.outsideSink })
    guard case .positions(let rows, _) = request.body else { return }
    phone.send(.retract(.everywhere))
    let before = phone.accounting
    phone.receive(
      SinkResponse(
        number: request.number, status: 200, body: .rows(rows.map { RowAnswer(id: $0.id, status: .stored) })))
    #expect(phone.accounting == before)
  }

  /// A phone that slept must not send rows in the step in which the person takes the consent back.
  @Test func nothingIsSentInTheStepOfTheRetraction() throws {
    let phone = try OutsidePhone()
    phone.start()
    phone.isOnline = false
    phone.fix(5_000)
    phone.wait(.minutes(6))
    let sent = phone.requests.count
    phone.sleep(.hours(2))
    phone.send(.retract(.everywhere))
    #expect(phone.requests.dropFirst(sent).allSatisfy { $0.sink != OutsidePhone.outsideSink })
  }

  @Test func aWithdrawalDeletesBothKinds() throws {
    let store = MemoryStore()
    let phone = try OutsidePhone(store: store)
    phone.isOnline = false
    phone.start()
    phone.fix(5_000)
    phone.fix(1, after: .minutes(20))
    phone.send(.withdraw)
    #expect(phone.accounting.erased == 2)
    #expect(!phone.runtime.monitor.isTrackingOutside)
    #expect(try store.devices().flatMap { try store.locations(of: $0.id) }.isEmpty)
    #expect(phone.fix(5_000) == .refused(.noConsent))
  }

  /// The server of a venue does not learn of the consent for other places.
  @Test func theVenuesServerIsNotInformedOfTheOtherConsent() throws {
    let phone = try OutsidePhone()
    phone.start([.record, .share])
    let before = phone.requests.count
    phone.send(.consent(Consent(version: "2", purposes: .everywhere, time: phone.now.wall)))
    phone.wait(.minutes(1))
    #expect(
      phone.requests.dropFirst(before).allSatisfy { if case .consent = $0.body { false } else { true } })
    #expect(phone.runtime.monitor.state.consent?.purposes == [.record, .share, .everywhere])
  }

  @Test func theConsentSurvivesTheProcess() throws {
    var state = MonitorState()
    state.consent = Consent(version: "1", purposes: [.record, .everywhere], time: Instant(milliseconds: 5))
    #expect(MonitorState(decoding: state.encoded())?.consent == state.consent)
    state.consent = Consent(version: "1", purposes: [.record, .share], time: Instant(milliseconds: 5))
    #expect(state.encoded().first == 4, "older programs read a state without it")
  }

  /// A sink that is no longer configured for these rows does not receive what waits for it.
  @Test func rowsWaitingForASinkThatMayNotHaveThemAreDiscarded() throws {
    let store = MemoryStore()
    let phone = try OutsidePhone(store: store)
    phone.isOnline = false
    phone.start()
    phone.fix(5_000)
    #expect(phone.accounting.onPhone == 1)
    var other = OutsidePhone.configuration(nil)
    other.sinks = [Sink(OutsidePhone.venueSink, needsActivation: false), Sink(OutsidePhone.outsideSink)]
    let again = try OutsidePhone(other, store: store)
    again.wait(.hours(1))
    #expect(again.rows(to: OutsidePhone.outsideSink).isEmpty)
    #expect(again.accounting.onPhone == 0 && again.accounting.erased == 1)
  }

  @Test func impossibleConfigurationsAreRefused() {
    var configuration = OutsidePhone.configuration()
    configuration.sinks = [Sink(.cordon)]
    #expect(throws: MonitorConfigurationError.self) { try configuration.validate() }
    configuration.sinks = [Sink(.cordon, needsActivation: true, purposes: [.record, .everywhere])]
    #expect(throws: MonitorConfigurationError.self) { try configuration.validate() }
    configuration.sinks = [Sink(.overland, purposes: .share)]
    #expect(throws: MonitorConfigurationError.self) { try configuration.validate() }
    configuration = OutsidePhone.configuration()
    configuration.everywhere?.exitFence = 50
    #expect(throws: MonitorConfigurationError.self) { try configuration.validate() }
    #expect(MonitorConfiguration().everywhere == nil, "off by default")
  }

  @Test func noVenueCanHaveTheReservedName() throws {
    let phone = try OutsidePhone(knowsVenue: false)
    phone.send(.venue(SmallVenue("everywhere")))
    #expect(phone.runtime.monitor.gate == nil)
  }
}
