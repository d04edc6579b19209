import Cordon
import CordonCore
import CordonFHIR
import CordonMonitoring
import CordonSupport
import CordonTestSupport
import CordonTesting
import CordonWire
import Foundation
import Testing

/// Consents of a JupyterHealth Exchange by its recorded answers: one study that has a decision, and one that waits for it.
actor ConsentPlatform: HTTPTransport {
  private var geoposition: Bool?
  private(set) var methods: [String] = []
  private var isDown = false
  private var ignoresChanges = false

  init(_ geoposition: Bool? = nil) { self.geoposition = geoposition }
  func setDown(_ flag: Bool) { isDown = flag }
  func ignoreChanges() { ignoresChanges = true }
  var isGranted: Bool? { geoposition }

  static let heartRate =
    #"{"code":{"id":50004,"codingSystem":"https://w3id.org/openmhealth","codingCode":"omh:heart-rate:2.0","text":"Heart Rate"},"consented":true,"consentedTime":"2026-11-26T09:38:03.317012Z"}"#

  private func scope(_ value: Bool?) -> String {
    let time = value == nil ? "null" : #""2026-11-26T09:38:49.022346Z""#
    return
      #"{"code":{"id":50017,"codingSystem":"https://w3id.org/openmhealth","codingCode":"omh:geoposition:1.0","text":"Geoposition"},"consented":\#(value.map(String.init) ?? "null"),"consentedTime":\#(time)}"#
  }

  func send(_ message: HTTPRequest) async -> HTTPResponse {
    if isDown { return .none(because: "the network is down") }
    guard message.url.absoluteString == "https://exchange.example.org/api/v1/patients/40001/consents" else {
      return HTTPResponse(status: 404)
    }
    guard message.headers["authorization"] == "Bearer secret" else { return HTTPResponse(status: 401) }
    methods.append(message.method)
    if message.method == "GET" {
      let decided =
        geoposition == nil ? ConsentPlatform.heartRate : ConsentPlatform.heartRate + "," + scope(geoposition)
      let pending =
        geoposition == nil
        ? #"[{"id":30006,"name":"Where","description":"w","dataSources":[],"pendingScopeConsents":[\#(scope(nil))]}]"#
        : "[]"
      return HTTPResponse(
        status: 200,
        body: Array(
          #"{"patient":{"id":40001,"nameFamily":"x"},"consolidatedConsentedScopes":[],"studiesPendingConsent":\#(pending),"studies":[{"id":30006,"name":"Where","scopeConsents":[\#(decided)]}]}"#
            .utf8))
    }
    // The platform fails when a first decision is changed, or an existing one is made again.
    guard (message.method == "POST") == (geoposition == nil) else { return HTTPResponse(status: 500) }
    guard let body = try? JSONReader.value(of: message.body),
      let scope = body["studyScopeConsents"]?.elements?.first?["scopeConsents"]?.elements?.first,
      case .bool(let value)? = scope["consented"]
    else { return HTTPResponse(status: 400) }
    if !ignoresChanges { geoposition = value }
    return HTTPResponse(status: message.method == "POST" ? 201 : 200, body: Array(#"{"studyScopeConsents":[]}"#.utf8))
  }
}

@Suite("Consents at a platform")
struct ConsentTests {
  private func client(_ platform: ConsentPlatform, token: String? = "secret") throws -> ConsentClient {
    try ConsentClient(
      base: try #require(URL(string: "https://exchange.example.org/FHIR/R5/")), target: Samples.target(),
      transport: platform
    ) { token }
  }

  @Test func consentsAreFetchedStudyByStudy() async throws {
    let consents = try await client(ConsentPlatform()).fetch()
    #expect(consents.studies.map(\.id) == [30006])
    #expect(consents.studies[0].scopes.map(\.code) == ["omh:heart-rate:2.0", "omh:geoposition:1.0"])
    #expect(consents.studies[0].scopes.map(\.isGranted) == [true, nil])
    #expect(
      !consents.isGranted(.geoposition) && consents.isRequested(.geoposition) && !consents.isRequested(.timeInterval))
  }

  /// The first decision is created, a later one is changed; a decision that is made already needs no request.
  @Test func decisionsAreMadeAsThePlatformHasThem() async throws {
    let platform = ConsentPlatform()
    let client = try client(platform)
    #expect(try await client.decide(true, .geoposition).isGranted(.geoposition))
    #expect(try await !client.decide(false, .geoposition).isGranted(.geoposition))
    #expect(try await client.decide(true, .geoposition).isGranted(.geoposition))
    _ = try await client.decide(true, .geoposition)
    #expect(
      await platform.methods == ["GET", "POST", "GET", "GET", "PATCH", "GET", "GET", "PATCH", "GET", "GET"])
  }

  /// A scope that was never granted is not revoked at the platform, and counts as confirmed.
  @Test func anUndecidedScopeNeedsNoRevocation() async throws {
    let platform = ConsentPlatform()
    _ = try await client(platform).decide(false, .geoposition)
    #expect(await platform.methods == ["GET"])
  }

  @Test func aDecisionThatIsNotTakenOverIsAnError() async throws {
    let platform = ConsentPlatform(true)
    await platform.ignoreChanges()
    let client = try client(platform)
    await #expect(throws: FHIRError.self) { try await client.decide(false, .geoposition) }
    await #expect(throws: FHIRError.self) { try await client.decide(true, .timeInterval) }
    let stranger = try self.client(platform, token: "wrong")
    await #expect(throws: FHIRError("consents", "the platform does not accept the token")) {
      try await stranger.fetch()
    }
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"patient":{"id":40002},"studies":[],"studiesPendingConsent":[]}"#, #"{"patient":{"id":40001}}"#,
    #"{"patient":{"id":40001},"studies":[{}],"studiesPendingConsent":[]}"#,
    #"{"patient":{"id":40001},"studies":[{"id":1,"scopeConsents":[{}]}],"studiesPendingConsent":[]}"#,
  ])
  func nonsenseIsNoConsent(body: String) {
    #expect(throws: FHIRError.self) { try PlatformConsents(decoding: Array(body.utf8), patient: "40001") }
  }

  @Test func decisionsAreKeptWithTextAndTime() throws {
    var ledger = ConsentLedger()
    let entry = ConsentLedger.Entry(
      sink: 5, type: .geoposition, isGranted: false, text: "Where: Geoposition",
      time: Instant(milliseconds: 1_767_254_400_250),
      isConfirmed: false)
    ledger.record(entry)
    #expect(ledger.isRevoked(5) && !ledger.isRevoked(6))
    let read = try ConsentLedger(decoding: ledger.encoded())
    #expect(read == ledger)
    // A confirmation of an earlier decision does not confirm a later one.
    var later = entry
    later.isGranted = true
    ledger.record(later)
    ledger.confirm(entry)
    #expect(ledger.entries == [later])
    #expect(throws: FHIRError.self) { try ConsentLedger(decoding: Array("{}".utf8)) }
    #expect(throws: FHIRError.self) { try ConsentLedger(decoding: Array(#"{"consents":[{"sink":5}]}"#.utf8)) }
  }

  // MARK: - The device

  private func monitor(_ endpoints: [SinkEndpoint], _ provider: HandProvider, _ server: ExchangeModel) throws
    -> ContactMonitor
  {
    var configuration = MonitorConfiguration()
    configuration.sinks = endpoints.map(\.sink)
    configuration.thinning = .zero
    configuration.flushAfter = nil
    return try ContactMonitor(
      venue: SmallVenue(), endpoints: endpoints, provider: provider, store: MemoryStore(), configuration: configuration,
      transport: server)
  }

  private func record(_ range: Range<Int>, _ monitor: ContactMonitor, _ provider: HandProvider, from start: Instant)
    async throws
  {
    for index in range {
      let place = SmallVenue().place(east: Double(index) / 2, north: 1)
      provider.deliver(.fix(Fix(coordinate: place, accuracy: 5, time: start + .milliseconds(4_000 + Int64(index)))))
    }
    try await wait { await monitor.accounting.fixes >= UInt64(range.upperBound) }
  }

  /// A revocation removes the queue of one sink, and nothing of the others; what comes later is not stored for it.
  @Test(.timeLimit(.minutes(2))) func revokingPurgesTheQueueOfThatScope() async throws {
    let (provider, server) = (HandProvider(), ExchangeModel(isConsented: false))
    let url = try #require(URL(string: "https://other.example/in"))
    let monitor = try monitor(
      [try Samples.endpoint(Samples.target()), SinkEndpoint(.overland, url: url)], provider, server)
    try await monitor.consent(to: Consent(version: "1", time: monitor.now.wall))
    await monitor.start()
    try await wait { await monitor.status.phase == .armed }
    provider.deliver(.region(.entered))
    let start = monitor.now.wall
    try await record(0..<3, monitor, provider, from: start)
    func queue(_ sink: SinkID) async -> Int {
      await monitor.status.queues.first { $0.sink == sink }.map { $0.pending + $0.leased } ?? 0
    }
    #expect(await queue(.fhir) == 3)
    await monitor.discard(queueOf: .fhir)
    #expect(await [queue(.fhir), queue(.overland)] == [0, 3])
    #expect(await monitor.accounting.onPhone == 3)
    #expect(await monitor.accounting.erased == 0)
    try await record(3..<5, monitor, provider, from: start)
    #expect(await [queue(.fhir), queue(.overland)] == [0, 5])
    #expect(await monitor.status.phase != .off)
    // The last sink goes too: monitoring stops, and what only it needed is gone.
    await monitor.discard(queueOf: .overland)
    #expect(await monitor.accounting.onPhone == 0)
    #expect(await monitor.accounting.erased == 5)
    #expect(await monitor.status.phase == .off)
    #expect(await server.stored.isEmpty)
  }
}
