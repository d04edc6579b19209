package import CordonCore

/// The dates of HTTP headers (RFC 9110, 5.6.7), in the one form that senders may still use:
/// `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the instant of a date; `nil` for other text.
  package static func parse(_ text: String) -> Instant? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else { return nil }
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return try? Instant(rfc3339: "\(parts[3])-\(padded(month + 1))-\(parts[1])T\(parts[4])Z")
  }
}
