package import CordonCore
internal import Foundation

/// The receivers of webhooks, and what they receive.
package struct WebhookSettings: Hashable, Sendable {
  /// The receivers; none for no webhooks.
  package var receivers: [OutboundAddress] = []
  /// The secrets, 24 bytes or more each. A message has a signature under each of them, so that a secret can be replaced.
  package var secrets: [[UInt8]] = []
  /// The kinds of events that are sent.
  package var kinds = Set(WebhookEvent.Kind.allCases)
  /// The `source` of events, a URI reference.
  package var source = "urn:cordon:server"
  /// The time after which a message that no receiver took is a dead letter.
  package var lifetime = TimeSpan.days(1)
  /// The silence after which a device is reported; `nil` for never.
  package var silence: TimeSpan?
  /// Whether events name devices. Otherwise they only count them, as viewers see counts.
  package var namesDevices = false
  /// The file of capacities of spaces; `nil` for none.
  package var capacities: String?

  /// No receivers.
  package init() {}

  /// Reads a secret in the form of Standard Webhooks: `whsec_` and Base64 of 24 to 64 bytes.
  /// - Returns: its bytes; `nil` for another text.
  package static func secret(_ text: some StringProtocol) -> [UInt8]? {
    guard text.hasPrefix("whsec_"), let bytes = Data(base64Encoded: String(text.dropFirst(6))),
      (24...64).contains(bytes.count)
    else { return nil }
    return Array(bytes)
  }
}
