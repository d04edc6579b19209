import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTesting
import Testing

@Suite("Several venues, one active")
struct VenueSwitchTests {
  static let mall = SmallVenue("mall")
  static let clinic = SmallVenue("clinic", center: Coordinate(longitude: 8.60, latitude: 47.40))

  /// A phone, its server, and the codes of two venues.
  static func phone(_ store: MemoryStore = MemoryStore()) throws -> TestPhone {
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["MALL", "CLINIC"]
    sink.venues = ["MALL": mall.venue, "CLINIC": clinic.venue]
    return try TestPhone(in: mall, store: store, sink: sink)
  }

  static func fix(_ phone: TestPhone, in venue: SmallVenue, east: Double) -> Verdict {
    phone.wait(.seconds(5))
    return phone.send(
      .fix(Fix(coordinate: venue.place(east: east, north: 1), accuracy: 5, floor: nil, time: phone.now.wall)))
  }

  @Test func eachVenueNeedsItsOwnActivation() throws {
    let phone = try Self.phone()
    phone.consentAndStart()
    phone.send(.invite(code: "MALL"))
    #expect(phone.runtime.phase == .armed)
    phone.send(.venue(Self.clinic))
    #expect(phone.runtime.phase == .needsActivation)
    #expect(Self.fix(phone, in: Self.clinic, east: 1) == .refused(.notTracking))
    phone.send(.invite(code: "CLINIC"))
    #expect(phone.runtime.phase == .armed)
    // Back in the first venue: its activation is still there, and no code is needed.
    phone.send(.venue(Self.mall))
    #expect(phone.runtime.phase == .armed)
  }

  /// A phone that was in the mall without a network, and is now in the clinic, still without one.
  static func movedPhone(_ store: MemoryStore = MemoryStore()) throws -> TestPhone {
    let phone = try Self.phone(store)
    phone.consentAndStart()
    phone.send(.invite(code: "CLINIC"))
    phone.send(.invite(code: "MALL"))
    phone.isOnline = false
    for step in 0..<10 { _ = Self.fix(phone, in: Self.mall, east: Double(step * 2)) }
    phone.send(.region(.exited))
    phone.wait(.minutes(2))
    phone.send(.venue(Self.clinic))
    for step in 0..<10 { _ = Self.fix(phone, in: Self.clinic, east: Double(step * 2)) }
    phone.send(.region(.exited))
    #expect(phone.accounting.onPhone > 10)
    return phone
  }

  @Test func rowsAreSentOnlyWithTheTokenOfTheirVenue() throws {
    let phone = try Self.movedPhone()
    phone.isOnline = true
    phone.wait(.hours(1))
    // The server would have refused rows of one venue with the token of another for good.
    #expect(phone.accounting.quarantined == 0)
    #expect(phone.accounting.onPhone == 0, "the mall's rows do not wait for the mall")
    #expect(Set(phone.sink.locations.map(\.venue)) == [Self.mall.venue, Self.clinic.venue])
    #expect(phone.sink.count == Int(phone.accounting.acknowledged))
    #expect(phone.sink.knownCount == 0)
    #expect(phone.runtime.monitor.gate?.venue == Self.clinic.venue)
    #expect(phone.runtime.nextTimer.map { $0 > phone.now.monotonic + .minutes(1) } ?? true, "and nothing is asked on")
  }

  @Test func rowsOfAnotherVenueSurviveTheProcess() throws {
    let store = MemoryStore()
    let first = try Self.movedPhone(store)
    let second = try TestPhone(in: Self.clinic, store: store, sink: first.sink, start: first.now.wall)
    second.send(.start)
    second.wait(.hours(1))
    #expect(second.accounting.onPhone == 0)
    #expect(second.accounting.quarantined == 0)
  }

  @Test func aCorrectedMapIsUsedAtOnce() throws {
    let phone = try Self.phone()
    phone.consentAndStart()
    phone.send(.invite(code: "MALL"))
    phone.send(.venues([Self.mall, Self.clinic]))
    let kept: [Verdict] = [.held, .stored]
    #expect(kept.contains(Self.fix(phone, in: Self.mall, east: 20)))
    phone.wait(.seconds(30))
    #expect(Self.fix(phone, in: Self.mall, east: 35) == .refused(.outside))
    phone.wait(.seconds(30))
    // The map was wrong by ten metres. The device need not enter the venue again.
    phone.send(.venues([SmallVenue("mall", width: 80), Self.clinic]))
    #expect(phone.runtime.phase == .tracking || phone.runtime.phase == .armed)
    #expect(kept.contains(Self.fix(phone, in: Self.mall, east: 35)))
    #expect(phone.runtime.monitor.gate?.venue == Self.mall.venue)
  }

  @Test func anExpiredTokenOfAnotherVenueIsRenewed() throws {
    let phone = try Self.movedPhone()
    phone.sink.revokeTokens()
    phone.isOnline = true
    phone.wait(.hours(1))
    #expect(phone.accounting.onPhone == 0)
    #expect(phone.runtime.phase == .armed)
  }

  @Test func aDeviceForgottenAtAnotherVenueContinuesHere() throws {
    let phone = try Self.movedPhone()
    phone.sink.deactivate(phone.runtime.device, at: Self.mall.venue)
    phone.isOnline = true
    phone.wait(.days(1))
    #expect(phone.runtime.phase == .armed)
    #expect(phone.sink.locations.allSatisfy { $0.venue == Self.clinic.venue })
    let waiting = phone.accounting.onPhone
    #expect(waiting > 5, "they stay until a new code, or their age")
    // Back there the phone needs a new code, and then sends them.
    phone.send(.venue(Self.mall))
    #expect(phone.runtime.phase == .needsActivation)
    phone.send(.invite(code: "MALL"))
    phone.wait(.hours(1))
    #expect(phone.accounting.onPhone == 0)
    #expect(phone.accounting.quarantined == 0)
  }

  @Test func withdrawalWipesRowsOfEveryVenue() throws {
    let phone = try Self.movedPhone()
    let waiting = phone.accounting.onPhone
    phone.send(.withdraw)
    #expect(phone.accounting.onPhone == 0)
    #expect(phone.accounting.erased == waiting)
    phone.isOnline = true
    phone.wait(.hours(2))
    #expect(phone.sink.count == 0)
  }

  @Test func anUnreadableRowOfAnotherVenueIsFoundByHalving() throws {
    let phone = try Self.movedPhone()
    let bad = try #require(
      try phone.store.locations(of: phone.runtime.device).first { $0.venue == Self.mall.venue }?.id)
    phone.refuseBatches = { rows in rows.contains { $0.id == bad } ? 400 : nil }
    phone.isOnline = true
    phone.wait(.hours(1))
    #expect(phone.accounting.quarantined == 1)
    #expect(phone.accounting.onPhone == 0)
  }

  @Test func aRemovedSinkKeepsItsRowsUntilItReturns() throws {
    let store = MemoryStore()
    var configuration = MonitorConfiguration()
    configuration.sinks = [Sink(.overland)]
    let first = try TestPhone(in: Self.mall, configuration: configuration, store: store)
    first.consentAndStart()
    first.isOnline = false
    for step in 0..<10 { _ = Self.fix(first, in: Self.mall, east: Double(step * 2)) }
    first.send(.region(.exited))
    let waiting = first.accounting.onPhone
    #expect(waiting > 5)
    configuration.sinks = [Sink(.file)]
    let second = try TestPhone(in: Self.mall, configuration: configuration, store: store, start: first.now.wall)
    second.send(.start)
    second.wait(.hours(1))
    #expect(second.sink.count == 0 && second.accounting.onPhone == waiting, "the file was not what they were for")
    configuration.sinks = [Sink(.overland)]
    let third = try TestPhone(in: Self.mall, configuration: configuration, store: store, start: second.now.wall)
    third.send(.start)
    third.wait(.hours(1))
    #expect(third.sink.count == Int(waiting) && third.accounting.onPhone == 0)
  }

  @Test func aCodeForAnotherVenueIsKeptForIt() throws {
    let phone = try Self.phone()
    phone.consentAndStart()
    phone.send(.invite(code: "CLINIC"))
    #expect(phone.runtime.phase == .needsActivation)
    #expect(phone.notices.contains(.activatedElsewhere(Self.clinic.venue)))
    phone.send(.invite(code: "MALL"))
    #expect(phone.runtime.phase == .armed)
    phone.send(.venue(Self.clinic))
    #expect(phone.runtime.phase == .armed)
  }

  @Test func theMonitorChoosesAmongKnownVenues() throws {
    let phone = try Self.phone()
    phone.consentAndStart()
    phone.send(.invite(code: "MALL"))
    phone.send(.invite(code: "CLINIC"))
    phone.send(.venues([Self.mall, Self.clinic]))
    _ = Self.fix(phone, in: Self.clinic, east: 1)
    #expect(phone.runtime.monitor.gate?.venue == Self.clinic.venue)
    #expect(phone.notices.contains(.venueChanged(Self.clinic.venue)))
    if phone.runtime.phase == .needsActivation { phone.send(.invite(code: "CLINIC")) }
    #expect(Self.fix(phone, in: Self.clinic, east: 2) == .held)
    #expect(phone.runtime.phase == .tracking)
    // A session goes on although another venue is known: one stray fix there changes nothing.
    _ = Self.fix(phone, in: Self.mall, east: 1)
    #expect(phone.runtime.monitor.gate?.venue == Self.clinic.venue)
  }

  @Test func activationsSurviveTheProcess() throws {
    let store = MemoryStore()
    let first = try Self.phone(store)
    first.consentAndStart()
    first.send(.invite(code: "MALL"))
    first.send(.venue(Self.clinic))
    first.send(.invite(code: "CLINIC"))
    let record = try #require(try store.devices().first)
    #expect(record.venue == Self.clinic.venue)
    #expect(record.activations.map(\.venue) == [Self.mall.venue])
    let second = try TestPhone(in: Self.mall, store: store, sink: first.sink, start: first.now.wall)
    second.send(.start)
    #expect(second.runtime.phase == .armed)
  }

  @Test func aWithdrawalIsProvedWithAnySecret() throws {
    let phone = try Self.phone()
    phone.consentAndStart()
    phone.send(.invite(code: "MALL"))
    for step in 0..<10 { _ = Self.fix(phone, in: Self.mall, east: Double(step * 2)) }
    phone.send(.flush)
    phone.wait(.minutes(1))
    #expect(phone.sink.count > 0)
    phone.send(.venue(Self.clinic))
    phone.send(.withdraw)
    phone.wait(.hours(1))
    #expect(phone.sink.count == 0)
    #expect(phone.sink.erased.count == 1)
  }

  @Test func aLateRefusalOfOneVenueDoesNotTouchTheNext() throws {
    let phone = try Self.phone()
    phone.consentAndStart()
    phone.send(.invite(code: "CLINIC"))
    phone.send(.invite(code: "MALL"))
    for step in 0..<5 { _ = Self.fix(phone, in: Self.mall, east: Double(step * 2)) }
    phone.wait(.seconds(30))
    var output = MonitorOutput()
    phone.runtime.step(phone.now, .flush, into: &output)
    let request = try #require(
      output.requests.first { if case .positions = $0.body { true } else { false } })
    phone.send(.venue(Self.clinic))
    #expect(phone.runtime.phase == .armed)
    phone.runtime.step(
      phone.now, response: SinkResponse(number: request.number, status: 403, isProved: true), into: &output)
    #expect(phone.runtime.phase == .armed)
    #expect(phone.accounting.onPhone > 0)
  }
}
