package import CordonCore
internal import CordonSupport
internal import CordonWire
internal import Crypto
internal import Foundation

/// Requests of the Apple Push Notification service (HTTP/2, provider tokens of ES256).
package struct APNsRequest: Sendable {
  private let topic: String
  private let keyID: String
  private let team: String
  private let key: P256.Signing.PrivateKey
  private let host: String

  /// Creates an adapter.
  /// - Parameters:
  ///   - topic: the identifier of the app's bundle.
  ///   - keyID: the identifier of the signing key.
  ///   - team: the identifier of the team.
  ///   - privateKey: the signing key, PEM.
  ///   - isSandbox: whether the development service is used.
  package init(
    topic: String, keyID: String, team: String, privateKey: String, isSandbox: Bool = false
  ) throws(StudyError) {
    guard let key = try? P256.Signing.PrivateKey(pemRepresentation: privateKey) else {
      throw StudyError(.badField, "not a key of ES256, PEM", field: "private_key")
    }
    self.topic = topic
    self.keyID = keyID
    self.team = team
    self.key = key
    host = isSandbox ? "https://api.sandbox.push.apple.com" : "https://api.push.apple.com"
  }

  /// Returns a provider token; the service takes it for up to an hour, and refuses a new one more than each 20 minutes.
  package func providerToken(now: Instant) throws(StudyError) -> String {
    let header: JSONValue = ["alg": "ES256", "kid": .string(keyID)]
    let claims: JSONValue = ["iss": .string(team), "iat": .integer(now.milliseconds / 1_000)]
    let text = "\(Self.base64(Array(header.text().utf8))).\(Self.base64(Array(claims.text().utf8)))"
    guard let signature = try? key.signature(for: Data(text.utf8)) else {
      throw StudyError(.vault, "the provider token cannot be signed")
    }
    return "\(text).\(Self.base64(Array(signature.rawRepresentation)))"
  }

  static func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Returns the request of a message. The text is that of a key in the app; the message names no study.
  package func request(_ message: PushMessage, providerToken: String) -> OutgoingRequest {
    OutgoingRequest(
      "\(host)/3/device/\(message.token)",
      headers: [
        .init("authorization", "bearer \(providerToken)"), .init("apns-topic", topic), .init("apns-push-type", "alert"),
        .init("apns-priority", "5"), .init("apns-collapse-id", message.key), .init("apns-expiration", "0"),
      ],
      json: [
        "aps": ["alert": ["loc-key": "cordon.permissions"]],
        "permissions": .array(message.permissions.map { .string($0.rawValue) }),
      ])
  }

  /// Reads a response.
  package static func result(_ response: IncomingResponse?) -> PushResult {
    guard let response else { return .failed }
    if response.status == 200 { return .sent }
    let reason = (try? JSONReader.value(of: response.body))?["reason"]?.stringValue
    return response.status == 410 || reason == "BadDeviceToken" || reason == "Unregistered" ? .gone : .failed
  }
}

/// Requests of Firebase Cloud Messaging (HTTP v1).
package struct FCMRequest: Sendable {
  private let project: String

  /// Creates an adapter of a project.
  package init(project: String) { self.project = project }

  /// Returns the request of a message.
  /// - Parameter accessToken: the OAuth token of the service account.
  package func request(_ message: PushMessage, accessToken: String) -> OutgoingRequest {
    OutgoingRequest(
      "https://fcm.googleapis.com/v1/projects/\(project)/messages:send",
      headers: [.init("authorization", "Bearer \(accessToken)")],
      json: [
        "message": [
          "token": .string(message.token),
          "data": [
            "kind": "cordon.permissions",
            "permissions": .string(message.permissions.map(\.rawValue).joined(separator: " ")),
          ],
          "android": ["collapse_key": .string(message.key), "priority": "NORMAL"],
        ]
      ])
  }

  /// Reads a response.
  package static func result(_ response: IncomingResponse?) -> PushResult {
    guard let response else { return .failed }
    if response.status == 200 { return .sent }
    let details = (try? JSONReader.value(of: response.body))?["error"]?["details"]?.elements ?? []
    let isGone = details.contains { $0["errorCode"]?.stringValue == "UNREGISTERED" }
    return response.status == 404 || isGone ? .gone : .failed
  }
}
