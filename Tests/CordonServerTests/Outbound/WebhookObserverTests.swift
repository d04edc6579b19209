import CordonCore
import CordonIngest
import CordonSupport
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@testable import CordonServer

/// Events as the differences of observations.
@Suite("The observer of webhooks")
struct WebhookObserverTests {
  private let now = Instant.testStart

  private func observer(_ capacities: String = "", names: Bool = false) throws -> WebhookObserver {
    var settings = WebhookSettings()
    settings.silence = .days(2)
    settings.namesDevices = names
    return WebhookObserver(
      settings: settings, capacities: try SpaceCapacities(capacities, file: "capacities"), smallestCell: 5, begin: now)
  }

  private func kinds(_ outcome: WebhookObserver.Outcome) -> [WebhookEvent.Kind] { outcome.events.map(\.kind) }

  private func observation(_ time: Instant, _ change: (inout IngestMetrics) -> Void = { _ in })
    -> WebhookObserver.Observation
  {
    var metrics = IngestMetrics()
    metrics.lastRetention = time
    change(&metrics)
    return WebhookObserver.Observation(time: time, metrics: metrics)
  }

  @Test func readinessIsReportedWhenItChanges() throws {
    var observer = try observer()
    #expect(observer.observe(observation(now), marks: [:]).events.isEmpty)
    let down = observer.observe(observation(now) { $0.unreadiness = [.disk, .clock] }, marks: [:])
    #expect(
      down.events.map { $0.body(id: "1", source: "s") }.map { String(decoding: $0, as: UTF8.self) }[0]
        .hasSuffix(#""data":{"ready":false,"causes":["clock","disk"]}}"#))
    #expect(observer.observe(observation(now) { $0.unreadiness = [.disk, .clock] }, marks: [:]).events.isEmpty)
    #expect(kinds(observer.observe(observation(now), marks: [:])) == [.readiness])
  }

  @Test func faultsAndRetentionAreSummedUpForAnHour() throws {
    var observer = try observer()
    let first = observer.observe(
      observation(now) {
        $0.storeFaults = 3
        $0.expired.positions = 100
      }, marks: [:])
    #expect(kinds(first) == [.storeFault, .retention])
    #expect(first.events[0].data == [.init("count", 3)])
    #expect(first.events[1].data.first == .init("positions", 100))
    func later(_ span: TimeSpan) -> WebhookObserver.Outcome {
      observer.observe(
        observation(now + span) {
          $0.storeFaults = 5
          $0.expired.positions = 120
        }, marks: [:])
    }
    #expect(later(.minutes(59)).events.isEmpty)
    let second = later(.hours(1))
    #expect(second.events.map { $0.data[0].value } == [2, 20])
    #expect(later(.hours(3)).events.isEmpty)
  }

  @Test func retentionThatStandsStillIsReportedOnce() throws {
    var observer = try observer()
    func look(_ span: TimeSpan, last: TimeSpan?) -> [WebhookEvent.Kind] {
      kinds(observer.observe(observation(now + span) { $0.lastRetention = last.map { now + $0 } }, marks: [:]))
    }
    #expect(look(.minutes(50), last: nil).isEmpty)
    #expect(look(.minutes(61), last: nil) == [.retentionLate])
    #expect(look(.minutes(70), last: nil).isEmpty)
    #expect(look(.minutes(80), last: .minutes(79)).isEmpty)
    #expect(look(.minutes(141), last: .minutes(79)) == [.retentionLate])
  }

  @Test func aCertificateIsReportedOnceADay() throws {
    var observer = try observer()
    var look = observation(now)
    look.certificateEnd = now + .days(15)
    #expect(observer.observe(look, marks: [:]).events.isEmpty)
    look.certificateEnd = now + .days(3)
    let outcome = observer.observe(look, marks: [:])
    #expect(kinds(outcome) == [.certificate])
    #expect(outcome.events[0].data == [.init("ends", "2026-01-04T08:00:00.000Z"), .init("days_left", 3)])
    #expect(observer.observe(look, marks: outcome.marks).events.isEmpty)
  }

  private func bin(_ index: Int64, _ devices: [String: Int64]) throws -> ViewerBin {
    let start = now + TimeSpan(milliseconds: index * ViewerBin.width.milliseconds)
    return ViewerBin(
      venue: try #require(VenueID("office")), start: start, end: start + ViewerBin.width,
      spaces: Dictionary(uniqueKeysWithValues: devices.map { (SpaceID($0.key), $0.value) }))
  }

  @Test func occupancyIsComparedWithCapacities() throws {
    var observer = try observer("# rooms\noffice,hall, 10\noffice,a,b,5\n\nelsewhere,hall,1\n")
    var look = observation(now)
    look.bins = [
      try bin(0, ["hall": 10]), try bin(1, ["hall": 15, "a,b": 5]), try bin(2, ["hall": 20]), try bin(3, [:]),
    ]
    let outcome = observer.observe(look, marks: [:])
    #expect(kinds(outcome) == [.overCapacity, .withinCapacity])
    #expect(outcome.events.map(\.subject) == ["office/hall", "office/hall"])
    #expect(outcome.events[0].data[2] == .init("devices", 15) && outcome.events[0].data[3] == .init("capacity", 10))
    #expect(outcome.marks == ["bin/office": look.bins[3].start.milliseconds])
    // The same bins again, with their mark: nothing is reported twice.
    #expect(observer.observe(look, marks: outcome.marks).events.isEmpty)
  }

  /// After a restart the last bin sets the state, and those that closed meanwhile are reported.
  @Test func aRestartContinuesAtTheMark() throws {
    var observer = try observer("office,hall,10")
    var look = observation(now)
    look.bins = [try bin(1, ["hall": 15]), try bin(2, ["hall": 15]), try bin(3, ["hall": 5])]
    let mark = ["bin/office": look.bins[0].start.milliseconds]
    #expect(kinds(observer.observe(look, marks: mark)) == [.withinCapacity])
  }

  /// A server that takes the venues over from another one knows nothing of them but the marks: its own state is of an earlier time.
  @Test func aTakeoverContinuesAtTheMark() throws {
    var observer = try observer("office,hall,10")
    var look = observation(now)
    look.bins = [try bin(1, ["hall": 15])]
    #expect(kinds(observer.observe(look, marks: [:])) == [.overCapacity])
    // Another server has reported that the space is within its capacity again.
    look.bins = [try bin(5, ["hall": 5]), try bin(6, ["hall": 15])]
    observer.forgetVenues()
    let outcome = observer.observe(look, marks: ["bin/office": look.bins[0].start.milliseconds])
    #expect(kinds(outcome) == [.overCapacity])
    #expect(outcome.events.map(\.mark) == ["bin/office"])
  }

  @Test func silentDevicesAreCountedAsViewersSeeThem() throws {
    var look = observation(now)
    let venue = try #require(VenueID("office"))
    look.silent = [SilentDevices(venue: venue, count: 4, devices: [])]
    var observer = try observer()
    #expect(observer.observe(look, marks: [:]).events.isEmpty)
    look.silent = [SilentDevices(venue: venue, count: 13, devices: [try #require(DeviceID("phone-1"))])]
    let events = observer.observe(look, marks: [:]).events
    #expect(events.count == 1 && events[0].data.last == .init("devices", 10))
    #expect(!String(decoding: events[0].body(id: "1", source: "s"), as: UTF8.self).contains("phone-1"))
    // Names are chosen by a setting.
    var naming = try self.observer(names: true)
    let named = naming.observe(look, marks: [:]).events
    #expect(named.map { $0.data.last } == [.init("device", "phone-1")])
    #expect(named.map { $0.device?.rawValue } == ["phone-1"], "erased with the device")
  }

  @Test(arguments: [
    ("office,hall\n", "capacities:1: a line is"), ("\noffice,hall,0\n", "capacities:2: '0' is not a capacity"),
    ("o/x,hall,5", "is not a venue"), ("office,,5", "the space is missing"),
    ("office,hall,5\noffice,hall,6", "capacities:2: the space is listed twice"),
  ])
  func faultsOfCapacitiesNameTheirLine(text: String, word: String) {
    do {
      _ = try SpaceCapacities(text, file: "capacities")
      Issue.record("\(text) was read")
    } catch {
      #expect("\(error)".contains(word), "\(error)")
    }
  }

  /// The search reads in pages and finds each device once.
  @Test func silentDevicesAreFoundPageByPage() throws {
    let store = MemoryPositionStore()
    let venue = try #require(VenueID("office"))
    _ = try store.number(of: venue, origin: Coordinate(longitude: 8.54, latitude: 47.37))
    for number in 0..<1_201 {
      var device = StoredDevice(
        id: try #require(DeviceID("d\(number)")), kind: .secret, venue: venue, type: "", created: now)
      device.lastSeen = number % 3 == 0 ? now - .days(3) : now
      _ = try store.save(device)
    }
    var search = SilenceSearch(venues: [venue], window: (now - .days(4))..<(now - .days(2)))
    var found: [SilentDevices]?
    var steps = 0
    while found == nil, steps < 10 {
      found = try search.advance(from: store)
      steps += 1
    }
    #expect(steps == 3 && found?.map(\.count) == [401])
  }
}
