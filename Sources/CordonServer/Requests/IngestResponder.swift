internal import CordonCore
internal import CordonIngest
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Passes requests to the core, sends its responses, and handles the shell's own routes: pages, events, metrics.
struct IngestResponder: HTTPResponder {
  typealias Context = ServerContext

  let writer: GroupCommitWriter
  let reader: Reader
  let hub: EventHub
  let preprocessor: NIOLockedValueBox<RequestPreprocessor>
  let latencies: Latencies
  let clock: @Sendable () -> Instant
  let settings: IngestServer.Settings
  let logger: Logger
  let counters: Counters
  /// A prefix of request identifiers, different for each process.
  let nonce: String
  let senders: SenderAddress
  let notices: ProxyNotices
  /// Signing in with a browser; `nil` for a server without.
  var desk: OperatorDesk?
  /// Forms; `nil` for a server without.
  var forms: FormService?
  /// Studies; `nil` for a server without.
  var studies: StudyDesk?
  /// The date field of responses.
  let date = DateField()
  /// Records traces; `nil` for no traces.
  var tracer: Tracer?

  /// The counters of the HTTP shell.
  final class Counters: Sendable {
    private let state = NIOLockedValueBox((requests: 0, pressure: 0, isDraining: false))

    func nextRequest() -> Int {
      state.withLockedValue {
        $0.requests += 1
        return $0.requests
      }
    }

    func countPressure() { state.withLockedValue { $0.pressure += 1 } }
    var pressure: Int { state.withLockedValue { $0.pressure } }
    func drain() { state.withLockedValue { $0.isDraining = true } }
    var isDraining: Bool { state.withLockedValue { $0.isDraining } }
  }

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    let begun = ContinuousClock.now
    let id = requestID(request.headers[HTTPField.requestID])
    let sender = peer(request.headers[HTTPField.forwardedFor], socket: context.peer)
    let span = beginSpan(request.headers, socket: context.peer)
    var response = await answer(request, peer: sender, id: id, span, context.channel)
    endSpan(span, method: request.method.rawValue, path: request.uri.path, status: Int(response.status.code))
    finish(
      &response.headers, status: Int(response.status.code), id: id, begun: begun, method: request.method.rawValue,
      path: request.uri.path)
    return response
  }

  /// Adds the common fields to a response, records its latency, and logs it when it failed or all requests are logged.
  func finish(
    _ fields: inout HTTPFields, status: Int, id: String, begun: ContinuousClock.Instant, method: String, path: String
  ) {
    fields[HTTPField.requestID] = id
    fields[.xContentTypeOptions] = "nosniff"
    if settings.certificate != nil { fields[.strictTransportSecurity] = "max-age=31536000" }
    if status == 413 || counters.isDraining { fields[.connection] = "close" }
    let seconds = begun.duration(to: .now) / .seconds(1)
    latencies.add(seconds)
    guard status >= 500 || settings.logsRequests else { return }
    // The path can name a device, and a query a reason: neither is logged.
    logger.log(
      level: status >= 500 ? .error : .info, "request",
      metadata: [
        "request": "\(id)", "method": "\(method)", "status": "\(status)", "area": "\(Self.area(of: path))",
        "ms": "\(Int(seconds * 1_000))",
      ])
  }

  private static func area(of path: String) -> String {
    for area in [
      "/v1/positions", "/v1/devices", "/v1/venues", "/v1/operator", "/v1/forms", "/v1/studies", "/overland",
      "/owntracks", "/positions",
    ]
    where path.hasPrefix(area) { return area }
    return "other"
  }

  /// Returns the identifier that a proxy gave the request, if it is harmless; otherwise a new one.
  func requestID(_ given: String?) -> String {
    if let given, (1...64).contains(given.utf8.count),
      given.utf8.allSatisfy({
        (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d
          || $0 == 0x5f
      })
    {
      return given
    }
    return "\(nonce)-\(counters.nextRequest())"
  }

  /// The address that a request is counted by.
  /// - Parameters:
  ///   - forwarded: its `X-Forwarded-For`.
  ///   - socket: the other end of its connection.
  func peer(_ forwarded: String?, socket: String) -> String {
    if forwarded != nil, !senders.isTrusted(socket) { notices.noteUntrustedHeader() }
    return senders.find(socket: socket, forwarded: forwarded)
  }

  /// Submits a batch that a ``PositionBatchHandler`` has read; the response is delivered on the event loop.
  func post(
    _ fields: HTTPFields, _ body: [UInt8], peer: String, id: String, _ span: Tracer.Open?, on loop: any EventLoop,
    _ reply: @escaping @Sendable (IngestResponse) -> Void
  ) {
    var headers: [IngestRequest.Header] = []
    if let value = fields[.authorization] { headers.append(.init(lowercased: "authorization", value)) }
    if let value = fields[HTTPField.idempotencyKey] { headers.append(.init(lowercased: "idempotency-key", value)) }
    if let value = fields[HTTPField.cordonNonce] { headers.append(.init(lowercased: "cordon-nonce", value)) }
    let request = IngestRequest("POST", "/v1/positions", headers: headers, body: body, peer: peer, id: id)
    let preprocessor = preprocessor.withLockedValue { $0 }
    let prepared = preprocessor.prepare(request, now: clock())
    var asked = request
    // A waiting request keeps no body.
    asked.body = []
    let storing = beginSpan(in: span)
    let isTaken = writer.perform(prepared, on: loop) { [asked] outcome in
      endSpan(storing, name: "store")
      guard case .answer(let response) = outcome else { return }
      reply(preprocessor.prove(response, for: asked))
    }
    if isTaken { return }
    counters.countPressure()
    // Replies later, when the handler is in its waiting state.
    loop.execute { reply(Self.busy.response) }
  }

  static let busy = Problem(429, .busy, "too much waits to be stored; come again", retryAfter: 2)

  private func answer(
    _ request: Request, peer: String, id: String, _ span: Tracer.Open?, _ channel: any Channel
  ) async -> Response {
    if let response = await signInAnswer(request, peer: peer) { return response }
    let session: PresentedSession?
    do throws(Problem) {
      session = try await self.session(of: request)
    } catch {
      return Self.response(error.response)
    }
    if let response = await accountAnswer(request, session, peer: peer, id: id) { return response }
    if let response = await formAnswer(request, session, peer: peer, id: id) { return response }
    if let response = await studyAnswer(request, session, peer: peer, id: id) { return response }
    if let response = await shellAnswer(request, session, peer: peer, id: id) { return response }
    let preprocessor = preprocessor.withLockedValue { $0 }
    var message = message(request, peer: peer, id: id)
    message.session = session
    do {
      let limit = settings.ingest.maximumBytes
      if let text = request.headers[.contentLength], let length = Int(text), length > limit {
        throw NIOTooManyBytesError(maxBytes: limit)
      }
      let buffer = try await request.body.collect(upTo: limit)
      message.body = Array(buffer.readableBytesView)
    } catch is NIOTooManyBytesError {
      let problem = Problem(413, .bodyTooLarge, "a body has at most \(settings.ingest.maximumBytes) bytes")
      return Self.response(problem.response)
    } catch {
      var response = Self.response(Problem(400, .cutShort, "the body did not come to its end").response)
      // The start of the next request is unknown.
      response.headers[.connection] = "close"
      return response
    }
    let prepared = preprocessor.prepare(message, now: clock())
    let storing = beginSpan(in: span)
    let outcome = await writer.perform(prepared)
    endSpan(storing, name: "store")
    guard let outcome else {
      counters.countPressure()
      return Self.response(Self.busy.response)
    }
    switch outcome {
    case .answer(let response):
      let response = await finished(response)
      return Self.response(Self.withoutDialogue(preprocessor.prove(response, for: message), request))
    case .read(let query):
      let isGone = await ClientPresence.check(of: channel)
      if let export = query.export { return await streamed(export, isGone) }
      let reading = beginSpan(in: span)
      let answer = await reader.answer(query, isGone: isGone)
      endSpan(reading, name: "read")
      if answer.isOfDamage { await writer.noteDamage() }
      return Self.response(answer)
    }
  }

  /// A browser that gets a challenge for Basic credentials opens a dialogue of its own over the page, which signs in itself.
  static func withoutDialogue(_ response: IngestResponse, _ request: Request) -> IngestResponse {
    guard response.status == 401, request.headers[.authorization] == nil, request.headers[HTTPField.fetchSite] != nil
    else { return response }
    var response = response
    response.headers.removeAll { $0.name == "www-authenticate" }
    response.headers.append(.init("www-authenticate", "Session realm=\"cordon\""))
    return response
  }

  /// Streams a response of any length, part by part. An error in the middle closes the connection before the final part,
  /// so that clients do not accept a partial response as complete.
  private func streamed(_ export: ContactExport, _ isGone: @escaping @Sendable () -> Bool) async -> Response {
    let (first, rest): ([UInt8]?, ContactExport)
    do throws(Reader.Broken) {
      (first, rest) = try await reader.part(of: export, isGone: isGone)
    } catch {
      return Self.response(error.response)
    }
    let reader = reader
    let body = ResponseBody { writer in
      var (bytes, rest) = (first, rest)
      while let part = bytes {
        try await writer.write(ByteBuffer(bytes: part))
        (bytes, rest) = try await reader.part(of: rest, isGone: isGone)
      }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: Self.fields(of: export.head), body: body)
  }

  private func message(_ request: Request, peer: String, id: String) -> IngestRequest {
    var headers: [IngestRequest.Header] = []
    for field in request.headers {
      headers.append(IngestRequest.Header(field.name.canonicalName, field.value))
    }
    return IngestRequest(
      request.method.rawValue, request.uri.string, headers: headers, peer: peer, id: id)
  }

  static func fields(of response: IngestResponse) -> HTTPFields {
    var fields = HTTPFields()
    for header in response.headers {
      switch header.name {
      case "content-type": fields.append(HTTPField(name: .contentType, value: header.value))
      case "cache-control": fields.append(HTTPField(name: .cacheControl, value: header.value))
      case "cordon-proof": fields.append(HTTPField(name: HTTPField.cordonProof, value: header.value))
      default:
        if let name = HTTPField.Name(header.name) { fields.append(HTTPField(name: name, value: header.value)) }
      }
    }
    return fields
  }

  static func response(_ response: IngestResponse) -> Response {
    Response(
      status: .init(code: response.status), headers: fields(of: response),
      body: response.body.isEmpty ? .init() : .init(byteBuffer: ByteBuffer(bytes: response.body)))
  }

  static func text(_ text: String, _ type: String, status: Int = 200) -> Response {
    response(
      IngestResponse(
        status, headers: [.init("content-type", type), .init("cache-control", "no-store")], body: Array(text.utf8)))
  }
}
