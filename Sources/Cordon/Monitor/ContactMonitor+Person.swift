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
    return await page("console/person", "", at: endpoint, token)
  }

  /// Requests a link to the form that the venue asks at check-in, such as a screening. It is valid for ten minutes, once, and
  /// replaces other links to pages.
  ///
  /// Call it when the monitor begins to track (its phase is `tracking`), and show the page in a web view. The page
  /// checks answers, keeps them without a network, and sends them as a record of the device. Its access ends with the
  /// token, after an hour by default; records that wait are sent when it is opened again.
  /// - Returns: the link; `nil` if the venue asks none, without an activation, and without an answer within 15 seconds.
  public func checkInForm() async -> URL? {
    // A person who arrives has not sent anything for hours, so the token has ended.
    if credentialsForPage == nil { await drain(within: .seconds(15)) }
    guard let (endpoint, token) = credentialsForPage else { return nil }
    var message = endpoint.json("GET", ["v1", "forms"], [])
    message.headers["authorization"] = "Bearer \(token)"
    let answer = await transport.send(message)
    guard answer.status == 200, let forms = (try? JSONReader.value(of: answer.body))?["forms"]?.elements,
      let form = forms.first(where: { $0["at_check_in"] == true })?["form"]?.stringValue,
      form.utf8.allSatisfy({ (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5f || $0 == 0x2d })
    else { return nil }
    return await page("forms/\(form)", "/", at: endpoint, token)
  }

  /// A link to a page of the server, with a new code.
  private func page(_ path: String, _ ending: String, at endpoint: SinkEndpoint, _ token: String) async -> URL? {
    var message = endpoint.json("POST", ["v1", "devices", device.rawValue, "page-code"], [])
    message.headers["authorization"] = "Bearer \(token)"
    let answer = await transport.send(message)
    guard answer.status == 201, let body = try? JSONReader.value(of: answer.body),
      let code = body["code"]?.stringValue,
      code.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) })
    else { return nil }
    return URL(string: endpoint.bareURL.appendingPathComponent(path).absoluteString + ending + "#code=" + code)
  }
}
