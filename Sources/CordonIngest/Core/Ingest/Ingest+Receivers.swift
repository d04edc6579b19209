internal import CordonCore
import CordonSupport
internal import CordonWire

/// Overland and OwnTracks: phones that exist can post today. A device is activated as for /v1; its secret is then the
/// password (Basic), or the token of the app (`?device=…`), or a device token is used.
extension Ingest {
  /// The device that a request proves to be.
  func sender(of request: IngestRequest, now: Instant) throws(Problem) -> StoredDevice {
    let name = RequestPreprocessor.basicCredentials(of: request)?.user ?? request.parameter("device")
    let device = try guarded(request, name: name, now: now) { () throws(Problem) in
      if let (user, password) = RequestPreprocessor.basicCredentials(of: request) {
        return try sender(user, secret: password, now: now)
      }
      guard let header = request.header("authorization"), header.lowercased().hasPrefix("bearer ") else {
        throw Problem(401, .badCredentials, "a device and its secret are needed", field: "authorization")
      }
      if let name = request.parameter("device") {
        return try sender(name, secret: String(header.dropFirst(7)), now: now)
      }
      let claims = try preprocessor.claims(of: request, now: now)
      return try authorized(request, id: claims.device.rawValue, now: now)
    }
    noteAddress(of: request, device: device, now: now)
    return device
  }

  private func sender(_ name: String, secret: String, now: Instant) throws(Problem) -> StoredDevice {
    let id = try deviceID(name)
    if var device = try device(id, secret: secret) {
      try noteContact(with: device, now: now)
      device.pendingSecret = nil
      if now - .days(1) >= device.lastSeen { device.lastSeen = now }
      return device
    }
    let tombstone = try stored { () throws(StoreFault) in try store.tombstone(preprocessor.tombstoneHash(of: id)) }
    if let proof = tombstone?.proof,
      isSameSecret(proof, preprocessor.tombstoneProof(of: id, secretHash: Ingest.hash(secret)))
    {
      throw Problem(410, .erased, "the device was erased; nothing of it is taken any more")
    }
    throw Problem(401, .badCredentials, "device or secret is wrong", field: "authorization")
  }

  private func work(
    _ format: PositionWork.Format, for device: StoredDevice, now: Instant
  ) throws(Problem) -> PositionWork {
    let claims = TokenClaims(
      device: device.id, venue: device.venue, scope: .device, issued: now, expires: now, name: "",
      generation: device.generation)
    return PositionWork(
      format: format, claims: claims, venue: try preprocessor.served(device.venue), settings: settings)
  }

  /// `POST /overland`
  ///
  /// The phone keeps a batch until it reads `{"result": "ok"}`, so that is said as soon as every row has a final verdict:
  /// what is discarded is counted, and never asked for again.
  func overland(_ request: IngestRequest, now: Instant) throws(Problem) -> IngestResponse {
    let device = try sender(of: request, now: now)
    let body = try preprocessor.body(of: request)
    var work = try work(.overland, for: device, now: now)
    let features: [ReceiverRows.Row]
    do throws(WireError) {
      features = try ReceiverRows.overland(body, device: device.id, venue: device.venue)
    } catch {
      throw Problem(400, .badJSON, error.reason, row: error.row, offset: error.offset)
    }
    try refuseUnreadable(features)
    try refuseWithoutPlaces(features)
    take(features, into: &work, now: now)
    return store([work], now: now)[0]
  }

  func overlandAnswer(_ work: PositionWork, _ answers: [StoredRow]) -> IngestResponse {
    var discarded: [String: Int64] = [:]
    for case .refused(let refusal, _) in work.verdicts.map(\.row) { discarded[refusal.rawValue, default: 0] += 1 }
    if answers.isEmpty, !work.rows.isEmpty { discarded[RowRefusal.noConsent.rawValue] = Int64(work.rows.count) }
    let stored = answers.count { $0 == .stored }
    return .json(
      200,
      [
        "result": "ok", "stored": .integer(Int64(stored)), "known": .integer(Int64(answers.count - stored)),
        "discarded": .object(discarded.keys.sorted().map { .init($0, .integer(discarded[$0] ?? 0)) }),
      ])
  }

  /// `POST /owntracks`, the app's HTTP mode: one message a request. The answer is a list of commands: none.
  func ownTracks(_ request: IngestRequest, now: Instant) throws(Problem) -> IngestResponse {
    let device = try sender(of: request, now: now)
    let body = try preprocessor.body(of: request)
    var work = try work(.ownTracks, for: device, now: now)
    let rows: [ReceiverRows.Row]
    do throws(WireError) {
      rows = try ReceiverRows.ownTracks(body, device: device.id, venue: device.venue)
    } catch {
      throw Problem(400, .badJSON, error.reason, offset: error.offset)
    }
    try refuseUnreadable(rows)
    take(rows, into: &work, now: now)
    return store([work], now: now)[0]
  }

  /// A phone deletes what is answered with success. When locations are there and the time of none can be read, the fault is in
  /// how they are written, not in a row: the phone keeps them.
  private func refuseUnreadable(_ rows: [ReceiverRows.Row]) throws(Problem) {
    var hasFault = false
    for row in rows {
      switch row {
      case .discarded(.badTime): hasFault = true
      // Other messages, such as visits, are understood and not needed.
      case .discarded(.notALocation), .discarded(.malformed): continue
      default: return
      }
    }
    guard hasFault else { return }
    throw Problem(422, .badTime, "the time of no row can be read; RFC 3339 is expected", field: "timestamp")
  }

  /// Refuses a batch of which no row has a readable place, unless all are of another kind, such as visits. An OwnTracks message
  /// is a single row: without a place there is nothing to keep, and a refusal would only block the phone's queue.
  private func refuseWithoutPlaces(_ rows: [ReceiverRows.Row]) throws(Problem) {
    var isUnreadable = false
    for row in rows {
      switch row {
      case .discarded(.malformed): isUnreadable = true
      case .discarded(.notALocation): continue
      default: return
      }
    }
    if isUnreadable { throw Problem(422, .malformed, "no row has a place that can be read") }
  }

  private func take(_ rows: [ReceiverRows.Row], into work: inout PositionWork, now: Instant) {
    for (index, row) in rows.enumerated() {
      // More than a batch holds is discarded too: a phone that sends it all again would never finish.
      if index >= settings.maximumRows {
        work.refuse(nil, .overflow)
        continue
      }
      switch row {
      case .location(let location, let battery):
        work.take(location, battery: settings.keepsBattery ? battery : nil, now: now)
      case .discarded(let refusal): work.refuse(nil, refusal)
      case .exchanged(let place): work.refuse(nil, exchanged: place, else: .notALocation)
      }
    }
  }
}
