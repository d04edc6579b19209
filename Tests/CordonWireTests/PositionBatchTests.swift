import CordonCore
import CordonWire
import Foundation
import Testing

@Suite("Positions on the wire, /v1")
struct PositionBatchTests {
  static func locations(_ count: Int, seed: UInt64 = 3) throws -> [Location] {
    var random = RandomStream(seed: seed, stream: 1)
    let venue = try #require(VenueID("lakeside"))
    return try (0..<count).map { index in
      let device = try #require(DeviceID(index % 3 == 0 ? "a \"quoted\" \\ dëvice" : "phone-\(index % 5)"))
      let coordinate = Coordinate(
        longitude: (random.nextUniform(in: -180...180) * 1e7).rounded() / 1e7,
        latitude: (random.nextUniform(in: -90...90) * 1e7).rounded() / 1e7)
      let accuracy = (random.nextUniform(in: 0...50) * 1e3).rounded() / 1e3
      let floor = [nil, FloorOrdinal(0), FloorOrdinal(-2), FloorOrdinal(0.5)][index % 4]
      let time = Instant(milliseconds: 1_763_724_000_000 + Int64(index) * 5_001)
      return Location(
        id: FixID(device: device, time: time, coordinate: coordinate, accuracy: accuracy, floor: floor), device: device,
        venue: venue, coordinate: coordinate, accuracy: accuracy, floor: floor, time: time,
        stillUntil: index % 2 == 0 ? time + .minutes(1) : nil, space: index % 7 == 0 ? SpaceID("räum/1\n") : nil,
        venueHash: index % 2 == 0 ? String(repeating: "0af9", count: 16) : "")
    }
  }

  @Test func batchesReadBackEqual() throws {
    let locations = try Self.locations(1_000)
    let rows = try PositionBatch.decode(PositionBatch.encode(locations))
    #expect(rows == locations.map { .location($0) })
    #expect(try PositionBatch.decode(PositionBatch.encode([])).isEmpty)
  }

  @Test func batchesAreStandardJSON() throws {
    let locations = try Self.locations(20)
    let body = PositionBatch.encode(locations)
    let parsed = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
    let rows = try #require(parsed?["rows"] as? [[String: Any]])
    #expect(rows.count == 20)
    for (row, location) in zip(rows, locations) {
      #expect(row["id"] as? String == location.id.description)
      #expect(row["device"] as? String == location.device.rawValue)
      #expect(row["lonlat"] as? [Double] == [location.coordinate.longitude, location.coordinate.latitude])
      #expect(row["space"] as? String == location.space?.rawValue)
    }
  }

  @Test func anUnknownFloorIsNotFloorZero() throws {
    var location = try #require(try Self.locations(1).first)
    location.floor = nil
    let body = PositionBatch.encode([location])
    #expect(String(decoding: body, as: UTF8.self).contains("\"floor\":null"))
    #expect(try PositionBatch.decode(body) == [.location(location)])
  }

  @Test func aRowWithoutIdentityGetsItsComputedIdentity() throws {
    let location = try #require(try Self.locations(2).last)
    var text = String(decoding: PositionBatch.encode([location]), as: UTF8.self)
    text = text.replacingOccurrences(of: "\"id\":\"\(location.id)\",", with: "")
    #expect(try PositionBatch.decode(Array(text.utf8)) == [.location(location)])
  }

  @Test func aBadRowDoesNotAffectTheOthers() throws {
    let locations = try Self.locations(3)
    let text = String(decoding: PositionBatch.encode(locations), as: UTF8.self)
    let bad = text.replacingOccurrences(of: "\"time\":\(locations[1].time.milliseconds)", with: "\"time\":\"noon\"")
    let rows = try PositionBatch.decode(Array(bad.utf8))
    #expect(rows[0] == .location(locations[0]))
    #expect(rows[2] == .location(locations[2]))
    guard case .fault(let id, let error) = rows[1] else {
      Issue.record("the bad row was read")
      return
    }
    #expect(id == locations[1].id)
    #expect(error.row == 1)
  }

  @Test(arguments: [
    ("", "byte 0"), ("{", "byte 1"), ("{\"rows\":[{]}", "row 0"), ("{\"rows\":5}", "expected '['"), ("{}", "rows"),
    ("{\"rows\":[]} x", "end of the text"), ("[[[[", "expected '{'"),
  ])
  func invalidTextIsRefusedWithItsOffset(_ text: String, _ place: String) throws {
    let error = #expect(throws: WireError.self) { try PositionBatch.decode(Array(text.utf8)) }
    #expect(error?.description.contains(place) == true, "\(String(describing: error))")
  }

  @Test func everyTruncationAndChangedByteIsReadOrRefused() throws {
    let body = PositionBatch.encode(try Self.locations(2))
    for length in 0..<body.count {
      #expect(throws: WireError.self) { try PositionBatch.decode(Array(body[0..<length])) }
    }
    var random = RandomStream(seed: 11, stream: 2)
    for _ in 0..<3_000 {
      var changed = body
      changed[random.nextIndex(below: body.count)] = UInt8(truncatingIfNeeded: random.next())
      _ = try? PositionBatch.decode(changed)
    }
  }

  @Test func outOfRangeValuesAreFaultsOfTheirRow() throws {
    let good = #""device":"d","time":1,"lonlat":[8,47],"acc":5,"venue":"v""#
    let cases = [
      (#""lonlat":[8,47]"#, #""lonlat":[8,470]"#), (#""acc":5"#, #""acc":-1"#), (#""device":"d""#, #""device":"""#),
      (#""venue":"v""#, #""venue":"a b""#), (#""time":1"#, #""time":1.5"#), (#""acc":5,"#, ""),
    ]
    for (value, replacement) in cases {
      let row = good.replacingOccurrences(of: value, with: replacement)
      let rows = try PositionBatch.decode(Array("{\"rows\":[{\(good)},{\(row)}]}".utf8))
      #expect(rows.count == 2)
      guard case .location = rows[0], case .fault = rows[1] else {
        Issue.record("\(replacement) was read")
        continue
      }
    }
  }

  @Test func answersArePairedByIdentity() throws {
    let ids = try Self.locations(4).map(\.id)
    let answers: [PositionAnswers.Answer] = [
      .init(id: ids[0], status: .stored), .init(id: ids[1], status: .known),
      .init(id: ids[2], status: .refused(reason: "older than \"14 days\"")), .init(id: nil, status: .retry),
    ]
    #expect(try PositionAnswers.decode(PositionAnswers.encode(answers)) == answers)
    let future = #"{"results":[{"id":"\#(ids[0])","status":"pondered"}]}"#
    #expect(try PositionAnswers.decode(Array(future.utf8)) == [.init(id: ids[0], status: .retry)])
  }

  @Test func theKeyOfABatchDependsOnOrder() throws {
    let ids = try Self.locations(3).map(\.id)
    #expect(PositionBatch.key(of: ids) == PositionBatch.key(of: ids))
    #expect(PositionBatch.key(of: ids) != PositionBatch.key(of: ids.reversed()))
    #expect(PositionBatch.key(of: ids).utf8.count == 64)
  }

  @Test func gzipRoundTripsWithinItsLimit() throws {
    let body = PositionBatch.encode(try Self.locations(500))
    let packed = Gzip.compress(body)
    #expect(packed.count < body.count / 2)
    #expect(try Gzip.decompress(packed, limit: 1 << 20) == body)
    #expect(throws: WireError.self) { try Gzip.decompress(packed, limit: body.count - 1) }
    #expect(throws: WireError.self) { try Gzip.decompress(Array(packed.dropLast()), limit: 1 << 20) }
    #expect(throws: WireError.self) { try Gzip.decompress(Array("plain".utf8), limit: 1 << 20) }
    #expect(try Gzip.decompress(Gzip.compress([]), limit: 0).isEmpty)
  }

  /// Programs recognise a fault by its kind, never by its text.
  @Test func faultsHaveKinds() throws {
    func kind(_ body: () throws(WireError) -> Void) -> WireError.Kind? {
      do throws(WireError) {
        try body()
        return nil
      } catch {
        return error.kind
      }
    }
    let packed = Gzip.compress([UInt8](repeating: 32, count: 1_000))
    #expect(kind { () throws(WireError) in _ = try Gzip.decompress(packed, limit: 999) } == .tooLong)
    #expect(
      kind { () throws(WireError) in _ = try Gzip.decompress(Array(packed.dropLast()), limit: 1_000) } == .malformed)
    func decode(_ rows: String) -> WireError.Kind? {
      kind { () throws(WireError) in _ = try PositionBatch.decode(Array("{\"rows\":[\(rows)]}".utf8)) }
    }
    let many = Array(repeating: "{}", count: PositionBatch.maximumRows + 1).joined(separator: ",")
    #expect(decode(many) == .tooManyRows)
    #expect(decode("{\"time\":nope}") == .malformed)
    // A number that no double holds makes a fault of its row, and no other value unreadable.
    guard case .fault(_, let fault) = try PositionBatch.decode(Array("{\"rows\":[{\"acc\":1e999}]}".utf8))[0] else {
      Issue.record("1e999 was read")
      return
    }
    #expect(fault.kind == .numberOutOfRange)
    #expect(decode("{\"other\":1e999}") == nil)
  }

  /// Concatenated gzip members are one text, within one limit.
  @Test func gzipMembersAreConcatenated() throws {
    let body = PositionBatch.encode(try Self.locations(50))
    let cuts = [0, 1, body.count / 3, body.count / 3, body.count]
    let members = zip(cuts, cuts.dropFirst()).flatMap { Gzip.compress(Array(body[$0..<$1])) }
    #expect(try Gzip.decompress(members, limit: body.count) == body)
    #expect(throws: WireError.self) { try Gzip.decompress(members, limit: body.count - 1) }
    #expect(throws: WireError.self) { try Gzip.decompress(Array(members.dropLast()), limit: 1 << 20) }
    // Other bytes behind a member are an error.
    for tail: [UInt8] in [[0], [0x1f], [0x1f, 0x8b], Array("plain".utf8)] {
      #expect(throws: WireError.self, "\(tail)") { try Gzip.decompress(members + tail, limit: 1 << 20) }
    }
  }

  /// A name means the same in every spelling (RFC 8259, section 8.3).
  @Test func namesOfMembersCanBeEscaped() throws {
    let plain = #""device":"d","time":1,"lonlat":[8,47],"acc":5,"venue":"v","still_until":9,"floor":2"#
    let escaped =
      #""\u0064evice":"\u0064","t\u0069me":1,"lo\u006Elat":[8,47],"\u0061\u0063\u0063":5,"venu\u0065":"v","still\u005funtil":9,"\u0066loor":2"#
    let rows = try PositionBatch.decode(Array(#"{"\u0072ows":[{\#(plain)},{\#(escaped)}]}"#.utf8))
    try #require(rows.count == 2)
    guard case .location(let one) = rows[0], case .location(let other) = rows[1] else {
      Issue.record("\(rows[1])")
      return
    }
    #expect(one == other)
    // A similar name is another name.
    #expect(throws: WireError.self) { try PositionBatch.decode(Array(#"{"\\u0072ows":[]}"#.utf8)) }
    #expect(throws: WireError.self) { try PositionBatch.decode(Array(#"{"row\u0000s":[]}"#.utf8)) }
  }

  @Test func numbersAreReadExactly() throws {
    var random = RandomStream(seed: 5, stream: 3)
    for _ in 0..<2_000 {
      let value = random.nextUniform(in: -180...180)
      let text = "{\"rows\":[{\"device\":\"d\",\"time\":1,\"lonlat\":[\(value),4.7e1],\"acc\":5,\"venue\":\"v\"}]}"
      guard case .location(let location) = try PositionBatch.decode(Array(text.utf8))[0] else {
        Issue.record("not read: \(text)")
        return
      }
      #expect(location.coordinate == Coordinate(longitude: value, latitude: 47))
    }
  }
}
