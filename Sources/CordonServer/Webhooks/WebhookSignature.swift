internal import CordonCore
internal import CordonSupport
internal import Foundation

/// The signature of a message after the Standard Webhooks specification: HMAC-SHA-256 over identifier, time and body.
package enum WebhookSignature {
  /// Returns the value of `webhook-signature`: a `v1` signature for each secret, separated by spaces.
  /// - Parameters:
  ///   - id: the value of `webhook-id`.
  ///   - seconds: the value of `webhook-timestamp`, seconds since 1970.
  ///   - body: the body as it is sent.
  ///   - secrets: the keys; the first one is the current one.
  package static func value(id: String, seconds: Int64, body: [UInt8], secrets: [[UInt8]]) -> String {
    let message = Array("\(id).\(seconds).".utf8) + body
    return secrets.map { "v1," + Data(HMACSigner().authenticationCode(of: message, key: $0)).base64EncodedString() }
      .joined(separator: " ")
  }
}
