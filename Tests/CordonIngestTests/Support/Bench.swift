import CordonCore
import CordonGeometry
import CordonIngest
import CordonSupport
import CordonTestSupport
import CordonTesting
import CordonWire
import Foundation
import Testing

/// HMAC-SHA-256 for tests that link no cryptography library.
struct PlainSigner: TokenSigner {
  func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    var key = key
    if key.count > 64 { key = digest(key) }
    key += [UInt8](repeating: 0, count: 64 - key.count)
    return digest(key.map { $0 ^ 0x5c } + digest(key.map { $0 ^ 0x36 } + message))
  }

  private func digest(_ bytes: [UInt8]) -> [UInt8] {
    var digest = CordonSupport.SHA256()
    digest.update(bytes)
    return digest.finalize()
  }
}

/// A server in memory or in a file, with a venue, a clock and an administrator.
final class Bench {
  var settings: IngestSettings
  var ingest: Ingest
  let store: SQLitePositionStore
  let venue: SmallVenue
  /// In metres from the centre of the venue.
  var walls: [FloorOrdinal: [WallSegment]]
  var now = Instant.testStart
  private let scratch: TemporaryFolder?
  var keys = ServerKeys(
    tokens: [TokenKey(id: "k1", secret: Array("a key of at least thirty-two bytes".utf8))],
    tombstone: Array("another key of thirty-two bytes!".utf8))
  let admin = "the admin's key, 128 bits of it"

  init(
    _ settings: IngestSettings = IngestSettings(), inFile: Bool = false, path: String? = nil,
    walls: [FloorOrdinal: [WallSegment]] = [:]
  ) throws {
    self.settings = settings
    self.walls = walls
    var venue = SmallVenue()
    venue.rooms = [
      .init("restroom", x: 20...30, y: 10...20, recording: .unrecorded),
      .init("clinic", x: -30 ... -20, y: 10...20, recording: .floorOnly),
      .init("hall", x: -10...10, y: -10...10),
    ]
    self.venue = venue
    var file = ":memory:"
    if inFile {
      let made = try TemporaryFolder()
      scratch = made
      file = made.path("cordon.sqlite")
    } else {
      scratch = nil
    }
    store = try SQLitePositionStore(path: path ?? file)
    ingest = Ingest(
      preprocessor: Bench.preprocessor(settings, venue, keys, admin, walls), store: store,
      random: RandomBits(RandomStream(seed: 7, stream: 1)))
  }

  var folder: String? { scratch?.url.path }
  var path: String { (folder ?? "") + "/cordon.sqlite" }

  static func preprocessor(
    _ settings: IngestSettings, _ venue: SmallVenue, _ keys: ServerKeys, _ admin: String,
    _ walls: [FloorOrdinal: [WallSegment]] = [:]
  ) -> RequestPreprocessor {
    RequestPreprocessor(
      settings: settings,
      catalog: VenueCatalog([ServedVenue(gate: venue, walls: walls), ServedVenue(gate: SmallVenue("elsewhere"))]),
      signer: PlainSigner(), keys: keys,
      operators: [
        Operator(id: "op-admin", role: .admin, key: admin), Operator(id: "op-viewer", role: .viewer, key: "viewer's"),
        Operator(id: "op-desk", role: .operator, key: "desk's"),
        Operator(id: "op-meter", role: .metrics, key: "meter's"),
        Operator(id: "op-other", role: .operator, venues: [SmallVenue("elsewhere").venue], key: "other's"),
        Operator(id: "op-bound", role: .admin, venues: [SmallVenue("elsewhere").venue], key: "bound's"),
      ])
  }

  /// Starts a new core with the same store, as after a restart.
  func restart() {
    ingest = Ingest(
      preprocessor: Bench.preprocessor(settings, venue, keys, admin, walls), store: store,
      random: RandomBits(RandomStream(seed: 8, stream: UInt32(truncatingIfNeeded: now.milliseconds))))
  }

  static func basic(_ user: String, _ password: String) -> IngestRequest.Header {
    .init("authorization", "Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
  }

  @discardableResult
  func send(
    _ method: String, _ target: String, _ body: String = "", _ headers: IngestRequest.Header..., peer: String = "test"
  ) -> IngestResponse {
    let (method, target, body) = Bench.withBody(method, target, body)
    return ingest.handle(
      IngestRequest(method, target, headers: headers, body: Array(body.utf8), peer: peer), now: now)
  }

  /// Requests of operators about devices carry their parameters in the body. Tests may append them to the path as a
  /// query.
  private static func withBody(_ method: String, _ target: String, _ body: String) -> (String, String, String) {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    let path = parts.first ?? ""
    let isQuery = ["devices", "contacts", "exposures", "audit"].contains { path == "/v1/operator/\($0)" }
    let query = parts.count > 1 ? parts[1] : ""
    guard isQuery && method == "GET" || method != "GET" && query.hasPrefix("reason=") else {
      return (method, target, body)
    }
    let members = query.split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = sides.count > 1 ? String(sides[1]).removingPercentEncoding ?? "" : ""
      return "\"\(sides[0])\": \(JSONValue.string(value).text())"
    }
    let given = body.isEmpty ? "" : String(body.dropFirst().dropLast())
    let all = (given.isEmpty ? [] : [given]) + members
    return (isQuery ? "POST" : method, path, "{\(all.joined(separator: ", "))}")
  }

  func asAdmin(_ method: String, _ target: String, _ body: String = "") -> IngestResponse {
    send(method, target, body, Bench.basic("op-admin", admin))
  }

  func invite(uses: Int = 100, venue: String? = nil) throws -> String {
    let response = asAdmin(
      "POST", "/v1/operator/invite-codes",
      #"{"venue": "\#(venue ?? self.venue.venue.rawValue)", "maximum_uses": \#(uses)}"#)
    #expect(response.status == 201)
    return try #require(try response.object["code"] as? String)
  }

  func activate(_ device: String, code: String? = nil) throws -> String {
    let code = try code ?? invite()
    let response = send("POST", "/v1/devices/\(device)/activate", #"{"code": "\#(code)", "type": "phone"}"#)
    #expect(response.status == 200)
    return try response.string("secret")
  }

  func token(_ device: String, secret: String) throws -> String {
    let response = send("POST", "/v1/devices/\(device)/token", #"{"secret": "\#(secret)"}"#)
    #expect(response.status == 200)
    return try response.string("token")
  }

  /// Activates a device, gets it a token, and reports its consent.
  func phone(_ device: String, code: String? = nil) throws -> Phone {
    // A name may need percent encoding in a path.
    let name = try #require(device.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    let secret = try activate(name, code: code)
    let phone = Phone(id: device, secret: secret, token: try token(name, secret: secret))
    #expect(agree(phone).status == 204)
    return phone
  }

  /// Reports the person's consent.
  @discardableResult
  func agree(_ phone: Phone, to purposes: String = #""record", "share""#) -> IngestResponse {
    let name = phone.id.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return send(
      "PUT", "/v1/devices/\(name)/consent",
      #"{"version": "1", "purposes": [\#(purposes)], "time": \#(now.milliseconds)}"#, phone.bearer)
  }

  struct Phone {
    var id: String
    var secret: String
    var token: String
    var bearer: IngestRequest.Header { .init("authorization", "Bearer \(token)") }
  }

  func number(of device: String) throws -> Int64 {
    let id = try #require(DeviceID(device))
    let stored = try store.device(id)
    return try #require(stored).number
  }

  func location(
    _ device: String, at time: Instant, east: Double = 0, north: Double = 0, accuracy: Double = 5, floor: Int? = 0,
    still: TimeSpan? = nil
  ) throws -> Location {
    let id = try #require(DeviceID(device))
    // The numbers as they are parsed from the text.
    let place = venue.place(east: east, north: north)
    let coordinate = Coordinate(
      longitude: (place.longitude * 1e7).rounded() / 1e7, latitude: (place.latitude * 1e7).rounded() / 1e7)
    let floor = floor.map { FloorOrdinal($0) }
    return Location(
      id: FixID(device: id, time: time, coordinate: coordinate, accuracy: accuracy, floor: floor), device: id,
      venue: venue.venue, coordinate: coordinate, accuracy: accuracy, floor: floor, time: time,
      stillUntil: still.map { time + $0 }, venueHash: venue.contentHash)
  }

  @discardableResult
  func post(_ locations: [Location], by phone: Phone) throws -> [RowStatus] {
    let body = PositionBatch.encode(locations)
    let response = ingest.handle(
      IngestRequest(
        "POST", "/v1/positions",
        headers: [phone.bearer, .init("idempotency-key", PositionBatch.key(of: locations.map(\.id)))], body: body),
      now: now)
    #expect(response.status == 207, "\(response.text)")
    return try PositionAnswers.decode(response.body).map(\.status)
  }
}

extension IngestResponse {
  var text: String { String(decoding: body, as: UTF8.self) }

  var object: [String: Any] {
    get throws {
      let value = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
      return try #require(value)
    }
  }

  func string(_ key: String) throws -> String {
    let value = try object[key] as? String
    return try #require(value)
  }

  /// The code of a problem.
  var code: String? { try? object["code"] as? String }
}
