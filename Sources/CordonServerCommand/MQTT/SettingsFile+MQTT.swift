import CordonCommandLine
import CordonConsole
import CordonServer

extension SettingsFile {
  /// The settings of a broker of MQTT.
  static var mqtt: [Entry] {
    [
      Entry(
        "mqtt-url", "broker of MQTT; mqtts://HOST, or mqtt:// on loopback",
        shown: { $0.server.mqtt.broker?.description }
      ) { settings, text throws(ConfigurationError) in
        do throws(OutboundAddress.Fault) {
          let broker = try OutboundAddress(text, plain: ("mqtt", 1_883), secure: ("mqtts", 8_883))
          guard broker.target == "/" else {
            throw OutboundAddress.Fault(message: "has a path, which MQTT does not know")
          }
          settings.server.mqtt.broker = broker
        } catch {
          throw ConfigurationError("the address \(error.message)")
        }
      },
      .text("mqtt-user", "name of the server at the broker", \.server.mqtt.user),
      Entry(
        "mqtt-password", "its password", isSecret: true, shown: { $0.server.mqtt.password.map { _ in "set" } }
      ) { settings, text throws(ConfigurationError) in
        guard (1...1_000).contains(text.utf8.count) else { throw ConfigurationError("1 to 1000 bytes are required") }
        settings.server.mqtt.password = text
      },
      Entry(
        "mqtt-client", "name of the connection, unique at the broker", shown: { $0.server.mqtt.client }
      ) { settings, text throws(ConfigurationError) in
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
          throw ConfigurationError("1 to 64 printable ASCII characters without spaces are required")
        }
        settings.server.mqtt.client = text
      },
      Entry(
        "mqtt-topic", "first levels of the topics of occupancy", shown: { $0.server.mqtt.topic }
      ) { settings, text throws(ConfigurationError) in settings.server.mqtt.topic = try topic(text) },
      Entry(
        "mqtt-discovery", "first level of Home Assistant's discovery, or off",
        shown: { $0.server.mqtt.discovery ?? "off" }
      ) { settings, text throws(ConfigurationError) in
        settings.server.mqtt.discovery = text == "off" ? nil : try topic(text)
      },
      Entry(
        "mqtt-owntracks", "first levels of OwnTracks' topics, above DEVICE/SECRET, or off",
        shown: { $0.server.mqtt.ownTracks ?? "off" }
      ) { settings, text throws(ConfigurationError) in
        settings.server.mqtt.ownTracks = text == "off" ? nil : try topic(text)
      },
    ]
  }

  private static func topic(_ text: String) throws(ConfigurationError) -> String {
    guard MQTTSettings.isTopic(text) else {
      throw ConfigurationError("levels of a topic without wildcards are required, such as site/cordon")
    }
    return text
  }

  /// Checks what the settings of a broker say together.
  static func checkMQTT(_ mqtt: MQTTSettings) throws(CommandError) {
    guard mqtt.password == nil || mqtt.user != nil else { throw CommandError("mqtt-password needs mqtt-user") }
  }
}
