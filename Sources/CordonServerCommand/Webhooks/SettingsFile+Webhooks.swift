import CordonCommandLine
import CordonConsole
import CordonCore
import CordonServer

extension SettingsFile {
  /// The settings of webhooks.
  static var webhooks: [Entry] {
    [
      Entry(
        "webhook-urls", "receivers of events, separated by spaces; https, or http on loopback",
        shown: { settings in
          let urls = settings.server.webhooks.receivers.map(\.description)
          return urls.isEmpty ? nil : urls.joined(separator: " ")
        }
      ) { settings, text throws(ConfigurationError) in
        var receivers: [OutboundAddress] = []
        for part in text.split(separator: " ") {
          do throws(OutboundAddress.Fault) {
            let receiver = try OutboundAddress(String(part))
            guard !receivers.contains(receiver) else { throw OutboundAddress.Fault(message: "is listed twice") }
            receivers.append(receiver)
          } catch {
            throw ConfigurationError("receiver \(receivers.count + 1) \(error.message)")
          }
        }
        guard (1...20).contains(receivers.count) else { throw ConfigurationError("1 to 20 addresses are required") }
        settings.server.webhooks.receivers = receivers
      },
      Entry(
        "webhook-secret", "secret of signatures, whsec_ and Base64 of 24 to 64 bytes; then a former one",
        isSecret: true, shown: { $0.server.webhooks.secrets.isEmpty ? nil : "set" }
      ) { settings, text throws(ConfigurationError) in
        let parts = text.split(separator: " ")
        let secrets = parts.compactMap { WebhookSettings.secret($0) }
        guard secrets.count == parts.count, (1...2).contains(parts.count) else {
          throw ConfigurationError("one or two secrets are required, each whsec_ and Base64 of 24 to 64 bytes")
        }
        settings.server.webhooks.secrets = secrets
      },
      Entry(
        "webhook-events", "kinds of events that are sent, separated by spaces",
        shown: { $0.server.webhooks.kinds.sorted().map(\.rawValue).joined(separator: " ") }
      ) { settings, text throws(ConfigurationError) in
        var kinds: Set<WebhookEvent.Kind> = []
        for part in text.split(separator: " ") {
          guard let kind = WebhookEvent.Kind(rawValue: String(part)) else {
            let names = WebhookEvent.Kind.allCases.sorted().map(\.rawValue).joined(separator: ", ")
            throw ConfigurationError("'\(part.prefix(64))' is not a kind of events; the kinds are \(names)")
          }
          kinds.insert(kind)
        }
        settings.server.webhooks.kinds = kinds
      },
      Entry(
        "webhook-source", "source of events, a URI without spaces", shown: { $0.server.webhooks.source }
      ) { settings, text throws(ConfigurationError) in
        guard (1...200).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
          throw ConfigurationError("1 to 200 printable ASCII characters without spaces are required")
        }
        settings.server.webhooks.source = text
      },
      .duration(
        "webhook-lifetime", "time after which a message that no receiver took is a dead letter",
        \.server.webhooks.lifetime, TimeSpan.minutes(1)...TimeSpan.days(30)),
      .text(
        "webhook-capacities", "file of lines VENUE,SPACE,CAPACITY for events of occupancy",
        \.server.webhooks.capacities),
      .durationOrOff(
        "webhook-silence", "silence after which devices are reported, off for never", \.server.webhooks.silence,
        TimeSpan.hours(1)...TimeSpan.days(365)),
      .flag("webhook-devices", "events name silent devices", \.server.webhooks.namesDevices),
      .text(
        "outbound-authorities", "PEM file of authorities that outgoing connections trust beside the system's",
        \.server.outboundAuthorities),
    ]
  }

  /// Checks what the settings of webhooks say together.
  static func checkWebhooks(_ webhooks: WebhookSettings) throws(CommandError) {
    guard !webhooks.receivers.isEmpty else { return }
    guard !webhooks.secrets.isEmpty else { throw CommandError("webhook-urls needs webhook-secret") }
    guard !webhooks.namesDevices || webhooks.silence != nil else {
      throw CommandError("webhook-devices needs webhook-silence")
    }
  }
}
