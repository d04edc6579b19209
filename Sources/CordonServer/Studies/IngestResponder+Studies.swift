internal import CordonCore
internal import CordonIngest
internal import CordonStudies
internal import CordonSupport
internal import HTTPTypes
internal import Hummingbird
internal import NIOConcurrencyHelpers
internal import NIOCore

extension IngestResponder {
  /// Returns the response to a request about studies; `nil` for all others, and for a server without studies.
  func studyAnswer(_ request: Request, _ session: PresentedSession?, peer: String, id: String) async -> Response? {
    guard let studies, let match = StudyRoute.find(request.method.rawValue, request.uri.path) else { return nil }
    guard case .route(let route, let parts) = match else {
      if case .otherMethods(let methods) = match { return Self.response(Problem.wrongMethod(methods).response) }
      return nil
    }
    do throws(Problem) {
      let message = IngestRequest("GET", request.uri.string)
      if route.isOfParticipants {
        let call = ParticipantCall(
          desk: studies, writer: writer, key: Self.bearer(request.headers[.authorization]),
          body: try await studyBody(request), query: message, peer: peer,
          catalog: preprocessor.withLockedValue { $0.catalog })
        return Self.response(try await call.answer(route))
      }
      let asker: Asker
      switch await authenticate(request, session, peer: peer, id: id) {
      case .refusal(let response): return response
      case .asker(let known): asker = known
      }
      guard asker.hasAllVenues, asker.isAtLeast(.operator) else {
        throw Problem(403, .role, "this needs the role operator at all venues")
      }
      try session?.checkProof(method: request.method.rawValue)
      let call = ResearcherCall(
        desk: studies, writer: writer, who: asker.operator, isAdministrator: asker.isAtLeast(.admin), parts: parts,
        body: try await studyBody(request), query: message)
      return Self.response(try await call.answer(route))
    } catch {
      return Self.response(error.response)
    }
  }

  private static func bearer(_ field: String?) -> String? {
    guard let field, field.lowercased().hasPrefix("bearer ") else { return nil }
    return String(field.dropFirst(7))
  }

  private func studyBody(_ request: Request) async throws(Problem) -> [UInt8] {
    if let encoding = request.headers[.contentEncoding], encoding != "identity" {
      throw Problem(415, .unknownEncoding, "a body comes as it is here", field: "content-encoding")
    }
    do {
      let buffer = try await request.body.collect(upTo: 1 << 20)
      return Array(buffer.readableBytesView)
    } catch {
      throw Problem(413, .bodyTooLarge, "a body has at most \(1 << 20) bytes here")
    }
  }
}

/// A request of a participant, or of somebody who wants to be one.
private struct ParticipantCall {
  let desk: StudyDesk
  let writer: GroupCommitWriter
  let key: String?
  let body: [UInt8]
  let query: IngestRequest
  let peer: String
  let catalog: VenueCatalog

  func answer(_ route: StudyRoute) async throws(Problem) -> IngestResponse {
    let (body, key) = (body, key)
    switch route {
    case .offer:
      let code = query.parameter("study") ?? ""
      return .json(
        200,
        try await desk.run { service, now throws(StudyError) in
          guard let code = StudyCode(code) else { throw StudyError(.noSuchStudy, "no such study", field: "study") }
          return Self.describe(try service.offer(code, now: now))
        })
    case .enrol:
      let enrolled = try await desk.attempt(peer) { service, now throws(StudyError) in
        try service.enrol(EnrolmentRequest(StudyFields(body: body)), now: now)
      }
      return .json(
        201,
        ["participant": .string(enrolled.participant.id.rawValue), "key": .string(enrolled.key)])
    default: break
    }
    guard let key else { throw Problem(401, .tokenMissing, "authorization: the key of a participant is needed") }
    let participant: Participant
    do throws(Problem) {
      participant = try await desk.attempt(peer) { service, _ throws(StudyError) in try service.participant(key: key) }
    } catch {
      guard error.code == .noSuchParticipant else { throw error }
      throw Problem(401, .tokenUnknown, "the key is not that of a participant")
    }
    return try await answer(route, participant)
  }

  private func answer(_ route: StudyRoute, _ participant: Participant) async throws(Problem) -> IngestResponse {
    let body = body
    switch route {
    case .progress:
      return .json(
        200, try await desk.run { service, now throws(StudyError) in try service.progress(of: participant, now: now) })
    case .copy:
      return .json(
        200, try await desk.run { service, now throws(StudyError) in try service.copy(of: participant, now: now) })
    case .plans:
      let locations = try await desk.run { service, _ throws(StudyError) in
        try service.latestLocations(of: participant)
      }
      let positions = locations.map { PersonalPosition(time: $0.time, coordinate: $0.coordinate) }
      return .json(200, bytes: catalog.plans(of: positions))
    case .events:
      return .json(
        200,
        try await desk.run { service, now throws(StudyError) in
          try service.addEvents(StudyFields(body: body), of: participant, now: now).json
        })
    case .locations:
      return .json(
        200,
        try await desk.run { service, now throws(StudyError) in
          try service.addLocations(StudyFields(body: body), of: participant, now: now).json
        })
    case .change:
      try await desk.run { service, _ throws(StudyError) in
        let fields = try StudyFields(body: body)
        try fields.only(["reminder_interval_hours", "language", "identity"])
        let hours = try fields.optionalInteger("reminder_interval_hours", 1...720)
        let language = try fields.optionalText("language", 2...8) ?? participant.language
        let identity: Identity? = try fields.optionalObject("identity").map { entry throws(StudyError) in
          try service.merged(Identity(entry), over: participant, fields: entry.names)
        }
        _ = try service.change(
          participant, reminderInterval: hours.map { .hours($0) }, language: language, identity: identity)
      }
      return IngestResponse(204)
    case .pause, .resume:
      try await desk.run { service, now throws(StudyError) in
        try service.pause(participant, route == .pause, now: now)
      }
      return IngestResponse(204)
    case .leave:
      // First, so that no restore brings the participant back.
      try await writer.noteEnd(of: KnownEndings.name(ofLeft: participant.id.rawValue))
      try await desk.run { service, now throws(StudyError) in try service.leave(participant, now: now) }
      return IngestResponse(204)
    case .consent:
      try await desk.run { service, now throws(StudyError) in
        let fields = try StudyFields(body: body)
        try fields.only(["consent"])
        try service.consent(participant, to: Int(try fields.integer("consent", 1...10_000)), now: now)
      }
      return IngestResponse(204)
    case .erase:
      try await writer.noteEnd(of: KnownEndings.name(ofErased: participant.id.rawValue))
      try await desk.run { service, now throws(StudyError) in
        try service.erase(participant, by: "participant", now: now)
      }
      return IngestResponse(204)
    default: throw Problem(404, .noSuchAddress, "there is nothing at this address")
    }
  }

  /// A study as everybody may see it who has its code.
  private static func describe(_ study: Study) -> JSONValue {
    let consent = study.consent
    return [
      "study": .string(study.code.rawValue), "title": .string(study.title), "summary": .string(study.summary),
      "begins": .integer(study.begins.milliseconds), "ends": .integer(study.ends.milliseconds),
      "requirements": .array(study.requirements.map(JSONValue.string)),
      "purposes": .array(study.purposes.map(JSONValue.string)),
      "retention_days": .integer(study.retention.milliseconds / 86_400_000),
      "needs_invitation": .bool(!study.opensByCode), "has_rewards": .bool(study.rewards != nil),
      "consent": .integer(Int64(consent?.version ?? 0)),
      "texts": .object((consent?.texts ?? []).map { .init($0.language, .string($0.text)) }),
    ]
  }
}
