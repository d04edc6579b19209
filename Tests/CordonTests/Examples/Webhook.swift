import Cordon
import Foundation

/// A receiver that accepts lines of text, answers `taken 3`, and can erase.
struct Webhook: SinkFormat {
  let sinkID = SinkID(number: 16)
  let name = "webhook"
  var abilities: Sink.Abilities { .erasure }

  func message(for request: SinkRequest, at endpoint: SinkEndpoint) -> HTTPRequest? {
    var message = HTTPRequest(method: "POST", url: endpoint.bareURL)
    switch request.body {
    case .positions(let locations, _):
      let lines = locations.map { "\($0.id) \($0.coordinate.latitude) \($0.coordinate.longitude)" }
      message.body = Array(lines.joined(separator: "\n").utf8)
    case .erase:
      message.method = "DELETE"
      message.url.appendPathComponent(request.device.rawValue)
    default: return nil
    }
    if let authorization = endpoint.authorization { message.headers["authorization"] = authorization }
    return message
  }

  func response(to request: SinkRequest, from answer: HTTPResponse, at endpoint: SinkEndpoint) -> SinkResponse {
    var response = SinkResponse(to: request, from: answer)
    guard answer.status == 200 else { return response }
    let text = String(decoding: answer.body, as: UTF8.self)
    switch request.body {
    case .positions(let rows, _) where text == "taken \(rows.count)":
      response.body = .rows(rows.map { RowAnswer(id: $0.id, status: .stored) })
    case .erase where text == "erased \(request.device)": response.body = .erased
    default: break
    }
    return response
  }
}
