public import CordonCore

/// A model of a Cordon server behind the transport port. It keeps every location that it acknowledged, once.
///
/// It has no clock and no randomness. A test or a simulation delivers requests to it, late and repeatedly if it
/// likes.
public final class InProcessSink {
  struct Account {
    /// The venue of the invite code, if it is limited to one.
    var venue: VenueID?
    var secret: String
    var tokens: [(token: String, expires: Instant)] = []
  }

  /// The lifetime of a token.
  public var tokenLifetime = TimeSpan.hours(1)
  /// The accepted invite codes.
  public var inviteCodes: Set<String> = []
  /// Whether rows need a token. Otherwise any device may send.
  public var needsToken: Bool
  /// Decides whether to store a row; the default stores all.
  public var judge: (Location) -> RowStatus = { _ in .stored }
  /// The number of handled requests with rows.
  public private(set) var batchCount = 0
  /// Repeated rows, which changed at most the end of a stay.
  public private(set) var knownCount = 0
  /// Erased devices, whose requests are refused.
  public private(set) var erased: Set<DeviceID> = []

  /// The last reported consent of each device.
  public private(set) var consents: [DeviceID: Consent] = [:]
  /// The venue of an invite code, for codes that are limited to one.
  public var venues: [String: VenueID] = [:]

  /// The exposure notices to each device, as it receives them.
  public var notices: [DeviceID: [ExposureNotice]] = [:]

  private var taken: Set<FixID> = []
  private var rows: [DeviceID: [FixID: Location]] = [:]
  /// One account for each venue of a device.
  private var accounts: [DeviceID: [Account]] = [:]
  private var secrets: [DeviceID: Set<String>] = [:]
  private var issued: UInt64 = 0

  /// Makes an empty server.
  public init(needsToken: Bool = false) { self.needsToken = needsToken }

  /// Handles one request.
  public func handle(_ request: SinkRequest, now: Instant) -> SinkResponse {
    func answer(_ status: Int, _ body: SinkResponse.Body = .none) -> SinkResponse {
      // Nothing lies between the sink and the device.
      SinkResponse(number: request.number, status: status, body: body, isProved: true)
    }
    let device = request.device
    if case .erase(let secret) = request.body {
      // Any secret that the device ever had is a proof. Without rows, no proof is needed.
      let isProved = secret.map { secrets[device, default: []].contains($0) } ?? false
      if !isProved, rows[device]?.isEmpty == false { return answer(403) }
      erased.insert(device)
      rows[device] = nil
      accounts[device] = nil
      notices[device] = nil
      return answer(200, .erased)
    }
    if erased.contains(device) { return answer(410) }
    switch request.body {
    case .erase: return answer(200, .erased)
    case .activate(let code, _):
      guard inviteCodes.contains(code) else { return answer(403) }
      // A device that repeats the request gets the same secret: the first response may have been lost.
      issued += 1
      let known = accounts[device]?.first { $0.venue == venues[code] }
      let secret = known?.secret ?? "secret-\(issued)"
      if known == nil { accounts[device, default: []].append(Account(venue: venues[code], secret: secret)) }
      secrets[device, default: []].insert(secret)
      return answer(200, .activated(secret: secret, venue: venues[code]))
    case .token(let secret):
      guard let place = accounts[device]?.firstIndex(where: { $0.secret == secret }) else { return answer(403) }
      issued += 1
      let token = "token-\(issued)"
      let expires = now + tokenLifetime
      accounts[device]?[place].tokens.append((token, expires))
      return answer(200, .token(token, expires: expires))
    case .consent(let consent, let token):
      if needsToken, account(token, of: device, now) == nil { return answer(401) }
      consents[device] = consent
      return answer(204)
    case .notices(let token):
      if needsToken, account(token, of: device, now) == nil { return answer(401) }
      return answer(200, .notices(notices[device] ?? []))
    case .acknowledge(let id, let token):
      if needsToken, account(token, of: device, now) == nil { return answer(401) }
      guard let index = notices[device]?.firstIndex(where: { $0.id == id }) else { return answer(404) }
      notices[device]?[index].acknowledged = now
      return answer(204)
    case .positions(let locations, let token):
      let account = account(token, of: device, now)
      if needsToken, account == nil { return answer(401) }
      batchCount += 1
      return answer(
        207, .rows(locations.map { RowAnswer(id: $0.id, status: keep($0, from: device, venue: account?.venue)) }))
    }
  }

  /// The account of a valid token; `nil` for any other.
  private func account(_ token: String?, of device: DeviceID, _ now: Instant) -> Account? {
    accounts[device]?.first { $0.tokens.contains { $0.token == token && $0.expires > now } }
  }

  /// Ends every token, as a new signing key of a server does.
  public func revokeTokens() {
    for (device, all) in accounts { accounts[device] = all.map { Account(venue: $0.venue, secret: $0.secret) } }
  }

  /// Deletes the secrets of a device, for one venue or for all; it needs a new invite code.
  public func deactivate(_ device: DeviceID, at venue: VenueID? = nil) {
    // The next holder must report a consent of their own.
    consents[device] = nil
    guard let venue else { return accounts[device] = nil }
    accounts[device]?.removeAll { $0.venue == venue }
  }

  private func keep(_ location: Location, from device: DeviceID, venue: VenueID?) -> RowStatus {
    guard location.device == device else { return .refused(reason: "row of another device") }
    if let venue, location.venue != venue { return .refused(reason: "row of another venue") }
    if let old = rows[device]?[location.id] {
      knownCount += 1
      if (location.stillUntil ?? .epoch) > (old.stillUntil ?? .epoch) {
        rows[device]?[location.id]?.stillUntil = location.stillUntil
      }
      return .known
    }
    let status = judge(location)
    if status.isKept {
      rows[device, default: [:]][location.id] = location
      taken.insert(location.id)
    }
    return status
  }

  /// Whether a location was ever stored, even if its device was erased since.
  public func hasTaken(_ id: FixID) -> Bool { taken.contains(id) }

  /// The number of stored locations.
  public var count: Int { rows.values.reduce(0) { $0 + $1.count } }

  /// The kept locations, ordered by device, time and identifier.
  public var locations: [Location] {
    var all: [Location] = []
    all.reserveCapacity(count)
    forEachLocation { all.append($0) }
    return all
  }

  /// Visits the kept locations, ordered by device, time and identifier.
  public func forEachLocation(_ body: (Location) -> Void) {
    for device in rows.keys.sorted() {
      // Identifiers begin with the time.
      for location in (rows[device] ?? [:]).values.sorted(by: { $0.id < $1.id }) { body(location) }
    }
  }
}
