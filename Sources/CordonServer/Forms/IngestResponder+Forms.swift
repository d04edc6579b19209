internal import CordonCollection
internal import CordonCore
internal import CordonForms
internal import CordonIngest
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Requests about forms, and the app in which people answer them.
extension IngestResponder {
  /// Returns the response to a request about forms; `nil` for all others, and when the server has none.
  func formAnswer(
    _ request: Request, _ session: PresentedSession?, peer: String, id: String
  ) async -> Response? {
    guard let forms else { return nil }
    if request.uri.path.hasPrefix("/forms/") { return formFile(request) }
    guard let match = FormRoute.find(request.method.rawValue, request.uri.path) else { return nil }
    guard case .route(let route, let names) = match else {
      if case .otherMethods(let methods) = match { return Self.response(Problem.wrongMethod(methods).response) }
      return nil
    }
    do throws(Problem) {
      let sender = try await formSender(request, session, forms, peer: peer, id: id)
      if case .operator = sender {
        try session?.checkProof(method: request.method.rawValue)
      } else if route.isOfOperators {
        throw Problem(403, .role, "this needs an operator")
      }
      var message = IngestRequest(request.method.rawValue, request.uri.string, peer: peer, id: id)
      message.headers = request.headers[.contentEncoding].map { [.init("content-encoding", $0)] } ?? []
      message.body = try await formBody(request)
      let call = FormCall(route: route, names: names, sender: sender, request: message)
      if let entry = try await forms.access(of: call), let problem = await writer.note(entry) { throw problem }
      let answer = try await forms.answer(call)
      // Only a sender who may erase the record comes to this point. One who gets no answer asks again.
      if route == .erase || route == .eraseOwn, let record = names.last {
        try await writer.noteEnd(of: KnownEndings.name(ofRecord: record))
      }
      if case .device(let device, _, _) = sender, route == .sync {
        // The device, or its holder after a reset, may have been erased meanwhile; then these records must not stay.
        do throws(Problem) {
          _ = try await formSender(request, session, forms, peer: peer, id: id)
        } catch {
          for end in try await writer.ends(of: device) { try await forms.forget(device, end) }
          throw error
        }
      }
      return Self.response(answer)
    } catch {
      return Self.response(Self.withoutDialogue(error.response, request))
    }
  }

  /// The sender of a request: an operator, a collector by a key, or a device by a token.
  private func formSender(
    _ request: Request, _ session: PresentedSession?, _ forms: FormService, peer: String, id: String
  ) async throws(Problem) -> FormSender {
    let field = request.headers[.authorization] ?? ""
    let parts = field.split(separator: " ", maxSplits: 1)
    if parts.count == 2, parts[0].lowercased() == "bearer" {
      let text = String(parts[1])
      if text.hasPrefix(FormDesk.keyPrefix) { return try await forms.collector(text, peer: peer) }
      let query = IngestRequest("GET", "/v1/forms", headers: [.init("authorization", field)], peer: peer, id: id)
      let device = try await writer.holder(of: query).get()
      return .device(device.id, device.venue, since: device.heldSince ?? .epoch)
    }
    var headers: [IngestRequest.Header] = []
    if !field.isEmpty { headers.append(.init("authorization", field)) }
    var query = IngestRequest("GET", "/v1/operator/me", headers: headers, peer: peer, id: id)
    query.session = session
    let asker = try await self.asker(of: query)
    let roles = asker.roles.compactMap { entry in
      VenueID(entry.venue).flatMap { venue in Operator.Role(rawValue: entry.role).map { (venue, $0) } }
    }
    return .operator(
      Operator(
        id: asker.operator, everywhere: nil, roles: Dictionary(roles, uniquingKeysWith: max), keyHash: []))
  }

  private func formBody(_ request: Request) async throws(Problem) -> [UInt8] {
    do {
      let buffer = try await request.body.collect(upTo: settings.ingest.maximumBytes)
      return Array(buffer.readableBytesView)
    } catch is NIOTooManyBytesError {
      throw Problem(413, .bodyTooLarge, "a body has at most \(settings.ingest.maximumBytes) bytes")
    } catch {
      throw Problem(400, .cutShort, "the body did not come to its end")
    }
  }

  /// The content security policy of the app: as of pages, with a manifest and a service worker of this origin.
  static let formPolicy = PageHeaders.policy + "; manifest-src 'self'; worker-src 'self'"

  /// Returns a file of the app of a form. The files hold no question and no record, so that nobody needs to sign in for them.
  private func formFile(_ request: Request) -> Response {
    let missing = Problem(404, .noSuchAddress, "there is nothing at this address")
    guard request.method == .get || request.method == .head else {
      return Self.response(Problem.wrongMethod(["GET", "HEAD"]).response)
    }
    let parts = request.uri.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    // "", "forms", the form, the file.
    guard parts.count == 4, let file = FormApp.file(parts[3], of: parts[2]) else {
      return Self.response(missing.response)
    }
    var headers = PageHeaders.shared.map {
      $0.name == "content-security-policy" ? IngestRequest.Header($0.name, Self.formPolicy) : $0
    }
    headers.append(.init("etag", file.tag))
    if request.headers[.ifNoneMatch] == file.tag { return Self.response(IngestResponse(304, headers: headers)) }
    headers.append(.init("content-type", file.type))
    return Self.response(
      IngestResponse(200, headers: headers, body: request.method == .head ? [] : file.bytes))
  }
}
