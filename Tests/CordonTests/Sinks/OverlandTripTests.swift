import Cordon
import CordonCore
import CordonMonitoring
import CordonWire
import Foundation
import Testing

/// Trips and visits for Overland receivers, byte by byte: `trip` as its README documents it, and the features of ended trips and
/// visits as its code writes them (5f2a5be9).
@Suite("Overland: trips and visits")
struct OverlandTripTests {
  /// A trip that is always in progress.
  private struct Walk: TripSource {
    func trip(with locations: [Location], latest: Location?) -> Overland.Trip? {
      guard let first = locations.first else { return nil }
      return Overland.Trip(
        mode: "walk", start: first.time - .milliseconds(250), distance: 12.34, startLocation: first,
        currentLocation: latest)
    }
  }

  /// The end of the properties of a feature.
  private static let device = #""battery_state":"unknown","battery_level":-1,"wifi":"","device_id":"0b5f-77""#

  private func feature(_ row: Location, _ longitude: String, _ time: String) -> String {
    [
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(longitude),47.25]},"properties":{"#,
      #""timestamp":"\#(time)+00:00","altitude":0,"speed":-1,"course":-1,"horizontal_accuracy":4.2,"#,
      #""vertical_accuracy":-1,"speed_accuracy":-1,"course_accuracy":-1,"motion":[],"#,
      #"\#(Self.device),"fix_id":"\#(row.id)"}}"#,
    ].joined()
  }

  private func body(_ rows: [Location], latest: Location? = nil, trips: (any TripSource)? = nil) throws -> String {
    var format = OverlandFormat()
    format.trips = trips
    var request = SinkRequest(
      number: 3, device: try #require(rows.first).device, sink: .overland, body: .positions(rows, token: nil))
    request.latest = latest
    let endpoint = SinkEndpoint(format, url: try #require(URL(string: "https://example.org/in")))
    return String(decoding: try #require(endpoint.message(for: request)).body, as: UTF8.self)
  }

  @Test func aTripInProgressAccompaniesEachRequest() throws {
    let rows = try ReceiverTests.locations(3)
    let first = feature(rows[0], "8.5", "2026-01-01T08:00:00.250")
    let latest = feature(rows[2], "8.5002", "2026-01-01T08:00:10.250")
    #expect(
      try body([rows[0]], latest: rows[2], trips: Walk())
        == #"{"locations":[\#(first)],"trip":{"mode":"walk","start":"2026-01-01T08:00:00.000+00:00","distance":12.3,"#
        + #""start_location":\#(first),"current_location":\#(latest)}}"#)
    #expect(try body([rows[0]], trips: Walk()).hasSuffix(#","current_location":null}}"#))
    #expect(try body([rows[0]]) == #"{"locations":[\#(first)]}"#, "none without a trip")
  }

  /// Overland sends visits only with its setting for them; a pause is none.
  @Test func aPauseIsNoVisitWhileVisitsAreOff() throws {
    var row = try ReceiverTests.locations(1)[0]
    row.venue = .everywhere
    row.stillUntil = row.time + .minutes(30)
    var request = SinkRequest(number: 3, device: row.device, sink: .overland, body: .positions([row], token: nil))
    let endpoint = SinkEndpoint(.overland, url: try #require(URL(string: "https://example.org/in")))
    for isOn in [true, false] {
      request.recordsVisits = isOn
      let text = String(decoding: try #require(endpoint.message(for: request)).body, as: UTF8.self)
      #expect(text.contains(#""action":"visit""#) == isOn)
      #expect(text.contains(#""motion":["stationary"]"#) == !isOn && text.contains(#""still_until":"#) == !isOn)
    }
  }

  @Test func aVisitHasItsOwnShape() throws {
    var rows = try ReceiverTests.locations(3)
    for index in rows.indices { rows[index].venue = .everywhere }
    rows[0].stillUntil = rows[0].time
    rows[2].stillUntil = rows[2].time + .minutes(30)
    func visit(_ row: Location, _ longitude: String, _ time: String, _ arrival: String, _ departure: String) -> String {
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(longitude),47.25]},"properties":{"#
        + #""timestamp":"\#(time)","action":"visit","arrival_date":"\#(arrival)","departure_date":\#(departure),"#
        + #""horizontal_accuracy":4.2,\#(Self.device),"fix_id":"\#(row.id)"}}"#
    }
    let (early, late) = ("2026-01-01T08:00:00.250+00:00", "2026-01-01T08:00:10.250+00:00")
    let end = "2026-01-01T08:30:10.250+00:00"
    #expect(
      try body([rows[0], rows[2]])
        == #"{"locations":[\#(visit(rows[0], "8.5", early, early, "null")),"#
        + #"\#(visit(rows[2], "8.5002", end, late, "\"\(end)\""))]}"#)
    // A rest in a venue is not a visit, and a place of a trip is a location.
    rows[2].venue = try ReceiverTests.locations(1)[0].venue
    #expect(try !body([rows[2]]).contains("visit"))
    #expect(try body([rows[0]], latest: rows[0], trips: Walk()).components(separatedBy: #""action""#).count == 2)
  }

  @Test func anEndedTripIsAFeatureOfItsOwn() throws {
    let rows = try ReceiverTests.locations(3)
    func body(_ steps: Int?, _ isAutomatic: Bool) -> String {
      String(
        decoding: OverlandFormat().body(
          of: Overland.EndedTrip(
            mode: "bicycle", start: rows[0].time, end: rows[2].time + .milliseconds(500), distance: 1_234.56,
            startLocation: rows[0], endLocation: rows[2], stoppedAutomatically: isAutomatic, steps: steps)),
        as: UTF8.self)
    }
    let places = [
      feature(rows[0], "8.5", "2026-01-01T08:00:00.250"), feature(rows[2], "8.5002", "2026-01-01T08:00:10.250"),
    ]
    let head = [
      #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[8.5002,47.25]},"properties":{"#,
      #""timestamp":"2026-01-01T08:00:10.750+00:00","type":"trip","mode":"bicycle","#,
      #""start":"2026-01-01T08:00:00.250+00:00","end":"2026-01-01T08:00:10.750+00:00","start_location":"#,
      places[0], #","end_location":"#, places[1], #","duration":10.5,"distance":1234.6,"#,
    ].joined()
    #expect(
      body(321, false) == head + #""stopped_automatically":false,"steps":321,\#(Self.device)}}]}"#)
    #expect(
      body(nil, true) == head + #""stopped_automatically":true,"steps":null,\#(Self.device)}}]}"#)
  }

  /// The message of an ended trip has the address, the sign-in and the acknowledgement of the receiver's other messages.
  @Test func anEndedTripIsDeliveredLikeLocations() async throws {
    let rows = try ReceiverTests.locations(2)
    let template = try #require(OverlandFormat.url(template: "https://example.org/in?lon=%LON"))
    var endpoint = SinkEndpoint(OverlandFormat(), url: template, token: "t")
    endpoint.format = OverlandTripFormat(OverlandFormat(), body: Array("{}".utf8))
    let request = SinkRequest(
      number: 0, device: rows[0].device, sink: .overland, body: .positions([rows[1]], token: nil))
    let receiver = ScriptedReceiver([
      HTTPResponse(status: 200, body: Array(#"{"result":"ok"}"#.utf8)),
      HTTPResponse(status: 200, body: Array("ok".utf8)),
    ])
    let accepted = await endpoint.deliver(request, over: receiver)
    #expect(accepted.body == .rows([RowAnswer(id: rows[1].id, status: .stored)]))
    #expect(await endpoint.deliver(request, over: receiver).body == .none, "a portal is not a receiver")
    let message = try #require(await receiver.messages.first)
    #expect(message.url.absoluteString == "https://example.org/in?lon=8.5001")
    #expect(message.headers["authorization"] == "Bearer t" && message.body == Array("{}".utf8))
  }
}
