import CordonCore
import CordonMonitoring
import CordonTesting
import Testing

/// A captive portal, a proxy or a firewall may answer any request with anything. It knows no secret, so it proves
/// none of its answers.
@Suite("Answers of a captive portal")
struct PortalTests {
  static let statuses = [
    200, 201, 204, 207, 301, 302, 307, 400, 401, 403, 404, 409, 410, 413, 422, 429, 451, 500, 503, 511,
  ]

  /// The answer of a portal that knows the formats.
  static func forgery(of request: SinkRequest, status: Int, refuses: Bool = false) -> SinkResponse {
    let body: SinkResponse.Body =
      switch request.body {
      case .activate: .activated(secret: "portal", venue: nil)
      case .token: .token("portal", expires: Instant(milliseconds: 4_102_444_800_000))
      case .positions(let rows, _):
        .rows(rows.map { RowAnswer(id: $0.id, status: refuses ? .refused(reason: "portal") : .stored) })
      case .consent, .acknowledge: .none
      case .notices:
        .notices([
          ExposureNotice(
            id: 1, template: "test", day: "2026-01-01", created: .epoch,
            expires: Instant(milliseconds: 4_102_444_800_000))
        ])
      case .erase: .erased
      }
    return SinkResponse(number: request.number, status: status, body: body)
  }

  /// A server, optionally behind a portal.
  final class Way {
    let sink = InProcessSink(needsToken: true)
    var portal: ((SinkRequest) -> SinkResponse)?

    init() {
      sink.inviteCodes = ["CODE"]
      // The tests do not advance the server's clock.
      sink.tokenLifetime = .days(2)
    }

    func answer(_ request: SinkRequest, _ now: Instant) -> SinkResponse {
      portal?(request) ?? sink.handle(request, now: now)
    }
  }

  @Test(arguments: statuses, [false, true]) func forgedAnswersKeepRowsConsentAndActivation(status: Int, refuses: Bool)
    throws
  {
    let way = Way()
    let start = DeliveryTests().start
    var bench = try DeliveryTests().makeBench(rows: 10, activated: true) { way.answer($0, start) }
    let (device, consent) = (bench.runtime.device, bench.runtime.monitor.state.consent)
    #expect(consent != nil && bench.runtime.monitor.state.isActivated)
    way.portal = { Self.forgery(of: $0, status: status, refuses: refuses) }
    // Also while the consent is reported, and while a token is requested.
    bench.send(.consent(Consent(version: "2", time: start)))
    bench.send(.flush)
    bench.wait(.hours(3))
    let asked = bench.positions.count
    #expect(asked > 0)
    let counts = bench.runtime.accounting
    #expect(counts.onPhone == 10 && counts.acknowledged == 0 && counts.quarantined == 0 && counts.erased == 0)
    #expect(bench.runtime.device == device)
    #expect(bench.runtime.monitor.state.isActivated && bench.runtime.monitor.state.consent != nil)
    // The portal is gone: everything arrives.
    way.portal = nil
    bench.wait(.hours(1))
    #expect(bench.runtime.accounting.acknowledged == 10 && way.sink.count == 10)
    #expect(way.sink.consents[device]?.record?.version == "2")
  }

  @Test(arguments: statuses) func anInviteCodeIsKeptUntilTheServerAnswers(status: Int) throws {
    let way = Way()
    way.portal = { Self.forgery(of: $0, status: status) }
    let start = DeliveryTests().start
    var bench = try DeliveryTests().makeBench(rows: 0, activated: true) { way.answer($0, start) }
    bench.wait(.hours(1))
    #expect(!bench.runtime.monitor.state.isActivated && bench.runtime.monitor.isInvitePending)
    #expect(bench.runtime.monitor.state.consent != nil)
    way.portal = nil
    bench.wait(.hours(1))
    #expect(bench.runtime.monitor.state.isActivated)
  }

  @Test(arguments: statuses) func anErasureIsKeptUntilTheServerAnswers(status: Int) throws {
    let way = Way()
    let start = DeliveryTests().start
    var bench = try DeliveryTests().makeBench(rows: 5, activated: true) { way.answer($0, start) }
    bench.send(.flush)
    let device = bench.runtime.device
    #expect(way.sink.count == 5)
    way.portal = { Self.forgery(of: $0, status: status) }
    #expect(!bench.sendListening(.withdraw).contains(.erased(device)))
    bench.wait(.hours(3))
    #expect(bench.runtime.monitor.state.erasures.map(\.device) == [device])
    way.portal = nil
    bench.wait(.hours(1))
    #expect(way.sink.erased == [device] && bench.runtime.monitor.state.erasures.isEmpty)
  }

  /// A server that erased a device has no secret of it left, and cannot prove the 410 for rows. It can prove the one
  /// for the next token: that request carries the secret.
  @Test func aDoubtfulRefusalIsResolvedByTheNextToken() throws {
    let start = DeliveryTests().start
    for (status, phase) in [(410, Phase.needsConsent), (403, .needsActivation)] {
      let way = Way()
      var bench = try DeliveryTests().makeBench(rows: 5, activated: true) { way.answer($0, start) }
      bench.send(.network(.none))
      let device = bench.runtime.device
      way.portal = { request in
        if case .token = request.body { return SinkResponse(number: request.number, status: status, isProved: true) }
        return SinkResponse(number: request.number, status: status)
      }
      bench.send(.network(.unmetered))
      bench.send(.flush)
      bench.wait(.minutes(1))
      #expect(bench.runtime.phase == phase)
      #expect((bench.runtime.device == device) == (status == 403))
      #expect(bench.runtime.accounting.onPhone == (status == 403 ? 5 : 0))
    }
  }

  /// 413 from a proxy makes batches smaller, so that they pass; it refuses no row.
  @Test(arguments: [400, 413, 422]) func aProxyWithABodyLimitLosesNoRows(status: Int) throws {
    let way = Way()
    let start = DeliveryTests().start
    way.portal = nil
    var most = 0
    var bench = try DeliveryTests().makeBench(rows: 20, activated: true) { request in
      guard case .positions(let rows, _) = request.body else { return way.answer(request, start) }
      if rows.count > 3 { return SinkResponse(number: request.number, status: status) }
      most = max(most, rows.count)
      return way.answer(request, start)
    }
    bench.send(.flush)
    bench.wait(.hours(1))
    #expect(bench.runtime.accounting.acknowledged == 20 && bench.runtime.accounting.quarantined == 0)
    #expect(most > 0 && most <= 3)
  }

  /// Sinks without proofs: a status changes nothing either, and only their format's own answers count.
  @Test(arguments: [SinkID.ingest, .overland, SinkID(number: 16)]) func aStatusAloneProvesNothing(sink: SinkID) throws {
    let start = DeliveryTests().start
    for status in [400, 401, 403, 404, 410, 413, 422] {
      let way = Way()
      way.sink.needsToken = sink == .ingest
      var isThere = true
      var bench = try DeliveryTests().makeBench(
        rows: 6, activated: sink == .ingest, configuration: { $0.sinks = [Sink(sink)] }
      ) { request in
        guard isThere else { return SinkResponse(number: request.number, status: status) }
        var response = way.sink.handle(request, now: start)
        response.isProved = false
        return response
      }
      #expect(bench.runtime.monitor.state.isActivated == (sink == .ingest))
      isThere = false
      let device = bench.runtime.device
      bench.send(.flush)
      bench.wait(.hours(2))
      #expect(bench.runtime.accounting.onPhone == 6 && bench.runtime.accounting.quarantined == 0, "\(status)")
      #expect(bench.runtime.device == device && bench.runtime.monitor.state.consent != nil)
      #expect(bench.runtime.monitor.state.isActivated == (sink == .ingest), "\(status)")
      isThere = true
      bench.wait(.hours(1))
      #expect(bench.runtime.accounting.acknowledged == 6, "\(status)")
    }
  }

  /// The published API reports in its own form that it does not know a device: that ends the activation.
  @Test func readableAnswersOfSinksWithoutProofsCount() throws {
    let way = Way()
    let start = DeliveryTests().start
    var refuses = false
    var bench = try DeliveryTests().makeBench(rows: 6, activated: true, configuration: { $0.sinks = [Sink(.ingest)] }) {
      request in
      if refuses { return SinkResponse(number: request.number, status: 400, body: .refused) }
      var response = way.sink.handle(request, now: start)
      response.isProved = false
      return response
    }
    #expect(bench.runtime.monitor.state.isActivated)
    refuses = true
    way.sink.revokeTokens()
    bench.now = bench.now + .hours(2)
    bench.send(.flush)
    bench.wait(.hours(1))
    #expect(bench.runtime.phase == .needsActivation && bench.runtime.accounting.onPhone == 6)
  }

  /// Each request has a new challenge with the secret of its server; requests to other sinks carry none.
  @Test func everyRequestHasItsOwnNonce() throws {
    let way = Way()
    let start = DeliveryTests().start
    let sinks = [Sink(.cordon), Sink(.overland)]
    var bench = try DeliveryTests().makeBench(
      rows: 9, activated: true,
      configuration: {
        $0.sinks = sinks
        $0.batchRows = 2
      }
    ) { way.answer($0, start) }
    bench.send(.flush)
    bench.send(.withdraw)
    let requests = bench.script.requests
    let challenges = requests.filter { $0.sink == .cordon }.compactMap(\.challenge)
    #expect(challenges.count == requests.count { $0.sink == .cordon } && challenges.count > 6)
    #expect(Set(challenges.map(\.nonce)).count == challenges.count)
    #expect(challenges.allSatisfy { $0.nonce.utf8.count == 32 })
    #expect(challenges.first?.secret == "CODE" && Set(challenges.dropFirst().map(\.secret)) == ["secret-1"])
    #expect(requests.allSatisfy { $0.sink == .cordon || $0.challenge == nil })
  }
}

@Suite("Erasures, sink by sink")
struct ErasureBySinkTests {
  static let archive = SinkID(number: 17)

  @Test func everyErasingSinkIsAskedUntilItConfirms() throws {
    var isArchiveDown = true
    let sinks = [
      Sink(.cordon, needsActivation: false), Sink(.overland), Sink(.file, isRequired: false),
      Sink(Self.archive, isRequired: false, abilities: .erasure),
    ]
    var asked: [SinkID: [DeviceID]] = [:]
    var bench = try DeliveryTests().makeBench(configuration: { $0.sinks = sinks }) { request in
      guard case .erase = request.body else { return DeliveryTests.all(.stored)(request) }
      asked[request.sink, default: []].append(request.device)
      if request.sink == Self.archive, isArchiveDown { return SinkResponse(number: request.number, status: 503) }
      return SinkResponse(number: request.number, status: 200, body: .erased)
    }
    let device = bench.runtime.device
    let notices = bench.sendListening(.withdraw)
    #expect(notices.contains(.notErased(device, .overland)) && notices.contains(.notErased(device, .file)))
    #expect(!notices.contains(.erased(device)), "one has not confirmed")
    #expect(asked == [.cordon: [device], Self.archive: [device]])
    #expect(bench.runtime.monitor.state.erasures.map(\.sink) == [Self.archive])
    // A pending erasure survives the process, and concerns only the archive.
    let state = MonitorState(decoding: bench.runtime.monitor.state.encoded())
    #expect(state?.erasures.map(\.sink) == [Self.archive])
    isArchiveDown = false
    bench.now = bench.now + .hours(1)
    #expect(bench.sendListening(.wake).contains(.erased(device)))
    #expect(asked[.cordon] == [device])
    #expect(bench.runtime.monitor.state.erasures.isEmpty)
  }

  /// When the server erases the device, the consent ends, and the other sinks are asked to erase it too.
  @Test func anErasureByTheServerReachesOtherSinks() throws {
    let sinks = [Sink(.cordon, needsActivation: false), Sink(.overland), Sink(Self.archive, abilities: .erasure)]
    var erased: [SinkID] = []
    var bench = try DeliveryTests().makeBench(configuration: { $0.sinks = sinks }) { request in
      if case .erase = request.body {
        erased.append(request.sink)
        return SinkResponse(number: request.number, status: 200, body: .erased)
      }
      guard case .positions = request.body else { return SinkResponse(number: request.number, status: 204) }
      return request.sink == .cordon
        ? SinkResponse(number: request.number, status: 410, isProved: true)
        : SinkResponse(number: request.number, status: 503)
    }
    let device = bench.runtime.device
    let notices = bench.sendListening(.flush)
    #expect(notices.contains(.erasedByServer) && notices.contains(.notErased(device, .overland)), "\(notices)")
    #expect(erased == [Self.archive])
  }

  /// Only the sink that issued the secret receives it.
  @Test func otherSinksGetNeitherSecretNorToken() throws {
    let server = InProcessSink(needsToken: true)
    server.inviteCodes = ["CODE"]
    let sinks = [Sink(.overland), Sink(Self.archive, abilities: [.erasure, .consent]), Sink(.cordon)]
    let start = DeliveryTests().start
    var bench = try DeliveryTests().makeBench(rows: 5, activated: true, configuration: { $0.sinks = sinks }) {
      $0.sink == .cordon
        ? server.handle($0, now: start) : SinkResponse(number: $0.number, status: 200, body: .erased)
    }
    bench.send(.flush)
    bench.send(.withdraw)
    for request in bench.script.requests where request.sink != .cordon {
      switch request.body {
      case .positions(_, let token): #expect(token == nil)
      case .erase(let secret): #expect(secret == nil)
      default: Issue.record("\(request.sink) receives the secret of another sink")
      }
    }
    #expect(server.erased.count == 1)
  }

  /// The configuration no longer says how the sink proves its answers, so no receipt is believed.
  @Test func aRemovedSinkNeedsNoConfirmation() throws {
    let server = InProcessSink(needsToken: true)
    server.inviteCodes = ["CODE"]
    let start = DeliveryTests().start
    var bench = try DeliveryTests().makeBench(rows: 5, activated: true) { request in
      if case .erase = request.body { return nil }
      return server.handle(request, now: start)
    }
    bench.send(.flush)
    let device = bench.runtime.device
    bench.send(.withdraw)
    var configuration = MonitorConfiguration()
    configuration.sinks = [Sink(.overland)]
    let runtime = try Runtime(configuration: configuration, store: bench.store, at: bench.now)
    var next = DeliveryTests.Bench(
      runtime: runtime, store: bench.store, now: bench.now,
      script: Script { PortalTests.forgery(of: $0, status: 200) })
    next.send(.wake)
    next.wait(.hours(1))
    #expect(next.runtime.monitor.state.erasures.map(\.device) == [device])
  }

  /// The third format asked only one server.
  @Test func erasuresOfTheThirdStateFormatGoToTheServer() throws {
    var state = MonitorState()
    state.accounting.acknowledged = 3
    var bytes = state.encoded()
    bytes[0] = 3
    #expect(MonitorState(decoding: bytes) != nil)
    let device = try #require(DeviceID("phone"))
    var bench = try DeliveryTests().makeBench(rows: 0) { _ in nil }
    bench.send(.withdraw)
    var written = bench.runtime.monitor.state.encoded()
    #expect(MonitorState(decoding: written)?.erasures.map(\.device) == [device])
    // The last byte is the number of the sink, which that format did not have.
    written.removeLast()
    written[0] = 3
    let read = try #require(MonitorState(decoding: written))
    #expect(read.erasures.map(\.device) == [device] && read.erasures.map(\.sink) == [.cordon])
  }
}
