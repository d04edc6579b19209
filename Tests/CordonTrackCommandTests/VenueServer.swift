import Cordon
import CordonTracking
import Foundation

/// A server of one packed venue, without a network.
actor VenueServer: HTTPTransport {
  private var body: [UInt8]
  private var tag: String
  private var status = 200
  private(set) var answered: [Int] = []

  init(_ body: [UInt8], tag: String) {
    self.body = body
    self.tag = tag
  }

  func set(_ body: [UInt8], tag: String, status: Int = 200) {
    self.body = body
    self.tag = tag
    self.status = status
  }

  func send(_ message: HTTPRequest) async -> HTTPResponse {
    var answer = HTTPResponse.none
    if message.url.path == "/base/v1/venues/office/packed", status > 0 {
      let isKnown = status == 200 && message.headers["if-none-match"] == tag
      answer = HTTPResponse(status: isKnown ? 304 : status, headers: ["etag": tag], body: isKnown ? [] : body)
    }
    answered.append(answer.status)
    return answer
  }
}
