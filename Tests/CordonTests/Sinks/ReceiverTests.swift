import Cordon
import CordonCore
import CordonMonitoring
import CordonTestSupport
import CordonWire
import Foundation
import Testing

/// A receiver that gives a test's answers, one after the other.
actor ScriptedReceiver: HTTPTransport {
  private var answers: [HTTPResponse]
  private(set) var messages: [HTTPRequest] = []

  init(_ answers: [HTTPResponse]) { self.answers = answers }

  func send(_ message: HTTPRequest) async -> HTTPResponse {
    messages.append(message)
    return answers.isEmpty ? .none : answers.removeFirst()
  }
}

/// Messages to Overland and OwnTracks receivers and files, and their answers.
@Suite("Sinks in practice")
struct ReceiverTests {
  static func locations(_ count: Int) throws -> [Location] {
    let device = try #require(DeviceID("0b5f-77"))
    let venue = try #require(VenueID("mall"))
    return (0..<count).map { index in
      let place = Coordinate(longitude: 8.5 + Double(index) / 1e4, latitude: 47.25)
      let time = Instant(milliseconds: 1_767_254_400_250 + Int64(index) * 5_000)
      return Location(
        id: FixID(device: device, time: time, coordinate: place, accuracy: 4.2, floor: nil), device: device,
        venue: venue, coordinate: place, accuracy: 4.2, floor: index == 1 ? FloorOrdinal(-1) : nil, time: time)
    }
  }

  func request(_ sink: SinkID, _ locations: [Location]) throws -> SinkRequest {
    SinkRequest(
      number: 3, device: try #require(locations.first).device, sink: sink, body: .positions(locations, token: nil))
  }

  func endpoint(
    _ format: some SinkFormat, _ address: String = "https://me:pass%20word@example.org/pub"
  ) throws -> SinkEndpoint {
    SinkEndpoint(format, url: try #require(URL(string: address)))
  }

  func json(_ message: HTTPRequest) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any])
  }

  @Test func ownTracksReceivesOneLocationPerMessage() async throws {
    let rows = try Self.locations(3)
    let receiver = ScriptedReceiver([
      HTTPResponse(status: 200, body: Array("[]".utf8)), HTTPResponse(status: 200),
      HTTPResponse(status: 200, body: Array("{}".utf8)),
    ])
    let response = try await endpoint(.ownTracks).deliver(request(.ownTracks, rows), over: receiver)
    #expect(response.body == .rows(rows.map { RowAnswer(id: $0.id, status: .stored) }))
    let messages = await receiver.messages
    #expect(messages.count == 3)
    let first = try json(messages[0])
    #expect(first["_type"] as? String == "location")
    #expect(first["tst"] as? Int == 1_767_254_400)
    #expect(first["acc"] as? Int == 5, "whole metres, never fewer than measured")
    #expect(first["lat"] as? Double == 47.25)
    #expect(first["lon"] as? Double == 8.5)
    #expect(first["tid"] as? String == "77")
    #expect(first["topic"] as? String == "owntracks/cordon/0b5f-77")
    #expect(first["floor"] == nil)
    #expect(try json(messages[1])["floor"] as? Int == -1)
    #expect(messages[0].headers["x-limit-u"] == "cordon")
    #expect(messages[0].headers["x-limit-d"] == "0b5f-77")
    // "me:pass word" in base64; the address itself carries no password.
    #expect(messages[0].headers["authorization"] == "Basic bWU6cGFzcyB3b3Jk")
    #expect(messages[0].url.absoluteString == "https://example.org/pub")
  }

  @Test func rowsRefusedByOwnTracksAreSentAgain() async throws {
    let rows = try Self.locations(4)
    let receiver = ScriptedReceiver([
      HTTPResponse(status: 200, body: Array("[]".utf8)), HTTPResponse(status: 422),
      HTTPResponse(status: 503, headers: ["retry-after": "30"]),
    ])
    let response = try await endpoint(.ownTracks).deliver(request(.ownTracks, rows), over: receiver)
    #expect(response.body == .rows([RowAnswer(id: rows[0].id, status: .stored)]), "what was refused comes again too")
    #expect(response.retryAfter == .seconds(30))
    #expect(await receiver.messages.count == 3, "nothing is sent after a failure")
  }

  /// A portal may come and go within a round: rows that it refused are sent once more, when the receiver answers.
  @Test func ownTracksRowsAreTriedTwiceBeforeQuarantine() async throws {
    let rows = try Self.locations(3)
    let taken = HTTPResponse(status: 200, body: Array("[]".utf8))
    let receiver = ScriptedReceiver([
      HTTPResponse(status: 422), HTTPResponse(status: 422), taken, HTTPResponse(status: 422), taken,
    ])
    let response = try await endpoint(.ownTracks).deliver(request(.ownTracks, rows), over: receiver)
    #expect(
      response.body
        == .rows([
          RowAnswer(id: rows[2].id, status: .stored), RowAnswer(id: rows[0].id, status: .refused(reason: "status 422")),
          RowAnswer(id: rows[1].id, status: .stored),
        ]))
    // A receiver that accepts nothing may be a portal.
    let portal = ScriptedReceiver(Array(repeating: HTTPResponse(status: 422), count: 3))
    let refused = try await endpoint(.ownTracks).deliver(request(.ownTracks, rows), over: portal)
    #expect(refused.body == .none && refused.status == 422)
    #expect(await portal.messages.count == 3)
  }

  @Test(arguments: ["<html>sign in to the hotel</html>", "ok", "[1", "  <p>"])
  func aCaptivePortalIsNotAReceiver(page: String) async throws {
    let receiver = ScriptedReceiver([HTTPResponse(status: 200, body: Array(page.utf8))])
    let response = try await endpoint(.ownTracks).deliver(request(.ownTracks, try Self.locations(2)), over: receiver)
    #expect(response.status == 200 && response.body == .none)
  }

  @Test func overlandReceivesTheExpectedFormat() async throws {
    let rows = try Self.locations(2)
    let receiver = ScriptedReceiver([HTTPResponse(status: 201, body: Array(#"{"result":"ok","saved":2}"#.utf8))])
    let response = try await endpoint(.overland).deliver(request(.overland, rows), over: receiver)
    #expect(response.body == .rows(rows.map { RowAnswer(id: $0.id, status: .stored) }))
    let message = try #require(await receiver.messages.first)
    let features = try #require(try json(message)["locations"] as? [[String: Any]])
    #expect(features.count == 2)
    #expect(features[0]["type"] as? String == "Feature")
    let geometry = try #require(features[0]["geometry"] as? [String: Any])
    #expect(geometry["type"] as? String == "Point")
    #expect(geometry["coordinates"] as? [Double] == [8.5, 47.25], "longitude first")
    let properties = try #require(features[0]["properties"] as? [String: Any])
    #expect(properties["timestamp"] as? String == "2026-01-01T08:00:00.250+00:00")
    #expect(properties["horizontal_accuracy"] as? Double == 4.2)
    #expect(properties["device_id"] as? String == "0b5f-77")
    // The values of the API for what is not measured.
    #expect(properties["vertical_accuracy"] as? Int == -1 && properties["wifi"] as? String == "")
    #expect(message.headers["content-type"] == "application/json")
    #expect(message.headers["authorization"] == "Basic bWU6cGFzcyB3b3Jk")
  }

  @Test func anOverlandReceiverCanBeTrustedByItsStatus() async throws {
    let rows = try Self.locations(1)
    var endpoint = try endpoint(.overland)
    let silent = HTTPResponse(status: 200)
    #expect(try await endpoint.deliver(request(.overland, rows), over: ScriptedReceiver([silent])).body == .none)
    endpoint = try self.endpoint(OverlandFormat(acceptsAnySuccess: true))
    #expect(
      try await endpoint.deliver(request(.overland, rows), over: ScriptedReceiver([silent])).body
        == .rows([RowAnswer(id: rows[0].id, status: .stored)]))
    let fault = try await endpoint.deliver(
      request(.overland, rows), over: ScriptedReceiver([HTTPResponse(status: 500)]))
    #expect(fault.status == 500 && fault.body == .none)
  }

  @Test func retryAfterCanBeADate() throws {
    let answer = HTTPResponse(
      status: 503,
      headers: ["retry-after": "Sun, 06 Nov 1994 08:50:07 GMT", "date": "Sun, 06 Nov 1994 08:49:37 GMT"])
    let response = try endpoint(.overland).response(to: request(.overland, try Self.locations(1)), from: answer)
    #expect(response.retryAfter == .seconds(30))
    for text in ["soon", "", "Sun, 06 Now 1994 08:49:37 GMT", "-5x"] {
      let odd = HTTPResponse(status: 503, headers: ["retry-after": text])
      #expect(
        try endpoint(.overland).response(to: request(.overland, try Self.locations(1)), from: odd).retryAfter == nil)
    }
  }
}

@Suite("The file sink")
struct LocationFileTests {
  let folder: TemporaryFolder
  var file: URL { folder.url.appendingPathComponent("rows.jsonl") }

  init() throws { folder = try TemporaryFolder() }

  func deliver(_ rows: [Location], to url: URL) async throws -> SinkResponse {
    let request = SinkRequest(number: 1, device: rows[0].device, sink: .file, body: .positions(rows, token: nil))
    return await SinkEndpoint(.file, url: url).deliver(request, over: ScriptedReceiver([]))
  }

  @Test func linesAreLocationsForTheOwnerOnly() async throws {
    let rows = try ReceiverTests.locations(3)
    let response = try await deliver(Array(rows[..<2]), to: file)
    #expect(response.body == .rows(rows[..<2].map { RowAnswer(id: $0.id, status: .stored) }))
    _ = try await deliver(Array(rows[2...]), to: file)
    let text = try String(contentsOf: file, encoding: .utf8)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 3 && text.hasSuffix("\n"))
    // A line is a row of the body of /v1.
    let body = #"{"rows":["# + lines.joined(separator: ",") + "]}"
    #expect(try PositionBatch.decode(Array(body.utf8)) == rows.map { .location($0) })
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func aLineCutByACrashIsRemoved() async throws {
    let rows = try ReceiverTests.locations(2)
    _ = try await deliver([rows[0]], to: file)
    var torn = try Data(contentsOf: file)
    torn.append(Data(#"{"id":"0199"#.utf8) + Data(repeating: 0x20, count: 9_000))
    try torn.write(to: file)
    _ = try await deliver([rows[1]], to: file)
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[1].contains(rows[1].id.description))
  }

  @Test func aMissingFolderAcknowledgesNothing() async throws {
    let response = try await deliver(
      try ReceiverTests.locations(1), to: URL(fileURLWithPath: "/nonexistent/folder/rows.jsonl"))
    #expect(response.status == 507 && response.body == .none)
  }
}
