import Cordon
import CordonCore
import CordonMonitoring
import CordonTestSupport
import CordonTesting
import CordonWire
import Foundation
import Testing

/// Receivers of several hosts, in the process.
actor ReceiverPark: HTTPTransport {
  let server = ModelServer()
  private(set) var messages: [HTTPRequest] = []

  func send(_ message: HTTPRequest) async -> HTTPResponse {
    messages.append(message)
    switch message.url.host {
    case "cordon.invalid": return await server.send(message)
    case "one.invalid", "two.invalid": return HTTPResponse(status: 200, body: Array(#"{"result":"ok"}"#.utf8))
    case "hook.invalid":
      let lines = message.body.split(separator: 0x0a).count
      let text = message.method == "DELETE" ? "erased \(message.url.lastPathComponent)" : "taken \(lines)"
      return HTTPResponse(status: 200, body: Array(text.utf8))
    default: return .none
    }
  }

  func messages(to host: String) -> [HTTPRequest] { messages.filter { $0.url.host == host } }
}

@Suite("Custom sinks, and several sinks of one format", .timeLimit(.minutes(10)))
struct CustomSinkTests {
  private func endpoint(_ format: some SinkFormat, _ number: UInt8? = nil, host: String, token: String? = nil) throws
    -> SinkEndpoint
  {
    SinkEndpoint(
      format, id: number.map(SinkID.init(number:)), url: try #require(URL(string: "http://\(host)")), token: token)
  }

  private func monitor(
    _ endpoints: [SinkEndpoint], provider: any LocationProvider = HandProvider(), sinks: [Sink]? = nil,
    transport: any HTTPTransport = ModelServer()
  ) throws -> ContactMonitor {
    var configuration = MonitorConfiguration()
    configuration.sinks = sinks ?? endpoints.map(\.sink)
    configuration.thinning = .zero
    configuration.flushAfter = nil
    return try ContactMonitor(
      venue: SmallVenue(), endpoints: endpoints, provider: provider, store: MemoryStore(), configuration: configuration,
      transport: transport)
  }

  /// A server, two Overland receivers and a webhook: each receives every location with its own token, and all that
  /// can erase do.
  @Test func eachSinkReceivesItsOwnFormat() async throws {
    let (park, provider, venue) = (ReceiverPark(), HandProvider(), SmallVenue())
    let endpoints = [
      try endpoint(.cordon, host: "cordon.invalid"), try endpoint(.overland, host: "one.invalid", token: "first"),
      try endpoint(.overland, 20, host: "two.invalid", token: "second"),
      try endpoint(Webhook(), host: "hook.invalid"),
    ]
    let monitor = try monitor(endpoints, provider: provider, transport: park)
    #expect(monitor.sinksWithoutErasure == [.overland, SinkID(number: 20)])
    let notices = monitor.notices
    try await monitor.consent(to: Consent(version: "1", time: monitor.now.wall))
    await monitor.activate(inviteCode: "CODE")
    await monitor.start()
    try await wait { await monitor.status.phase == .armed }
    provider.deliver(.region(.entered))
    try await wait { await monitor.status.phase == .tracking }
    let start = monitor.now.wall
    for index in 0..<4 {
      let place = venue.place(east: Double(index) / 2, north: 1)
      provider.deliver(.fix(Fix(coordinate: place, accuracy: 5, time: start + .milliseconds(4_000 + Int64(index)))))
    }
    try await wait { await monitor.accounting.stored >= 4 }
    await monitor.drain(within: .minutes(10))
    #expect(await monitor.accounting.acknowledged == 4)
    #expect(await park.server.rows.count == 4)
    for (host, token) in [("one.invalid", "first"), ("two.invalid", "second")] {
      let messages = await park.messages(to: host)
      #expect(messages.allSatisfy { $0.headers["authorization"] == "Bearer \(token)" })
      let features = try messages.flatMap { message in
        let body = try JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any]
        return body?["locations"] as? [Any] ?? []
      }
      #expect(features.count == 4)
    }
    let hook = await park.messages(to: "hook.invalid")
    #expect(hook.flatMap { $0.body.split(separator: 0x0a) }.count == 4)
    #expect(hook.allSatisfy { $0.headers["authorization"] == nil })
    #expect(
      await park.messages.allSatisfy { $0.url.host == "cordon.invalid" || $0.headers[AnswerProof.nonceHeader] == nil })

    let device = await monitor.device
    await monitor.withdraw()
    var unreached: [SinkID] = []
    for await notice in notices {
      if case .notErased(device, let sink) = notice { unreached.append(sink) }
      if notice == .erased(device) { break }
    }
    #expect(unreached == monitor.sinksWithoutErasure)
    for host in ["cordon.invalid", "hook.invalid"] {
      let last = try #require(await park.messages(to: host).last)
      #expect(last.method == "DELETE" && last.url.lastPathComponent == device.rawValue)
    }
    #expect(await park.messages(to: "one.invalid").allSatisfy { $0.method == "POST" })
    #expect(await monitor.status.pendingErasures == 0)
    await monitor.stop()
  }

  /// Each receiver has a cursor of its own: one that is down holds back no other, and gets everything later.
  @Test func aReceiverThatIsDownHoldsBackNoOther() async throws {
    actor Receivers: HTTPTransport {
      var isDown = true
      private(set) var rows: [String: Int] = [:]
      func rise() { isDown = false }
      func send(_ message: HTTPRequest) async -> HTTPResponse {
        let host = message.url.host ?? ""
        if isDown, host == "two.invalid" { return HTTPResponse(status: 503) }
        let body = try? JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any]
        rows[host, default: 0] += (body?["locations"] as? [Any])?.count ?? 0
        return HTTPResponse(status: 200, body: Array(#"{"result":"ok"}"#.utf8))
      }
    }
    let (receivers, provider, venue) = (Receivers(), HandProvider(), SmallVenue())
    let endpoints = [
      try endpoint(.overland, host: "one.invalid"), try endpoint(.overland, 20, host: "two.invalid"),
    ]
    let monitor = try monitor(endpoints, provider: provider, transport: receivers)
    try await monitor.consent(to: Consent(version: "1", time: monitor.now.wall))
    await monitor.start()
    try await wait { await monitor.status.phase == .armed }
    provider.deliver(.region(.entered))
    try await wait { await monitor.status.phase == .tracking }
    let start = monitor.now.wall
    for index in 0..<4 {
      let place = venue.place(east: Double(index) / 2, north: 1)
      provider.deliver(.fix(Fix(coordinate: place, accuracy: 5, time: start + .milliseconds(4_000 + Int64(index)))))
    }
    try await wait { await monitor.accounting.stored >= 4 }
    await monitor.flush()
    try await wait { await receivers.rows["one.invalid"] == 4 }
    #expect(await monitor.accounting.onPhone == 4)
    #expect(await receivers.rows["two.invalid"] == nil)
    await receivers.rise()
    await monitor.drain(within: .minutes(10))
    #expect(await monitor.accounting.acknowledged == 4)
    #expect(await receivers.rows == ["one.invalid": 4, "two.invalid": 4])
    await monitor.stop()
  }

  /// A mismatch is an error before anything is recorded; no other format takes its place.
  @Test func sinksWithoutEndpointsAreRefused() throws {
    let server = try endpoint(.cordon, host: "cordon.invalid")
    let receiver = try endpoint(.overland, host: "one.invalid")
    #expect(throws: SinkError.sharedNumber(.overland)) { try monitor([receiver, receiver], sinks: [Sink(.overland)]) }
    #expect(throws: SinkError.noEndpoint(SinkID(number: 16))) {
      try monitor([server], sinks: [Sink(.cordon), Sink(SinkID(number: 16))])
    }
    #expect(throws: SinkError.noSink(.overland)) { try monitor([server, receiver], sinks: [Sink(.cordon)]) }
    #expect(throws: SinkError.noActivation(.overland, format: "overland")) {
      try monitor([receiver], sinks: [Sink(.overland, needsActivation: true)])
    }
    let ingest = try endpoint(.ingest, host: "two.invalid")
    #expect(throws: SinkError.severalActivations([.cordon, .ingest])) { try monitor([server, ingest]) }
    _ = try monitor([server, ingest], sinks: [Sink(.cordon), Sink(.ingest, needsActivation: false)])
    // Before a file is made.
    let scratch = try TemporaryFolder()
    let path = scratch.path("store.sqlite")
    #expect(throws: SinkError.sharedNumber(.overland)) {
      try ContactMonitor(
        venue: SmallVenue(), endpoints: [receiver, receiver], provider: HandProvider(), file: path)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// The format decides the abilities, whatever the configuration claims.
  @Test func configurationsCannotMakeASinkEraseOrProve() throws {
    let receiver = try endpoint(.overland, host: "one.invalid")
    let monitor = try monitor([receiver], sinks: [Sink(.overland, abilities: [.erasure, .proofs])])
    #expect(monitor.sinksWithoutErasure == [.overland])
  }

  /// A request that a format does not have is not sent as something else.
  @Test func aFormatSendsOnlyItsOwnMessages() throws {
    let device = try #require(DeviceID("d"))
    let bodies: [SinkRequest.Body] = [
      .activate(code: "CODE", type: "phone"), .token(secret: "s"), .erase(secret: "s"),
      .consent(Consent(version: "1", time: .epoch), token: "t"),
    ]
    for body in bodies {
      let request = SinkRequest(number: 1, device: device, sink: .overland, body: body)
      for endpoint in [
        try endpoint(.overland, host: "a.invalid"), try endpoint(.ownTracks, host: "a.invalid"),
        try endpoint(.file, host: "a.invalid"),
      ] { #expect(endpoint.message(for: request) == nil) }
    }
  }
}
