import CordonCore
import CordonIngest
import CordonPostgres
import CordonSupport
import CordonTestSupport
import CordonTesting
import CordonWire
import Foundation

/// A server on a database that others use as well, with a clock of its own.
final class TestServer {
  /// The venue of all servers.
  static let venue = SmallVenue()

  let ingest: Ingest
  let store: PostgresPositionStore
  var now: Instant

  /// - Parameter services: the services whose records are files of this server; `nil` for a program that has none.
  init(_ name: String, _ database: Database, now: Instant, services: Set<FileServices.Name>? = nil) throws {
    var options = PostgresPositionStore.Options()
    options.server = name
    options.standstill = .patientForTests
    options.services = services.map { FileServices(folder: name, host: "host of \(name)", names: $0) }
    store = PostgresPositionStore(try PostgresAddress(database.url), options: options)
    self.now = now
    ingest = Ingest(
      preprocessor: RequestPreprocessor(
        settings: IngestSettings(), catalog: VenueCatalog([ServedVenue(gate: Self.venue)]),
        signer: PlainSigner(),
        keys: ServerKeys(
          tokens: [TokenKey(id: "k1", secret: Array("a key of at least thirty-two bytes".utf8))],
          tombstone: Array("another key of thirty-two bytes!".utf8)),
        operators: [Operator(id: "op", role: .admin, key: "the key")]),
      store: store, random: RandomBits(RandomStream(seed: 7, stream: UInt32(name.utf8.count))))
  }

  /// Does what is due.
  func tick() { while ingest.tick(now: now) {} }

  /// The answer to a request.
  func send(
    _ method: String, _ path: String, _ body: String, _ headers: [IngestRequest.Header] = []
  ) throws -> (status: Int, object: [String: Any]) {
    let answer = ingest.handle(IngestRequest(method, path, headers: headers, body: Array(body.utf8)), now: now)
    let object = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
    return (answer.status, object ?? [:])
  }

  /// Makes a phone known; returns its secret.
  func activate(_ name: String) throws -> String {
    let basic = IngestRequest.Header("authorization", "Basic " + Data("op:the key".utf8).base64EncodedString())
    let code =
      try send("POST", "/v1/operator/invite-codes", #"{"venue": "\#(Self.venue.venue.rawValue)"}"#, [basic])
      .object["code"] as? String
    let secret =
      try send("POST", "/v1/devices/\(name)/activate", #"{"code": "\#(code ?? "")"}"#).object["secret"] as? String
    guard let secret else { throw StoreFault(.failed, "no secret") }
    return secret
  }

  /// Makes a phone known that may record; returns its credentials.
  func phone(_ name: String) throws -> IngestRequest.Header {
    let token =
      try send("POST", "/v1/devices/\(name)/token", #"{"secret": "\#(try activate(name))"}"#).object["token"] as? String
    let bearer = IngestRequest.Header("authorization", "Bearer \(token ?? "")")
    let agreed = try send(
      "PUT", "/v1/devices/\(name)/consent",
      #"{"version": "1", "purposes": ["record", "share"], "time": \#(now.milliseconds)}"#, [bearer])
    guard agreed.status == 204 else { throw StoreFault(.failed, "no consent: status \(agreed.status)") }
    return bearer
  }

  /// Sends twenty rows of a phone that stands still, a second each, before a time.
  /// - Parameter east: metres from the middle of the venue.
  func post(
    _ name: String, at time: Instant, east: Double = 0, _ bearer: IngestRequest.Header
  ) throws -> (status: Int, rows: [RowStatus]) {
    guard let id = DeviceID(name) else { throw StoreFault(.failed, "no name of a device") }
    let place = Self.venue.place(east: east, north: 0)
    let coordinate = Coordinate(
      longitude: (place.longitude * 1e7).rounded() / 1e7, latitude: (place.latitude * 1e7).rounded() / 1e7)
    let rows = (0..<20).map { second -> Location in
      let moment = time - .seconds(Int64(20 - second))
      return Location(
        id: FixID(device: id, time: moment, coordinate: coordinate, accuracy: 5, floor: FloorOrdinal(0)), device: id,
        venue: Self.venue.venue, coordinate: coordinate, accuracy: 5, floor: FloorOrdinal(0), time: moment,
        stillUntil: nil, venueHash: Self.venue.contentHash)
    }
    let answer = ingest.handle(
      IngestRequest("POST", "/v1/positions", headers: [bearer], body: PositionBatch.encode(rows)), now: now)
    let statuses = answer.status == 207 ? try PositionAnswers.decode(answer.body).map(\.status) : []
    return (answer.status, statuses)
  }
}
