package import CordonCore
import CordonSupport
internal import CordonWire

extension Ingest {
  static let codeAlphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  static func hash(_ text: String) -> [UInt8] {
    var digest = SHA256()
    digest.update(text)
    return digest.finalize()
  }

  func deviceID(_ text: String) throws(Problem) -> DeviceID {
    guard let id = DeviceID(text) else {
      throw Problem(400, .badDevice, "a device is 1 to 128 printable characters", field: "device")
    }
    return id
  }

  /// The device if the secret is its own.
  func device(_ id: DeviceID, secret: String) throws(Problem) -> StoredDevice? {
    let found = try stored { () throws(StoreFault) in try store.device(id) }
    // The hash is made for unknown devices too, so that time does not distinguish them.
    let hash = Ingest.hash(secret)
    guard let device = found, let known = device.secretHash, isSameSecret(hash, known) else { return nil }
    return device
  }

  /// The device if the secret is the one that it had before it was set free.
  private func formerDevice(_ id: DeviceID, secret: String) throws(Problem) -> StoredDevice? {
    let found = try stored { () throws(StoreFault) in try store.device(id) }
    guard let device = found, let known = device.formerHash, isSameSecret(Ingest.hash(secret), known) else {
      return nil
    }
    return device
  }

  /// Notes the address that a device uses.
  func noteAddress(of request: IngestRequest, device: StoredDevice, now: Instant) {
    addresses.note(device.number, at: request.peer, now: now)
    metrics.devicesOfOneAddress = addresses.most
  }

  /// Notes that a device proved to be it: its secret has arrived, and it is not silent. A day is fine enough.
  func noteContact(with device: StoredDevice, now: Instant) throws(Problem) {
    guard device.pendingSecret != nil || now - .days(1) >= device.lastSeen else { return }
    var entry = device
    entry.pendingSecret = nil
    entry.lastSeen = max(now, entry.lastSeen)
    let seen = entry
    _ = try stored { () throws(StoreFault) in
      try transaction { () throws(StoreFault) in try store.save(seen) }
    }
  }

  // MARK: Activation

  /// `POST /v1/devices/{device}/activate`
  ///
  /// The first answer may get lost, so the same device with the same code gets the same secret until the secret was
  /// used. After that a device is only moved by who proves to be it, or set free by an administrator.
  func activate(_ request: IngestRequest, id: String, now: Instant) throws(Problem) -> IngestResponse {
    let id = try deviceID(id)
    let message = try preprocessor.decode(request, DeviceMessages.Activation.init)
    return try guarded(request, name: id.rawValue, now: now) { () throws(Problem) in
      let codeHash = Ingest.hash(message.code.uppercased())
      let invite = try stored { () throws(StoreFault) in try store.invite(codeHash) }
      let known = try stored { () throws(StoreFault) in try store.device(id) }
      if let known, known.kind == .secret, known.codeHash == codeHash {
        if let secret = known.pendingSecret { return activated(secret, known.venue) }
        if let proof = message.secret, let hash = known.secretHash, isSameSecret(Ingest.hash(proof), hash) {
          return activated(proof, known.venue)
        }
      }
      guard let invite, invite.kind == .secret, invite.isUsable(at: now) else {
        throw Problem(403, .badCode, "the code is not known, used up or has ended", field: "code")
      }
      let erased = try stored { () throws(StoreFault) in try store.tombstone(preprocessor.tombstoneHash(of: id)) }
      if erased != nil { throw Problem(410, .erased, "the device was erased; a new one needs a new name") }
      // A device without a secret was set free by an administrator.
      if let known, known.kind != .secret || known.secretHash != nil {
        guard let proof = message.secret, let hash = known.secretHash, isSameSecret(Ingest.hash(proof), hash) else {
          throw Problem(
            409, .alreadyActive, "the device is active; send its secret, or have it set free", field: "secret")
        }
      }
      return try activate(known, id: id, type: message.type, invite: invite, now: now)
    }
  }

  private func activate(
    _ known: StoredDevice?, id: DeviceID, type: String, invite: StoredInvite, now: Instant
  ) throws(Problem) -> IngestResponse {
    let secret = Base64.encodeURL(random.bytes(32))
    var device = known ?? StoredDevice(id: id, kind: .secret, venue: invite.venue, type: type, created: now)
    if let known {
      device.generation += 1
      // The new holder has agreed to nothing yet, and nobody has agreed to be recorded in another venue.
      if known.secretHash == nil { device.heldSince = now }
      if known.secretHash == nil || known.venue != invite.venue { device.mayRecord = false }
    }
    device.kind = .secret
    device.venue = invite.venue
    device.type = type
    device.secretHash = Ingest.hash(secret)
    device.pendingSecret = secret
    device.codeHash = invite.hash
    var used = invite
    used.uses += 1
    let (entry, code) = (device, used)
    try stored { () throws(StoreFault) in
      if let known, known.secretHash == nil { try endAlertRules(of: id, now: now) }
      try transaction { () throws(StoreFault) in
        _ = try store.save(entry)
        _ = try store.save(code)
      }
    }
    return activated(secret, device.venue)
  }

  private func activated(_ secret: String, _ venue: VenueID) -> IngestResponse {
    .json(200, DeviceMessages.Activated(secret: secret, venue: venue))
  }

  // MARK: Token

  /// `POST /v1/devices/{device}/token`
  func token(_ request: IngestRequest, id: String, now: Instant) throws(Problem) -> IngestResponse {
    let id = try deviceID(id)
    let secret = try preprocessor.decode(request, DeviceMessages.Proof.init).secret
    return try guarded(request, name: id.rawValue, now: now) { () throws(Problem) in
      guard let device = try device(id, secret: secret) else {
        try refuseErased(id, secret: secret)
        throw Problem(403, .badSecret, "the secret is not this device's", field: "secret")
      }
      try noteContact(with: device, now: now)
      noteAddress(of: request, device: device, now: now)
      return makeToken(for: device, scope: .device, now: now).response
    }
  }

  func makeToken(
    for device: StoredDevice, scope: TokenClaims.Scope, now: Instant
  ) -> (text: String, expires: Instant, response: IngestResponse) {
    let issued = Instant(milliseconds: now.milliseconds / 1_000 * 1_000)
    let claims = TokenClaims(
      device: device.id, venue: device.venue, scope: scope, issued: issued, expires: issued + settings.tokenLifetime,
      name: Hex.encode(random.bytes(12)), generation: device.generation)
    let text = preprocessor.tokenIssuer.token(claims)
    return (
      text, claims.expires, .json(200, DeviceMessages.Token(token: text, expires: claims.expires))
    )
  }

  /// Fails with 410 for an erased device that proves its identity.
  private func refuseErased(_ id: DeviceID, secret: String) throws(Problem) {
    if try receipt(id, secret: secret) != nil {
      throw Problem(410, .erased, "the device was erased; nothing of it is taken any more")
    }
  }

  private func receipt(_ id: DeviceID, secret: String) throws(Problem) -> Tombstone? {
    let tombstone = try stored { () throws(StoreFault) in try store.tombstone(preprocessor.tombstoneHash(of: id)) }
    guard let tombstone, let proof = tombstone.proof,
      isSameSecret(proof, preprocessor.tombstoneProof(of: id, secretHash: Ingest.hash(secret)))
    else { return nil }
    return tombstone
  }

  // MARK: Consent

  /// `PUT /v1/devices/{device}/consent`
  ///
  /// With a token of the device, or its name and secret (Basic): a phone that posts to `/overland` has no token.
  func consent(_ request: IngestRequest, id: String, now: Instant) throws(Problem) -> IngestResponse {
    var device: StoredDevice
    if RequestPreprocessor.basicCredentials(of: request) != nil {
      let name = try deviceID(id)
      device = try sender(of: request, now: now)
      guard device.id == name else {
        throw Problem(403, .foreignDevice, "the credentials are another device's", field: "device")
      }
    } else {
      device = try authorized(request, id: id, now: now)
    }
    let message = try preprocessor.decode(request, DeviceMessages.Consent.init)
    let consent = StoredConsent(
      time: message.time, version: message.version, purposes: Set(message.purposes).sorted(),
      // By a clock that was set back it would seem to be older than it is.
      received: max(now, clock.latest))
    let number = device.number
    let known = try stored { () throws(StoreFault) in try store.consents(of: number) }
    device.mayRecord = consent.allowsRows && !consent.isOver(known, heldSince: device.heldSince)
    device.lastSeen = max(now, device.lastSeen)
    let entry = device
    try stored { () throws(StoreFault) in
      try transaction { () throws(StoreFault) in
        try store.save(consent, of: entry.number)
        _ = try store.save(entry)
      }
    }
    var response = IngestResponse(204)
    response.secretHash = entry.secretHash
    return response
  }

  /// The device whose token a request carries; for addresses that name no device.
  package func holder(of request: IngestRequest, now: Instant) throws(Problem) -> StoredDevice {
    try authorized(request, id: try preprocessor.claims(of: request, now: now).device.rawValue, now: now)
  }

  /// Returns what of a device was erased; none for a device that is not known or has all its data.
  ///
  /// A reset keeps the hash of the former secret until the former holder's data is erased: a device with a later holder, or
  /// with none, and without that hash has no data of former holders.
  package func ends(of device: DeviceID) throws(StoreFault) -> [DeviceEnd] {
    guard let known = try store.device(device) else {
      return try store.tombstone(preprocessor.tombstoneHash(of: device)) == nil ? [] : [.device]
    }
    guard known.kind == .secret, known.formerHash == nil else { return [] }
    if known.secretHash == nil { return [.holders(before: Instant(milliseconds: .max))] }
    return known.heldSince.map { [.holders(before: $0)] } ?? []
  }

  /// The device whose token a request carries, which must be the one it is about.
  func authorized(_ request: IngestRequest, id: String, now: Instant) throws(Problem) -> StoredDevice {
    let id = try deviceID(id)
    let claims = try preprocessor.claims(of: request, now: now)
    guard claims.device == id, claims.scope == .device else {
      throw Problem(403, .foreignDevice, "the token is another device's", field: "device")
    }
    let found = try stored { () throws(StoreFault) in try store.device(id) }
    guard let device = found else {
      let tombstone = try stored { () throws(StoreFault) in try store.tombstone(preprocessor.tombstoneHash(of: id)) }
      if tombstone != nil { throw Problem(410, .erased, "the device was erased") }
      throw Problem(401, .tokenUnknown, "the token is of no device here", field: "authorization")
    }
    guard device.generation == claims.generation else {
      throw Problem(401, .tokenRevoked, "the token was revoked", field: "authorization")
    }
    return device
  }

  // MARK: Erasure

  /// `DELETE /v1/devices/{device}`
  ///
  /// With the device's secret, or as an administrator with a reason. Without proof the answer is the same whether the
  /// device exists, never did, or was erased.
  func erase(_ request: IngestRequest, id: String, now: Instant) throws(Problem) -> IngestResponse {
    let id = try deviceID(id)
    if request.isOfOperator {
      let request = try withBodyParameters(request, "reason")
      let (_, device) = try operatorLook(
        request, action: "erase", role: .admin, device: id.rawValue, venue: nil, needsFresh: true, now: now)
      guard let device else {
        if try isErasureOpen(of: id) { throw Self.erasureOpen }
        throw Problem(404, .noSuchDevice, "no such device", field: "device")
      }
      // A device that was set free has no secret; its former holder still asks for the receipt.
      return try erase(device, secretHash: device.secretHash ?? device.formerHash, now: now)
    }
    let (secret, key) = try preprocessor.decode(request, mayBeEmpty: true) { members throws(WireError) in
      (
        members.contains("secret") ? try DeviceMessages.Proof(members).secret : nil,
        try members.optionalText("page_key", atMost: 128)
      )
    }
    return try guarded(request, name: id.rawValue, now: now) { () throws(Problem) in
      let refusal = Problem(403, .notProved, "send the secret of the device", field: "secret")
      if secret == nil, let key, let device = try stored({ () throws(StoreFault) in try store.device(id) }),
        try isPageKey(key, of: device, now: now)
      {
        return try erase(device, secretHash: device.secretHash, now: now)
      }
      guard let secret else { throw refusal }
      if let device = try device(id, secret: secret) {
        return try erase(device, secretHash: Ingest.hash(secret), now: now)
      }
      if let device = try formerDevice(id, secret: secret) { return try eraseFormer(device, now: now) }
      // The receipt may have got lost.
      if let tombstone = try receipt(id, secret: secret) { return try receipt(id, tombstone) }
      guard let tombstone = try formerReceipt(id, secret: secret, now: now) else { throw refusal }
      return try receipt(id, tombstone)
    }
  }

  /// Erases a device and all that is its own. The receipt counts what its present holder recorded; a former holder can still
  /// have one for the rest.
  private func erase(
    _ device: StoredDevice, secretHash: [UInt8]?, now: Instant
  ) throws(Problem) -> IngestResponse {
    let proof = secretHash.map { preprocessor.tombstoneProof(of: device.id, secretHash: $0) }
    let hash = preprocessor.tombstoneHash(of: device.id)
    let since = device.heldSince ?? .epoch
    let tombstone = try stored { () throws(StoreFault) in
      try pageCodes.forgetCodes(of: device.id)
      try cases.forget(device.id)
      try alerts.forget(device.id)
      for follower in followers { try follower.forget(device.id, .device, at: now) }
      var formerCount = try eraseInParts(device, before: since)
      var count = try eraseInParts(device, before: nil)
      return try transaction { () throws(StoreFault) in
        formerCount += try store.erase(device: device.number, before: since)
        if let formerHash = device.formerHash, formerHash != secretHash {
          let hash = preprocessor.pseudonyms.holderWithoutReceipt(of: hash, secretHash: formerHash)
          try store.saveReceipt(
            Tombstone(hash: hash, proof: nil, time: now, locations: formerCount), of: device.id, before: since)
        }
        count += try store.erase(device: device.number)
        let tombstone = Tombstone(hash: hash, proof: proof, time: now, locations: count)
        try store.save(tombstone)
        try sharing?.noteErasure(of: device.id, .device)
        return tombstone
      }
    }
    noteErasure()
    return try receipt(device.id, tombstone)
  }

  /// Erases most of what a device recorded before a time in short transactions, where there is little room on the disk: one
  /// for all of it would need as much room in the write-ahead log as what it erases. Answers how many positions went.
  ///
  /// If the process dies meanwhile, the device is still there, and the erasure must be requested again.
  private func eraseInParts(_ device: StoredDevice, before end: Instant?) throws(StoreFault) -> Int64 {
    guard isRoomScarce else { return 0 }
    let size = 1_000
    var count: Int64 = 0
    while true {
      let part = try store.positions(of: device.number, after: nil, limit: size)
      guard part.count == size, let first = part.first?.time, let last = part.last?.time else { return count }
      let limit = min(last, end?.milliseconds ?? last)
      guard limit > first else { return count }
      count += try transaction { () throws(StoreFault) in
        try store.erase(device: device.number, before: Instant(milliseconds: limit))
      }
      _ = try store.scrub()
    }
  }

  /// Erases what the former holder of a device recorded, and nothing of the present one; the device and its name stay.
  private func eraseFormer(_ device: StoredDevice, now: Instant) throws(Problem) -> IngestResponse {
    guard let secretHash = device.formerHash else {
      throw Problem(403, .notProved, "send the secret of the device", field: "secret")
    }
    // A device that nobody has yet, or whose new secret was never used, is all its former holder's.
    let isFree = device.secretHash == nil || device.pendingSecret != nil
    let end = isFree ? now + settings.futureTolerance + .milliseconds(1) : device.heldSince ?? .epoch
    var entry = device
    entry.formerHash = nil
    let freed = entry
    let hash = preprocessor.pseudonyms.formerHolder(of: device.id, secretHash: secretHash)
    let tombstone = try stored { () throws(StoreFault) in
      try cases.forget(device.id, .holders(before: end))
      try alerts.forget(device.id, .holders(before: end))
      for follower in followers { try follower.forget(device.id, .holders(before: end), at: now) }
      var count = try eraseInParts(device, before: end)
      return try transaction { () throws(StoreFault) in
        count += try store.erase(device: device.number, before: end)
        let tombstone = Tombstone(hash: hash, proof: nil, time: now, locations: count)
        try store.saveReceipt(tombstone, of: device.id, before: end)
        _ = try store.save(freed)
        try sharing?.noteErasure(of: device.id, .holders(before: end))
        return tombstone
      }
    }
    noteErasure()
    return try receipt(device.id, tombstone)
  }

  /// The receipt of a holder whose device was erased by another holder or an administrator, or was lost by a restore. It is
  /// made and dated at the first request. It does not show that the device was erased, or when, because that concerns the
  /// next holder.
  private func formerReceipt(_ id: DeviceID, secret: String, now: Instant) throws(Problem) -> Tombstone? {
    let secretHash = Ingest.hash(secret)
    let hash = preprocessor.pseudonyms.formerHolder(of: id, secretHash: secretHash)
    let open = preprocessor.pseudonyms.holderWithoutReceipt(
      of: preprocessor.tombstoneHash(of: id), secretHash: secretHash)
    return try stored { () throws(StoreFault) in
      if let known = try store.tombstone(hash) { return known }
      guard let open = try store.tombstone(open) else { return nil }
      let receipt = Tombstone(hash: hash, proof: nil, time: now, locations: open.locations)
      // A later backup may still hold a device that a restore lost: its rows must not come back with another restore.
      let end = try store.device(id)?.heldSince ?? now + settings.futureTolerance + .milliseconds(1)
      try transaction { () throws(StoreFault) in try store.saveReceipt(receipt, of: id, before: end) }
      return receipt
    }
  }

  private func noteErasure() {
    // Its track is in memory, and its bytes may be in the log.
    contacts.forget()
    metrics.erased += 1
    needsScrub = true
    // Another attempt is made with the next tick.
    try? scrub()
  }

  /// The receipt. While another server still has records of the device it is a refusal, with the receipt to wait for.
  private func receipt(_ id: DeviceID, _ tombstone: Tombstone) throws(Problem) -> IngestResponse {
    let receipt = HeldReceipt(device: id, time: tombstone.time, locations: tombstone.locations)
    guard try isErasureOpen(of: id) else { return receipt.response }
    var response = Self.erasureOpen.response
    response.held = receipt
    return response
  }

  /// Whether another server still has to erase records of a device.
  package func isErasureOpen(of id: DeviceID) throws(Problem) -> Bool {
    guard let sharing else { return false }
    return try stored { () throws(StoreFault) in try sharing.isErasureOpen(of: id) }
  }

  private static let erasureOpen = Problem(
    503, .erasureOpen, "the server with the forms has yet to erase the records of the device; ask again",
    retryAfter: 10)

  /// Erases the records of devices that other servers have erased. Returns whether there may be more.
  ///
  /// A fault leaves the notes to the next tick.
  func finishErasures(now: Instant) -> Bool {
    do throws(StoreFault) {
      while let follower = lateFollowers.first {
        try follower.catchUp(at: now) { (device) throws(StoreFault) in try ends(of: device) }
        lateFollowers.removeFirst()
      }
      guard let sharing, !followers.isEmpty else { return false }
      let notes = try sharing.openErasures(limit: 16)
      for note in notes {
        for follower in followers { try follower.forget(note.device, note.end, at: now) }
        try sharing.removeErasure(note.number)
      }
      return notes.count == 16
    } catch {
      _ = problem(error)
      return false
    }
  }

  // MARK: Venues

  /// `GET /v1/venues`
  func venueList(_ request: IngestRequest) -> IngestResponse {
    let list = preprocessor.catalog.ids.compactMap { preprocessor.catalog[$0] }.map { venue -> JSONValue in
      [
        "venue": .string(venue.id.rawValue), "name": .string(venue.name), "content_hash": .string(venue.contentHash),
        "has_bundle": .bool(venue.bundle != nil), "has_packed": .bool(!venue.packed.isEmpty),
      ]
    }
    return .json(200, ["venues": .array(list)])
  }

  /// `GET /v1/venues/{venue}/bundle` and `/packed`. A bundle may name people, so it is for devices and operators only.
  func venueFile(_ request: IngestRequest, id: String, isBundle: Bool, now: Instant) throws(Problem) -> IngestResponse {
    guard let id = VenueID(id), let venue = preprocessor.catalog[id] else {
      throw Problem(404, .noSuchVenue, "this server does not serve that", field: "venue")
    }
    let (bytes, mediaType, hash): ([UInt8], String, String)
    if isBundle {
      guard let bundle = venue.bundle else { throw Problem(404, .noBundle, "the venue has no bundle in one file") }
      if request.isOfOperator {
        let who = try authenticated(request, now: now)
        guard let role = who.role(at: id), role >= .viewer else {
          throw Problem(403, .foreignVenue, "not for this venue", field: "venue")
        }
      } else {
        let claims = try preprocessor.claims(of: request, now: now)
        guard claims.venue == id else { throw Problem(403, .foreignVenue, "not for this venue", field: "venue") }
      }
      (bytes, mediaType, hash) = (bundle.bytes, bundle.mediaType, bundle.hash)
    } else {
      guard !venue.packed.isEmpty else { throw Problem(404, .noPacked, "the venue has no packed form") }
      (bytes, mediaType, hash) = (venue.packed, "application/octet-stream", SHA256.hexDigest(of: venue.packed))
    }
    let tag = "\"\(hash)\""
    let headers: [IngestRequest.Header] = [.init("etag", tag), .init("cache-control", "private, max-age=300")]
    if request.knows(tag) { return IngestResponse(304, headers: headers) }
    return IngestResponse(
      200, headers: headers + [.init("content-type", mediaType), .init("x-content-type-options", "nosniff")],
      body: request.method == "HEAD" ? [] : bytes)
  }
}

extension IngestRequest {
  /// Whether `If-None-Match` has an entity tag, so that the client has the contents already.
  func knows(_ tag: String) -> Bool {
    let asked = header("if-none-match")?.split(separator: ",").map { part in
      var part = part.drop { $0 == " " }
      while part.last == " " { part = part.dropLast() }
      return part.hasPrefix("W/") ? part.dropFirst(2) : part
    }
    return asked?.contains { $0 == tag || $0 == "*" } ?? false
  }
}

extension HeldReceipt {
  /// The receipt, for an erasure that is finished.
  package var response: IngestResponse {
    .json(200, DeviceMessages.Receipt(device: device, erased: time, locations: locations))
  }
}
