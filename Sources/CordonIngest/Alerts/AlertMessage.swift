package import CordonCore
import CordonSupport

/// A message about an alert: that it was raised, or that it ended. It names no device and holds no count.
package struct AlertMessage: Hashable, Sendable {
  /// The rule.
  package var rule: AlertRule
  /// The alert.
  package var alert: Alert
  /// Whether it states the end.
  package var isEnd: Bool

  /// Makes a message of its parts.
  package init(rule: AlertRule, alert: Alert, isEnd: Bool) {
    self.rule = rule
    self.alert = alert
    self.isEnd = isEnd
  }
}

extension Alert {
  /// Whether messages about it were kept back, because it ended while its rule was quiet.
  package var isKeptBack: Bool { sent == .epoch }

  /// When the message that it was raised was sent, for operators.
  var sentJSON: JSONValue {
    guard let sent, !isKeptBack else { return .null }
    return .integer(sent.milliseconds)
  }

  /// What became of its messages, for operators.
  var delivery: String {
    if isKeptBack { return "kept-back" }
    return sent == nil ? "none" : endSent == nil ? "sent" : "end-sent"
  }
}

extension Ingest {
  /// The age of an alert after which it is not reported any more: a server that has just been set up reports no history.
  static let messageAge = TimeSpan.hours(1)

  /// The messages that are due.
  ///
  /// A rule is quiet for some time after each message that an alert was raised. An alert that is raised meanwhile is reported
  /// when that time is over, and not at all when it has ended by then: a condition that comes and goes sends few messages.
  /// - Parameter quiet: that time.
  package func alertMessages(quiet: TimeSpan, now: Instant) throws(StoreFault) -> [AlertMessage] {
    var messages: [AlertMessage] = []
    for rule in try alerts.rules() {
      let history = try alerts.alerts(of: rule.number, limit: 100)
      var last = history.compactMap(\.sent).max() ?? .epoch
      for alert in history.reversed() {
        if let sent = alert.sent {
          guard sent > .epoch, alert.ended != nil, alert.endSent == nil else { continue }
          messages.append(AlertMessage(rule: rule, alert: alert, isEnd: true))
        } else if now - alert.raised > max(quiet, Self.messageAge) {
          continue
        } else if now - last >= quiet || last == .epoch {
          last = now
          messages.append(AlertMessage(rule: rule, alert: alert, isEnd: false))
          if alert.ended != nil { messages.append(AlertMessage(rule: rule, alert: alert, isEnd: true)) }
        } else if alert.ended != nil {
          var entry = alert
          entry.sent = .epoch
          _ = try alerts.save(entry)
        }
      }
    }
    return messages
  }

  /// Notes that messages were sent.
  package func note(sent messages: [AlertMessage], now: Instant) throws(StoreFault) {
    for message in messages {
      guard
        var alert = try alerts.alerts(of: message.rule.number, limit: 100).first(where: {
          $0.number == message.alert.number
        })
      else { continue }
      if message.isEnd { alert.endSent = now } else { alert.sent = max(now, Instant(milliseconds: 1)) }
      _ = try alerts.save(alert)
    }
  }
}
