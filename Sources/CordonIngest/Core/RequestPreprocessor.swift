package import CordonCore
internal import CordonGeometry
import CordonSupport
internal import CordonWire

/// The part of the work that needs no store: reading bodies, checking tokens, and the gate.
///
/// It is a value, so that many threads can do it at once; the store then sees rows that are ready.
package struct RequestPreprocessor: Sendable {
  let settings: IngestSettings
  /// The venues that are served.
  package let catalog: VenueCatalog
  let tokenIssuer: TokenIssuer
  let tombstoneKey: [UInt8]
  let signer: any TokenSigner
  /// The operators; `nil` while the database that has them could not be read.
  let operators: [Operator]?

  /// Whether the operators are known; they are not while the database that has them could not be read.
  package var knowsOperators: Bool { operators != nil }

  /// The work on requests.
  /// - Parameters:
  ///   - operators: the operators, with pairwise different pseudonyms; `nil` when they could not be read, so that all are refused
  ///     with 503.
  ///   - catalog: the venues.
  ///   - keys: what tokens and tombstones are made with.
  ///   - settings: the limits.
  ///   - signer: signs and checks tokens.
  package init(
    settings: IngestSettings, catalog: VenueCatalog, signer: any TokenSigner, keys: ServerKeys, operators: [Operator]?
  ) {
    self.settings = settings
    self.catalog = catalog
    self.signer = signer
    self.operators = operators
    tokenIssuer = TokenIssuer(signer: signer, keys: keys.tokens)
    tombstoneKey = keys.tombstone
  }

  /// A request that was checked as far as possible without the store.
  package struct Prepared: Sendable {
    enum Work: Sendable {
      case answer(IngestResponse)
      case positions(PositionWork)
      /// A batch with a good token that is refused whole.
      case refused(TokenClaims, Problem)
      case other(IngestRequest)
    }
    let work: Work

    /// How many rows wait to be stored.
    package var rowCount: Int {
      if case .positions(let work) = work { work.rows.count } else { 0 }
    }

    /// Whether it is a batch of positions, which can share a transaction with others.
    package var isBatch: Bool {
      if case .positions = work { true } else { false }
    }
  }

  /// Checks a request before its body is read.
  package func prepare(_ request: IngestRequest, now: Instant) -> Prepared {
    guard request.body.count <= settings.maximumBytes else {
      let problem = Problem(413, .bodyTooLarge, "a body has at most \(settings.maximumBytes) bytes")
      return Prepared(work: .answer(problem.response))
    }
    do throws(Problem) {
      if request.path == "/v1/positions" {
        guard request.method == "POST" else { throw Problem.wrongMethod(["POST"]) }
        return Prepared(work: try preparePositions(request, now: now))
      }
      if request.path == "/positions", settings.published != nil {
        guard request.method == "POST" else { throw Problem.wrongMethod(["POST"]) }
        return Prepared(work: try preparePublished(request, now: now))
      }
      return Prepared(work: .other(request))
    } catch {
      return Prepared(work: .answer(error.response))
    }
  }

  static let noSuchAddress = Problem(404, .noSuchAddress, "there is nothing at this address")

  /// The body, unpacked.
  ///
  /// Every body is JSON, and so UTF-8. Any other body was damaged in transit, and its readable parts cannot be
  /// trusted.
  func body(of request: IngestRequest) throws(Problem) -> [UInt8] {
    let body = try unpackedBody(of: request)
    guard RequestPreprocessor.isASCII(body) || String(validating: body, as: UTF8.self) != nil else {
      throw Problem(400, .badText, "the body is not UTF-8")
    }
    return body
  }

  /// Reads the members of a JSON body.
  func decode<Message>(
    _ request: IngestRequest, mayBeEmpty: Bool = false, _ read: (JSONMembers) throws(WireError) -> Message
  ) throws(Problem) -> Message {
    let body = try body(of: request)
    do throws(WireError) {
      return try read(JSONMembers(body, mayBeEmpty: mayBeEmpty))
    } catch {
      throw Problem(error)
    }
  }

  private static func isASCII(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var all: UInt64 = 0
      var offset = 0
      while offset &+ 8 <= bytes.count {
        all |= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        offset &+= 8
      }
      while offset < bytes.count {
        all |= UInt64(bytes[offset])
        offset &+= 1
      }
      return all & 0x8080_8080_8080_8080 == 0
    }
  }

  private func unpackedBody(of request: IngestRequest) throws(Problem) -> [UInt8] {
    switch request.header("content-encoding")?.lowercased() {
    case nil, "", "identity": return request.body
    case "gzip":
      do throws(WireError) {
        return try Gzip.decompress(request.body, limit: settings.maximumUnpackedBytes)
      } catch {
        if error.kind == .tooLong {
          throw Problem(
            413, .bodyTooLarge, "a body has at most \(settings.maximumUnpackedBytes) bytes when unpacked")
        }
        throw Problem(400, .badGzip, "the body is not gzip: \(error.reason)", offset: error.offset)
      }
    case .some:
      throw Problem(415, .unknownEncoding, "a body comes as it is or as gzip", field: "content-encoding")
    }
  }

  /// The token of a request.
  func claims(of request: IngestRequest, now: Instant) throws(Problem) -> TokenClaims {
    guard let header = request.header("authorization") else {
      throw Problem(401, .tokenMissing, "authorization: a bearer token is needed", field: "authorization")
    }
    let parts = header.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
    guard parts.count == 2, Substring(parts[0]).lowercased() == "bearer" else {
      throw Problem(401, .tokenMissing, "authorization: a bearer token is needed", field: "authorization")
    }
    do throws(TokenFault) {
      return try tokenIssuer.claims(of: String(Substring(parts[1])), now: now)
    } catch {
      throw Problem(401, .init(error), "authorization: the token is not taken", field: "authorization")
    }
  }

  /// Name and password of Basic credentials.
  static func basicCredentials(of request: IngestRequest) -> (user: String, password: String)? {
    guard let header = request.header("authorization") else { return nil }
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = Base64.decode(parts[1]),
      let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
    else { return nil }
    return (String(text[..<colon]), String(text[text.index(after: colon)...]))
  }

  /// The pseudonyms that replace the names of devices and codes.
  package var pseudonyms: Pseudonyms { Pseudonyms(signer: signer, key: tombstoneKey) }

  /// The hash that stands for an erased device.
  func tombstoneHash(of device: DeviceID) -> [UInt8] { pseudonyms.device(device) }

  /// The hash that proves to know the secret of an erased device.
  func tombstoneProof(of device: DeviceID, secretHash: [UInt8]) -> [UInt8] {
    pseudonyms.proof(of: device, secretHash: secretHash)
  }
}

/// Rows on their way into the store.
struct PositionWork: Sendable {
  /// How the answer is written.
  enum Format: Sendable {
    case batch
    case published
    case overland
    case ownTracks
  }

  /// The verdict on a row of the request.
  enum Row: Sendable {
    /// The next of ``PositionWork/rows``.
    case accepted
    case refused(RowRefusal, detail: String?)
  }

  var format: Format
  var claims: TokenClaims
  /// Where its rows are judged.
  let gate: RowGate
  var venue: ServedVenue { gate.venue }
  /// The evidence of its rows about the server's clock.
  var testimony = ClockWitness.Testimony()
  /// Which refusals are none, because the server's clock may be wrong; known when the batch is stored.
  var doubts: Set<RowRefusal> = []
  /// Rows that passed the gate, in order.
  var rows: [NewPosition] = []
  /// Every row of the request, in order, with the identity under which it is answered.
  var verdicts: [(id: FixID?, row: Row)] = []
  /// The key and digest of a batch whose key is not the hash of its identities.
  var batchKey: (key: [UInt8], digest: [UInt8])?

  init(format: Format, claims: TokenClaims, venue: ServedVenue, settings: IngestSettings) {
    self.format = format
    self.claims = claims
    gate = RowGate(venue: venue, settings: settings)
  }

  mutating func refuse(_ id: FixID?, _ refusal: RowRefusal, detail: String? = nil) {
    verdicts.append((id, .refused(refusal, detail: detail)))
  }

  /// Judges a location and takes it in.
  mutating func take(_ location: Location, battery: Int64? = nil, now: Instant) {
    guard location.device == claims.device else { return refuse(location.id, .foreignDevice) }
    guard location.venue == claims.venue else { return refuse(location.id, .foreignVenue) }
    testimony.add(
      location.stillUntil ?? location.time, now: now, tolerance: gate.settings.futureTolerance,
      retention: gate.settings.positionRetention)
    do throws(RowRefusal) {
      var row = try gate.accept(location, now: now)
      row.battery = battery
      rows.append(row)
      verdicts.append((location.id, .accepted))
    } catch {
      refuse(location.id, error)
    }
  }

  /// Whether the device must send a row again.
  func isDoubtful(_ row: Row) -> Bool {
    if case .refused(let refusal, _) = row { doubts.contains(refusal) } else { false }
  }

  /// Whether the device must send any row again.
  var hasDoubts: Bool { !doubts.isEmpty && verdicts.contains { isDoubtful($0.row) } }

  /// Refuses a row that cannot be read. The refusal is `swapped` where its place with longitude and latitude exchanged is in the venue.
  mutating func refuse(_ id: FixID?, exchanged: Coordinate?, else refusal: RowRefusal, detail: String? = nil) {
    if let exchanged, gate.isInside(exchanged, floor: nil) {
      refuse(id, .swapped)
    } else {
      refuse(id, refusal, detail: detail)
    }
  }
}

extension RequestPreprocessor {
  private func preparePositions(_ request: IngestRequest, now: Instant) throws(Problem) -> Prepared.Work {
    let claims = try claims(of: request, now: now)
    guard claims.scope == .device else {
      throw Problem(403, .tokenScope, "the token is for the published API", field: "authorization")
    }
    do throws(Problem) {
      return .positions(try preparePositions(request, of: claims, now: now))
    } catch {
      return .refused(claims, error)
    }
  }

  private func preparePositions(
    _ request: IngestRequest, of claims: TokenClaims, now: Instant
  ) throws(Problem) -> PositionWork {
    let body = try body(of: request)
    let rows: [PositionBatch.Row]
    do throws(WireError) {
      rows = try PositionBatch.decode(body)
    } catch {
      if error.kind == .tooManyRows { throw tooManyRows() }
      throw Problem(
        400, .badJSON, error.reason, field: error.field ?? (error.row == nil ? "rows" : nil), row: error.row,
        offset: error.offset)
    }
    guard rows.count <= settings.maximumRows else { throw tooManyRows() }
    var work = PositionWork(format: .batch, claims: claims, venue: try served(claims.venue), settings: settings)
    work.rows.reserveCapacity(rows.count)
    work.verdicts.reserveCapacity(rows.count)
    for row in rows {
      switch row {
      case .location(let location): work.take(location, now: now)
      case .fault(let id, let fault):
        work.refuse(id, exchanged: fault.exchanged, else: .malformed, detail: fault.reason)
      }
    }
    if let key = request.header("idempotency-key") {
      work.batchKey = try batchKey(key, ids: work.verdicts.map(\.id), body: body)
    }
    return work
  }

  /// The venue of a device. If it is not served at the moment, that decides nothing about rows: its bundle may be on its way, or be
  /// damaged, and the rows stay where they are.
  func served(_ venue: VenueID) throws(Problem) -> ServedVenue {
    guard let served = catalog[venue] else {
      throw Problem(503, .venueNotServed, "the device's venue is not served at the moment", retryAfter: 60)
    }
    return served
  }

  private func tooManyRows() -> Problem {
    Problem(413, .tooManyRows, "a batch has at most \(settings.maximumRows) rows", field: "rows")
  }

  /// A key that is the hash of the identities proves itself; any other one is to be remembered.
  private func batchKey(
    _ key: String, ids: [FixID?], body: [UInt8]
  ) throws(Problem) -> (key: [UInt8], digest: [UInt8])? {
    guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw Problem(400, .badKey, "a key is 1 to 255 printable ASCII characters", field: "idempotency-key")
    }
    if key.utf8.count == 64, key == PositionBatch.key(of: ids.compactMap { $0 }) { return nil }
    var (keyDigest, bodyDigest) = (SHA256(), SHA256())
    keyDigest.update(key)
    bodyDigest.update(body)
    return (Array(keyDigest.finalize().prefix(16)), Array(bodyDigest.finalize().prefix(16)))
  }
}
