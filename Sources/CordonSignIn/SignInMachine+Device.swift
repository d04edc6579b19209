import Cordon
import CordonCore
import CordonSupport
import CordonWire

/// The device-code grant (RFC 8628), for machines without a browser.
extension SignInMachine {
  static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

  mutating func startDevice() -> [Effect] {
    guard let endpoint = metadata?.deviceAuthorization else {
      return [.failed(.unsupported("sign-in with a device code"))]
    }
    step = .startingDevice
    return [
      SignInMachine.form(
        endpoint, [("client_id", configuration.client), ("scope", configuration.scopes.joined(separator: " "))])
    ]
  }

  mutating func takeDeviceCode(_ answer: HTTPResponse, _ now: Instant) -> [Effect] {
    guard answer.status == 200 else {
      if let code = SignInMachine.error(of: answer) { return [.failed(.denied(code))] }
      return [.failed(.unreachable(SignInMachine.text(of: answer)))]
    }
    guard let value = try? JSONReader.value(of: answer.body), let code = value["device_code"]?.stringValue,
      let userCode = value["user_code"]?.stringValue, let page = value["verification_uri"]?.stringValue,
      let seconds = value["expires_in"]?.integerValue, seconds > 0
    else { return [.failed(.unreachable("the answer has no device code"))] }
    let interval = min(max(value["interval"]?.integerValue ?? 5, 1), 300)
    let shown = DeviceCode(
      code: code, userCode: userCode, page: page, completePage: value["verification_uri_complete"]?.stringValue,
      expires: now + .seconds(min(seconds, 86_400)), interval: .seconds(interval))
    step = .showingCode(shown)
    return [.show(shown), .wait(until: now + shown.interval)]
  }

  mutating func poll(_ now: Instant) -> [Effect] {
    guard case .showingCode(let code) = step, let metadata else { return [] }
    guard now < code.expires else {
      step = .idle
      return [.failed(.expired)]
    }
    step = .polling(code)
    return [
      SignInMachine.form(
        metadata.token,
        [
          ("grant_type", SignInMachine.deviceGrant), ("device_code", code.code), ("client_id", configuration.client),
        ])
    ]
  }

  mutating func takePoll(_ answer: HTTPResponse, _ code: DeviceCode, _ now: Instant) -> [Effect] {
    if answer.status == 200 { return takeTokens(answer, client: configuration.client, nonce: nil, now) }
    var code = code
    switch SignInMachine.error(of: answer) {
    case "authorization_pending": break
    // The provider asks for a longer interval (RFC 8628, 3.5); so does a network that fails.
    case "slow_down", nil: code.interval = min(code.interval + .seconds(5), .minutes(5))
    case "expired_token": return [.failed(.expired)]
    case let error?: return [.failed(.denied(error))]
    }
    step = .showingCode(code)
    return [.wait(until: now + code.interval)]
  }
}
