import Cordon
import CordonCore
import CordonMonitoring
import CordonSupport
import CordonWire
import Foundation
import Testing

/// The payload of the README of Overland, and the contracts of receivers in public code.
@Suite("Overland")
struct OverlandTests {
  private func endpoint(
    _ format: OverlandFormat = OverlandFormat(), _ template: String = "https://example.org/in", token: String? = nil
  ) throws -> SinkEndpoint {
    SinkEndpoint(format, url: try #require(OverlandFormat.url(template: template)), token: token)
  }

  private func request(_ locations: [Location], waiting: Int = 0, latest: Location? = nil) throws -> SinkRequest {
    var request = SinkRequest(
      number: 3, device: try #require(locations.first).device, sink: .overland, body: .positions(locations, token: nil))
    request.waiting = waiting
    request.latest = latest
    return request
  }

  private func body(_ message: HTTPRequest?) throws -> [String: Any] {
    let bytes = try #require(message).body
    return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  private func properties(_ feature: Any?) throws -> [String: Any] {
    try #require((feature as? [String: Any])?["properties"] as? [String: Any])
  }

  /// All properties that the README lists, with its types.
  @Test func aFeatureHasAllProperties() throws {
    var format = OverlandFormat()
    format.deviceID = "phone 1"
    format.includesUniqueID = true
    format.includesStatistics = true
    format.timeZone = TimeZone(identifier: "America/New_York")
    var rows = try ReceiverTests.locations(2)
    rows[1].stillUntil = rows[1].time + .minutes(3)
    let body = try body(endpoint(format).message(for: request(rows)))
    let features = try #require(body["locations"] as? [[String: Any]])
    #expect(body["current"] == nil && features.count == 2)
    let first = try properties(features[0])
    #expect(first["timestamp"] as? String == "2026-01-01T03:00:00.250-05:00")
    for name in [
      "altitude", "speed", "course", "horizontal_accuracy", "vertical_accuracy", "speed_accuracy",
      "course_accuracy", "battery_level", "desired_accuracy", "deferred", "locations_in_payload",
    ] {
      #expect(first[name] is NSNumber, "\(name)")
    }
    for name in ["battery_state", "wifi", "device_id", "unique_id", "activity", "significant_change"] {
      #expect(first[name] is String, "\(name)")
    }
    #expect(first["motion"] as? [String] == [] && first["pauses"] is Bool)
    #expect(try properties(features[1])["motion"] as? [String] == ["stationary"])
    #expect(first["device_id"] as? String == "phone 1" && first["locations_in_payload"] as? Int == 2)
    let plain = try self.body(endpoint().message(for: request(rows)))
    let few = try properties((plain["locations"] as? [Any])?.first)
    #expect(few["unique_id"] == nil && few["pauses"] == nil && few["device_id"] as? String == rows[0].device.rawValue)
    #expect(few["timestamp"] as? String == "2026-01-01T08:00:00.250+00:00")
  }

  @Test(arguments: [(0, "+00:00"), (19_800, "+05:30"), (-12_600, "-03:30"), (3_661, "+01:01"), (999_999, "+23:59")])
  func timestampsHaveAnOffset(offset: Int, text: String) throws {
    let time = Instant(milliseconds: 1_767_254_400_250)
    let stamp = Overland.timestamp(time, offset: offset)
    #expect(stamp.hasSuffix(text))
    #expect(try Instant(rfc3339: stamp) == time)
  }

  /// `current` is there when more than two batches wait, and is none of the batch.
  @Test func theCurrentLocationAccompaniesABacklog() throws {
    let rows = try ReceiverTests.locations(5)
    let batch = Array(rows[0..<2])
    #expect(try body(endpoint().message(for: request(batch, waiting: 3, latest: rows[4])))["current"] != nil)
    #expect(try body(endpoint().message(for: request(batch, waiting: 2, latest: rows[4])))["current"] == nil)
    #expect(try body(endpoint().message(for: request(batch, waiting: 3, latest: rows[1])))["current"] == nil)
    #expect(try body(endpoint().message(for: request(batch, waiting: 3)))["current"] == nil)
    let current = try body(endpoint().message(for: request(batch, waiting: 9, latest: rows[4])))["current"]
    #expect(try properties(current)["fix_id"] as? String == rows[4].id.description)
  }

  @Test func templatesArePercentEncoded() throws {
    let rows = try ReceiverTests.locations(2)
    let endpoint = try endpoint(
      OverlandFormat(),
      "https://me:pw@example.org/in?ts=%TS&lat=%LAT&lon=%LON&acc=%ACC&spd=%SPD&alt=%ALT&bat=%BAT&x=a%20b")
    let message = try #require(endpoint.message(for: request(rows)))
    #expect(
      message.url.absoluteString
        == "https://example.org/in?ts=2026-01-01T08%3A00%3A05Z&lat=47.25&lon=8.5001&acc=4.2&spd=-1&alt=0&bat=-1&x=a%20b"
    )
    #expect(message.headers["authorization"] == "Basic bWU6cHc=")
    #expect(try self.endpoint(token: "t").message(for: request(rows))?.headers["authorization"] == "Bearer t")
  }

  /// Answers by the code of receivers: Compass (`Api.php`, da26affe), dawarich (`overland/batches_controller.rb`, 60734da4)
  /// and the README of Overland (5f2a5be9).
  @Test(
    arguments: [
      ("Overland", 200, #"{"result":"ok"}"#, true, nil),
      ("Compass", 200, #"{"result":"ok","saved":2,"trips":0}"#, true, nil),
      ("Compass", 200, #"{"error":"invalid token"}"#, false, "invalid token"),
      (
        "Compass", 200, #"{"error":"invalid input","error_description":"parameter \"locations\" must be an array"}"#,
        false, "invalid input"
      ),
      ("dawarich", 201, #"{"result":"ok"}"#, true, nil),
      ("dawarich", 401, #"{"error":"unauthorized"}"#, false, nil),
      ("dawarich", 500, #"{"error":"Batch creation failed"}"#, false, nil),
      ("a portal", 200, "<html>welcome</html>", false, nil), ("nonsense", 200, #"["result","ok"]"#, false, nil),
      ("nonsense", 200, "", false, nil), ("an error", 500, #"{"result":"ok"}"#, false, nil),
    ] as [(String, Int, String, Bool, String?)])
  func answersOfReceiversAreRead(who: String, status: Int, text: String, isAccepted: Bool, fault: String?) throws {
    let rows = try ReceiverTests.locations(2)
    let answer = HTTPResponse(status: status, body: Array(text.utf8))
    let response = try endpoint().response(to: request(rows), from: answer)
    #expect((response.body != .none) == isAccepted, "\(who)")
    #expect(response.fault == fault)
  }

  /// Compass and dawarich read these members of a feature; both drop features without them.
  @Test func receiversFindTheMembersThatTheyRead() throws {
    let body = try body(endpoint().message(for: request(ReceiverTests.locations(1))))
    let feature = try #require((body["locations"] as? [[String: Any]])?.first)
    let geometry = try #require(feature["geometry"] as? [String: Any])
    #expect((geometry["coordinates"] as? [Double])?.count == 2 && feature["type"] as? String == "Feature")
    let properties = try properties(feature)
    for name in [
      "timestamp", "battery_state", "battery_level", "altitude", "speed", "device_id", "wifi",
      "horizontal_accuracy", "vertical_accuracy", "motion",
    ] {
      #expect(properties[name] != nil, "\(name)")
    }
  }

  /// A receiver of settings gets what an answer asks for, and its acknowledgement travels with the next request.
  @Test func settingsTravelBothWays() throws {
    /// `@unchecked Sendable` holds because one thread uses it.
    final class Receiver: SettingsReceiver, @unchecked Sendable {
      var received: [JSONValue?] = []
      var acknowledgement: JSONValue? { ["version": 7, "status": "applied"] }
      func receive(_ set: JSONValue?) { received.append(set) }
    }
    let receiver = Receiver()
    var format = OverlandFormat()
    format.settings = receiver
    let endpoint = try endpoint(format)
    let request = try request(ReceiverTests.locations(1))
    let sent = try body(endpoint.message(for: request))
    #expect((sent["settings"] as? [String: Any])?["version"] as? Int == 7)
    _ = endpoint.response(
      to: request, from: HTTPResponse(status: 200, body: Array(#"{"result":"ok","set":{"send_interval":"5m"}}"#.utf8)))
    _ = endpoint.response(to: request, from: HTTPResponse(status: 200, body: Array(#"{"result":"ok","set":[]}"#.utf8)))
    // Settings without an acknowledgement of the rows are not the receiver's.
    _ = endpoint.response(to: request, from: HTTPResponse(status: 200, body: Array(#"{"set":{"x":1}}"#.utf8)))
    #expect(receiver.received == [["send_interval": "5m"], nil])
  }
}
