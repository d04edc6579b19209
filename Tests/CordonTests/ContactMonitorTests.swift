import Cordon
import CordonCore
import CordonMonitoring
import CordonTestSupport
import CordonTesting
import CordonWire
import Foundation
import Testing

/// A provider that delivers a test's events.
final class HandProvider: LocationProvider {
  private let stream: AsyncStream<ProviderEvent>
  private let continuation: AsyncStream<ProviderEvent>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream(of: ProviderEvent.self) }

  func events() -> AsyncStream<ProviderEvent> { stream }
  func perform(_ command: ProviderCommand) {}
  func deliver(_ event: ProviderEvent) { continuation.yield(event) }
}

/// A holder that does not keep its monitor alive.
private struct Last {
  weak var monitor: ContactMonitor?
}

@Suite("The actor, from consent to the server")
struct ContactMonitorTests {
  /// A view model is made twice: the second monitor must not continue when the first has withdrawn.
  @Test(.timeLimit(.minutes(10))) func aFileHasOneMonitor() async throws {
    let scratch = try TemporaryFolder()
    let folder = scratch.url
    let url = try #require(URL(string: "http://server.invalid"))
    // No server confirms the erasure meanwhile.
    let server = ModelServer()
    await server.set(isDown: true)
    func monitor() throws -> ContactMonitor {
      try ContactMonitor(
        venue: SmallVenue(), endpoints: [SinkEndpoint(.cordon, url: url)], provider: HandProvider(),
        file: folder.appendingPathComponent("store.sqlite").path, transport: server)
    }
    var one: ContactMonitor? = try monitor()
    let error = #expect(throws: StoreError.self) { try monitor() }
    #expect(error?.kind == .inUse)
    try await one?.consent(to: Consent(version: "1", time: Instant.testStart))
    await one?.withdraw()
    // A request in flight keeps the monitor alive until it has failed.
    let last = Last(monitor: one)
    one = nil
    try await wait { last.monitor == nil }
    let again = try monitor()
    await again.start()
    #expect(await again.status.phase == .needsConsent)
    #expect(await again.status.pendingErasures == 1)
  }

  @Test(.timeLimit(.minutes(15))) func theMonitorRecordsAndDelivers() async throws {
    let scratch = try TemporaryFolder()
    let folder = scratch.url
    let venue = SmallVenue()
    let server = ModelServer()
    let provider = HandProvider()
    var configuration = MonitorConfiguration()
    configuration.thinning = .zero
    let url = try #require(URL(string: "http://server.invalid"))
    let monitor = try ContactMonitor(
      venue: venue, endpoints: [SinkEndpoint(.cordon, url: url)], provider: provider,
      file: folder.appendingPathComponent("store.sqlite").path, configuration: configuration, transport: server)
    #expect(await monitor.status.phase == .off)
    await monitor.start()
    #expect(await monitor.status.phase == .needsConsent)
    try await monitor.consent(to: Consent(version: "1", time: monitor.now.wall))
    await monitor.activate(inviteCode: "CODE")
    try await wait { await monitor.status.phase == .armed }
    provider.deliver(.region(.entered))
    try await wait { await monitor.status.phase == .tracking }
    let start = monitor.now.wall
    for index in 0..<20 {
      // Several fixes at once, as after a deferred update.
      let place = venue.place(east: Double(index) / 2, north: 1)
      provider.deliver(
        .fix(Fix(coordinate: place, accuracy: 5, floor: nil, time: start + .milliseconds(4_000 + Int64(index)))))
    }
    try await wait { await monitor.accounting.stored >= 20 }
    await monitor.drain(within: .minutes(30))
    let rows = await server.rows
    #expect(rows.count == 20)
    let device = await monitor.device
    #expect(rows.values.allSatisfy { $0.device == device && $0.floor == nil })
    #expect(await monitor.accounting.acknowledged == 20)
    #expect(await monitor.status.sentence.contains("Recording"))
    let positions = await server.requests.filter { $0.url.path.hasSuffix("positions") }
    #expect(positions.allSatisfy { $0.headers["idempotency-key"]?.utf8.count == 64 })
    await monitor.stop()
  }
}

extension ContactMonitorTests {
  @Test(.timeLimit(.minutes(15))) func aMonitorIsReleasedWithItsLastReference() async throws {
    let url = try #require(URL(string: "http://server.invalid"))
    let provider = HandProvider()
    var monitor: ContactMonitor? = try ContactMonitor(
      venue: SmallVenue(), endpoints: [SinkEndpoint(.cordon, url: url)], provider: provider, store: MemoryStore(),
      transport: ModelServer())
    weak let watched = monitor
    await monitor?.start()
    let notices = try #require(monitor?.notices)
    monitor = nil
    // Its notices end with it, although its provider would continue.
    for await _ in notices {}
    #expect(watched == nil)
  }
}

@Suite("Messages and answers over HTTP")
struct SinkEndpointTests {
  let device = DeviceID("a/b ü")
  func request(_ sink: SinkID, _ body: SinkRequest.Body) throws -> SinkRequest {
    SinkRequest(number: 7, device: try #require(device), sink: sink, body: body)
  }

  func endpoint(_ format: some SinkFormat) throws -> SinkEndpoint {
    SinkEndpoint(
      format, url: try #require(URL(string: "https://example.org/base")),
      token: format.sinkID == .overland ? "fixed" : nil)
  }

  func location() throws -> Location {
    let place = Coordinate(longitude: 8.5, latitude: 47.25)
    let time = Instant.testStart
    let id = FixID(device: try #require(device), time: time, coordinate: place, accuracy: 5, floor: nil)
    return Location(
      id: id, device: try #require(device), venue: try #require(VenueID("v")), coordinate: place, accuracy: 5,
      floor: nil,
      time: time)
  }

  @Test func deviceNamesAreEscapedInPaths() throws {
    let message = try #require(
      try endpoint(.cordon).message(for: request(.cordon, .activate(code: "C", type: "phone"))))
    #expect(message.url.absoluteString.hasPrefix("https://example.org/base/v1/devices/"))
    #expect(message.url.absoluteString.hasSuffix("/activate"))
    #expect(message.method == "POST")
  }

  @Test func aBatchStatesItsFormat() throws {
    let rows = [Location](repeating: try location(), count: 40)
    let message = try #require(try endpoint(.cordon).message(for: request(.cordon, .positions(rows, token: "t"))))
    #expect(message.headers["content-type"] == "application/json")
    #expect(message.headers["content-encoding"] == "gzip")
    #expect(message.headers["authorization"] == "Bearer t")
    #expect(message.headers["idempotency-key"] == PositionBatch.key(of: rows.map(\.id)))
    let body = try Gzip.decompress(message.body, limit: 1 << 20)
    #expect(try PositionBatch.decode(body).count == 40)
  }

  @Test func aConsentIsReportedByPurpose() throws {
    let time = Instant.testStart
    var consent = Consent(version: "record-1", purposes: .record, time: time)
    consent.add(Consent(version: "share-2", purposes: .share, time: time + .hours(1)))
    let message = try #require(
      try endpoint(.cordon).message(for: request(.cordon, .consent(consent, token: "t"))))
    #expect(message.method == "PUT")
    #expect(message.url.path.hasSuffix("/consent"))
    #expect(message.headers["authorization"] == "Bearer t")
    let told = try DeviceMessages.Consent(decoding: message.body)
    #expect(told.purposes == ["record", "share"])
    #expect(told.grants?["record"]?.version == "record-1" && told.grants?["share"]?.version == "share-2")
    #expect(try endpoint(.ingest).message(for: request(.ingest, .consent(consent, token: "t"))) == nil)
  }

  @Test func anUnreadableAnswerAcknowledgesNothing() throws {
    let request = try request(.cordon, .positions([location()], token: "t"))
    let endpoint = try endpoint(.cordon)
    for body in ["", "{", "[]", "{\"results\":7}", "<html>"] {
      let response = endpoint.response(to: request, from: HTTPResponse(status: 200, body: Array(body.utf8)))
      #expect(response.body == .none)
    }
    #expect(endpoint.response(to: request, from: .none).status == 0)
    let wait = endpoint.response(to: request, from: HTTPResponse(status: 429, headers: ["retry-after": "17"]))
    #expect(wait.retryAfter == .seconds(17))
  }

  @Test func publishedAPIAnswersArePairedByPosition() throws {
    let request = try request(.ingest, .positions([location(), location()], token: "jwt"))
    let endpoint = try endpoint(.ingest)
    let message = try #require(endpoint.message(for: request))
    #expect(message.headers["authorization"] == "Bearer jwt")
    let short = endpoint.response(to: request, from: HTTPResponse(status: 207, body: Array(#"[{"status":200}]"#.utf8)))
    #expect(short.body == .none, "answers that do not line up acknowledge nothing")
    let full = endpoint.response(
      to: request, from: HTTPResponse(status: 207, body: Array(#"[{"status":200},{"status":409}]"#.utf8)))
    guard case .rows(let rows) = full.body else {
      Issue.record("not read")
      return
    }
    #expect(rows.map(\.status) == [.stored, .known])
  }

  @Test func overlandAcknowledgesAllOrNothing() throws {
    let request = try request(.overland, .positions([location()], token: nil))
    let endpoint = try endpoint(.overland)
    #expect(endpoint.message(for: request)?.headers["authorization"] == "Bearer fixed")
    #expect(endpoint.message(for: request)?.url.absoluteString == "https://example.org/base")
    let ok = endpoint.response(to: request, from: HTTPResponse(status: 200, body: Array(#"{"result":"ok"}"#.utf8)))
    #expect(ok.body == .rows([RowAnswer(id: try location().id, status: .stored)]))
    let no = endpoint.response(to: request, from: HTTPResponse(status: 200, body: Array(#"{"error":"full"}"#.utf8)))
    #expect(no.body == .none)
  }
}
