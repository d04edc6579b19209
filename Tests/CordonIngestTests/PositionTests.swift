import CordonCore
import CordonGeometry
import CordonIngest
import CordonTesting
import CordonWire
import Foundation
import Testing

@Suite("Positions")
struct PositionTests {
  @Test func aBodyThatIsNotTextIsRefused() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    var body = PositionBatch.encode([try bench.location("phone-1", at: bench.now)])
    let key = try #require(Data(body).range(of: Data("floor".utf8)))
    for index in key { body[index] = 0xFF }
    let response = bench.ingest.handle(
      IngestRequest("POST", "/v1/positions", headers: [phone.bearer], body: body), now: bench.now)
    #expect(response.status == 400)
    #expect(try response.object["code"] as? String == "bad-text")
    #expect(try bench.store.positionCount() == 0)
  }

  @Test func everyRowIsAnsweredInOrderAndStoredOnce() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    var rows = try (0..<10).map { try bench.location("phone-1", at: bench.now - .seconds(Int64(100 - $0))) }
    #expect(try bench.post(rows, by: phone) == Array(repeating: .stored, count: 10))
    rows.append(try bench.location("phone-1", at: bench.now))
    rows.insert(rows[3], at: 0)
    rows.insert(try bench.location("phone-1", at: bench.now, east: 500), at: 5)
    let answers = try bench.post(rows, by: phone)
    #expect(answers.count == 13)
    #expect(answers.last == .stored)
    #expect(answers.filter { $0 == .known }.count == 11)
    guard case .refused = answers[5] else {
      Issue.record("a point outside was taken")
      return
    }
    #expect(try bench.store.positionCount() == 11)
  }

  @Test func rowsRefusedByTheGateAreNotStoredAndGiveAReason() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let good = try bench.location("phone-1", at: bench.now)
    func changed(_ change: (inout Location) -> Void) -> Location {
      var row = good
      change(&row)
      row.id = FixID(
        device: row.device, time: row.time, coordinate: row.coordinate, accuracy: row.accuracy, floor: row.floor)
      return row
    }
    var foreignID = try bench.location("phone-1", at: bench.now)
    foreignID.id = FixID(high: 5, low: 5)
    let rows = [
      try bench.location("phone-1", at: bench.now, east: 400),
      changed { $0.coordinate = Coordinate(longitude: good.coordinate.latitude, latitude: good.coordinate.longitude) },
      try bench.location("phone-1", at: bench.now, east: 25, north: 15),
      changed { $0.time = bench.now + .hours(3) }, changed { $0.time = bench.now - .days(15) },
      changed { $0.stillUntil = $0.time - .seconds(1) }, changed { $0.stillUntil = bench.now + .days(1) }, foreignID,
      try bench.location("phone-2", at: bench.now),
      changed { $0.venue = SmallVenue("elsewhere").venue }, good,
    ]
    let words = [
      "outside", "swapped", "nothing is recorded", "future", "older", "still_until", "still_until", "id", "device",
      "venue",
    ]
    let answers = try bench.post(rows, by: phone)
    for (answer, word) in zip(answers, words) {
      guard case .refused(let reason) = answer else {
        Issue.record("\(word): \(answer)")
        continue
      }
      #expect(reason.contains(word), "\(reason)")
      // The reason never repeats the position.
      #expect(!reason.contains("47.3") && !reason.contains("8.5"))
    }
    #expect(answers.last == .stored)
    #expect(try bench.store.positionCount() == 1)
  }

  @Test func floorOnlySpacesKeepTheFloor() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let row = try bench.location("phone-1", at: bench.now, east: -25, north: 15, floor: 0)
    #expect(try bench.post([row], by: phone) == [.stored])
    let number = try bench.number(of: "phone-1")
    let first = try bench.store.positions(of: number, after: nil, limit: 1).first
    let stored = try #require(first)
    let fence = bench.venue.geofence
    #expect(abs(stored.coordinate.longitude - fence.center.longitude) < 1e-6)
    #expect(stored.accuracy >= Int64(fence.radius * 1_000) - 1)
    #expect(stored.floor == 0)
    // A row that the phone itself reduced to its floor is accepted, although its centre may be anywhere.
    var floorOnly = try bench.location("phone-1", at: bench.now - .seconds(5), accuracy: fence.radius)
    floorOnly.coordinate = fence.center
    #expect(try bench.post([floorOnly], by: phone) == [.stored])
  }

  @Test func aStayGrowsWithoutASecondRow() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let start = bench.now
    for minute in 0..<10 {
      bench.now = start + .minutes(Int64(minute))
      let row = try bench.location("phone-1", at: start, still: .minutes(Int64(minute)))
      #expect(try bench.post([row], by: phone) == [minute == 0 ? .stored : .known])
    }
    let number = try bench.number(of: "phone-1")
    let rows = try bench.store.positions(of: number, after: nil, limit: 10)
    #expect(rows.map(\.stillUntil) == [(start + .minutes(9)).milliseconds])
    // A shorter stay that arrives late changes nothing.
    let late = try bench.location("phone-1", at: start, still: .minutes(2))
    #expect(try bench.post([late], by: phone) == [.known])
    #expect(try bench.store.positions(of: number, after: nil, limit: 10) == rows)
  }

  @Test func aBadRowDoesNotAffectItsNeighbours() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let place = bench.venue.place(east: 0, north: 0)
    func row(_ extra: String) -> String {
      #"{"device":"phone-1","time":\#(bench.now.milliseconds),"lonlat":[\#(place.longitude),\#(place.latitude)],"acc":5,"venue":"small-venue"\#(extra)}"#
    }
    let bad = [
      #"{"device":5}"#, "{}", #"{"device":"phone-1","time":"now"}"#,
      #"{"device":"phone-1","time":1e400,"lonlat":[1],"acc":5}"#, row(#","acc":-3"#), row(#","lonlat":[200,3]"#),
      row(#","floor":"one""#), row(#","id":"x""#), "7", "null", #""row""#, "[{}]",
    ]
    for text in bad {
      let body = #"{"rows":[\#(row(#","floor":0"#)),\#(text),\#(row(#","floor":1"#))]}"#
      let response = bench.send("POST", "/v1/positions", body, phone.bearer)
      #expect(response.status == 207, "\(text)")
      let answers = try PositionAnswers.decode(response.body)
      #expect(answers.map(\.status.isKept) == [true, false, true], "\(text): \(response.text)")
    }
  }

  /// The refusal of a wrong value names its member, whatever the fault.
  @Test func invalidFieldsAreNamed() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    for (row, name) in [
      (#"{"device":5}"#, "device"), (#"{"acc":"x"}"#, "acc"), (#"{"acc":-1}"#, "acc"), (#"{"time":1.5}"#, "time"),
      (#"{"lonlat":[8]}"#, "lonlat"), (#"{"lonlat":[8,470]}"#, "lonlat"), (#"{"venue":"a b"}"#, "venue"),
      (#"{"floor":"one"}"#, "floor"), (#"{"id":"x"}"#, "id"), (#"{"device":"a"}"#, "time"),
    ] {
      let body = #"{"rows":[\#(row)]}"#
      let answers = try PositionAnswers.decode(bench.send("POST", "/v1/positions", body, phone.bearer).body)
      guard case .refused(let reason)? = answers.first?.status else {
        Issue.record("\(row): \(answers)")
        continue
      }
      #expect(reason.contains(name), "\(row): \(reason)")
    }
    let broken = bench.send("POST", "/v1/positions", #"{"rows":[{},{"acc":5,"device":nope}]}"#, phone.bearer)
    #expect(broken.status == 400)
    #expect(try broken.string("field") == "device")
    #expect(try broken.object["row"] as? Int == 1)
    #expect(try broken.object["offset"] as? Int == 30)
  }

  /// West of 90° the exchanged pair is out of range before any gate sees it; every interface reports it all the same.
  @Test(arguments: [Coordinate(longitude: -122.4, latitude: 37.8), Coordinate(longitude: 151.2, latitude: -33.9)])
  func swappedCoordinatesAreDetected(center: Coordinate) throws {
    var settings = IngestSettings()
    settings.published = .init(user: "user", password: "pass")
    let bench = try Bench(settings)
    let far = SmallVenue("small-venue", center: center)
    bench.ingest.replace(Bench.preprocessor(settings, far, bench.keys, bench.admin))
    let phone = try bench.phone("phone-1")
    let old = try PublishedTests.phone(bench, "old-1")
    let wrong = "\(center.latitude),\(center.longitude)"
    let elsewhere = "\(center.latitude + 1),\(center.longitude)"
    func row(_ device: String, _ place: String) -> String {
      #"{"device":"\#(device)","time":\#(bench.now.milliseconds),"lonlat":[\#(place)],"acc":5,"floor":0,"venue":"small-venue","userConsent":true}"#
    }
    for (place, isHinted) in [(wrong, true), (elsewhere, false)] {
      let answer = bench.send("POST", "/v1/positions", #"{"rows":[\#(row("phone-1", place))]}"#, phone.bearer).text
      #expect(answer.contains("swapped") == isHinted, "\(answer)")
      let published = bench.send("POST", "/positions", "[\(row("old-1", place))]", old).text
      #expect(published.contains("swapped") == isHinted, "\(published)")
      let properties = #"{"timestamp":"\#(bench.now.rfc3339)","horizontal_accuracy":5}"#
      let feature =
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(place)]},"properties":\#(properties)}"#
      let overland = bench.send("POST", "/overland", #"{"locations":[\#(feature)]}"#, phone.bearer).text
      #expect(overland.contains(#""discarded":{"\#(isHinted ? "swapped" : "not-a-location")":1}"#), "\(overland)")
      #expect(!(answer + published + overland).contains("37.8"), "the reason never repeats a place")
    }
  }

  /// A venue whose bundle is missing for a while loses no rows, on any interface.
  @Test func anUnservedVenueGivesNoVerdict() throws {
    var settings = IngestSettings()
    settings.published = .init(user: "user", password: "pass")
    let bench = try Bench(settings)
    let phone = try bench.phone("phone-1")
    let old = try PublishedTests.phone(bench, "old-1")
    let served = bench.ingest.preprocessor
    let (row, oldRow) = (try bench.location("phone-1", at: bench.now), try bench.location("old-1", at: bench.now))
    bench.ingest.replace(
      RequestPreprocessor(
        settings: settings, catalog: VenueCatalog([ServedVenue(gate: SmallVenue("elsewhere"))]), signer: PlainSigner(),
        keys: bench.keys, operators: []))
    func post(_ path: String, _ body: [UInt8], _ header: IngestRequest.Header) -> IngestResponse {
      bench.ingest.handle(IngestRequest("POST", path, headers: [header], body: body), now: bench.now)
    }
    for (path, body) in [
      ("/v1/positions", PositionBatch.encode([row])), ("/overland", Overland.encode([row])),
      ("/owntracks", Array("{}".utf8)),
    ] {
      let response = post(path, body, phone.bearer)
      #expect(response.status == 503, "\(path)")
      #expect(response.code == "venue-not-served")
      #expect(response.header("retry-after") != nil)
    }
    // Clients of this interface read only the rows of an answer.
    let answer = post("/positions", IngestAPI.encodePositions([oldRow]), old)
    #expect(answer.text.contains(#""status":500"#), "\(answer.text)")
    #expect(answer.header("retry-after") != nil)
    bench.ingest.replace(served)
    #expect(try bench.post([row], by: phone) == [.stored])
    #expect(try PublishedTests.post(bench, [oldRow], old) == [.stored])
  }

  @Test func invalidBatchesReportTheByte() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    for body in ["", "[", "{}", #"{"rows":{}}"#, #"{"rows":[1,]}"#, #"{"rows":[{"device":"a]}"#, "\u{0}", "null"] {
      let response = bench.send("POST", "/v1/positions", body, phone.bearer)
      #expect(response.status == 400, "\(body)")
      #expect(response.header("content-type") == "application/problem+json")
      let problem = try response.object
      let offset = problem["offset"] as? Int
      #expect(offset != nil)
      #expect(problem["status"] as? Int == 400)
    }
    let third = bench.send("POST", "/v1/positions", #"{"rows":[{},{},{"device":nope}]}"#, phone.bearer)
    #expect(try third.object["row"] as? Int == 2)
  }

  @Test func limitsAreReportedAsLimits() throws {
    var settings = IngestSettings()
    settings.maximumRows = 10
    settings.maximumBytes = 20_000
    settings.maximumUnpackedBytes = 100_000
    settings.rowsPerHour = 25
    let bench = try Bench(settings)
    let phone = try bench.phone("phone-1")
    func post(_ count: Int) throws -> IngestResponse {
      let rows = try (0..<count).map { try bench.location("phone-1", at: bench.now - .seconds(Int64($0))) }
      return bench.ingest.handle(
        IngestRequest("POST", "/v1/positions", headers: [phone.bearer], body: PositionBatch.encode(rows)),
        now: bench.now)
    }
    #expect(try post(10).status == 207)
    #expect(try post(11).code == "too-many-rows")
    #expect(try post(10).status == 207)
    let over = try post(10)
    #expect(over.status == 429)
    let wait = try #require(over.header("retry-after").flatMap { Int64($0) })
    bench.now = bench.now + .seconds(wait)
    let fresh = Bench.Phone(id: "phone-1", secret: "", token: try bench.token("phone-1", secret: phone.secret))
    let body = PositionBatch.encode([try bench.location("phone-1", at: bench.now)])
    let packed = Gzip.compress(body)
    func send(_ body: [UInt8], _ encoding: String) -> IngestResponse {
      bench.ingest.handle(
        IngestRequest(
          "POST", "/v1/positions", headers: [fresh.bearer, .init("content-encoding", encoding)], body: body),
        now: bench.now)
    }
    #expect(send(packed, "gzip").status == 207)
    #expect(send(packed, "br").status == 415)
    #expect(send(Array(packed.dropLast(4)), "gzip").status == 400)
    #expect(send([1, 2, 3], "gzip").status == 400)
    let bomb = Gzip.compress([UInt8](repeating: 0x20, count: 10_000_000), level: 9)
    #expect(bomb.count < 20_000)
    #expect(send(bomb, "gzip").status == 413)
    #expect(send([UInt8](repeating: 0x20, count: 20_001), "identity").status == 413)
  }

  @Test func aKeyBelongsToOneBatch() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let first = PositionBatch.encode([try bench.location("phone-1", at: bench.now)])
    let second = PositionBatch.encode([try bench.location("phone-1", at: bench.now - .seconds(1))])
    func send(_ body: [UInt8], _ key: String) -> IngestResponse {
      bench.ingest.handle(
        IngestRequest(
          "POST", "/v1/positions", headers: [phone.bearer, .init("idempotency-key", key)], body: body), now: bench.now)
    }
    #expect(send(first, "mine").status == 207)
    #expect(send(first, "mine").status == 207)
    #expect(send(second, "mine").status == 422)
    #expect(send(second, "other").status == 207)
    #expect(send(second, "").status == 400)
    #expect(send(second, String(repeating: "k", count: 300)).status == 400)
    #expect(try bench.store.positionCount() == 2)
  }

  @Test func batchesShareATransactionAndFailTogether() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let other = try bench.phone("phone-2")
    let requests = try [("phone-1", phone), ("phone-2", other), ("phone-1", phone)].enumerated().map { k, pair in
      IngestRequest(
        "POST", "/v1/positions", headers: [pair.1.bearer],
        body: PositionBatch.encode([try bench.location(pair.0, at: bench.now - .seconds(Int64(k)))]))
    }
    let commits = bench.ingest.metrics.commits
    let preprocessor = bench.ingest.preprocessor
    let outcomes = bench.ingest.perform(requests.map { preprocessor.prepare($0, now: bench.now) }, now: bench.now)
    #expect(outcomes.count == 3)
    #expect(bench.ingest.metrics.commits == commits + 1)
    #expect(try bench.store.positionCount() == 3)
  }

  /// When a transaction fails, each of its batches is written by itself, and only those that cannot be stored are
  /// refused. Rows that were tried twice count once.
  @Test func batchesThatFailTogetherAreTriedOneByOne() throws {
    var settings = IngestSettings()
    settings.rowsPerHour = 1
    let bench = try Bench(settings)
    let store = MemoryPositionStore()
    bench.ingest = Ingest(
      preprocessor: bench.ingest.preprocessor, store: store, random: RandomBits(RandomStream(seed: 7, stream: 1)))
    let phones = try (0..<3).map { try bench.phone("phone-\($0)") }
    func perform(failing: @escaping (Int) -> Bool) throws -> [Int] {
      let requests = try phones.map { phone in
        IngestRequest(
          "POST", "/v1/positions", headers: [phone.bearer],
          body: PositionBatch.encode([try bench.location(phone.id, at: bench.now)]))
      }
      var commits = 0
      store.interruption = { moment throws(StoreFault) in
        guard moment == .committing else { return }
        commits += 1
        if failing(commits) { throw StoreFault(.failed, "died") }
      }
      let preprocessor = bench.ingest.preprocessor
      let outcomes = bench.ingest.perform(requests.map { preprocessor.prepare($0, now: bench.now) }, now: bench.now)
      return outcomes.map { outcome in
        if case .answer(let response) = outcome { response.status } else { 0 }
      }
    }
    // The first commit covers all three batches; the third covers the second batch alone.
    #expect(try perform { $0 == 1 || $0 == 3 } == [207, 503, 207])
    #expect(try store.positionCount() == 2)
    #expect(try perform { _ in false } == [429, 207, 429], "one row an hour, and none was counted that was not kept")
    #expect(try store.positionCount() == 3)
  }

  @Test func aFullDiskIsReportedAndRecoveredFrom() throws {
    let bench = try Bench(inFile: true)
    let phone = try bench.phone("phone-1")
    let kept = try (0..<50).map { try bench.location("phone-1", at: bench.now - .seconds(Int64($0))) }
    try bench.post(kept, by: phone)
    var options = SQLitePositionStore.Options()
    options.maximumPages = 45
    let small = try SQLitePositionStore(path: bench.path, options: options)
    let ingest = Ingest(
      preprocessor: bench.ingest.preprocessor, store: small, random: RandomBits(RandomStream(seed: 9, stream: 9)))
    func body(_ k: Int) throws -> [UInt8] {
      PositionBatch.encode(
        try (0..<500).map { try bench.location("phone-1", at: bench.now - .seconds(Int64(100 + 500 * k + $0))) })
    }
    var statuses: [Int] = []
    var acknowledged = 50
    for k in 0..<20 {
      let response = ingest.handle(
        IngestRequest("POST", "/v1/positions", headers: [phone.bearer], body: try body(k)), now: bench.now)
      statuses.append(response.status)
      if response.status == 207 { acknowledged += 500 }
      if response.status == 503 { #expect(response.header("retry-after") != nil) }
    }
    #expect(statuses.contains(207))
    #expect(statuses.contains(503))
    #expect(try small.positionCount() == acknowledged)
    // With room again, the same batches are stored, each row once.
    for k in 0..<20 {
      let response = bench.ingest.handle(
        IngestRequest("POST", "/v1/positions", headers: [phone.bearer], body: try body(k)), now: bench.now)
      #expect(response.status == 207)
    }
    #expect(try bench.store.positionCount() == 10_050)
  }

  /// A floor that the map lacks is a fault of the sender; an unknown floor is not.
  @Test func floorsMissingInTheVenueAreRefused() throws {
    let bench = try Bench()
    let floors: Set<FloorOrdinal> = [FloorOrdinal(-1), FloorOrdinal(0), FloorOrdinal(3)]
    bench.ingest.replace(
      RequestPreprocessor(
        settings: bench.settings, catalog: VenueCatalog([ServedVenue(gate: bench.venue, floors: floors)]),
        signer: PlainSigner(), keys: bench.keys,
        operators: [Operator(id: "op-admin", role: .admin, key: bench.admin)]))
    let phone = try bench.phone("phone-1")
    let rows = try [0, -1, 3, nil, 1, -99, 7].enumerated().map { index, floor in
      try bench.location("phone-1", at: bench.now - .seconds(Int64(index)), floor: floor)
    }
    let refused = RowStatus.refused(
      reason: "floor: the venue has no such floor; leave it out where it is not known")
    #expect(
      try bench.post(rows, by: phone) == [.stored, .stored, .stored, .stored, refused, refused, refused])
    let half =
      #"{"device":"phone-1","time":\#(bench.now.milliseconds),"lonlat":[8.54,47.37],"acc":5,"floor":0.5,"venue":"small-venue"}"#
    #expect(bench.send("POST", "/v1/positions", "{\"rows\":[\(half)]}", phone.bearer).text.contains("no such floor"))
    #expect(bench.ingest.metrics.refused == ["floor": 4])
  }

  /// A member's name means the same in every spelling (RFC 8259), in every body.
  @Test func namesCanBeEscapedInEveryBody() throws {
    let bench = try PublishedTests.bench()
    let code = try bench.invite()
    let secret = try bench.send("POST", "/v1/devices/a/activate", #"{"c\u006fde": "\#(code)"}"#).string("secret")
    let token = try bench.send("POST", "/v1/devices/a/token", #"{"\u0073ecret": "\#(secret)"}"#).string("token")
    let phone = Bench.Phone(id: "a", secret: secret, token: token)
    #expect(bench.agree(phone).status == 204)
    let place = bench.venue.place(east: 0, north: 0)
    let overland = #"""
      {"\u006cocations": [{"t\u0079pe": "Feature", "geom\u0065try": {"type": "Point",
        "coordin\u0061tes": [\#(place.longitude), \#(place.latitude)]},
        "pr\u006fperties": {"t\u0069mestamp": "\#(bench.now.rfc3339)", "horizontal\u005faccuracy": 5}}]}
      """#
    let stored = bench.send("POST", "/overland", overland, Bench.basic("a", secret))
    #expect(try stored.object["stored"] as? Int == 1, "\(stored.text)")
    let old = try PublishedTests.phone(bench, "old")
    let row =
      #"[{"\u0064evice":"old","time":\#(bench.now.milliseconds),"lonl\u0061t":[\#(place.longitude),\#(place.latitude)],"acc":5,"user\u0043onsent":true,"venue":"small-venue"}]"#
    #expect(bench.send("POST", "/positions", row, old).text.contains("200"))
  }
}
