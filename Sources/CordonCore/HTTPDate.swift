/// The dates of HTTP headers (RFC 9110, 5.6.7), in the one form that senders may still use:
/// `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  /// The first day of 1970 was a Thursday.
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

  /// Returns the instant of a date; `nil` for other text. The day of the week is not checked.
  package static func parse(_ text: String) -> Instant? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else { return nil }
    return try? Instant(rfc3339: "\(parts[3])-\(padded(month + 1))-\(parts[1])T\(parts[4])Z")
  }

  /// Returns the date of a time in the years 0000 to 9999.
  /// - Parameter second: seconds since 1970.
  package static func text(at second: Int64) -> String {
    // 2026-01-31T10:20:30.000Z
    let text = Instant(milliseconds: second * 1_000).rfc3339
    let parts = text.split { $0 == "-" || $0 == "T" || $0 == "." || $0 == "Z" }
    guard parts.count >= 4, let month = Int(parts[1]), (1...12).contains(month) else { return text }
    let count = (second - (second % 86_400 + 86_400) % 86_400) / 86_400
    let day = days[Int(count % 7 + 7) % 7]
    return "\(day), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]) GMT"
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
