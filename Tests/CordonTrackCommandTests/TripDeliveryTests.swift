import Cordon
import CordonCore
import CordonMonitoring
import CordonTestSupport
import CordonTesting
import CordonTracking
import CordonWire
import Foundation
import Testing

@Suite("Trips for Overland receivers")
struct TripDeliveryTests {
  private let folder: TemporaryFolder
  private let store: String
  private let start = Instant(milliseconds: 1_767_254_400_000)

  init() throws {
    folder = try TemporaryFolder()
    store = folder.path("s.sqlite")
  }

  /// Rows every 10 s, 14 m apart to the east.
  private func rows(_ count: Int, from time: Instant? = nil, venue: VenueID = .everywhere) throws -> [Location] {
    let device = try #require(DeviceID("0b5f-77"))
    return (0..<count).map { index in
      let place = Coordinate(longitude: 8.5 + Double(index) * 0.0001856, latitude: 47.25)
      let time = (time ?? start) + .seconds(Int64(index) * 10)
      return Location(
        id: FixID(device: device, time: time, coordinate: place, accuracy: 4, floor: nil), device: device,
        venue: venue, coordinate: place, accuracy: 4, floor: nil, time: time)
    }
  }

  private func begin(_ mode: String = "walk", at time: Instant? = nil) throws -> TripFile {
    _ = try folder.write(#"{"mode":"\#(mode)","start":\#((time ?? start).milliseconds)}"#, to: "s.sqlite.trip")
    return try #require(try TripFile.read(store: store))
  }

  @Test func aTripIsMadeOfTheLocationsThatItsReceiverGets() throws {
    let log = TripLog(store: store)
    let rows = try rows(60)
    #expect(log.trip(with: rows, latest: rows[59]) == nil, "no trip is in progress")
    _ = try begin(at: rows[10].time)
    let early = log.trip(with: Array(rows[0..<30]), latest: rows[40])
    #expect(early?.mode == "walk" && early?.start == rows[10].time)
    #expect(early?.startLocation == rows[10] && early?.currentLocation == rows[40])
    #expect(abs((early?.distance ?? 0) - 19 * 14) < 15, "\(early?.distance ?? 0)")
    // A batch that is sent again, and then in halves, counts once.
    for part in [0..<30, 0..<15, 15..<30] { _ = log.trip(with: Array(rows[part]), latest: nil) }
    let whole = log.trip(with: Array(rows[30..<60]), latest: nil)
    #expect(abs((whole?.distance ?? 0) - 49 * 14) < 15, "\(whole?.distance ?? 0)")
    #expect(whole?.currentLocation == rows[59])
    // Neither the end of the trip nor another one leaves anything of it.
    TripFile.remove(store: store)
    #expect(log.trip(with: [rows[59]], latest: rows[59]) == nil)
    _ = try begin("run", at: rows[59].time + .seconds(1))
    let next = log.trip(with: [rows[59]], latest: rows[59])
    #expect(next?.mode == "run" && next?.startLocation == nil && next?.currentLocation == nil && next?.distance == 0)
  }

  @Test func aTripThatEndedByItselfIsOver() throws {
    let log = TripLog(store: store)
    _ = try begin()
    var rows = try rows(120)
    for index in 20..<120 { rows[index].coordinate = rows[19].coordinate }
    #expect(log.trip(with: Array(rows[0..<60]), latest: nil) != nil)
    #expect(log.trip(with: Array(rows[60..<120]), latest: nil) == nil, "15 minutes in one place")
  }

  /// The clock was set back by an hour before the trip began, and rows of that hour still wait.
  @Test func rowsOfTheFutureAreNotOfTheTrip() throws {
    let clock = ManualClock(start)
    let log = TripLog(store: store, clock: clock)
    _ = try begin()
    var former = try rows(120, from: start + .minutes(10))
    for index in former.indices { former[index].coordinate = former[0].coordinate }
    clock.advance(by: .minutes(1))
    let first = log.trip(with: former, latest: former[119])
    #expect(first != nil && first?.startLocation == nil && first?.currentLocation == nil && first?.distance == 0)
    clock.advance(by: .minutes(1))
    let own = try rows(10, from: start)
    let trip = log.trip(with: own, latest: former[119])
    #expect(trip?.startLocation == own[0] && trip?.currentLocation == own[9])
  }

  @Test func aNewNameOfTheDeviceBeginsAnew() throws {
    let log = TripLog(store: store)
    _ = try begin()
    let rows = try rows(20)
    #expect(log.trip(with: Array(rows[0..<10]), latest: nil)?.startLocation == rows[0])
    var other = Array(rows[10..<20])
    let name = try #require(DeviceID("other"))
    for index in other.indices { other[index].device = name }
    #expect(log.trip(with: other, latest: nil)?.startLocation == other[0])
  }

  /// With a consent for venues, and a receiver that may have everything, neither request nor trip has a place outside.
  @Test func aConsentForVenuesSendsNothingFromOutside() throws {
    let venue = SmallVenue()
    var configuration = MonitorConfiguration()
    configuration.thinning = .zero
    configuration.sinks = [Sink(.overland, purposes: [.record, .everywhere])]
    configuration.everywhere = TrackingPolicy(preset: .highResolution)
    configuration.everywhere?.recordsVisits = true
    let now = ClockReading(virtual: start)
    var driver = RuntimeDriver(
      try Runtime(
        configuration: configuration, store: MemoryStore(), entropy: .stream(RandomStream(seed: 3, stream: 1)), at: now),
      at: now)
    _ = try begin()
    var format = OverlandFormat()
    format.trips = TripLog(store: store)
    let endpoint = SinkEndpoint(format, url: try #require(URL(string: "https://example.org/in")))
    var bodies: [String] = []
    func perform() {
      while let output = driver.nextOutput() {
        for request in output.requests {
          guard case .positions(let rows, _) = request.body, let message = endpoint.message(for: request) else {
            continue
          }
          bodies.append(String(decoding: message.body, as: UTF8.self))
          driver.receive(
            SinkResponse(
              number: request.number, status: 200, body: .rows(rows.map { RowAnswer(id: $0.id, status: .stored) })))
        }
      }
    }
    driver.step(.venue(venue))
    driver.step(.consent(Consent(version: "1", purposes: [.record, .share], time: now.wall)))
    driver.step(.start)
    driver.step(.trip(isInProgress: true))
    let outside = venue.place(east: 5_000, north: 0)
    for step in 0..<120 {
      let next = driver.now + .seconds(10)
      while driver.advance(to: next) { perform() }
      let place = step < 40 ? outside : venue.place(east: Double(step % 20), north: 2)
      if step == 40 { driver.step(.region(.entered)) }
      driver.step(.fix(Fix(coordinate: place, accuracy: 5, time: driver.now.wall)))
      let arrival = driver.now.wall - .seconds(10)
      driver.step(.visit(Visit(coordinate: outside, accuracy: 5, arrival: arrival, departure: driver.now.wall)))
      perform()
    }
    driver.step(.flush)
    perform()
    #expect(!bodies.isEmpty && bodies.allSatisfy { $0.contains(#""trip":{"mode":"walk""#) })
    // Longitudes begin with 8.54 in the venue, and with 8.60 outside.
    #expect("\(outside.longitude)".hasPrefix("8.60"))
    #expect(bodies.allSatisfy { $0.contains("[8.54") && !$0.contains("[8.60") && !$0.contains("visit") })
    // The file of rows may still have places of an earlier consent.
    #expect(try outbox(rows: rows(60), consent: [.record, .share]).count == 0)
  }

  // MARK: - Ended trips

  private func sinks(_ purposes: Consent.Purposes = .everywhere) throws -> [TrackerSink] {
    var receiver = try TrackerSink(.overland, "https://example.org/in", token: "t")
    receiver.purposes = purposes
    return [receiver, try TrackerSink(.file, folder.path("rows.jsonl"))]
  }

  private func outbox(
    rows: [Location], consent: Consent.Purposes = [.record, .share, .everywhere],
    purposes: Consent.Purposes = .everywhere
  ) throws -> TripOutbox {
    _ = try folder.write(Data(PositionBatch.encodeLines(rows)), to: "rows.jsonl")
    let outbox = TripOutbox(store: store)
    outbox.removeAll()
    let trip = try begin()
    let count = try outbox.add(trip, of: try sinks(purposes), consent: consent, until: start + .hours(1), steps: 7)
    #expect(count == outbox.count)
    TripFile.remove(store: store)
    return outbox
  }

  private actor Receiver: HTTPTransport {
    private var answers: [String]
    private(set) var bodies: [String] = []
    init(_ answers: [String]) { self.answers = answers }
    func send(_ message: HTTPRequest) -> HTTPResponse {
      bodies.append(String(decoding: message.body, as: UTF8.self))
      return HTTPResponse(status: 200, body: Array(answers.removeFirst().utf8))
    }
  }

  private func endpoint(_ number: UInt8, _ body: [UInt8]) -> SinkEndpoint? {
    guard let sink = try? sinks()[0], number == sink.id.number else { return nil }
    var endpoint = sink.endpoint
    endpoint.format = OverlandTripFormat(OverlandFormat(), body: body)
    return endpoint
  }

  private func consent(_ purposes: Consent.Purposes = [.record, .share, .everywhere]) -> Consent {
    Consent(version: "1", purposes: purposes, time: start)
  }

  @Test func anEndedTripWaitsUntilItsReceiverAcceptsIt() async throws {
    let rows = try rows(60)
    let outbox = try outbox(rows: rows)
    #expect(outbox.count == 1)
    let mode = try FileManager.default.attributesOfItem(atPath: outbox.path)[.posixPermissions]
    #expect(mode as? Int == 0o700)
    let receiver = Receiver([#"{"error":"later"}"#, #"{"result":"ok"}"#])
    let first = await outbox.deliver(consent: consent(), device: rows[0].device, to: endpoint, over: receiver)
    #expect(first.count == 1 && first[0].contains("later") && outbox.count == 1)
    #expect(await outbox.deliver(consent: consent(), device: rows[0].device, to: endpoint, over: receiver).isEmpty)
    #expect(outbox.count == 0)
    let bodies = await receiver.bodies
    #expect(bodies.count == 2 && bodies[0] == bodies[1])
    let feature = try #require((Tracker.json(bodies[0])["locations"] as? [[String: Any]])?.first)
    let properties = try #require(feature["properties"] as? [String: Any])
    #expect(properties["type"] as? String == "trip" && properties["mode"] as? String == "walk")
    #expect(abs((properties["distance"] as? Double ?? 0) - 59 * 14) < 15, "\(properties)")
    #expect(properties["duration"] as? Double == 3_600 && properties["steps"] as? Int == 7)
    #expect(properties["stopped_automatically"] as? Bool == false)
  }

  @Test func aTripHasOnlyWhatItsReceiverMayHave() throws {
    let mall = try #require(VenueID("mall"))
    let inside = try rows(20, venue: mall)
    let outside = try rows(20, from: start + .minutes(5))
    let body = { (purposes: Consent.Purposes, consent: Consent.Purposes) throws -> String in
      let outbox = try self.outbox(rows: inside + outside, consent: consent, purposes: purposes)
      guard let name = try? FileManager.default.contentsOfDirectory(atPath: outbox.path).first else { return "" }
      return try self.folder.text("s.sqlite.trips/\(name)")
    }
    let all: Consent.Purposes = [.record, .share, .everywhere]
    #expect(try body(.record, all).contains(#""has_outside":false"#))
    #expect(try !body(.record, all).contains("\(outside[0].id)"))
    #expect(try body([.record, .everywhere], [.record, .share]).contains(#""has_outside":false"#))
    #expect(try body([.record, .everywhere], all).contains(#""has_outside":true"#))
    #expect(try body(.everywhere, [.record, .share]).isEmpty)
  }

  @Test func aConsentThatEndedDeletesTheTrip() async throws {
    let rows = try rows(60)
    let receiver = Receiver([])
    let cases: [(Consent?, DeviceID, Int)] = [
      (consent([.record, .everywhere]), rows[0].device, 1), (consent([.record, .share]), rows[0].device, 0),
      (nil, rows[0].device, 0), (consent(), try #require(DeviceID("renamed")), 0),
    ]
    for (consent, device, left) in cases {
      let outbox = try outbox(rows: rows)
      #expect(await outbox.deliver(consent: consent, device: device, to: endpoint, over: receiver).isEmpty)
      #expect(outbox.count == left, "\(String(describing: consent?.purposes))")
    }
    #expect(await receiver.bodies.isEmpty)
  }

  @Test func aTripOfBeforeAnErasureIsOver() throws {
    let rows = try rows(20)
    let other = try #require(DeviceID("renamed"))
    func write(_ device: DeviceID) throws {
      let text = #"{"device":"\#(device.rawValue)","mode":"walk","start":\#(start.milliseconds)}"#
      _ = try folder.write(text, to: "s.sqlite.trip")
    }
    try write(other)
    let log = TripLog(store: store)
    #expect(log.trip(with: rows, latest: nil) == nil)
    _ = try folder.write(Data(PositionBatch.encodeLines(rows)), to: "rows.jsonl")
    let trip = try #require(try TripFile.read(store: store))
    let all: Consent.Purposes = [.record, .share, .everywhere]
    let end = start + .hours(1)
    #expect(try TripOutbox(store: store).add(trip, of: sinks(), consent: all, until: end, steps: nil) == 0)
    TripFile.remove(store: store)
    try write(rows[0].device)
    #expect(log.trip(with: rows, latest: nil)?.startLocation == rows[0])
  }

  /// A command that dies between its two files leaves the trip in progress.
  @Test func aStopThatWasCutShortSendsNothing() async throws {
    let rows = try rows(60)
    let outbox = try outbox(rows: rows)
    let trip = try begin()
    let receiver = Receiver([#"{"result":"ok"}"#])
    #expect(await outbox.deliver(consent: consent(), device: rows[0].device, to: endpoint, over: receiver).isEmpty)
    #expect(outbox.count == 1)
    let all: Consent.Purposes = [.record, .share, .everywhere]
    #expect(try outbox.add(trip, of: sinks(), consent: all, until: start + .hours(2), steps: nil) == 1)
    TripFile.remove(store: store)
    #expect(outbox.next(consent: consent(), device: rows[0].device) != nil)
    _ = await outbox.deliver(consent: consent(), device: rows[0].device, to: endpoint, over: receiver)
    #expect(outbox.count == 0)
    let bodies = await receiver.bodies
    #expect(bodies.count == 1 && bodies[0].contains(#""duration":7200"#))
  }

  @Test func damagedFilesAndUnknownSinksSendNothing() async throws {
    let outbox = try outbox(rows: rows(60))
    let receiver = Receiver([])
    _ = try folder.write("{\"sink\": 999}", to: "s.sqlite.trips/0.json")
    _ = try folder.write("nonsense", to: "s.sqlite.trips/1.json")
    let device = try rows(1)[0].device
    #expect(await outbox.deliver(consent: consent(), device: device, to: { _, _ in nil }, over: receiver).isEmpty)
    #expect(outbox.count == 0)
    #expect(await receiver.bodies.isEmpty)
  }

  /// `trip stop` keeps the trip for its receivers, and a withdrawal deletes it.
  @Test func stoppingKeepsTheTripUntilAWithdrawal() throws {
    let now = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    let mall = try #require(VenueID("mall"))
    _ = try folder.write(
      Data(PositionBatch.encodeLines(try rows(30, from: now - .minutes(10), venue: mall))), to: "rows.jsonl")
    let file = try folder.write(
      #"{"venue": "\#(Places.office)", "store": "s.sqlite", "sinks": [{"kind": "file", "path": "rows.jsonl"}, "#
        + #"{"kind": "overland", "url": "http://127.0.0.1:9/in"}]}"#, to: "tracker.json")
    func run(_ arguments: [String]) throws -> (status: Int32, text: String, errors: String) {
      try Tracker.run(arguments + ["-c", file], in: folder.url)
    }
    #expect(try run(["consent", "1"]).status == 0)
    _ = try begin(at: now - .minutes(10))
    let stopped = try run(["trip", "stop"])
    #expect(stopped.text.hasSuffix("a running tracker sends it to 1 Overland receiver\n"), "\(stopped)")
    #expect(TripOutbox(store: store).count == 1)
    #expect(try run(["withdraw"]).status == 0)
    #expect(TripOutbox(store: store).count == 0)
  }
}
