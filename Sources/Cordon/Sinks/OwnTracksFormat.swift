import CordonCore
public import CordonMonitoring
import CordonWire

/// An OwnTracks receiver in HTTP mode, which takes one location in each message. The endpoint's URL is the receiver
/// itself.
///
/// Rows are deleted when the answer is one of OwnTracks: empty, or JSON. A refused row is quarantined when the
/// receiver accepts another one and then refuses this one again, which a portal on the way does not.
public struct OwnTracksFormat: SinkFormat {
  /// Makes the format.
  public init() {}

  /// `SinkID.ownTracks`.
  public var sinkID: SinkID { .ownTracks }
  /// `owntracks`.
  public var name: String { "owntracks" }

  /// Returns the message for the first location of a request.
  public func message(for request: SinkRequest, at endpoint: SinkEndpoint) -> HTTPRequest? {
    guard case .positions(let locations, _) = request.body, let first = locations.first else { return nil }
    return message(first, endpoint)
  }

  private func message(_ location: Location, _ endpoint: SinkEndpoint) -> HTTPRequest {
    let (user, device) = ("cordon", location.device.rawValue)
    var headers = ["content-type": "application/json", "x-limit-u": user, "x-limit-d": device]
    if let authorization = endpoint.authorization { headers["authorization"] = authorization }
    return HTTPRequest(
      method: "POST", url: endpoint.bareURL, headers: headers,
      body: OwnTracks.encode(location, topic: "owntracks/\(user)/\(device)"))
  }

  /// Returns the meaning of the answer to ``message(for:at:)`` for its location.
  public func response(to request: SinkRequest, from answer: HTTPResponse, at endpoint: SinkEndpoint) -> SinkResponse {
    var response = SinkResponse(to: request, from: answer)
    if case .positions(let locations, _) = request.body, let first = locations.first, isTaken(answer) {
      response.body = .rows([RowAnswer(id: first.id, status: .stored)])
    }
    return response
  }

  private func isTaken(_ answer: HTTPResponse) -> Bool {
    (200..<300).contains(answer.status) && OwnTracks.isAccepted(answer.body)
  }

  private func isRefusal(_ answer: HTTPResponse) -> Bool { [400, 413, 422].contains(answer.status) }

  /// Sends the locations one by one. The first failure ends the round; its row and the rest are sent again.
  public func deliver(
    _ request: SinkRequest, to endpoint: SinkEndpoint, over transport: any HTTPTransport
  ) async -> SinkResponse {
    guard case .positions(let locations, _) = request.body else {
      return SinkResponse(number: request.number, status: 0)
    }
    var rows: [RowAnswer] = []
    var doubtful: [Location] = []
    var last = HTTPResponse.none
    var isEnded = false
    for location in locations {
      let answer = await transport.send(message(location, endpoint))
      last = answer
      if isTaken(answer) {
        rows.append(RowAnswer(id: location.id, status: .stored))
      } else if isRefusal(answer) {
        doubtful.append(location)
      } else {
        isEnded = true
        break
      }
    }
    guard !rows.isEmpty else { return SinkResponse(to: request, from: last) }
    // The receiver has answered. An earlier refusal may have come from something else.
    for location in doubtful where !isEnded {
      let answer = await transport.send(message(location, endpoint))
      if isTaken(answer) { rows.append(RowAnswer(id: location.id, status: .stored)) }
      if isRefusal(answer) {
        rows.append(RowAnswer(id: location.id, status: .refused(reason: "status \(answer.status)")))
      } else if !isTaken(answer) {
        last = answer
        isEnded = true
      }
    }
    return SinkResponse(number: request.number, status: 200, retryAfter: last.wait, body: .rows(rows))
  }
}

extension SinkFormat where Self == OwnTracksFormat {
  /// An OwnTracks receiver in HTTP mode.
  public static var ownTracks: OwnTracksFormat { OwnTracksFormat() }
}
