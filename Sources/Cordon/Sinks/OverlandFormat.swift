import CordonCore
public import CordonMonitoring
package import CordonSupport
import CordonWire
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
    var options = Overland.Options()
    options.deviceID = deviceID
    options.includesUniqueID = includesUniqueID
    options.includesStatistics = includesStatistics
    options.acknowledgement = settings?.acknowledgement
    if let timeZone {
      options.offset = { timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0.milliseconds) / 1_000)) }
    }
    // More than two batches wait, this one included.
    if request.waiting > locations.count, let latest = request.latest,
      !locations.contains(where: { $0.id == latest.id })
    {
      options.current = latest
    }
    let newest = request.latest.map { $0.time > last.time ? $0 : last } ?? last
    let address = URL(string: Overland.address(endpoint.bareURL.absoluteString, for: newest)) ?? endpoint.bareURL
    var message = endpoint.json("POST", address, Overland.encode(locations, options))
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

extension SinkFormat where Self == OverlandFormat {
  /// An Overland receiver.
  public static var overland: OverlandFormat { OverlandFormat() }
}
