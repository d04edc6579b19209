internal import CordonCore
internal import CordonGeometry
import CordonSupport
internal import CordonWire

extension Ingest {
  /// Returns the operator of a request: that of its session, or of its Basic credentials, of which the user is the pseudonym
  /// and the password the key.
  func authenticated(_ request: IngestRequest, now: Instant) throws(Problem) -> Operator {
    if let session = request.session { return try session.operator(for: request) }
    guard let operators = preprocessor.operators else {
      throw Problem(503, .storeUnavailable, "the accounts of operators cannot be read at the moment", retryAfter: 10)
    }
    return try guarded(request, name: RequestPreprocessor.basicCredentials(of: request)?.user, now: now) {
      () throws(Problem) in
      let refusal = Problem(401, .badCredentials, "operator or key is wrong", field: "authorization")
      guard let (user, key) = RequestPreprocessor.basicCredentials(of: request) else { throw refusal }
      let hash = Operator.hash(ofKey: key)
      guard let who = operators.first(where: { $0.id == user }), isSameSecret(hash, who.keyHash) else {
        throw refusal
      }
      return who
    }
  }

  /// A request whose parameters are members of its body: names of devices and reasons are never in an address, which every proxy on
  /// the way writes down.
  func withBodyParameters(_ request: IngestRequest, _ known: String...) throws(Problem) -> IngestRequest {
    guard request.query.isEmpty else {
      throw Problem(
        400, .inAddress, "parameters are members of the body here, a JSON object: addresses are logged on their way")
    }
    var request = request
    request.members = try preprocessor.decode(request, mayBeEmpty: true) { members throws(WireError) in
      try members.parameters(known)
    }
    return request
  }

  /// Checks the operator and the reason, and records both before anything is shown.
  /// - Parameter needsFresh: whether a session must have been confirmed with its password minutes ago.
  func operatorLook(
    _ request: IngestRequest, action: String, role: Operator.Role, device: String?, venue: VenueID?,
    needsFresh: Bool = false, isOfFormerHolder: (StoredDevice) -> Bool = { _ in false }, now: Instant
  ) throws(Problem) -> (Operator, StoredDevice?) {
    let who = try authenticated(request, now: now)
    let missing = Problem(403, .role, "this needs the role \(role.rawValue)")
    guard let highest = who.role, highest >= role else { throw missing }
    var used = highest
    if let venue {
      guard let here = who.role(at: venue) else {
        throw Problem(403, .foreignVenue, "not for this venue", field: "venue")
      }
      guard here >= role else { throw missing }
      used = here
    }
    if needsFresh { try request.session?.checkFreshness() }
    var found: StoredDevice?
    let reason = request.members?["reason"] ?? request.header("x-reason") ?? ""
    if device != nil || AuditEntry.actionsOnMany.contains(action) {
      guard (3...500).contains(reason.count) else {
        throw Problem(
          400, .noReason, "reason: state in 3 to 500 characters why you need data of devices; the reason is kept",
          field: "reason")
      }
    }
    if let device {
      let id = try deviceID(device)
      found = try stored { () throws(StoreFault) in try store.device(id) }
      // A device elsewhere is as good as none.
      if let known = found {
        if let here = who.role(at: known.venue), here >= role { used = here } else { found = nil }
      }
    }
    let entry = AuditEntry(
      time: now, operator: who.id, role: used.rawValue, action: action,
      venue: (venue ?? found?.venue)?.rawValue,
      // The present holder reads the accesses to the device.
      device: found.flatMap { isOfFormerHolder($0) ? nil : $0.number }, reason: String(reason.prefix(500)))
    try note(entry, now: now)
    return (who, found)
  }

  /// `GET /v1/operator/me`
  func whoAsks(_ request: IngestRequest, now: Instant) throws(Problem) -> IngestResponse {
    let who = try authenticated(request, now: now)
    let roles = preprocessor.catalog.ids.compactMap { venue in who.role(at: venue).map { (venue, $0) } }
    var members: [JSONValue.Member] = [
      .init("operator", .string(who.id)), .init("role", JSONValue(who.role?.rawValue)),
      .init("venues", .array(roles.map { .string($0.0.rawValue) })), .init("all_venues", .bool(who.everywhere != nil)),
      .init("roles", .array(roles.map { ["venue": .string($0.0.rawValue), "role": .string($0.1.rawValue)] })),
      .init("session", .bool(request.session != nil)),
    ]
    if let session = request.session { members += session.members }
    return .json(200, .object(members))
  }

  /// `POST /v1/operator/devices`
  func deviceQuery(_ request: IngestRequest, now: Instant) throws(Problem) -> Query {
    let request = try withBodyParameters(request, "venue", "prefix", "after", "limit", "reason")
    let venue = try venueParameter(request)
    let prefix = request.parameter("prefix") ?? ""
    guard prefix.utf8.count <= 512 else { throw Problem(400, .badParameter, "prefix: too long", field: "prefix") }
    let (who, _) = try operatorLook(
      request, action: "list devices", role: .contactTracer, device: nil, venue: venue, now: now)
    return Query(
      .devices(
        venue: venue, prefix: prefix, after: request.parameter("after") ?? "",
        limit: try Parameters.limit(request, default: 50, most: 500)), by: .operator(who.id), settings: settings)
  }

  /// `POST /v1/operator/audit`
  func auditQuery(_ request: IngestRequest, now: Instant) throws(Problem) -> Query {
    let request = try withBodyParameters(request, "device", "before", "limit", "reason")
    let name = request.parameter("device")
    let (who, device) = try operatorLook(
      request, action: "read audit", role: .admin, device: name, venue: nil, now: now)
    if name != nil, device == nil { throw Problem(404, .noSuchDevice, "no such device", field: "device") }
    return Query(
      .audit(
        device: device?.number, venues: who.venues(atLeast: .admin), before: try Parameters.integer(request, "before"),
        limit: try Parameters.limit(request, default: 100, most: 1_000)), by: .operator(who.id), settings: settings)
  }

  // MARK: Invite codes

  /// `GET /v1/operator/invite-codes`
  func inviteQuery(_ request: IngestRequest, now: Instant) throws(Problem) -> Query {
    let venue = try venueParameter(request)
    let (who, _) = try operatorLook(
      request, action: "list invite codes", role: .admin, device: nil, venue: venue, now: now)
    return Query(.invites(venue: venue), by: .operator(who.id), settings: settings)
  }

  /// `DELETE /v1/operator/invite-codes/{number}`
  func revokeInvite(_ request: IngestRequest, number text: String, now: Instant) throws(Problem) -> IngestResponse {
    let (who, _) = try operatorLook(
      request, action: "revoke invite code", role: .admin, device: nil, venue: nil, now: now)
    guard let number = Int64(text), number > 0 else {
      throw Problem(400, .badParameter, "a code is named by its number", field: "number")
    }
    let isGone = try stored { () throws(StoreFault) in
      try transaction { () throws(StoreFault) in
        let venues = who.venues(atLeast: .admin)
        var isOwn = venues == nil
        for venue in venues ?? [] where try store.invites(of: venue).contains(where: { $0.number == number }) {
          isOwn = true
        }
        return isOwn ? try store.removeInvite(number) : false
      }
    }
    guard isGone else { throw Problem(404, .noSuchCode, "no such code", field: "number") }
    return IngestResponse(204)
  }

  /// `POST /v1/operator/invite-codes`
  func makeInvite(_ request: IngestRequest, now: Instant) throws(Problem) -> IngestResponse {
    let (name, maximumUses, expires) = try preprocessor.decode(request) { members throws(WireError) in
      try members.only(["venue", "maximum_uses", "expires"])
      return (
        try members.text("venue"), try members.optionalNumber("maximum_uses", in: 1...100_000),
        try members.optionalNumber("expires", in: DeviceMessages.times).map(Instant.init(milliseconds:))
      )
    }
    guard let venue = VenueID(name), let served = preprocessor.catalog[venue] else {
      throw Problem(400, .noSuchVenue, "this server does not serve that venue", field: "venue")
    }
    let (who, _) = try operatorLook(
      request, action: "make invite code", role: .admin, device: nil, venue: venue, now: now)
    if let expires, expires <= now { throw Problem(400, .badField, "expires: is over already", field: "expires") }
    let code = try invite(
      for: served, kind: .secret, length: 20, alphabet: Ingest.codeAlphabet, maximumUses: maximumUses ?? 1,
      expires: expires ?? now + .days(30), creator: who.id, now: now)
    return .json(201, Query.describe(code.invite, code: code.text))
  }

  func invite(
    for venue: ServedVenue, kind: StoredDevice.Kind, length: Int, alphabet: [UInt8], maximumUses: Int64,
    expires: Instant?, creator: String, now: Instant
  ) throws(Problem) -> (text: String, invite: StoredInvite) {
    let origin = venue.frame.origin
    let count = try stored { () throws(StoreFault) in
      try store.invites(of: venue.id).count { $0.isUsable(at: now) }
    }
    guard count < settings.maximumInviteCodes else {
      throw Problem(409, .tooManyCodes, "the venue has \(count) codes; revoke some")
    }
    // Two equal codes of 100 bits are not to be expected; of 82 bits neither; a test's source of bits may repeat.
    for _ in 0..<10 {
      let text = random.text(length, of: alphabet)
      let hash = Ingest.hash(text)
      if try stored({ () throws(StoreFault) in try store.invite(hash) }) != nil { continue }
      var invite = StoredInvite(
        hash: hash, hint: String(text.prefix(4)), kind: kind, venue: venue.id, maximumUses: maximumUses,
        expires: expires, created: now, creator: creator)
      let entry = invite
      invite.number = try stored { () throws(StoreFault) in
        try transaction { () throws(StoreFault) in
          _ = try store.number(of: entry.venue, origin: origin)
          return try store.save(entry)
        }
      }
      return (text, invite)
    }
    throw Problem(503, .noCode, "no free code was found", retryAfter: 1)
  }

  // MARK: Devices

  /// `POST /v1/operator/devices/{device}/revoke` ends its tokens; `/reset` also its secret, so that it can be activated anew.
  func revoke(
    _ request: IngestRequest, device name: String, isReset: Bool, now: Instant
  ) throws(Problem) -> IngestResponse {
    let request = try withBodyParameters(request, "reason")
    let (_, found) = try operatorLook(
      request, action: isReset ? "reset device" : "revoke tokens", role: .admin, device: name, venue: nil,
      needsFresh: true, now: now)
    guard var device = found else { throw Problem(404, .noSuchDevice, "no such device", field: "device") }
    device.generation += 1
    if isReset {
      // Free for the next valid code. The former holder can still have it erased.
      // A secret that was never used has no holder: the holder before it stays the former one.
      let neverUsed = device.pendingSecret != nil
      device.formerHash = (neverUsed ? device.formerHash : nil) ?? device.secretHash ?? device.formerHash
      device.secretHash = nil
      device.pendingSecret = nil
      device.codeHash = nil
    }
    let entry = device
    _ = try stored { () throws(StoreFault) in
      try transaction { () throws(StoreFault) in try store.save(entry) }
    }
    return IngestResponse(204)
  }
}
