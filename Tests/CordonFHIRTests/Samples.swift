import Cordon
import CordonCore
import CordonFHIR
import CordonMonitoring
import Foundation
import Testing

/// Locations, targets and requests of the tests.
enum Samples {
  static func locations(_ count: Int, restsFor rest: TimeSpan? = nil) throws -> [Location] {
    let device = try #require(DeviceID("0b5f-77"))
    let venue = try #require(VenueID("mall"))
    return (0..<count).map { index in
      let place = Coordinate(longitude: 8.5 + Double(index) / 1e4, latitude: 47.25)
      let time = Instant(milliseconds: 1_767_254_400_250 + Int64(index) * 600_000)
      return Location(
        id: FixID(device: device, time: time, coordinate: place, accuracy: 4.2, floor: nil), device: device,
        venue: venue, coordinate: place, accuracy: 4.2, floor: index == 1 ? FloorOrdinal(-1) : nil, time: time,
        stillUntil: rest.map { time + $0 })
    }
  }

  static func target(
    _ type: FHIRDataType = .geoposition, _ version: FHIRVersion = .r5, hasIEEECode: Bool = false
  ) throws -> FHIRTarget {
    try FHIRTarget(
      patient: "40001", device: "Device/70001", dataType: type, version: version, hasIEEECode: hasIEEECode)
  }

  static func request(_ locations: [Location]) throws -> SinkRequest {
    SinkRequest(
      number: 3, device: try #require(locations.first).device, sink: .fhir, body: .positions(locations, token: nil))
  }

  static func endpoint(_ target: FHIRTarget) throws -> SinkEndpoint {
    SinkEndpoint(
      FHIRFormat(target), url: try #require(URL(string: "https://exchange.example.org/FHIR/R5/")), token: "secret")
  }

  static func json(_ bytes: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  static func entries(_ message: HTTPRequest) throws -> [[String: Any]] {
    try #require(try json(message.body)["entry"] as? [[String: Any]])
  }
}

/// Gives answers one after the other, and keeps the requests.
actor ScriptedServer: HTTPTransport {
  private var answers: [HTTPResponse]
  private(set) var messages: [HTTPRequest] = []

  init(_ answers: [HTTPResponse]) { self.answers = answers }

  func send(_ message: HTTPRequest) async -> HTTPResponse {
    messages.append(message)
    return answers.isEmpty ? .none : answers.removeFirst()
  }
}

/// A provider that delivers a test's events.
final class HandProvider: LocationProvider {
  private let stream: AsyncStream<ProviderEvent>
  private let continuation: AsyncStream<ProviderEvent>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream(of: ProviderEvent.self) }

  func events() -> AsyncStream<ProviderEvent> { stream }
  func perform(_ command: ProviderCommand) {}
  func deliver(_ event: ProviderEvent) { continuation.yield(event) }
}
