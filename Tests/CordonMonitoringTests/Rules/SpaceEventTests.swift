import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTesting
import Testing

@Suite("Entering, staying in and leaving spaces")
struct SpaceEventTests {
  let venue: SmallVenue = {
    var venue = SmallVenue()
    venue.rooms = [
      .init("west", x: -30 ... -10, y: -20...20), .init("middle", x: -9.99...9.99, y: -20...20),
      .init("chapel", x: 10...20, y: -20...20, recording: .unrecorded),
      .init("ward", x: 20.01...30, y: -20...20, recording: .floorOnly),
    ]
    return venue
  }()

  func phone(reports: Bool = true) throws -> TestPhone {
    var configuration = MonitorConfiguration()
    configuration.sinks = [Sink(.cordon, needsActivation: false)]
    configuration.reportsSpaces = reports
    let phone = try TestPhone(in: venue, configuration: configuration)
    phone.consentAndStart()
    phone.enter()
    return phone
  }

  func events(_ phone: TestPhone) -> [SpaceEvent] {
    phone.notices.compactMap { if case .space(let event) = $0 { event } else { nil } }
  }

  func words(_ phone: TestPhone) -> [String] { events(phone).map { "\($0.kind.rawValue) \($0.space)" } }

  func walk(_ phone: TestPhone, _ places: [Double]) {
    for east in places {
      phone.wait(.seconds(5))
      phone.fix(at: (east: east, north: 0))
    }
  }

  @Test func aStrayFixDoesNotChangeTheSpace() throws {
    let phone = try phone()
    walk(phone, [-20, -20, -20, 0, -20, -20, 0, -20])
    #expect(words(phone) == ["entered west"])
    walk(phone, [0, 1])
    #expect(words(phone) == ["entered west", "left west", "entered middle"])
    let left = try #require(events(phone).first { $0.kind == .left })
    // From the first fix in the space to the last one.
    #expect(left.stay == .seconds(35))
  }

  @Test func onlyFullyRecordedSpacesAreReported() throws {
    let phone = try phone()
    walk(phone, [0, 0, 15, 15, 15, 15, 25, 25, 25, 25, 15, 15])
    #expect(words(phone) == ["entered middle", "left middle"])
  }

  @Test func aDwellIsReportedOnceEvenAtRest() throws {
    let phone = try phone()
    phone.stay(at: (east: 0, north: 0), for: .minutes(12))
    #expect(phone.runtime.phase == .resting)
    #expect(words(phone) == ["entered middle", "dwelled middle"])
    let dwell = try #require(events(phone).last)
    #expect(dwell.stay >= .minutes(5) && dwell.stay < .minutes(6))
    phone.leave()
    #expect(words(phone).last == "left middle")
  }

  @Test func aWithdrawalEndsSpaceEvents() throws {
    let phone = try phone()
    walk(phone, [0, 0, 0])
    let before = events(phone).count
    phone.withdraw()
    #expect(events(phone).count == before)
  }

  @Test func spaceEventsAreOffByDefault() throws {
    let phone = try phone(reports: false)
    walk(phone, [0, 0, 0, -20, -20])
    #expect(events(phone).isEmpty)
  }

  @Test func descriptionsNameNoSpace() throws {
    let phone = try phone()
    walk(phone, [0, 0, -20, -20])
    for notice in phone.notices { #expect(!"\(notice)".contains("middle") && !"\(notice)".contains("west")) }
  }

  /// A code that was entered before the consent is sent after it.
  @Test func anInviteCodeWaitsForConsent() throws {
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["CODE"]
    let phone = try TestPhone(in: venue, sink: sink)
    phone.activate(inviteCode: "CODE")
    phone.wait(.minutes(1))
    #expect(!phone.runtime.monitor.state.isActivated && phone.runtime.monitor.isInvitePending)
    phone.consentAndStart()
    phone.wait(.minutes(1))
    #expect(phone.runtime.phase == .armed)
  }

  @Test func aPackedVenueSuffices() throws {
    func square(_ west: Double, _ east: Double) -> GeoMultiPolygon {
      let corners = [(west, -10.0), (east, -10.0), (east, 10.0), (west, 10.0), (west, -10.0)]
      return GeoMultiPolygon([GeoPolygon(outer: corners.map { venue.place(east: $0.0, north: $0.1) })])
    }
    let floor = FloorID("f")
    let packed = PackedVenue(
      venue: venue.venue, contentHash: venue.contentHash, geofence: venue.geofence, boundary: square(-30, 30),
      frameOrigin: venue.geofence.center, floors: [.init(id: floor, ordinal: FloorOrdinal(2))],
      spaces: [
        .init(id: SpaceID("hall"), floor: floor, kind: "room", outline: square(-30, 0)),
        .init(id: SpaceID("wc"), floor: floor, recording: .unrecorded, kind: "restroom", outline: square(1, 30)),
      ])
    let phone = try TestPhone(packed: packed)
    phone.consentAndStart()
    #expect(phone.stay(in: SpaceID("hall"), for: .minutes(3)))
    #expect(phone.stay(in: SpaceID("wc"), for: .minutes(2)))
    #expect(!phone.stay(in: SpaceID("nowhere"), for: .minutes(2)))
    phone.leave()
    phone.wait(.minutes(10))
    let rows = phone.sink.locations
    #expect(!rows.isEmpty && rows.allSatisfy { $0.space == SpaceID("hall") && $0.floor == FloorOrdinal(2) })
    #expect(phone.accounting[.unrecorded] > 0)
    phone.withdraw()
    #expect(phone.runtime.monitor.state.consent == nil && phone.accounting.onPhone == 0)
  }
}
