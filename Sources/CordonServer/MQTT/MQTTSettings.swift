/// A broker of MQTT, and what is exchanged with it.
package struct MQTTSettings: Hashable, Sendable {
  /// The broker; `nil` for none.
  package var broker: OutboundAddress?
  /// The name and password of the server at the broker; `nil` for none.
  package var user: String?
  /// The password of ``user``.
  package var password: String?
  /// The name of the client, by which the broker keeps messages for the server while it is away. Unique at the broker.
  package var client = "cordon-server"
  /// The first levels of the topics of occupancy.
  package var topic = "cordon"
  /// The first level of Home Assistant's discovery; `nil` for no discovery.
  package var discovery: String? = "homeassistant"
  /// The first levels of the topics of OwnTracks, below which are DEVICE/SECRET; `nil` for none.
  package var ownTracks: String?

  /// No broker.
  package init() {}

  /// Whether a text can be levels of a topic: 1 to 200 bytes without wildcards, and no empty level.
  package static func isTopic(_ text: String) -> Bool {
    (1...200).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && ![UInt8(ascii: "+"), UInt8(ascii: "#")].contains($0) }
      && !text.split(separator: "/", omittingEmptySubsequences: false).contains(where: \.isEmpty)
      && !text.hasPrefix("$")
  }
}
