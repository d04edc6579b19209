internal import CordonCore
internal import CordonIngest
internal import Foundation

/// A message about an alert as a mail. Names that operators chose stand in the encoded subject and body only, so that no name
/// can add a header.
struct AlertMail {
  var message: AlertMessage
  var settings: AlertSettings
  /// The name of the venue.
  var venue: String
  var now: Instant

  /// The name of the file, the same for each attempt.
  var fileName: String { "cordon-alert-\(message.alert.number)-\(message.isEnd ? "ended" : "raised").eml" }

  private var subject: String {
    "[Cordon] \(message.isEnd ? "Ended" : "Alert"): \(message.rule.name) (\(venue))"
  }

  private var body: String {
    var lines = [
      message.isEnd ? "An alert has ended." : "An alert was raised.", "",
      "Rule: \(message.rule.name) (\(message.rule.kind.rawValue))", "Venue: \(venue)",
    ]
    if let space = message.alert.space ?? message.rule.space { lines.append("Space: \(space.rawValue)") }
    lines.append("Since: \(message.alert.began.rfc3339)")
    if message.isEnd, let end = message.alert.ended { lines.append("Until: \(end.rfc3339)") }
    lines += ["", "The console shows the alert and its history."]
    return lines.map(Self.line).joined(separator: "\r\n") + "\r\n"
  }

  /// The whole message.
  var bytes: [UInt8] {
    let headers = [
      "From: \(settings.mailFrom)", "To: \(settings.mailTo.joined(separator: ", "))",
      "Subject: \(Self.encoded(subject))",
      "Date: \(Self.date(now))",
      "Message-ID: <\(message.alert.raised.milliseconds)-\(fileName)@cordon>",
      "Auto-Submitted: auto-generated", "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: base64",
    ]
    let text = Data(body.utf8).base64EncodedString(options: [
      .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
    ])
    return Array((headers.joined(separator: "\r\n") + "\r\n\r\n" + text + "\r\n").utf8)
  }

  /// A text without line breaks and other control characters.
  private static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  /// A text as encoded words of at most 75 characters (RFC 2047).
  static func encoded(_ text: String) -> String {
    var words: [String] = []
    var part = ""
    func finish() {
      if !part.isEmpty { words.append("=?utf-8?B?\(Data(part.utf8).base64EncodedString())?=") }
      part = ""
    }
    for scalar in line(text).unicodeScalars {
      if part.utf8.count + String(scalar).utf8.count > 42 { finish() }
      part.unicodeScalars.append(scalar)
    }
    finish()
    return words.joined(separator: "\r\n ")
  }

  /// A date of RFC 5322 in UTC.
  static func date(_ time: Instant) -> String {
    HTTPDate.text(at: time.milliseconds / 1_000).replacing(" GMT", with: " +0000")
  }

  /// Writes the file; a mail server never sees a part of it.
  func write(to folder: String) throws {
    let target = URL(fileURLWithPath: folder).appendingPathComponent(fileName)
    if FileManager.default.fileExists(atPath: target.path) { return }
    try Data(bytes).write(to: target, options: .atomic)
  }
}
