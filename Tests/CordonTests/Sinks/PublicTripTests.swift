import Cordon
import CordonCore
import CordonMonitoring
import Foundation
import Testing

/// Trips of apps, with public symbols only: `TripSender` is compiled from outside of the package too.
@Suite("Trips of apps for Overland receivers")
struct PublicTripTests {
  private actor Receiver: HTTPTransport {
    private var answers: [String]
    private(set) var messages: [HTTPRequest] = []
    init(_ answers: [String]) { self.answers = answers }
    func send(_ message: HTTPRequest) -> HTTPResponse {
      messages.append(message)
      return HTTPResponse(status: 200, body: Array(answers.removeFirst().utf8))
    }
  }

  /// `@unchecked Sendable` holds because every access to `value` happens with `lock` held.
  private final class Trips: @unchecked Sendable {
    private let lock = NSLock()
    private var value: (mode: String, start: Instant, distance: Double)?
    func set(_ trip: (mode: String, start: Instant, distance: Double)?) { lock.withLock { value = trip } }
    var current: (mode: String, start: Instant, distance: Double)? { lock.withLock { value } }
  }

  private let url: URL
  private let locations: [Location]

  init() throws {
    url = try #require(URL(string: "https://example.org/in"))
    let device = try #require(DeviceID("0b5f-77"))
    locations = (0..<3).map { index in
      let place = Coordinate(longitude: 8.5 + Double(index) * 0.001, latitude: 47.25)
      let time = Instant(milliseconds: 1_767_254_400_000) + .minutes(Int64(index))
      return Location(
        id: FixID(device: device, time: time, coordinate: place, accuracy: 4, floor: nil), device: device,
        venue: .everywhere, coordinate: place, accuracy: 4, floor: nil, time: time)
    }
  }

  private func object(_ message: HTTPRequest?) throws -> [String: Any] {
    let body = Data(try #require(message).body)
    return try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
  }

  @Test func everyRequestHasTheTripInProgress() throws {
    let trips = Trips()
    let sender = TripSender(url) { trips.current }
    let request = SinkRequest(
      number: 1, device: locations[0].device, sink: .overland, body: .positions(locations, token: nil))
    #expect(try object(sender.receiver.message(for: request))["trip"] == nil)
    trips.set(("walk", locations[1].time, 42.5))
    let trip = try #require(
      try object(sender.receiver.message(for: request))["trip"] as? [String: Any])
    #expect(trip["mode"] as? String == "walk" && trip["distance"] as? Double == 42.5)
    #expect(trip["start"] as? String == "2026-01-01T08:01:00.000+00:00")
    func place(_ name: String) -> [Double]? {
      ((trip[name] as? [String: Any])?["geometry"] as? [String: Any])?["coordinates"] as? [Double]
    }
    #expect(place("start_location") == [8.501, 47.25] && place("current_location") == [8.502, 47.25])
    trips.set(("walk", locations[2].time + .minutes(1), .nan))
    let empty = try #require(
      try object(sender.receiver.message(for: request))["trip"] as? [String: Any])
    #expect(empty["start_location"] is NSNull && empty["current_location"] is NSNull)
    #expect(empty["distance"] as? Double == 0, "a length that is not a number")
  }

  @Test func anEndedTripIsSentUntilTheReceiverAcceptsIt() async throws {
    let sender = TripSender(url) { nil }
    let receiver = Receiver([#"{"error":"later"}"#, #"{"result":"ok"}"#])
    let first = await sender.end("walk", from: locations[0], to: locations[2], distance: 151, over: receiver)
    let second = await sender.end("walk", from: locations[0], to: locations[2], distance: 151, over: receiver)
    #expect(!first && second)
    let messages = await receiver.messages
    #expect(messages.count == 2 && messages.allSatisfy { $0.url == url })
    let features = try #require(try object(messages.last)["locations"] as? [[String: Any]])
    let properties = try #require(features.first?["properties"] as? [String: Any])
    #expect(properties["type"] as? String == "trip" && properties["mode"] as? String == "walk")
    #expect(properties["distance"] as? Double == 151 && properties["steps"] as? Int == 900)
    #expect(properties["duration"] as? Double == 120 && properties["stopped_automatically"] as? Bool == false)
  }
}
