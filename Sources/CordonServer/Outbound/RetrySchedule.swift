internal import CordonCore

/// The waits between attempts: they double from the first one to the longest one, each with jitter.
struct RetrySchedule: Hashable, Sendable {
  /// The wait after the first failed attempt.
  var first = TimeSpan.seconds(5)
  /// The longest wait.
  var longest = TimeSpan.hours(1)

  /// Returns the wait after a number of failed attempts: a random part between one half and all of the doubled wait.
  /// - Parameters:
  ///   - attempts: the failed attempts so far, at least 1.
  ///   - jitter: a random number from 0 up to 1.
  func wait(after attempts: Int, jitter: Double) -> TimeSpan {
    let doublings = min(max(attempts - 1, 0), 40)
    let whole = min(Double(first.milliseconds) * Double(1 << doublings), Double(longest.milliseconds))
    return TimeSpan(milliseconds: Int64((whole * (0.5 + 0.5 * min(max(jitter, 0), 1))).rounded()))
  }
}
