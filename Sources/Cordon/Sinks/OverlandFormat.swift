public import CordonCore
public import CordonMonitoring
package import CordonSupport
package import CordonWire
public import Foundation

/// An Overland receiver. The endpoint's URL is the receiver itself.
///
/// Rows are deleted when the answer is the format's own, `{"result": "ok"}`, with a status of success.
///
/// The URL may have the parameters `%TS`, `%LAT`, `%LON`, `%ACC`, `%SPD`, `%ALT` and `%BAT` of Overland, see
/// ``url(template:)``. They get the values of the most recent location of a request, percent-encoded.
public struct OverlandFormat: SinkFormat {
  /// Whether every success counts as an acknowledgement, for receivers that never answer `{"result":"ok"}`. Any
  /// portal on the way can then cause the loss of rows.
  public var acceptsAnySuccess: Bool
  /// The value of the property `device_id`; `nil` for the device's pseudonym.
  public var deviceID: String?
  /// Whether the property `unique_id` is sent: the device's pseudonym.
  public var includesUniqueID = false
  /// Whether the properties about tracking itself are sent, such as `locations_in_payload`.
  public var includesStatistics = false
  /// The time zone of timestamps; UTC by default.
  public var timeZone: TimeZone?
  /// Receives the settings of answers; `nil` ignores them.
  package var settings: (any SettingsReceiver)?
  /// Returns the trip in progress; every request has it as the member `trip`. `nil` for no trips.
  ///
  /// It is called with the locations of each request, oldest first, some of them again; from others, the receiver must not learn of
  /// the trip. It returns the mode of travel, the start, the length so far in metres and the first location of the trip, or
  /// `nil` while there is no trip. See ``report(tripOf:from:until:distance:first:last:endedByItself:steps:to:over:)`` for its end.
  public var trip:
    (@Sendable (_ locations: [Location]) -> (mode: String, start: Instant, distance: Double, first: Location?)?)?
  /// The source of the trip in progress of a tracker; it comes before ``trip``.
  package var trips: (any TripSource)?

  /// Makes the format.
  public init(acceptsAnySuccess: Bool = false) { self.acceptsAnySuccess = acceptsAnySuccess }

  /// `SinkID.overland`.
  public var sinkID: SinkID { .overland }
  /// `overland`.
  public var name: String { "overland" }

  /// Returns the URL of a template such as `https://example.org/in?lat=%LAT&lon=%LON`; `nil` when it is not one.
  public static func url(template: String) -> URL? { URL(string: Overland.address(ofTemplate: template)) }

  /// See ``SinkFormat/message(for:at:)``.
  public func message(for request: SinkRequest, at endpoint: SinkEndpoint) -> HTTPRequest? {
    guard case .positions(let locations, _) = request.body, let last = locations.last else { return nil }
    var options = options
    // Without visits a rest is a pause of positioning, and its location is one as any other, at rest.
    if !request.recordsVisits { options.isVisit = { _ in false } }
    options.acknowledgement = settings?.acknowledgement
    options.trip = trips?.trip(with: locations, latest: request.latest) ?? tripInProgress(locations, request.latest)
    // More than two batches wait, this one included.
    if request.waiting > locations.count, let latest = request.latest,
      !locations.contains(where: { $0.id == latest.id })
    {
      options.current = latest
    }
    let newest = request.latest.map { $0.time > last.time ? $0 : last } ?? last
    return post(Overland.encode(locations, options), about: newest, to: endpoint)
  }

  /// The contents of payloads besides the locations, without those of a single request.
  private var options: Overland.Options {
    var options = Overland.Options()
    options.deviceID = deviceID
    options.includesUniqueID = includesUniqueID
    options.includesStatistics = includesStatistics
    options.isVisit = { $0.purpose == .everywhere && $0.stillUntil != nil }
    if let timeZone {
      options.offset = { timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0.milliseconds) / 1_000)) }
    }
    return options
  }

  /// Returns the body of a request with an ended trip.
  package func body(of trip: Overland.EndedTrip) -> [UInt8] { Overland.encode(trip, options) }

  /// Returns a message with the URL for a location.
  func post(_ body: [UInt8], about location: Location, to endpoint: SinkEndpoint) -> HTTPRequest {
    let address = URL(string: Overland.address(endpoint.bareURL.absoluteString, for: location)) ?? endpoint.bareURL
    var message = endpoint.json("POST", address, body)
    if let authorization = endpoint.authorization { message.headers["authorization"] = authorization }
    return message
  }

  /// See ``SinkFormat/response(to:from:at:)``.
  public func response(to request: SinkRequest, from answer: HTTPResponse, at endpoint: SinkEndpoint) -> SinkResponse {
    var response = SinkResponse(to: request, from: answer)
    guard (200..<300).contains(answer.status), case .positions(let locations, _) = request.body else { return response }
    guard acceptsAnySuccess || Overland.isAccepted(answer.body) else {
      response.fault = Overland.error(in: answer.body)
      return response
    }
    response.body = .rows(locations.map { RowAnswer(id: $0.id, status: .stored) })
    settings?.receive(Overland.settings(in: answer.body))
    return response
  }
}

/// Receives the settings of a receiver's answers, and acknowledges them.
package protocol SettingsReceiver: Sendable {
  /// The acknowledgement that the next request carries, an object; `nil` for none.
  var acknowledgement: JSONValue? { get }
  /// An answer accepted a request, and with it the acknowledgement that it carried. `set` holds the settings that it asks for; `nil`
  /// for none.
  func receive(_ set: JSONValue?)
}

/// Supplies the trip in progress for the requests to one receiver.
package protocol TripSource: Sendable {
  /// Returns the trip in progress, as far as the receiver may know it; `nil` for none.
  /// - Parameters:
  ///   - locations: the locations of a request, oldest first.
  ///   - latest: the most recent location that the receiver may have.
  func trip(with locations: [Location], latest: Location?) -> Overland.Trip?
}

/// Sends an ended trip to an Overland receiver, in place of the locations of a request.
package struct OverlandTripFormat: SinkFormat {
  private let format: OverlandFormat
  private let body: [UInt8]

  /// Makes the format.
  /// - Parameters:
  ///   - format: the format of the receiver.
  ///   - body: the body, see ``OverlandFormat/body(of:)``.
  package init(_ format: OverlandFormat, body: [UInt8]) {
    self.format = format
    self.body = body
  }

  /// That of the receiver.
  package var sinkID: SinkID { format.sinkID }
  /// That of the receiver.
  package var name: String { format.name }

  /// See ``SinkFormat/message(for:at:)``; the last location of the request fills the parameters of the URL.
  package func message(for request: SinkRequest, at endpoint: SinkEndpoint) -> HTTPRequest? {
    guard case .positions(let locations, _) = request.body, let last = locations.last else { return nil }
    return format.post(body, about: last, to: endpoint)
  }

  /// See ``SinkFormat/response(to:from:at:)``.
  package func response(to request: SinkRequest, from answer: HTTPResponse, at endpoint: SinkEndpoint) -> SinkResponse {
    format.response(to: request, from: answer, at: endpoint)
  }
}

extension SinkFormat where Self == OverlandFormat {
  /// An Overland receiver.
  public static var overland: OverlandFormat { OverlandFormat() }
}
