internal import CordonCore
import CordonSupport
internal import CordonWire

/// The published ingest API, for clients that exist. It knows no secret of a device, so it is weaker than /v1: every client that
/// knows the name of a device that was activated here can get a token for it. Devices of /v1 cannot be reached by it.
extension Ingest {
  /// Of 36 characters: 82 bits, so that no rate of attempts finds one.
  static let publishedCodeLength = 16
  /// What requests for tokens are counted by: a name is all that they show, so all names of an address are one attempt.
  private static let anyName = "GET /device/{device}/token"

  private static func error(_ status: Int, _ message: String) -> IngestResponse {
    .json(status, ["error": .string(message)])
  }

  /// `POST /invite-code/{venue}`
  func publishedInvite(_ request: IngestRequest, venue: String, now: Instant) throws(Problem) -> IngestResponse {
    guard let published = settings.published else { throw Problem(404, .noSuchAddress, "not served") }
    return try guarded(request, name: RequestPreprocessor.basicCredentials(of: request)?.user, now: now) {
      () throws(Problem) in
      guard let (user, password) = RequestPreprocessor.basicCredentials(of: request),
        isSameSecret(Ingest.hash(user), Ingest.hash(published.user)),
        isSameSecret(Ingest.hash(password), Ingest.hash(published.password))
      else { throw Problem(401, .badCredentials, "user or password is wrong", field: "authorization") }
      guard let venue = VenueID(venue), let served = preprocessor.catalog[venue] else {
        throw Problem(400, .noSuchVenue, "this server does not serve that venue", field: "venue")
      }
      let uses = try preprocessor.decode(request) { members throws(WireError) in
        try members.number("maxUses", in: 1...100_000)
      }
      let code = try invite(
        for: served, kind: .published, length: Ingest.publishedCodeLength,
        alphabet: Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8),
        maximumUses: uses, expires: nil, creator: "published", now: now)
      return .json(
        201,
        ["code": .string(code.text), "venue": .string(venue.rawValue), "maxUses": .integer(uses)])
    }
  }

  /// `POST /device/{device}/activate`
  func publishedActivate(_ request: IngestRequest, id: String, now: Instant) throws(Problem) -> IngestResponse {
    let id = try deviceID(id)
    let (code, type) = try preprocessor.decode(request) { members throws(WireError) in
      (try members.text("code", atMost: 64), try members.optionalText("deviceType", atMost: 64) ?? "")
    }
    func refusal(_ message: String) throws(Problem) -> IngestResponse {
      try countFailure(request, name: id.rawValue, now: now)
      return Ingest.error(400, message)
    }
    let hash = Ingest.hash(code)
    let known = try stored { () throws(StoreFault) in try store.device(id) }
    if let known, known.kind == .published, known.codeHash == hash {
      // The same again burns no use.
      return .json(200, ["venue": .string(known.venue.rawValue)])
    }
    let invite = try stored { () throws(StoreFault) in try store.invite(hash) }
    guard let invite, invite.kind == .published, invite.isUsable(at: now) else {
      return try refusal("code is invalid")
    }
    if let known, known.kind != .published || known.venue != invite.venue {
      return try refusal("the device is active already")
    }
    let erased = try stored { () throws(StoreFault) in try store.tombstone(preprocessor.tombstoneHash(of: id)) }
    if erased != nil { return try refusal("the device was erased") }
    var device = known ?? StoredDevice(id: id, kind: .published, venue: invite.venue, type: type, created: now)
    device.type = type
    device.codeHash = hash
    var used = invite
    used.uses += 1
    let (entry, code2) = (device, used)
    try stored { () throws(StoreFault) in
      try transaction { () throws(StoreFault) in
        _ = try store.save(entry)
        _ = try store.save(code2)
      }
    }
    return .json(200, ["venue": .string(device.venue.rawValue)])
  }

  /// `GET /device/{device}/token`
  ///
  /// A name is enough for a token, so names must not be tried one after another: once an address has failed too often, every name
  /// is answered alike until the minute is over.
  func publishedToken(_ request: IngestRequest, id: String, now: Instant) throws(Problem) -> IngestResponse {
    let id = try deviceID(id)
    let attempts = failedAttempts
    let wait = try stored { () throws(StoreFault) in
      try attempts.wait(for: request.peer, name: Self.anyName, in: failures, now: now)
    }
    if let wait { throw Ingest.tooManyFailures(wait) }
    let found = try stored { () throws(StoreFault) in try store.device(id) }
    guard let device = found, device.kind == .published else {
      try countFailure(request, name: Self.anyName, now: now)
      return Ingest.error(400, "That device is not verified")
    }
    noteAddress(of: request, device: device, now: now)
    let token = makeToken(for: device, scope: .published, now: now)
    return .json(
      200, ["token": .string(token.text), "expiresAt": .string(token.expires.rfc3339)])
  }

  /// The answer to `POST /positions`: one status for each row, in the order asked.
  func publishedAnswer(_ work: PositionWork, _ answers: [StoredRow]) -> IngestResponse {
    var next = answers.makeIterator()
    let list = work.verdicts.map { _, row -> JSONValue in
      switch row {
      case .accepted:
        switch next.next() {
        case .stored: ["status": 200, "message": ""]
        case .known, .extended: ["status": 409, "message": "the same fix is stored already"]
        case nil: ["status": 400, "message": "no consent to record"]
        }
      case .refused where work.isDoubtful(row):
        [
          "status": 500,
          "message": "the row is of another time by the server's clock, which may be wrong; send it again",
        ]
      case .refused(let refusal, let detail):
        [
          "status": refusal == .foreignVenue || refusal == .foreignDevice ? 401 : 400,
          "message": .string(detail ?? refusal.sentence),
        ]
      }
    }
    return .json(207, .array(list))
  }
}

extension RequestPreprocessor {
  /// The answer when nothing could be stored: clients of this API read rows, not the status.
  static func retryLater(_ count: Int) -> IngestResponse {
    let row: JSONValue = ["status": 500, "message": "the server cannot store at the moment"]
    return .json(207, .array(Array(repeating: row, count: count)), headers: [.init("retry-after", "10")])
  }

  /// `POST /positions`: reads rows as the published API has them.
  func preparePublished(_ request: IngestRequest, now: Instant) throws(Problem) -> Prepared.Work {
    let claims: TokenClaims
    do throws(Problem) {
      claims = try self.claims(of: request, now: now)
    } catch {
      return .answer(IngestResponse(401))
    }
    guard claims.scope == .published, let published = settings.published else { return .answer(IngestResponse(401)) }
    let body = try body(of: request)
    let rows: [PublishedRows.Row]?
    do throws(WireError) {
      rows = try PublishedRows.decode(body, maximumRows: settings.maximumRows)
    } catch {
      throw Problem(400, .badJSON, error.reason, row: error.row, offset: error.offset)
    }
    guard let rows else { throw Problem(413, .tooManyRows, "a batch has at most \(settings.maximumRows) rows") }
    guard let venue = catalog[claims.venue] else { return .answer(RequestPreprocessor.retryLater(rows.count)) }
    var work = PositionWork(format: .published, claims: claims, venue: venue, settings: settings)
    for row in rows {
      switch row {
      case .fault(let reason, let exchanged):
        work.refuse(nil, exchanged: exchanged, else: .malformed, detail: reason)
      case .row(let location, let hasConsent):
        if !hasConsent {
          work.refuse(location.id, .noConsent)
        } else if location.accuracy > published.accuracyThreshold {
          work.refuse(location.id, .accuracy)
        } else {
          work.take(location, now: now)
        }
      }
    }
    return .positions(work)
  }
}
