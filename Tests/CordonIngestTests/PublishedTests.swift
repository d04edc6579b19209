import CordonCore
import CordonIngest
import CordonTesting
import CordonWire
import Foundation
import Testing

@Suite("The published ingest API")
struct PublishedTests {
  static func bench(threshold: Double? = nil) throws -> Bench {
    var settings = IngestSettings()
    // An operator's settings without a limit of accuracy.
    settings.published = .init(user: "user", password: "pass")
    if let threshold { settings.published?.accuracyThreshold = threshold }
    return try Bench(settings)
  }

  static func code(_ bench: Bench, uses: Int = 10) throws -> String {
    let response = bench.send(
      "POST", "/invite-code/small-venue", #"{"maxUses":\#(uses)}"#, Bench.basic("user", "pass"))
    #expect(response.status == 201)
    #expect(try response.object["maxUses"] as? Int == uses)
    #expect(try response.string("venue") == "small-venue")
    return try response.string("code")
  }

  static func phone(_ bench: Bench, _ device: String) throws -> IngestRequest.Header {
    let body = IngestAPI.encodeActivation(code: try code(bench), type: "iPhone")
    let activated = bench.ingest.handle(
      IngestRequest("POST", "/device/\(device)/activate", body: body), now: bench.now)
    #expect(try IngestAPI.decodeActivation(activated.body) == bench.venue.venue)
    let (token, expires) = try IngestAPI.decodeToken(bench.send("GET", "/device/\(device)/token").body)
    #expect(expires > bench.now)
    return .init("authorization", "Bearer \(token)")
  }

  static func post(_ bench: Bench, _ rows: [Location], _ bearer: IngestRequest.Header) throws -> [RowStatus] {
    let response = bench.ingest.handle(
      IngestRequest("POST", "/positions", headers: [bearer], body: IngestAPI.encodePositions(rows)), now: bench.now)
    #expect(response.status == 207)
    return try IngestAPI.decodeAnswers(response.body)
  }

  @Test func thePublishedAPIIsOffByDefault() throws {
    let bench = try Bench()
    for (method, path) in [
      ("POST", "/invite-code/small-venue"), ("POST", "/device/a/activate"), ("GET", "/device/a/token"),
      ("POST", "/positions"),
    ] { #expect(bench.send(method, path, "{}").status == 404) }
    #expect(bench.send("GET", "/health").status == 200)
  }

  @Test func anExistingClientWorks() throws {
    let bench = try Self.bench()
    let bearer = try Self.phone(bench, "phone-1")
    var rows = try (0..<5).map { try bench.location("phone-1", at: bench.now - .seconds(Int64(60 * $0))) }
    #expect(try Self.post(bench, rows, bearer) == Array(repeating: .stored, count: 5))
    // The answers are in the order of the rows, regardless of their times.
    rows.insert(try bench.location("phone-1", at: bench.now, east: 300), at: 2)
    let answers = try Self.post(bench, rows, bearer)
    #expect(answers.map { $0 == .known } == [true, true, false, true, true, true])
  }

  @Test func oldCodesAreAccepted() throws {
    let bench = try Self.bench()
    #expect(bench.send("POST", "/invite-code/small-venue", #"{"maxUses":1}"#).status == 401)
    #expect(
      bench.send("POST", "/invite-code/small-venue", #"{"maxUses":1}"#, Bench.basic("user", "wrong")).status == 401)
    for body in ["{}", #"{"maxUses":0}"#, #"{"maxUses":-1}"#, #"{"maxUses":"3"}"#, "no"] {
      #expect(
        bench.send("POST", "/invite-code/small-venue", body, Bench.basic("user", "pass")).status == 400, "\(body)")
    }
    let code = try Self.code(bench, uses: 1)
    // Of 36 characters: 80 bits and more.
    #expect(Double(code.count) * log2(36) >= 80)
    func activate(_ device: String) -> IngestResponse {
      bench.send("POST", "/device/\(device)/activate", #"{"code":"\#(code)","deviceType":"x"}"#)
    }
    #expect(activate("a").status == 200)
    #expect(activate("a").status == 200, "the same again burns no use")
    let second = activate("b")
    #expect(second.status == 400)
    #expect(try second.string("error") == "code is invalid")
    #expect(try bench.send("GET", "/device/b/token").string("error") == "That device is not verified")
  }

  @Test func otherDevicesAndVenuesAreRefused() throws {
    let bench = try Self.bench()
    let bearer = try Self.phone(bench, "phone-1")
    _ = try Self.phone(bench, "phone-2")
    var elsewhere = try bench.location("phone-1", at: bench.now)
    elsewhere.venue = SmallVenue("elsewhere").venue
    let rows = [try bench.location("phone-2", at: bench.now), elsewhere, try bench.location("phone-1", at: bench.now)]
    let body = bench.ingest.handle(
      IngestRequest("POST", "/positions", headers: [bearer], body: IngestAPI.encodePositions(rows)), now: bench.now)
    let list = try JSONSerialization.jsonObject(with: Data(body.body)) as? [[String: Any]]
    #expect(list?.map { $0["status"] as? Int } == [401, 401, 200])
    #expect(bench.send("POST", "/positions", "[]").status == 401)
    #expect(bench.send("POST", "/positions", "[]").body.isEmpty)
    // Its tokens are not valid for /v1, and the other way round.
    #expect(bench.send("POST", "/v1/positions", #"{"rows":[]}"#, bearer).status == 403)
    let phone = try bench.phone("phone-3")
    #expect(bench.send("POST", "/positions", "[]", phone.bearer).status == 401)
    #expect(bench.send("GET", "/device/phone-3/token").status == 400, "a device with a secret is out of its reach")
    let code = try Self.code(bench)
    #expect(bench.send("POST", "/device/phone-3/activate", #"{"code":"\#(code)","deviceType":"x"}"#).status == 400)
  }

  /// Rules of rows that the first server broke.
  @Test func rowsAreJudgedOneByOne() throws {
    let bench = try Self.bench(threshold: 20)
    let bearer = try Self.phone(bench, "phone-1")
    let place = bench.venue.place(east: 0, north: 0)
    func row(_ time: Int64, _ changes: String = "") -> String {
      #"{"device":"phone-1","time":\#(bench.now.milliseconds - time),"lonlat":[\#(place.longitude),\#(place.latitude)],"acc":5,"floor":0,"userConsent":true,"venue":"small-venue"\#(changes)}"#
    }
    // Two fixes of one minute are two rows; floor 0 is a floor; a time may have a fraction; without consent no row is
    // stored.
    let body = """
      [\(row(0)),\(row(1_000)),\(row(0)),\(row(2_000, #","userConsent":false"#)),\(row(3_000, #","acc":25"#)),
       \(row(4_000, #","acc":-1"#)),\(row(5_000, #","lonlat":[\#(place.latitude),\#(place.longitude)]"#)),
       \(row(-10_800_000)),\(row(6_000, #","time":\#(bench.now.milliseconds - 6_000).0"#)),{"device":1},
       \(row(7_000, #","floor":null"#)),\(row(8_000, #","extra":{"a":[1,2]}"#)),7]
      """
    let response = bench.send("POST", "/positions", body, bearer)
    let list = try JSONSerialization.jsonObject(with: Data(response.body)) as? [[String: Any]]
    #expect(
      list?.map { $0["status"] as? Int } == [200, 200, 409, 400, 400, 400, 400, 400, 200, 400, 200, 200, 400],
      "\(response.text)")
    #expect((list?[6]["message"] as? String)?.contains("swapped") == true)
    #expect(bench.send("POST", "/positions", "{}", bearer).status == 400)
  }

  /// Properties besides rows that the first clients rely on.
  @Test func answersSuitOldClients() throws {
    var settings = IngestSettings()
    settings.published = .init(user: "user", password: "pass")
    settings.maximumRows = 3
    let bench = try Bench(settings)
    let store = MemoryPositionStore()
    bench.ingest = Ingest(
      preprocessor: bench.ingest.preprocessor, store: store, random: RandomBits(RandomStream(seed: 7, stream: 1)))
    let bearer = try Self.phone(bench, "phone-1")
    // They require an expiry with three decimals.
    let end = try bench.send("GET", "/device/phone-1/token").string("expiresAt")
    #expect(end.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(end)")
    let rows = try (0..<4).map { try bench.location("phone-1", at: bench.now - .seconds(Int64($0))) }
    func post(_ rows: [Location]) -> IngestResponse {
      bench.ingest.handle(
        IngestRequest("POST", "/positions", headers: [bearer], body: IngestAPI.encodePositions(rows)), now: bench.now)
    }
    #expect(post(rows).code == "too-many-rows")
    // A failing store answers row by row, because these clients ignore the status.
    store.interruption = { moment throws(StoreFault) in
      if moment == .committing { throw StoreFault(.full, "no room") }
    }
    let failed = post(Array(rows.prefix(2)))
    #expect(failed.status == 207)
    #expect(failed.header("retry-after") != nil)
    #expect(failed.text.components(separatedBy: #""status":500"#).count == 3, "\(failed.text)")
    store.interruption = nil
    #expect(try Self.post(bench, Array(rows.prefix(2)), bearer) == [.stored, .stored])
    // No code moves it to another venue; once it is erased, none of its rows is accepted.
    let code = try bench.send(
      "POST", "/invite-code/elsewhere", #"{"maxUses":1}"#, Bench.basic("user", "pass")
    ).string("code")
    let moved = bench.send("POST", "/device/phone-1/activate", #"{"code":"\#(code)","deviceType":"x"}"#)
    #expect(moved.status == 400)
    #expect(try moved.string("error") == "the device is active already")
    #expect(bench.asAdmin("DELETE", "/v1/devices/phone-1?reason=asked%20to").status == 200)
    #expect(post(Array(rows.prefix(1))).status == 410)
  }

  @Test func twoDevicesInOneMinuteAreBothStored() throws {
    let bench = try Self.bench()
    let (a, b) = (try Self.phone(bench, "a"), try Self.phone(bench, "b"))
    for k in 0..<6 {
      let time = bench.now - .seconds(Int64(50 - 10 * k))
      #expect(try Self.post(bench, [try bench.location("a", at: time)], a) == [.stored])
      #expect(try Self.post(bench, [try bench.location("b", at: time, east: 1.5)], b) == [.stored])
    }
    #expect(try bench.store.contacts(in: nil, device: nil, overlapping: .min ... .max, limit: 9).count == 1)
  }
}
