internal import CordonCore
internal import CordonIngest
internal import CordonSupport
internal import Foundation
internal import Logging
internal import NIOConcurrencyHelpers
internal import ServiceLifecycle

/// Sends messages about alerts to the receivers of webhooks and into the folder of mails, while the server runs.
struct AlertService: Service {
  /// The queue of webhooks, which all servers on a database share; `nil` without one.
  let outbox: WebhookOutbox?
  let settings: AlertSettings
  let writer: GroupCommitWriter
  let preprocessor: NIOLockedValueBox<RequestPreprocessor>
  let logger: Logger
  let clock: @Sendable () -> Instant

  /// The time between two looks at the alerts.
  static let pause = Duration.seconds(5)

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await send()
        try? await Task.sleep(for: Self.pause)
      }
    }
  }

  /// Sends what is due. A message that cannot be handed over is tried again at the next look.
  func send() async {
    let sent = await writer.alertMessages(quiet: settings.quiet)
    guard !sent.isEmpty else { return }
    do {
      guard try await outbox?.claim(WebhookOutbox.alertTask) ?? true else { return }
      let events = sent.map { Self.event($0, now: clock()) }
      // A message that an earlier attempt has queued is not queued again.
      let marks = events.compactMap { event in
        event.mark.map { WebhookMark($0, former: nil, value: event.time.milliseconds) }
      }
      try await outbox?.publish(events, marks: marks)
      if let folder = settings.mailFolder {
        for message in sent {
          let venue = preprocessor.withLockedValue { $0.catalog.venues[message.rule.venue]?.name } ?? ""
          let mail = AlertMail(
            message: message, settings: settings, venue: venue.isEmpty ? message.rule.venue.rawValue : venue,
            now: clock())
          try mail.write(to: folder)
        }
      }
      await writer.note(sent: sent)
    } catch {
      logger.error("alerts are not sent", metadata: ["reason": "\(error)"])
    }
  }

  /// The event of a message.
  static func event(_ message: AlertMessage, now: Instant) -> WebhookEvent {
    let (rule, alert) = (message.rule, message.alert)
    var data: [JSONValue.Member] = [
      .init("alert", .integer(alert.number)), .init("rule", .string(rule.name)),
      .init("kind", .string(rule.kind.rawValue)),
      .init("venue", .string(rule.venue.rawValue)), .init("space", JSONValue((alert.space ?? rule.space)?.rawValue)),
      .init("from", .string(alert.began.rfc3339)),
    ]
    if message.isEnd { data.append(.init("to", JSONValue(alert.ended?.rfc3339))) }
    var event = WebhookEvent(
      message.isEnd ? .alertEnded : .alertRaised, time: now, subject: rule.venue.rawValue, data)
    event.device = rule.device
    // A restored store gives numbers again.
    let name = "\(alert.number)/\(alert.raised.milliseconds)/\(message.isEnd ? "ended" : "raised")"
    event.mark = WebhookLimits.alertMarks + name
    return event
  }
}
