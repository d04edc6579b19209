internal import CordonCore
import CordonSupport
internal import CordonWire

/// The person's own page: a short code that the app shows opens it, and all data of the device for an operator who hands it out.
extension Ingest {
  /// The number of characters of a code: 60 bits, which end in ten minutes. Right codes pass however many wrong ones came before,
  /// so no rate of attempts may find one.
  private static let codeLength = 12

  /// `POST /v1/devices/{device}/page-code`: a code in place of the device's former one.
  func makePageCode(_ request: IngestRequest, id: String, now: Instant) throws(Problem) -> IngestResponse {
    let device = try authorized(request, id: id, now: now)
    let text = random.bytes(Self.codeLength).map { Self.codeAlphabet[Int($0) % Self.codeAlphabet.count] }
    let code = String(decoding: text, as: UTF8.self)
    let end = now + PageCode.codeLifetime
    let entry = pageCode(code, of: device, end: end)
    try stored { () throws(StoreFault) in try pageCodes.save(code: entry) }
    return .json(201, ["code": .string(code), "expires": .integer(end.milliseconds)])
  }

  /// `POST /v1/page-code`: uses up a code; returns a token of its device, and a key that erases it.
  func usePageCode(_ request: IngestRequest, now: Instant) throws(Problem) -> IngestResponse {
    let given = try preprocessor.decode(request) { members throws(WireError) in
      try members.only(["code"])
      return try members.text("code", atMost: 64)
    }
    // As people type it.
    let code = String(given.uppercased().filter { !$0.isWhitespace && $0 != "-" })
    return try guarded(request, name: nil, now: now) { () throws(Problem) in
      let refusal = Problem(403, .badCode, "the code is not known, used up or has ended", field: "code")
      let hash = pageHash(code)
      guard let entry = try stored({ () throws(StoreFault) in try pageCodes.take(code: hash) }), entry.end > now,
        let device = try stored({ () throws(StoreFault) in try store.device(entry.device) }),
        device.generation == entry.generation
      else { throw refusal }
      let token = makeToken(for: device, scope: .device, now: now)
      let key = Base64.encodeURL(random.bytes(32))
      let opened = pageCode(key, of: device, end: now + PageCode.keyLifetime)
      try stored { () throws(StoreFault) in try pageCodes.save(key: opened) }
      return .json(
        200,
        [
          "device": .string(device.id.rawValue), "token": .string(token.text),
          "expires": .integer(token.expires.milliseconds), "key": .string(key),
        ])
    }
  }

  /// The hash under which a code or key is kept. It is keyed: all codes are tried by a machine with the hashes.
  private func pageHash(_ text: String) -> [UInt8] {
    preprocessor.signer.authenticationCode(of: Array("page code \(text)".utf8), key: preprocessor.tombstoneKey)
  }

  private func pageCode(_ text: String, of device: StoredDevice, end: Instant) -> PageCode {
    PageCode(hash: pageHash(text), device: device.id, generation: device.generation, end: end)
  }

  /// Whether a key of a person's page erases a device.
  func isPageKey(_ key: String, of device: StoredDevice, now: Instant) throws(Problem) -> Bool {
    let hash = pageHash(key)
    let known = try stored { () throws(StoreFault) in try pageCodes.key(hash) }
    guard let known else { return false }
    return known.device == device.id && known.generation == device.generation && known.end > now
  }

  /// `POST /v1/operator/devices/{device}/data`: what `GET /v1/devices/{device}/data` gives the person, for an administrator who
  /// hands it to them.
  func deviceData(_ request: IngestRequest, device name: String, now: Instant) throws(Problem) -> Query {
    let request = try withBodyParameters(request, "after", "limit", "reason")
    let after = try afterParameter(request)
    let limit = try Parameters.limit(request, default: 1_000, most: 10_000)
    let (who, device) = try operatorLook(
      request, action: "export data", role: .admin, device: name, venue: nil, now: now)
    guard let device else { throw Problem(404, .noSuchDevice, "no such device", field: "device") }
    return Query(
      .access(AccessQuery(device: device, after: after, limit: limit)), by: .operator(who.id), settings: settings)
  }

  /// The parameter `after`: the end of the page before.
  func afterParameter(_ request: IngestRequest) throws(Problem) -> FixID? {
    guard let text = request.parameter("after"), !text.isEmpty else { return nil }
    guard let id = FixID(text) else { throw Problem(400, .badParameter, "after: an id is needed", field: "after") }
    return id
  }
}
