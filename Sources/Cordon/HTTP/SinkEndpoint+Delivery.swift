import CordonCore
public import CordonMonitoring
import CordonWire
import Foundation

extension SinkEndpoint {
  /// Carries a request to its sink, and says what became of it. Never throws: what fails is asked again.
  public func deliver(_ request: Request, over transport: any HTTPTransport) async -> Response {
    if request.sink == .ownTracks { return await deliverOneByOne(request, over: transport) }
    if request.sink == .file { return LocationFile(url: url).take(request) }
    guard let message = message(for: request) else { return Response(number: request.number, status: 0) }
    return response(to: request, from: await transport.send(message))
  }

  /// OwnTracks takes one location in each message. The first that fails ends the round; its row and the rest come again.
  private func deliverOneByOne(_ request: Request, over transport: any HTTPTransport) async -> Response {
    guard case .positions(let locations, _) = request.body else { return Response(number: request.number, status: 0) }
    var rows: [RowAnswer] = []
    for location in locations {
      let answer = await transport.send(ownTracksMessage(location))
      let isTaken = (200..<300).contains(answer.status) && OwnTracks.isAccepted(answer.body)
      if isTaken {
        rows.append(RowAnswer(id: location.id, status: .stored))
      } else if [400, 413, 422].contains(answer.status) {
        rows.append(RowAnswer(id: location.id, status: .refused(reason: "status \(answer.status)")))
      } else if rows.isEmpty {
        // A success that is none says nothing; anything else says what it says.
        let status = (200..<300).contains(answer.status) ? 0 : answer.status
        return Response(number: request.number, status: status, retryAfter: answer.wait)
      } else {
        return Response(number: request.number, status: 200, retryAfter: answer.wait, body: .rows(rows))
      }
    }
    return Response(number: request.number, status: 200, body: .rows(rows))
  }

  private func ownTracksMessage(_ location: Location) -> HTTPMessage {
    let (user, device) = ("cordon", location.device.rawValue)
    var headers = ["content-type": "application/json", "x-limit-u": user, "x-limit-d": device]
    if let authorization { headers["authorization"] = authorization }
    return HTTPMessage(
      method: "POST", url: bareURL, headers: headers,
      body: OwnTracks.encode(location, topic: "owntracks/\(user)/\(device)"))
  }

  /// The address without a name and password in it.
  var bareURL: URL {
    guard url.user != nil, var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url }
    components.user = nil
    components.password = nil
    return components.url ?? url
  }

  /// What opens the door of a receiver without activation: a bearer token, or `user:password` of an address.
  var authorization: String? {
    if let token { return "Bearer \(token)" }
    // The parts of components are without percent encoding.
    let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    guard let user = parts?.user, let password = parts?.password else { return nil }
    return "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
  }
}
