import CordonCore
import CordonYAML

extension YAMLValue {
  func span(in range: ClosedRange<TimeSpan>) throws -> TimeSpan {
    let text = try text
    guard let span = TimeSpan(parsing: text) else {
      throw fail("must be a duration such as 30s, 5m or 2h, not '\(text)'")
    }
    guard range.contains(span) else {
      throw fail("must be between \(range.lowerBound) and \(range.upperBound), not \(text)")
    }
    return span
  }

  /// The value as a time of day, such as `08:30` or `24:00`.
  var clock: ClockTime {
    get throws {
      let text = try text
      guard let time = ClockTime(text) else { throw fail("must be a time of day such as 08:30, not '\(text)'") }
      return time
    }
  }
}
