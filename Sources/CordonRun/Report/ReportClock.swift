import CordonCore
import Foundation

/// The clock of the report: the run's time zone, or UTC if the zone is missing or unknown on this machine.
struct ReportClock {
  /// The label after a time.
  let zone: String
  private let timeZone: TimeZone?

  init(zone: String?) {
    let timeZone = zone.flatMap { $0 == "UTC" ? nil : TimeZone(identifier: $0) }
    self.timeZone = timeZone
    self.zone = timeZone == nil ? "UTC" : (zone ?? "UTC").replacingOccurrences(of: "_", with: " ")
  }

  /// Returns the offset from UTC in milliseconds; positive if the clock is ahead.
  func offset(at instant: Instant) -> Int64 {
    let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1_000)
    return Int64(timeZone?.secondsFromGMT(for: date) ?? 0) * 1_000
  }

  /// Returns the offsets from UTC in milliseconds and the times from which they apply, starting with `start`.
  ///
  /// The search steps through quarters of an hour, because all changes of clocks fall on them. It covers at most a
  /// thousand days.
  func offsets(from start: Instant, to end: Instant) -> [(from: Int64, offset: Int64)] {
    var offsets = [(from: start.milliseconds, offset: offset(at: start))]
    guard timeZone != nil else { return offsets }
    let quarter: Int64 = 900_000
    let last = min(end.milliseconds, start.milliseconds + 96_000 * quarter)
    var time = (start.milliseconds / quarter + 1) * quarter
    while time < last {
      let offset = offset(at: Instant(milliseconds: time))
      if offset != offsets[offsets.count - 1].offset { offsets.append((time, offset)) }
      time += quarter
    }
    return offsets
  }

  /// Returns a time such as `08:00 Europe/Berlin`.
  func time(_ instant: Instant) -> String { "\(parts(instant).time) \(zone)" }

  /// Returns a date and time such as `2026-01-05 08:00 Europe/Berlin`.
  func dateAndTime(_ instant: Instant) -> String {
    let (date, time) = parts(instant)
    return "\(date) \(time) \(zone)"
  }

  private func parts(_ instant: Instant) -> (date: Substring, time: Substring) {
    let text = Instant(milliseconds: instant.milliseconds + offset(at: instant)).rfc3339
    guard let separator = text.firstIndex(of: "T") else { return (text[...], "") }
    return (text[..<separator], text[text.index(after: separator)...].prefix(5))
  }
}
