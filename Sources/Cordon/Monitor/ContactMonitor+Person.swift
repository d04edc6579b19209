import CordonCore
import CordonMonitoring
import CordonSupport
import CordonWire
public import Foundation

extension ContactMonitor {
  /// Requests a link to the page of the person at a Cordon server: stored data, exposure notices, who looked and why, a copy,
  /// erasure. It is valid for ten minutes, once.
  ///
  /// The code stands behind `#code=` in the link; an app may also show it for another screen.
  /// - Returns: the link; `nil` without an activation, without an answer, and at servers without such pages.
  public func personPage() async -> URL? {
    guard let (endpoint, token) = credentialsForPage else { return nil }
    var message = endpoint.json("POST", ["v1", "devices", device.rawValue, "page-code"], [])
    message.headers["authorization"] = "Bearer \(token)"
    let answer = await transport.send(message)
    guard answer.status == 201, let body = try? JSONReader.value(of: answer.body),
      let code = body["code"]?.stringValue,
      code.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) })
    else { return nil }
    return URL(string: endpoint.bareURL.appendingPathComponent("console/person").absoluteString + "#code=" + code)
  }
}
