internal import CordonCore
internal import Foundation
internal import NIOConcurrencyHelpers

/// The date field of responses (RFC 9110, IMF-fixdate), formatted once a second.
final class HTTPDate: Sendable {
  private let last = NIOLockedValueBox((second: Int64.min, text: ""))

  /// The current time.
  var text: String { text(at: Int64(Date().timeIntervalSince1970)) }

  /// - Parameter second: seconds since 1970.
  func text(at second: Int64) -> String {
    last.withLockedValue { last in
      if last.second != second { last = (second, Self.write(second)) }
      return last.text
    }
  }

  private static func write(_ second: Int64) -> String {
    // 2026-01-31T10:20:30.000Z
    let text = Instant(milliseconds: second * 1_000).rfc3339
    let parts = text.split { $0 == "-" || $0 == "T" || $0 == "." || $0 == "Z" }
    guard parts.count >= 4, let month = Int(parts[1]), (1...12).contains(month) else { return text }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    // The first day of 1970 was a Thursday.
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let count = (second - (second % 86_400 + 86_400) % 86_400) / 86_400
    let day = days[Int(count % 7 + 7) % 7]
    return "\(day), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]) GMT"
  }
}
