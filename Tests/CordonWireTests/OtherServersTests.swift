import CordonCore
import CordonWire
import Foundation
import Testing

@Suite("Messages of other servers")
struct OtherServersTests {
  @Test func positionsAreWrittenForThePublishedAPI() throws {
    let locations = try PositionBatchTests.locations(8)
    let body = IngestAPI.encodePositions(locations)
    let rows = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [[String: Any]])
    #expect(rows.count == 8)
    for (row, location) in zip(rows, locations) {
      #expect(row["device"] as? String == location.device.rawValue)
      #expect(row["time"] as? Int64 == location.time.milliseconds)
      #expect(row["lonlat"] as? [Double] == [location.coordinate.longitude, location.coordinate.latitude])
      #expect((row["floor"] as? Double) == location.floor?.value)
      #expect(row["userConsent"] as? Bool == true)
    }
  }

  @Test func statusesAreReadByPosition() throws {
    let body = #"""
      [{"status":200,"message":""},{"status":409,"message":"x"},{"status":401,"message":"wrong venue"},
       {"status":500},{"status":429,"message":null},{"message":"?"}]
      """#
    #expect(
      try IngestAPI.decodeAnswers(Array(body.utf8)) == [
        .stored, .known, .refused(reason: "wrong venue"), .retry, .retry, .retry,
      ])
    #expect(throws: WireError.self) { try IngestAPI.decodeAnswers(Array("{}".utf8)) }
  }

  @Test(arguments: ["2020-06-01T12:00:00Z", "2020-06-01T12:00:00.5Z", "2020-06-01T08:00:00.123456789-04:00"])
  func tokensWithAnyNumberOfDecimals(date: String) throws {
    let body = #"{"token":"a.b.c","expiresAt":"\#(date)"}"#
    let (token, expires) = try IngestAPI.decodeToken(Array(body.utf8))
    #expect(token == "a.b.c")
    #expect((1_591_012_800_000...1_591_012_800_500).contains(expires.milliseconds))
    #expect(throws: WireError.self) { try IngestAPI.decodeToken(Array(#"{"token":"x"}"#.utf8)) }
  }

  @Test func activation() throws {
    let body = IngestAPI.encodeActivation(code: "A\"B", type: "phone")
    let parsed = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: String])
    #expect(parsed == ["code": "A\"B", "deviceType": "phone"])
    #expect(try IngestAPI.decodeActivation(Array(#"{"venue":"mall"}"#.utf8)) == VenueID("mall"))
  }

  @Test func overland() throws {
    let locations = try PositionBatchTests.locations(4)
    let parsed = try JSONSerialization.jsonObject(with: Data(Overland.encode(locations))) as? [String: Any]
    let features = try #require(parsed?["locations"] as? [[String: Any]])
    for (feature, location) in zip(features, locations) {
      let geometry = try #require(feature["geometry"] as? [String: Any])
      #expect(geometry["coordinates"] as? [Double] == [location.coordinate.longitude, location.coordinate.latitude])
      let properties = try #require(feature["properties"] as? [String: Any])
      let stamp = try #require(properties["timestamp"] as? String)
      #expect(try Instant(rfc3339: stamp) == location.time)
    }
    #expect(Overland.isAccepted(Array(#"{"result":"ok","saved":3}"#.utf8)))
    for body in ["", "[]", "ok", #"{"result":"error"}"#, #"{"error":"full"}"#, #"{"result":true}"#] {
      #expect(!Overland.isAccepted(Array(body.utf8)))
    }
  }
}
