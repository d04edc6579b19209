import CordonCore
import Foundation

/// The clock of the report: that of the run's time zone, and UTC where it has none or one that is not known here.
struct ReportClock {
  /// What to write after a time.
  let zone: String
  private let timeZone: TimeZone?

  init(zone: String?) {
    let timeZone = zone.flatMap { $0 == "UTC" ? nil : TimeZone(identifier: $0) }
    self.timeZone = timeZone
    self.zone = timeZone == nil ? "UTC" : (zone ?? "UTC").replacingOccurrences(of: "_", with: " ")
  }

  /// Milliseconds that the clock is ahead of UTC.
  func offset(at instant: Instant) -> Int64 {
    let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1_000)
    return Int64(timeZone?.secondsFromGMT(for: date) ?? 0) * 1_000
  }

  /// From when on the clock is how far ahead of UTC, in milliseconds; the first is that at `start`.
  ///
  /// Looked for by the quarter of an hour, which all changes of clocks begin on, in at most a thousand days.
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

  /// `08:00 Europe/Berlin`
  func time(_ instant: Instant) -> String { "\(parts(instant).time) \(zone)" }

  /// `2026-01-05 08:00 Europe/Berlin`
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
