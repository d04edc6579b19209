package import CordonCore

/// How messages about alerts leave the server, besides webhooks.
package struct AlertSettings: Hashable, Sendable {
  /// The folder that gets a file for each message (RFC 5322, `.eml`), which a mail server fetches; `nil` for none.
  package var mailFolder: String?
  /// The sender of these messages.
  package var mailFrom = ""
  /// Their recipients.
  package var mailTo: [String] = []
  /// The time after a message for which a rule sends no other message that an alert was raised.
  package var quiet = TimeSpan.minutes(10)

  /// No files.
  package init() {}

  /// Whether a text can be an address in a header of a message: printable ASCII with one `@`, without blanks and separators.
  package static func isAddress(_ text: some StringProtocol) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return text.utf8.count <= 254 && parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
      && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && !#"()<>[]:;,\""#.utf8.contains($0) }
  }
}
