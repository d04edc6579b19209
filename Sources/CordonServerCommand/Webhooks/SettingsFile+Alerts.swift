import CordonCommandLine
import CordonConsole
import CordonCore
import CordonServer

extension SettingsFile {
  /// The settings of messages about alerts.
  static var alerts: [Entry] {
    [
      .text(
        "alert-mail-folder", "folder that gets a mail file (.eml) for each message about an alert",
        \.server.alerts.mailFolder),
      Entry(
        "alert-mail-from", "sender of these mails",
        shown: { $0.server.alerts.mailFrom.isEmpty ? nil : $0.server.alerts.mailFrom }
      ) { settings, text throws(ConfigurationError) in
        guard AlertSettings.isAddress(text) else { throw ConfigurationError("'\(text.prefix(64))' is not an address") }
        settings.server.alerts.mailFrom = text
      },
      Entry(
        "alert-mail-to", "recipients of these mails, separated by spaces",
        shown: { $0.server.alerts.mailTo.isEmpty ? nil : $0.server.alerts.mailTo.joined(separator: " ") }
      ) { settings, text throws(ConfigurationError) in
        let parts = text.split(separator: " ").map(String.init)
        if let wrong = parts.first(where: { !AlertSettings.isAddress($0) }) {
          throw ConfigurationError("'\(wrong.prefix(64))' is not an address")
        }
        guard (1...20).contains(parts.count) else { throw ConfigurationError("1 to 20 addresses are required") }
        settings.server.alerts.mailTo = parts
      },
      .duration(
        "alert-quiet", "time after a message for which a rule sends no other", \.server.alerts.quiet,
        TimeSpan.zero...TimeSpan.days(1)),
    ]
  }

  /// Checks what the settings of alerts say together.
  static func checkAlerts(_ alerts: AlertSettings) throws(CommandError) {
    guard alerts.mailFolder != nil else { return }
    guard !alerts.mailFrom.isEmpty, !alerts.mailTo.isEmpty else {
      throw CommandError("alert-mail-folder needs alert-mail-from and alert-mail-to")
    }
  }
}
