internal import CordonCore
internal import CordonIngest
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import ServiceLifecycle

extension IngestResponder {
  /// A responder over a writer and a reader, with the default settings.
  init(
    writer: GroupCommitWriter, reader: Reader, preprocessor: RequestPreprocessor,
    clock: @escaping @Sendable () -> Instant
  ) {
    let logger = Logger(label: "cordon-server")
    self.init(
      writer: writer, reader: reader, hub: EventHub(), preprocessor: NIOLockedValueBox(preprocessor),
      latencies: Latencies(),
      clock: clock, settings: IngestServer.Settings(), logger: logger, counters: Counters(), nonce: "0",
      senders: SenderAddress(proxies: []), notices: ProxyNotices(IngestServer.Settings(), logger: logger))
  }
}

/// The responses of the HTTP shell itself.
extension IngestResponder {
  func shellAnswer(
    _ request: Request, _ session: PresentedSession?, peer: String, id: String
  ) async -> Response? {
    guard let address = BuiltInRoute(rawValue: request.uri.path) else { return consoleAnswer(request) }
    guard request.method == .get || request.method == .head else {
      return Self.response(Problem.wrongMethod(["GET", "HEAD"]).response)
    }
    switch address {
    case .health:
      // The server is unhealthy while it cannot store. The check is cached for a second, so that requests cannot overload it.
      if await unreadiness()?.isEmpty == true { return Self.response(IngestResponse(200)) }
      return Self.response(
        Problem(503, .notReady, "the server cannot store at the moment, or is stopping", retryAfter: 10).response)
    case .alive: return Self.text("alive\n", "text/plain; charset=utf-8")
    case .ready:
      let causes = await unreadiness()
      if causes?.isEmpty == true { return Self.text("ready\n", "text/plain; charset=utf-8") }
      let names = causes.map(Self.names(of:)) ?? "stopping"
      return Self.text("not ready: \(names)\n", "text/plain; charset=utf-8", status: 503)
    case .metrics: return await metrics(request, session, peer: peer, id: id)
    case .events: return await events(request, session, peer: peer, id: id)
    case .description: return Self.text(OpenAPIDocument.text, "application/json")
    case .page: return consoleStart
    case .icon: return Self.response(IngestResponse(204))
    }
  }

  /// `nil` while the server is stopping.
  private func unreadiness() async -> Set<Ingest.Unreadiness>? {
    counters.isDraining ? nil : await writer.unreadiness()
  }

  /// Returns the names of the causes, for responses and logs.
  static func names(of causes: Set<Ingest.Unreadiness>) -> String {
    causes.map(\.rawValue).sorted().joined(separator: ", ")
  }

  /// The authenticated operator, as the core describes it.
  struct Asker: Decodable {
    struct VenueRole: Decodable {
      var venue: String
      var role: String
    }

    var `operator`: String
    var role: String?
    var roles: [VenueRole]
    var hasAllVenues: Bool

    enum CodingKeys: String, CodingKey {
      case `operator`, role, roles
      case hasAllVenues = "all_venues"
    }

    private var highest: Operator.Role? { role.flatMap { Operator.Role(rawValue: $0) } }
    /// Metrics count the rows of all venues, and each row reveals the presence of a device.
    var mayReadMetrics: Bool { hasAllVenues && (highest == .metrics || highest.map { $0 >= .operator } == true) }

    /// Whether the highest role is a role or one above it.
    func isAtLeast(_ role: Operator.Role) -> Bool { highest.map { $0 >= role } ?? false }

    /// Whether the operator sees devices or exact counts anywhere.
    var mayLookAtDevices: Bool { highest.map { $0 >= .contactTracer } ?? false }

    /// The role at a venue; `nil` where there is none.
    func role(at venue: VenueID) -> Operator.Role? {
      roles.first { $0.venue == venue.rawValue }.flatMap { Operator.Role(rawValue: $0.role) }
    }
  }

  enum Authentication {
    case asker(Asker)
    case refusal(Response)
  }

  /// Authenticates the sender through the core.
  func authenticate(
    _ request: Request, _ session: PresentedSession?, peer: String, id: String
  ) async -> Authentication {
    var headers: [IngestRequest.Header] = []
    if let value = request.headers[.authorization] { headers.append(.init("authorization", value)) }
    var query = IngestRequest("GET", "/v1/operator/me", headers: headers, peer: peer, id: id)
    query.session = session
    let prepared = preprocessor.withLockedValue { $0 }.prepare(query, now: clock())
    guard case .answer(let answer) = await writer.perform(prepared) else {
      return .refusal(Self.response(Self.busy.response))
    }
    guard answer.status == 200, let asker = try? JSONDecoder().decode(Asker.self, from: Data(answer.body)) else {
      return .refusal(Self.response(Self.withoutDialogue(answer, request)))
    }
    return .asker(asker)
  }

  /// The operator of a request to `/v1/operator/me`.
  func asker(of query: IngestRequest) async throws(Problem) -> Asker {
    let prepared = preprocessor.withLockedValue { $0 }.prepare(query, now: clock())
    guard case .answer(let answer) = await writer.perform(prepared) else { throw Self.busy }
    guard answer.status == 200, let asker = try? JSONDecoder().decode(Asker.self, from: Data(answer.body)) else {
      guard answer.status == 429 else {
        throw Problem(401, .badCredentials, "operator or key is wrong", field: "authorization")
      }
      throw Problem(429, .tooManyFailures, "too many attempts failed", retryAfter: 60)
    }
    return asker
  }

  /// Returns row counts over all venues. Each additional row reveals the presence of a device, so viewers have no access.
  private func metrics(
    _ request: Request, _ session: PresentedSession?, peer: String, id: String
  ) async -> Response {
    switch await authenticate(request, session, peer: peer, id: id) {
    case .refusal(let response): return response
    case .asker(let asker) where !asker.mayReadMetrics:
      return Self.response(Problem(403, .role, "this needs the role metrics or operator, for all venues").response)
    case .asker: break
    }
    // Refreshes the causes to at most a second of age, even without requests to /readyz.
    _ = await writer.unreadiness()
    let page = PrometheusText.page(
      writer.metrics, latencies: latencies.counts, waitingRows: writer.waitingRows, pressure: counters.pressure,
      now: clock())
    return Self.text(page, "text/plain; version=0.0.4; charset=utf-8")
  }

  /// `GET /v1/operator/events?venue=…`: changing counts as server-sent events. They name no device.
  /// With `devices=true` also the devices that are present, without their names, every ``secondsBetweenMoments``.
  /// Each row reveals a device that posts, so viewers have no access.
  private func events(
    _ request: Request, _ session: PresentedSession?, peer: String, id: String
  ) async -> Response {
    let asker: Asker
    switch await authenticate(request, session, peer: peer, id: id) {
    case .refusal(let response): return response
    case .asker(let known): asker = known
    }
    let refusal = Problem(403, .role, "this needs the role contact-tracer")
    guard asker.mayLookAtDevices else { return Self.response(refusal.response) }
    let message = IngestRequest("GET", request.uri.string)
    guard let venue = message.parameter("venue").flatMap({ VenueID($0) }), let role = asker.role(at: venue) else {
      return Self.response(
        Problem(400, .badParameter, "venue: the identifier of a venue that you may see is needed", field: "venue")
          .response)
    }
    guard role >= .contactTracer else { return Self.response(refusal.response) }
    guard let stream = hub.watch(venue) else {
      return Self.response(Problem(503, .tooManyWatchers, "too many watch already", retryAfter: 30).response)
    }
    let wantsDevices = message.parameter("devices") == "true"
    let body = ResponseBody { writer in
      // A slow reader loses events, so that memory stays bounded.
      let (lines, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(16))
      let counts = Task {
        for await event in stream.cancelOnGracefulShutdown() {
          // A stream ends with its session, its operator and their role.
          guard let mayWatch = await mayWatch(request, session, venue, peer: peer, id: id) else { continue }
          guard mayWatch else { break }
          continuation.yield("event: counts\ndata: \(event.json)\n\n")
        }
        continuation.finish()
      }
      let moments = Task {
        while wantsDevices, !Task.isCancelled {
          let answer = await moment(request, session, venue, peer: peer, id: id)
          if let answer, answer.status == 200 {
            continuation.yield("event: devices\ndata: \(String(decoding: answer.body, as: UTF8.self))\n\n")
          }
          // The operator may not look any more; a busy server is asked again.
          if let answer, [401, 403].contains(answer.status) { return continuation.finish() }
          try await Task.sleep(for: .seconds(Self.secondsBetweenMoments))
        }
      }
      defer {
        counts.cancel()
        moments.cancel()
      }
      try await writer.write(ByteBuffer(string: "retry: 3000\n\n"))
      for await line in lines { try await writer.write(ByteBuffer(string: line)) }
      try await writer.finish(nil)
    }
    var fields = HTTPFields()
    fields[.contentType] = "text/event-stream"
    fields[.cacheControl] = "no-store"
    return Response(status: .ok, headers: fields, body: body)
  }

  /// Whether an operator may still watch a venue; `nil` while the server is busy.
  private func mayWatch(
    _ request: Request, _ session: PresentedSession?, _ venue: VenueID, peer: String, id: String
  ) async -> Bool? {
    guard await isSignedIn(request, session) else { return false }
    switch await authenticate(request, session, peer: peer, id: id) {
    case .refusal(let response): return [.unauthorized, .forbidden].contains(response.status) ? false : nil
    case .asker(let asker): return asker.role(at: venue).map { $0 >= .contactTracer } ?? false
    }
  }

  /// The time between two events with the devices of a venue.
  static let secondsBetweenMoments = 2

  /// The devices of a venue at present, in one line of JSON. Each time the credentials are checked anew. `nil` while the
  /// server is busy.
  private func moment(
    _ request: Request, _ session: PresentedSession?, _ venue: VenueID, peer: String, id: String
  ) async -> IngestResponse? {
    var headers: [IngestRequest.Header] = []
    if let value = request.headers[.authorization] { headers.append(.init("authorization", value)) }
    let body = Array(#"{"venue":"\#(venue.rawValue)"}"#.utf8)
    var query = IngestRequest("POST", "/v1/operator/moment", headers: headers, body: body, peer: peer, id: id)
    // The stream was requested with GET, and this request is the server's own.
    query.session = session
    query.session?.isProved = true
    let prepared = preprocessor.withLockedValue { $0 }.prepare(query, now: clock())
    switch await writer.perform(prepared) {
    case .answer(let answer): return answer
    case .read(let read): return await reader.answer(read)
    case nil: return nil
    }
  }
}
