import CordonCore
import CordonIngest
import CordonTestSupport
import Foundation
import Testing

@testable import CordonServer

@Suite("Mails and events of alerts") struct AlertMailTests {
  private static func mail(_ name: String, isEnd: Bool = false) throws -> AlertMail {
    let time = Instant(milliseconds: 1_767_254_400_000)
    let venue = try #require(VenueID("office"))
    let rule = AlertRule(
      number: 4, venue: venue, kind: .overCapacity, name: name, space: SpaceID("kitchen"), threshold: 100, lasting: 60,
      isOn: true)
    let alert = Alert(
      number: 7, rule: 4, began: time, raised: time + .minutes(1), ended: isEnd ? time + .minutes(9) : nil, peak: 31,
      space: nil, acknowledged: nil)
    var settings = AlertSettings()
    (settings.mailFrom, settings.mailTo) = ("cordon@example.org", ["a@example.org", "b@example.org"])
    return AlertMail(
      message: AlertMessage(rule: rule, alert: alert, isEnd: isEnd), settings: settings, venue: "Office", now: time)
  }

  private static func parts(_ mail: AlertMail) throws -> (headers: [String], body: String) {
    let text = String(decoding: mail.bytes, as: UTF8.self)
    let halves = text.components(separatedBy: "\r\n\r\n")
    let headers = halves[0].replacingOccurrences(of: "\r\n ", with: " ").components(separatedBy: "\r\n")
    let body = try #require(Data(base64Encoded: halves[1], options: .ignoreUnknownCharacters))
    return (headers, String(decoding: body, as: UTF8.self))
  }

  private static func subject(_ headers: [String]) throws -> String {
    let line = try #require(headers.first { $0.hasPrefix("Subject: ") })
    return try line.dropFirst(9).split(separator: " ").map { word in
      #expect(word.hasPrefix("=?utf-8?B?") && word.hasSuffix("?=") && word.utf8.count <= 75)
      return String(decoding: try #require(Data(base64Encoded: String(word.dropFirst(10).dropLast(2)))), as: UTF8.self)
    }.joined()
  }

  @Test func aMailStatesTheRuleAndNoCount() throws {
    let (headers, body) = try Self.parts(try Self.mail("Küche voll"))
    #expect(headers[0] == "From: cordon@example.org" && headers[1] == "To: a@example.org, b@example.org")
    #expect(headers.contains("Date: Thu, 01 Jan 2026 08:00:00 +0000"))
    #expect(try Self.subject(headers) == "[Cordon] Alert: Küche voll (Office)")
    #expect(body.contains("Rule: Küche voll (over-capacity)\r\n") && body.contains("Space: kitchen\r\n"))
    #expect(!body.contains("31"))
    let ended = try Self.parts(try Self.mail("Küche voll", isEnd: true))
    #expect(ended.body.contains("Until: 2026-01-01T08:09:00.000Z") && ended.headers != headers)
  }

  @Test(arguments: [
    "a\r\nBcc: evil@example.org", "a\nX: y\n\n<script>", "=?utf-8?B?eA==?=", "\u{2028}\u{0}\u{7f}",
    String(repeating: "é👩‍👩‍👧", count: 40),
  ])
  func aNameAddsNoHeader(_ name: String) throws {
    let mail = try Self.mail(name)
    #expect(mail.bytes.allSatisfy { (0x20...0x7e).contains($0) || $0 == 0x0d || $0 == 0x0a })
    let (headers, _) = try Self.parts(mail)
    #expect(headers.count == 9 && headers.allSatisfy { $0.contains(": ") })
    #expect(!headers.contains { $0.hasPrefix("Bcc") || $0.hasPrefix("X:") })
    #expect(try Self.subject(headers).hasPrefix("[Cordon] Alert: "))
  }

  @Test func aFileIsWrittenOnce() throws {
    let folder = try TemporaryFolder()
    let mail = try Self.mail("A")
    try mail.write(to: folder.url.path)
    var later = mail
    later.message.rule.name = "B"
    try later.write(to: folder.url.path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["cordon-alert-7-raised.eml"])
    #expect(try Data(contentsOf: folder.url.appendingPathComponent(mail.fileName)) == Data(mail.bytes))
    #expect(throws: (any Error).self) { try mail.write(to: folder.path("nowhere")) }
  }

  @Test func anEventHoldsNoCountAndNoDevice() throws {
    var message = try Self.mail("A", isEnd: true).message
    message.rule.device = DeviceID("phone-1")
    let event = AlertService.event(message, now: message.alert.began)
    let body = String(decoding: event.body(id: "1", source: "s"), as: UTF8.self)
    #expect(event.kind == .alertEnded && !body.contains("31") && !body.contains("phone-1"))
    #expect(body.contains(#""to":"2026-01-01T08:09:00.000Z""#) && body.contains(#""space":"kitchen""#))
  }

  @Test(arguments: [
    ("a@b", true), ("", false), ("a@", false), ("a b@c", false), ("a@b,c@d", false), ("a@b@c", false), ("ä@b", false),
    ("a\n@b", false), ("<a@b>", false),
  ])
  func onlyAddressesAreTaken(_ text: String, _ isAddress: Bool) { #expect(AlertSettings.isAddress(text) == isAddress) }
}
