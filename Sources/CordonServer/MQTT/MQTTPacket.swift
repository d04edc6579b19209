/// A message of MQTT: bytes under a topic.
package struct MQTTMessage: Hashable, Sendable {
  /// The topic, without wildcards.
  package var topic: String
  /// The bytes.
  package var payload: [UInt8]
  /// Whether the broker keeps it as the last value of the topic.
  package var isRetained = false
  /// 0 (at most once) or 1 (at least once).
  package var quality: UInt8 = 0

  /// A message.
  package init(_ topic: String, _ payload: [UInt8], isRetained: Bool = false, quality: UInt8 = 0) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
    self.quality = quality
  }
}

/// The packets of MQTT 3.1.1 that a client with qualities 0 and 1 sends and receives (OASIS Standard, 29 October 2014).
enum MQTTPacket: Hashable, Sendable {
  /// The first packet of a client.
  case connect(Connect)
  /// The broker's answer to it. The code is 0 for an accepted connection.
  case connectAcknowledgement(hasSession: Bool, code: UInt8)
  /// A message. The number is that of a message of quality 1; 0 for others. A message beyond the decoder's limit is cut: its
  /// payload is empty.
  case publish(MQTTMessage, number: UInt16, isRepeated: Bool, isCut: Bool)
  /// The receipt of a message of quality 1.
  case publishAcknowledgement(number: UInt16)
  /// The request for messages whose topics match filters, each with its highest quality.
  case subscribe(number: UInt16, [Filter])
  /// The broker's answer to it: the granted qualities, 0x80 for a refusal.
  case subscribeAcknowledgement(number: UInt16, [UInt8])
  /// A sign of life, and the answer to it.
  case ping
  case pingAnswer
  /// The last packet of a client.
  case disconnect

  /// A topic filter, which may have wildcards.
  struct Filter: Hashable, Sendable {
    var topic: String
    var quality: UInt8
  }

  /// The parts of the first packet.
  struct Connect: Hashable, Sendable {
    /// The name of the client at the broker.
    var client: String
    /// Whether the broker forgets an earlier session of the name, with its waiting messages.
    var isClean: Bool
    /// The longest silence of the client, in seconds; 0 for any.
    var keepAlive: UInt16
    var user: String?
    var password: String?
    /// The message that the broker publishes when the connection breaks.
    var will: MQTTMessage?
  }
}

/// A connection that breaks the rules of MQTT, or a broker that refuses.
struct MQTTFault: Error, Hashable, Sendable, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
