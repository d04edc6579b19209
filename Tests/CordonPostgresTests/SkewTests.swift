import CordonCore
import CordonIngest
import CordonSupport
import CordonTestSupport
import CordonTesting
import CordonWire
import Foundation
import Testing

@testable import CordonPostgres

/// Two servers on one database whose clocks differ.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct SkewTests {
  private final class Server {
    let ingest: Ingest
    let store: PostgresPositionStore
    let now: Instant

    init(_ name: String, _ database: Database, now: Instant) throws {
      var options = PostgresPositionStore.Options()
      options.server = name
      options.standstill = .patientForTests
      store = PostgresPositionStore(try PostgresAddress(database.url), options: options)
      self.now = now
      ingest = Ingest(
        preprocessor: RequestPreprocessor(
          settings: IngestSettings(), catalog: VenueCatalog([ServedVenue(gate: SkewTests.venue)]),
          signer: PlainSigner(),
          keys: ServerKeys(
            tokens: [TokenKey(id: "k1", secret: Array("a key of at least thirty-two bytes".utf8))],
            tombstone: Array("another key of thirty-two bytes!".utf8)),
          operators: [Operator(id: "op", role: .admin, key: "the key")]),
        store: store, random: RandomBits(RandomStream(seed: 7, stream: UInt32(name.utf8.count))))
    }

    func send(
      _ method: String, _ path: String, _ body: String, _ headers: [IngestRequest.Header] = []
    ) throws -> (status: Int, object: [String: Any]) {
      let answer = ingest.handle(
        IngestRequest(method, path, headers: headers, body: Array(body.utf8)), now: now)
      let object = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
      return (answer.status, object ?? [:])
    }
  }

  private static let venue = SmallVenue()

  private func phone(_ name: String, at server: Server) throws -> IngestRequest.Header {
    let basic = IngestRequest.Header("authorization", "Basic " + Data("op:the key".utf8).base64EncodedString())
    let code =
      try server.send(
        "POST", "/v1/operator/invite-codes", #"{"venue": "\#(Self.venue.venue.rawValue)"}"#, [basic]
      ).object["code"] as? String
    let secret =
      try server.send("POST", "/v1/devices/\(name)/activate", #"{"code": "\#(code ?? "")"}"#)
      .object["secret"] as? String
    let token =
      try server.send("POST", "/v1/devices/\(name)/token", #"{"secret": "\#(secret ?? "")"}"#)
      .object["token"] as? String
    let bearer = IngestRequest.Header("authorization", "Bearer \(token ?? "")")
    let agreed = try server.send(
      "PUT", "/v1/devices/\(name)/consent",
      #"{"version": "1", "purposes": ["record", "share"], "time": \#(server.now.milliseconds)}"#, [bearer])
    #expect(agreed.status == 204)
    return bearer
  }

  private func post(
    _ name: String, at time: Instant, _ bearer: IngestRequest.Header, to server: Server
  ) throws -> (status: Int, rows: [RowStatus]) {
    let id = try #require(DeviceID(name))
    let place = Self.venue.place(east: 0, north: 0)
    let coordinate = Coordinate(
      longitude: (place.longitude * 1e7).rounded() / 1e7, latitude: (place.latitude * 1e7).rounded() / 1e7)
    let rows = (0..<20).map { second -> Location in
      let moment = time - .seconds(Int64(20 - second))
      return Location(
        id: FixID(device: id, time: moment, coordinate: coordinate, accuracy: 5, floor: FloorOrdinal(0)), device: id,
        venue: Self.venue.venue, coordinate: coordinate, accuracy: 5, floor: FloorOrdinal(0), time: moment,
        stillUntil: nil, venueHash: Self.venue.contentHash)
    }
    let answer = server.ingest.handle(
      IngestRequest("POST", "/v1/positions", headers: [bearer], body: PositionBatch.encode(rows)), now: server.now)
    let statuses = answer.status == 207 ? try PositionAnswers.decode(answer.body).map(\.status) : []
    return (answer.status, statuses)
  }

  /// Clocks that differ by less than a minute: tokens and rows of either server count at the other, and contacts are those of a
  /// computation from scratch.
  @Test func aMinuteIsTolerated() throws {
    let database = try Database()
    let ahead = try Server("ahead", database, now: .testStart + .seconds(50))
    let behind = try Server("behind", database, now: .testStart)
    // The holder of the lease is the one that is behind.
    for server in [behind, ahead] { while server.ingest.tick(now: server.now) {} }
    let (one, two) = (try phone("one", at: ahead), try phone("two", at: behind))
    for server in [behind, ahead] { while server.ingest.tick(now: server.now) {} }
    let stored = [RowStatus](repeating: .stored, count: 20)
    #expect(try post("one", at: ahead.now, one, to: behind).rows == stored)
    #expect(try post("two", at: ahead.now, two, to: ahead).rows == stored)
    #expect(try post("two", at: behind.now, two, to: behind).rows.allSatisfy { [.stored, .known].contains($0) })
    for server in [behind, ahead] { while server.ingest.tick(now: server.now) {} }
    #expect(try database.sql("SELECT count(*) FROM unsettled") == "0")
    let report = try ContactCheck.run(
      try database.store(isReadOnly: true), settings: IngestSettings(), catalog: VenueCatalog())
    #expect(report.found > 0)
    #expect(report.different == 0)
  }

  /// A clock that is an hour behind: tokens of the other server are not valid yet, nothing is stored, and the rows stay on the phone;
  /// leases go on as before.
  @Test func anHourIsRefused() throws {
    let database = try Database()
    let right = try Server("right", database, now: .testStart)
    let wrong = try Server("wrong-by-an-hour", database, now: .testStart - .minutes(60))
    for server in [right, wrong] { while server.ingest.tick(now: server.now) {} }
    let bearer = try phone("one", at: right)
    #expect(try post("one", at: right.now, bearer, to: wrong).status == 401)
    #expect(try post("one", at: right.now, bearer, to: right).rows == [RowStatus](repeating: .stored, count: 20))
    while wrong.ingest.tick(now: wrong.now) {}
    right.store.disconnect()
    while wrong.ingest.tick(now: wrong.now) {}
    #expect(try database.sql("SELECT count(*) FROM position") == "20")
    #expect(try database.sql("SELECT owner FROM lease") == "wrong-by-an-hour")
  }
}
