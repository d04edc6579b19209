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
  static func phone(_ store: MemoryStore = MemoryStore()) throws -> VirtualPhone {
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["MALL", "CLINIC"]
    sink.venues = ["MALL": mall.venue, "CLINIC": clinic.venue]
    return try VirtualPhone(in: mall, store: store, sink: sink)
  }

  static func fix(_ phone: VirtualPhone, in venue: SmallVenue, east: Double) -> Verdict {
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
    // Back again: the first activation is still there, and no code is asked for.
    phone.send(.venue(Self.mall))
    #expect(phone.runtime.phase == .armed)
  }

  @Test func rowsGoOnlyWithTheTokenOfTheirOwnVenue() throws {
    let phone = try Self.phone()
    phone.consentAndStart()
    phone.send(.invite(code: "MALL"))
    phone.isOnline = false
    for step in 0..<10 { _ = Self.fix(phone, in: Self.mall, east: Double(step * 2)) }
    phone.send(.region(.exited))
    phone.wait(.minutes(2))
    let waiting = phone.accounting.onPhone
    #expect(waiting > 5)
    phone.send(.venue(Self.clinic))
    phone.isOnline = true
    phone.send(.invite(code: "CLINIC"))
    for step in 0..<10 { _ = Self.fix(phone, in: Self.clinic, east: Double(step * 2)) }
    phone.send(.region(.exited))
    phone.wait(.hours(1))
    #expect(phone.sink.locations.allSatisfy { $0.venue == Self.clinic.venue })
    #expect(phone.sink.count > 5)
    #expect(phone.accounting.onPhone == waiting, "the mall's rows wait for the mall's token")
    phone.send(.venue(Self.mall))
    phone.wait(.hours(1))
    #expect(phone.accounting.onPhone == 0)
    #expect(phone.accounting.quarantined == 0)
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

  @Test func activationsOutliveTheProcess() throws {
    let store = MemoryStore()
    let first = try Self.phone(store)
    first.consentAndStart()
    first.send(.invite(code: "MALL"))
    first.send(.venue(Self.clinic))
    first.send(.invite(code: "CLINIC"))
    let record = try #require(try store.devices().first)
    #expect(record.venue == Self.clinic.venue)
    #expect(record.activations.map(\.venue) == [Self.mall.venue])
    let second = try VirtualPhone(in: Self.mall, store: store, sink: first.sink, start: first.now.wall)
    second.send(.start)
    #expect(second.runtime.phase == .armed)
  }

  @Test func withdrawalProvesItselfWithAnySecret() throws {
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
    var output = Output()
    phone.runtime.step(phone.now, .flush, into: &output)
    let request = try #require(
      output.requests.first { if case .positions = $0.body { true } else { false } })
    phone.send(.venue(Self.clinic))
    #expect(phone.runtime.phase == .armed)
    phone.runtime.step(phone.now, response: Response(number: request.number, status: 403), into: &output)
    #expect(phone.runtime.phase == .armed)
    #expect(phone.accounting.onPhone > 0)
  }
}
